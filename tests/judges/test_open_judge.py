"""Judges (and generators) by name, by a TOML file and by a class of the user's own; what is said of everything else."""

import asyncio
import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from commands import call
from sweeping import swept

from counterbench.errors import InputError
from counterbench.judges import KINDS, Judge, open_judge
from counterbench.judges.base import JudgeExtras, called, extras
from counterbench.judges.openai.server_judge import OpenAIJudge
from counterbench.judges.planted import PLANTED, PlantedJudge
from counterbench.pictures.generators import open_generator
from counterbench.prompts.files import load_prompts
from counterbench.runs.queries import Key
from counterbench.testing import sample_queries

WHOLE = """
format = "counterbench.judge/1"
kind = "openai"
model = "qwen/qwen2.5-vl-72b-instruct"

[options]
base_url = "http://localhost:8000/v1"
temperature = 0.5
timeout = 30
body = { provider = { order = ["together"] } }
"""
MODULE = """
import functools
from counterbench.judges import Reply
from counterbench.pictures.generators import Drawing

class Says:
    max_batch, max_in_flight = 4, 1
    def __init__(self, word="yes"):
        self.word, self.name = word, f"says?word={word}"
    async def answer(self, batch):
        return [Reply(text=self.word) for query in batch]
    async def close(self): ...

class Declines:
    name, max_batch, max_in_flight = "declines", 1, 1
    async def draw(self, batch):
        return [Drawing(refusal="no") for request in batch]
    async def close(self): ...

class Half:
    name, max_batch = "half", 1

def broken():
    raise OSError("no weights")

def sees(image, question, word="yes"):
    return word

partly = functools.partial(sees, word="no")

class Kind:
    def __call__(self, image, question):
        return "no"

an_object = Kind()
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with a judge's file and modules in it, in which the command is called."""
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    Path("mine.toml").write_text(WHOLE)
    Path("made_here.py").write_text(MODULE)
    Path("wrong_here.py").write_text("import no_such_thing")


def no_truth() -> list[Key]:
    raise AssertionError("only planted judges are built with the truth")


@swept("name", PLANTED)
def test_planted_judges_get_the_keys(name: str) -> None:
    calls: list[int] = []

    def keys() -> list[Key]:
        calls.append(1)
        return []

    judge = open_judge(f"planted:{name}?seed=3", keys)
    assert isinstance(judge, PlantedJudge)
    assert isinstance(judge, Judge)
    assert judge.name == f"planted:{name}?seed=3"
    assert calls == []  # read along with the questions
    reply = asyncio.run(judge.answer(sample_queries(1)))[0]
    assert calls == [1] * 2
    assert reply.failure.kind == "no-key"


UNKNOWN = ("", "pixel", "pixels:1", "anthropic:x", "Planted:oracle", ":", "oracle")
NAMELESS = ("planted", "planted:", "replay", "replay:")


@swept("spec", [*UNKNOWN, *NAMELESS])
def test_an_unknown_kind_of_judge_lists_the_kinds(spec: str) -> None:
    message = "names nothing after" if spec in NAMELESS else "unknown judge"
    with pytest.raises(InputError, match=message) as caught:
        open_judge(spec, no_truth)
    assert [kind for kind in KINDS if kind not in str(caught.value)] == []


def test_a_judge_class_may_have_optional_attributes() -> None:
    judge = SimpleNamespace(versions={"mine": "1"})
    assert extras(judge, JudgeExtras) == JudgeExtras(versions={"mine": "1"}, samples=False)
    assert extras(object(), JudgeExtras) == JudgeExtras()
    judge.versions = {"mine": 1}
    with pytest.raises(InputError, match=r"SimpleNamespace: Expected `str`, got `int` - at `\$\.versions"):
        extras(judge, JudgeExtras)


@swept(
    ("old", "new", "message"),
    [
        ("[options]", "[option]", "unknown key 'option' (did you mean 'options'?); choose from: format, kind, model,"),
        ('kind = "openai"', 'kind = "openia"', "unknown kind 'openia' (did you mean 'openai'?); choose from: inspect,"),
        ('kind = "openai"', "kind = 3", "kind"),
        ('model = "qwen/qwen2.5-vl-72b-instruct"', "model = 7", "model"),
        ('model = "qwen/qwen2.5-vl-72b-instruct"', 'model = " "', "model is empty"),
        ("counterbench.judge/1", "counterbench.suite/1", "its format is 'counterbench.suite/1'"),
        ("timeout", "patience", "unknown option 'patience'"),
    ],
)
def test_a_wrong_judge_file_is_refused_with_the_fault(old: str, new: str, message: str) -> None:
    assert old in WHOLE
    Path("mine.toml").write_text(WHOLE.replace(old, new))
    with pytest.raises(InputError, match=r"^mine\.toml: ") as caught:
        open_judge("mine.toml", no_truth)
    assert message in str(caught.value)


def test_a_judge_of_a_file_has_the_name_of_its_spec() -> None:
    judge = open_judge("mine.toml", no_truth)
    assert judge.name == (
        "openai:qwen/qwen2.5-vl-72b-instruct?base_url=http://localhost:8000/v1&temperature=0.5"
        '&body={"provider":{"order":["together"]}}'
    )
    Path("mine.toml").write_text(WHOLE.replace("\n[options]", 'name = "qwen 72b"\n\n[options]'))
    named = open_judge("mine.toml", no_truth)
    assert (called(named), called(named, "mine"), named.name) == ("qwen 72b", "mine", judge.name)


def test_options_of_the_command_line_override_the_file() -> None:
    judge = open_judge("mine.toml", no_truth, base_url="http://localhost:9000/v1")
    assert isinstance(judge, OpenAIJudge)
    assert judge.access.url == "http://localhost:9000/v1"


@pytest.mark.parametrize("spec", ["replay:runs/mine.toml", "planted:mine.toml"])
def test_a_name_that_ends_in_toml_after_a_kind_is_no_file(spec: str) -> None:
    with pytest.raises(InputError) as caught:
        open_judge(spec, lambda: [])
    assert "is not valid TOML" not in str(caught.value)
    assert "format" not in str(caught.value)


def test_a_judge_of_the_folder_is_asked_by_the_command_line() -> None:
    done = call("probe", "smoke", "--judge", "python:made_here:Says?word=no", "--out", "run", "--limit", 2)
    assert done.exit_code == 0, done.output
    assert json.loads(Path("run/run.json").read_text())["judge"] == "says?word=no"
    assert '"reply":"no"' in Path("run/journal.jsonl").read_text()


def test_a_generator_of_the_folder_draws() -> None:
    generator = open_generator("python:made_here:Declines", load_prompts("laws-few"))
    assert generator.name == "declines"
    with pytest.raises(InputError, match="python:made_here:Says is no generator: it has no draw"):
        open_generator("python:made_here:Says", load_prompts("laws-few"))


@swept(
    ("rest", "message"),
    [
        ("made_here", r"python:made_here is not python:MODULE:NAME, such as python:my_module:MyClass"),
        ("made_here:", r"python:made_here: is not python:MODULE:NAME"),
        ("absent_here:Says", r"absent_here cannot be imported: .*call this from the folder of absent_here\.py"),
        ("wrong_here:Says", r"wrong_here cannot be imported: ModuleNotFoundError: No module named 'no_such_thing'$"),
        ("made_here:Sais", r"unknown name 'Sais' \(did you mean 'Says'\?\); choose from: Declines, Half, Kind, Says"),
        ("made_here:Says?wort=x", r"python:made_here:Says: it cannot be made: TypeError: .*'wort'"),
        ("made_here:broken", r"python:made_here:broken: it cannot be made: OSError: no weights"),
        ("made_here:Half", r"python:made_here:Half is no judge: it has no max_in_flight, answer, close"),
    ],
)
def test_a_judge_that_cannot_be_made_is_refused_with_the_reason(rest: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        open_judge(f"python:{rest}", list)


def test_a_key_or_an_address_is_refused_for_other_judges() -> None:
    with pytest.raises(InputError, match="are for openai: and inspect: judges, not for 'python:made_here:Says'"):
        open_judge("python:made_here:Says", list, key_env="KEY")


@pytest.mark.parametrize(
    ("name", "answer"), [("sees", "yes"), ("sees?word=no", "no"), ("partly", "no"), ("an_object", "no")]
)
def test_any_callable_with_a_picture_and_a_question_is_a_judge(name: str, answer: str) -> None:
    (reply, *_) = asyncio.run(open_judge(f"python:made_here:{name}").answer(sample_queries()[:1]))
    assert reply.text == answer


@pytest.mark.parametrize("model", ["gpt-4o", "Qwen/Qwen2.5-VL-7B-Instruct"])
def test_a_bare_model_name_is_refused_with_the_judges_it_may_mean(model: str) -> None:
    message = f"a model behind a server is openai:{model}, a checkpoint transformers:{model}"
    with pytest.raises(InputError, match=message):
        open_judge(model)
