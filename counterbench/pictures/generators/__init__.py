"""Generators by name, all with the interface in `base`; `KINDS` below is the whole list.

`generation/` asks them, with retries and budgets, and keeps their pictures in a folder (`prompts.manifest`). A
generator's TOML file has a kind, a model and options:

format = "counterbench.generator/1"
kind = "openai"
model = "gpt-image-1"

[options]
size = "1024x1024"
price = 0.011
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from counterbench.errors import InputError, errors_at, unknown
from counterbench.judges.specs import OWN, ModelFile, open_own, read_model_file, split_spec
from counterbench.pictures.generators.base import Drawing, DrawingRequest, Generator
from counterbench.prompts.prompt_set import PromptSet

# The values of --generator on the command line, and their meanings.
KINDS: dict[str, str] = {
    "planted:NAME[?option=value]": "draws by the laws, with a known share of mistakes; or cards with a made-up truth",
    "openai:MODEL[?option=…]": "a model behind any server with OpenAI's images API (--base-url, ?key_env=NAME)",
    "diffusers:ID_OR_PATH[?option=…]": "a pipeline on this machine or a hub (extra: t2i)",
    "python:MODULE:NAME[?option=…]": "a generator of your own: a class in a module",
    "FILE.toml": "a generator's file: kind, model and options",
}
FILE_KINDS = ("openai", "diffusers")
_FORMAT = "counterbench.generator/1"
_NAMED = ("planted", "openai", "diffusers", OWN)


def open_generator(
    spec: str, prompts: PromptSet, *, base_url: str = "", price: str = "", image_hosts: Sequence[str] = ()
) -> Generator:
    """The generator that `spec` names.

    `prompts` is for planted generators, which need more than words.

    `base_url`, `price` ("USD" for a picture, or "IN,OUT") and `image_hosts` (see `ImagesOptions`) are for an
    `openai:` generator and take precedence over its options. Raises InputError with the valid choices, and JudgeError
    if a local pipeline cannot be loaded.
    """
    kind, _, rest = spec.partition(":")
    options = {"base_url": base_url, "image_hosts": tuple(image_hosts)}
    of_command = {name: value for name, value in options.items() if value}
    if kind in _NAMED and not rest.partition("?")[0]:
        raise InputError(f"generator {spec!r} names nothing after {kind!r}; generators are: {', '.join(KINDS)}")
    if spec.endswith(".toml") and kind not in _NAMED:
        file = read_model_file(Path(spec), _FORMAT, FILE_KINDS, ModelFile)
        with errors_at(spec):
            return _model(file.kind, file.model, file.options, of_command, price)
    if kind in FILE_KINDS:
        return _model(kind, *split_spec(rest), of_command, price)
    _refuse_address(of_command, price, spec)
    if kind == "planted":
        from counterbench.pictures.generators import card, planted

        return (card.CardGenerator if rest.partition("?")[0] == card.KIND else planted.PlantedGenerator)(rest, prompts)
    if kind == OWN:
        return open_own(rest, Generator)  # type: ignore[type-abstract]
    raise unknown("generator", spec, KINDS)


def _model(kind: str, model: str, options: Mapping[str, Any], of_command: Mapping[str, Any], price: str) -> Generator:
    """The generator of a kind in FILE_KINDS; `of_command`: options of the command line, which take precedence."""
    if kind == "openai":
        from counterbench.judges.openai.sdk import given_price
        from counterbench.pictures.generators.openai_images import OpenAIImages

        return OpenAIImages(model, {**options, **of_command} | given_price(price, a_picture=True))
    _refuse_address(of_command, price, f"{kind}:{model}")
    from counterbench.pictures.generators.diffusion import DiffusersGenerator

    return DiffusersGenerator(model, options)


def _refuse_address(of_command: Mapping[str, Any], price: str, generator: str) -> None:
    """InputError if options for a server (`of_command`, or a price) come with a generator that is none."""
    if of_command or price:
        options = "--base-url, --price and --image-host"
        raise InputError(f"{options} are for openai: generators, not for {generator!r}")


__all__ = ["KINDS", "Drawing", "DrawingRequest", "Generator", "open_generator"]
