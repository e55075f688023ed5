"""What cannot be a judge is refused with one clear message, before anything is asked."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="needs the extra heavy: pip install -e '.[heavy]'")
pytest.importorskip("transformers", reason="needs the extra heavy: pip install -e '.[heavy]'")

import msgspec
import torch
from asking.fakes import raising
from huggingface_hub import is_offline_mode
from judges.compared import replies_to
from judges.local.asked_here import Build
from safetensors.torch import load_file, save_file
from small_vlm import TEMPLATE

from counterbench.errors import CounterbenchError, InputError, JudgeError
from counterbench.judges.local.checkpoint_judge import TransformersJudge
from counterbench.judges.local.loading import fingerprint
from counterbench.judges.local.prompts import Prompts
from counterbench.testing import sample_queries

pytestmark = pytest.mark.slow


@pytest.fixture
def damaged(build: Build, tmp_path: Path) -> Path:
    """A small model's folder, to be damaged."""
    return Path(shutil.copytree(build(), tmp_path / "model"))


def refusal(path: str | Path, kind: type[CounterbenchError] = JudgeError, **options: str) -> str:
    """The message with which a checkpoint is refused: one line, beginning with the judge."""
    with pytest.raises(kind) as caught:
        TransformersJudge(str(path), options)
    message = str(caught.value)
    assert message.startswith(f"transformers:{path}: ")
    assert "\n" not in message
    assert len(message) < 600
    return message


def patch(path: Path, **changes: Any) -> None:
    data = json.loads(path.read_text())
    path.write_text(json.dumps({key: value for key, value in {**data, **changes}.items() if value is not None}))


def test_a_wrong_folder_model_revision_or_device_is_refused(build: Build, tmp_path: Path) -> None:
    for path in ("./nothing/here", "/nothing/here", "~/nothing-here", "a/b/c"):
        assert "there is no such folder" in refusal(path, InputError)
    assert "no config.json" in refusal(tmp_path, InputError)
    assert "is a file" in refusal(build() / "config.json", InputError)
    assert "has no revisions" in refusal(build(), InputError, revision="v1")
    assert "no device is called 'gpu'" in refusal(build(), InputError, device="gpu")
    far = f"cuda:{torch.cuda.device_count()}"
    assert f"device {far} is not there" in refusal(build(), InputError, device=far)


def removing(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def cut_off(folder: Path) -> None:
    data = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(data[: len(data) // 2])


def lacking_one(folder: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    del weights[next(name for name in weights if "lm_head" in name)]
    save_file(weights, folder / "model.safetensors", {"format": "pt"})


def of_another_shape(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    patch(folder / "config.json", text_config={**config["text_config"], "intermediate_size": 32})


def with_config(text: str) -> Callable[[Path], object]:
    return lambda folder: (folder / "config.json").write_text(text)


WHOLE = "check that it is a whole image-text-to-text checkpoint"


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        *((with_config(text), WHOLE) for text in ("", "{", "[]", "{}", '{"model_type": "no-such-model"}')),
        (with_config('{"model_type": "llama"}'), "'llama' checkpoint is not one that transformers"),
        (removing("processor_config.json"), "processor"),
        (removing("chat_template.jinja"), "no chat template"),
        (removing("model.safetensors"), WHOLE),
        (cut_off, WHOLE),
        (of_another_shape, WHOLE),
        (lacking_one, "lacks 1 of the model's weights (lm_head.weight"),  # and they are not made up
    ],
)
def test_a_damaged_checkpoint_is_refused(damaged: Path, damage: Callable[[Path], object], message: str) -> None:
    damage(damaged)
    assert message in refusal(damaged)


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("{{ raise_exception('no') }}", "its chat template fails on a plain question: no"),
        ("{% for %}", "its chat template fails on a plain question"),
        ("<image>Assistant:", "leaves out the question's text"),
        ("{% for m in messages %}{{ m['content'] }}{% endfor %}", "leaves out the question's text"),
        ("{% for m in messages %}{{ m['content'][-1]['text'] }}{% endfor %}", "no place for a picture"),
    ],
)
def test_a_chat_template_that_drops_the_picture_or_words_is_refused(damaged: Path, template: str, message: str) -> None:
    (damaged / "chat_template.jinja").write_text(template)
    assert message in refusal(damaged)


def test_a_checkpoints_own_code_runs_only_on_request(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps({"auto_map": {"AutoConfig": "mine.MyConfig"}}))
    (tmp_path / "mine.py").write_text("raise SystemExit('this code was run')")
    assert "trust_remote_code=true" in refusal(tmp_path)


NO_VIDEOS = "Qwen2VLVideoProcessor requires the Torchvision library"


@pytest.mark.parametrize(
    ("loading", "error", "message"),
    [
        ("AutoModelForImageTextToText", torch.OutOfMemoryError("CUDA out of memory"), "does not fit"),
        ("AutoProcessor", ImportError(NO_VIDEOS), f"needs a package that is not installed: {NO_VIDEOS}"),
    ],
)
def test_a_package_that_a_checkpoint_needs_is_named(
    build: Build, monkeypatch: pytest.MonkeyPatch, loading: str, error: Exception, message: str
) -> None:
    monkeypatch.setattr(f"counterbench.judges.local.loading.{loading}.from_pretrained", raising(error))
    assert message in refusal(build())


def test_an_unreachable_hub_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)  # as the variable of that name would set it
    assert is_offline_mode()
    assert ": cannot be fetched from the hub, nor found in its cache on this machine" in refusal("nobody/no-such-model")


def test_a_device_map_places_the_model(build: Build) -> None:
    pytest.importorskip("accelerate", reason="needs the extra heavy: pip install -e '.[heavy]'")
    judge = TransformersJudge(str(build()), {"device_map": "auto"})
    assert judge.versions["device"]
    assert judge.name == f"transformers:{build()}"


def test_a_tokenizer_without_padding_is_given_a_token(damaged: Path) -> None:
    patch(damaged / "tokenizer_config.json", pad_token=None, padding_side="right")
    judge = TransformersJudge(str(damaged), {})
    tokenizer = judge._checkpoint.processor.tokenizer
    assert (tokenizer.padding_side, tokenizer.pad_token) == ("left", "</s>")
    queries = sample_queries(4)
    alone = replies_to(TransformersJudge(str(damaged), {"batch": "1"}), queries)
    together = replies_to(TransformersJudge(str(damaged), {}), queries)
    assert [r.text for r in alone] == [r.text for r in together]
    assert [r for r in alone if not r.text] == []


def test_a_checkpoints_generation_settings_are_ignored(damaged: Path, build: Build) -> None:
    patch(damaged / "generation_config.json", do_sample=True, temperature=3.0, repetition_penalty=9.0, max_new_tokens=1)
    queries = sample_queries(4)
    plain = replies_to(TransformersJudge(str(build()), {}), queries)
    assert [r.text for r in replies_to(TransformersJudge(str(damaged), {}), queries)] == [r.text for r in plain]


class Templated:
    """A processor of which only the template matters."""

    def __init__(self, template: str) -> None:
        self.chat_template = template
        self.tokenizer = self

    def apply_chat_template(self, messages: list[dict[str, Any]], *, chat_template: str, **how: Any) -> str:
        from transformers.utils.chat_template_utils import render_jinja_template

        rendered, _ = render_jinja_template([messages], chat_template=chat_template, add_generation_prompt=True)
        return str(rendered[0])


def test_a_system_text_goes_where_the_template_takes_one() -> None:
    (query, *_) = sample_queries(1)
    query = msgspec.structs.replace(query, system="Be brief.")
    assert Prompts(Templated(TEMPLATE), "x").text(query) == (
        f"<s>System: Be brief.\nUser: <image>{query.text}\nAssistant:"
    )
    refuses = "{% if messages[0]['role'] == 'system' %}{{ raise_exception('no system') }}{% endif %}" + TEMPLATE
    ignores = TEMPLATE.replace("in messages", "in messages if message['role'] != 'system'")
    for template in (refuses, ignores):
        text = Prompts(Templated(template), "x").text(query)
        assert text.removeprefix("<s>") == f"User: <image>Be brief.\n\n{query.text}\nAssistant:"


def test_a_fingerprint_changes_with_any_weight_and_not_with_the_path(tmp_path: Path) -> None:
    def saved(name: str, weights: bytes, config: str = "{}") -> str:
        folder = tmp_path / name
        folder.mkdir()
        (folder / "config.json").write_text(config)
        (folder / "model.safetensors").write_bytes(weights)
        return fingerprint(folder)

    weights = bytes(range(256)) * 100_000  # 25 MB: read in blocks
    before = saved("one", weights)
    assert before == saved("elsewhere", weights)
    trained = bytes(255 - value for value in weights)
    others = [saved("trained", trained), saved("longer", weights + b"0"), saved("other", weights, '{"a": 1}')]
    others += [saved("start", b"x" + weights[1:]), saved("end", weights[:-1] + b"x")]
    assert len({before, *others}) == 6
