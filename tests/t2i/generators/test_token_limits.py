"""Which prompts a pipeline cuts: its limits are those with which the pipelines of diffusers call their tokenizers."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
diffusers = pytest.importorskip("diffusers")

LETTERS = "clip"


class Seen(Exception):
    """A tokenizer was called."""


def words(most: int) -> Any:
    """A tokenizer with a token for each word."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    plain = Tokenizer(models.WordLevel({"<unk>": 0, "<pad>": 1}, unk_token="<unk>"))
    plain.pre_tokenizer = pre_tokenizers.Whitespace()
    return PreTrainedTokenizerFast(tokenizer_object=plain, unk_token="<unk>", pad_token="<pad>", model_max_length=most)


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Any:
    from t2i.small_pipeline import _tokenizer

    return _tokenizer(tmp_path_factory.mktemp("clip"))


def pipeline(kind: str, clip: Any, *tokenizers: Any, **parts: Any) -> Any:
    """A pipeline without weights: nothing is encoded, only counted."""
    import inspect

    given = dict.fromkeys(inspect.signature(getattr(diffusers, kind).__init__).parameters)
    given.pop("self")
    given = {name: None for name in given if name not in ("requires_safety_checker", "force_zeros_for_empty_prompt")}
    for number, tokenizer in enumerate(tokenizers, 1):
        suffix = f"_{number}" if number > 1 else ""
        given |= {f"tokenizer{suffix}": clip if tokenizer == LETTERS else tokenizer}
        given |= {f"text_encoder{suffix}": torch.nn.Identity()}
    known = inspect.signature(getattr(diffusers, kind).__init__).parameters
    left_out = {name for name, value in given.items() if value is None and known[name].default is not known[name].empty}
    return getattr(diffusers, kind)(**{n: v for n, v in given.items() if n not in left_out} | parts)


def limits(pipe: Any) -> Any:
    from counterbench.t2i.generators.token_limits import TokenLimits

    return TokenLimits(pipe)


@pytest.mark.filterwarnings("ignore")  # diffusers' own, of deprecated bases
@pytest.mark.parametrize(
    ("kind", "tokenizers", "name", "method", "more"),
    [
        ("StableDiffusionPipeline", (LETTERS,), "tokenizer", "encode_prompt", {}),
        ("FluxPipeline", (LETTERS, 999), "tokenizer", "_get_clip_prompt_embeds", {}),
        ("FluxPipeline", (LETTERS, 999), "tokenizer_2", "_get_t5_prompt_embeds", {}),
        ("StableDiffusion3Pipeline", (LETTERS, LETTERS, 999), "tokenizer_3", "_get_t5_prompt_embeds", {}),
        ("PixArtAlphaPipeline", (999,), "tokenizer", "encode_prompt", {}),
        ("PixArtSigmaPipeline", (999,), "tokenizer", "encode_prompt", {}),
        ("AuraFlowPipeline", (999,), "tokenizer", "encode_prompt", {}),
        ("IFPipeline", (999,), "tokenizer", "encode_prompt", {}),
        ("Kandinsky3Pipeline", (999,), "tokenizer", "encode_prompt", {}),
        ("HunyuanDiTPipeline", (999, 999), "tokenizer", "encode_prompt", {}),
        ("HunyuanDiTPipeline", (999, 999), "tokenizer_2", "encode_prompt", {"text_encoder_index": 1}),
    ],
)
def test_the_limit_is_the_one_with_which_the_pipeline_calls(
    clip: Any, kind: str, tokenizers: Any, name: str, method: str, more: dict[str, Any]
) -> None:
    import inspect

    pipe = pipeline(kind, clip, *(words(most) if isinstance(most, int) else most for most in tokenizers))
    known = limits(pipe).limits[name]
    asked = {}

    def look(self: Any, *texts: Any, **how: Any) -> None:
        asked["most"] = how["max_length"]
        raise Seen

    real = getattr(pipe, name)
    plain, real.__class__ = type(real), type(type(real).__name__, (type(real),), {"__call__": look})
    call = {"prompt": ["x"], "device": "cpu", "dtype": torch.float32, "num_images_per_prompt": 1} | more
    call |= {"do_classifier_free_guidance": False}
    taken = inspect.signature(getattr(pipe, method)).parameters
    try:
        with contextlib.suppress(Seen):
            getattr(pipe, method)(**{key: value for key, value in call.items() if key in taken})
    finally:
        real.__class__ = plain
    assert asked == {"most": known}


def test_what_one_encoder_cuts_and_another_reads(clip: Any) -> None:
    pipe = pipeline("FluxPipeline", clip, LETTERS, words(999))
    known = limits(pipe)
    assert known.limits == {"tokenizer": 77, "tokenizer_2": 512}
    long, longer = "a" * 100, "a " * 600
    assert known.note("a" * 75) == ""
    assert known.note("a" * 76) == "prompt cut after 77 of 78 tokens by tokenizer; tokenizer_2 reads all of it"
    assert (
        known.note(longer) == "prompt cut after 77 of 602 tokens by tokenizer, after 512 of 600 tokens by tokenizer_2"
    )
    assert known.warning(["a"], "m") == ""
    assert known.warning(["a", long, longer], "m").startswith(
        "m does not read to the end 2 of 3 prompts: tokenizer (77 tokens) cuts 2, tokenizer_2 (512 tokens) cuts 1; "
        "no encoder reads the whole of 1 of them"
    )


def test_an_encoder_that_was_left_out_reads_nothing(clip: Any) -> None:
    parts = {"text_encoder_3": None}
    pipe = pipeline("StableDiffusion3Pipeline", clip, LETTERS, LETTERS, words(999), **parts)
    assert limits(pipe).limits == {"tokenizer": 77, "tokenizer_2": 77}


def test_a_tokenizer_without_a_limit_cuts_nothing(clip: Any, tmp_path: Path) -> None:
    pipe = pipeline("StableDiffusionPipeline", clip, words(10**30))
    assert limits(pipe).note("a " * 10_000) == ""
    assert limits(pipe).warning(["a " * 10_000], "m") == ""
