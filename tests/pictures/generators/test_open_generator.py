"""Generators by name, and the conformance kit: what it passes and what it finds."""

import re
from collections.abc import Sequence

import pytest
from pictures.drawn import Painter, failing, painting, prompt_set, requests_of
from pictures.lawful import of_laws
from PIL import Image
from sweeping import swept

from counterbench.answers.outcomes import Failed
from counterbench.drawing import png
from counterbench.errors import InputError
from counterbench.judges.base import Retry
from counterbench.pictures.generators import KINDS, Drawing, DrawingRequest, open_generator
from counterbench.testing import check_generator

KINDS_NAMED = re.escape(", ".join(KINDS))


@swept(
    ("spec", "address", "message"),
    [
        *((kind, "", f"names nothing after .*{KINDS_NAMED}") for kind in ("planted:", "openai:", "diffusers:?steps=2")),
        *((spec, "", "unknown generator") for spec in ("painter", "")),
        *((spec, "http://localhost:1/v1", "are for openai: generators") for spec in ("planted:prior", "diffusers:x")),
    ],
)
def test_a_spec_of_no_generator_is_refused(spec: str, address: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        open_generator(spec, prompt_set(1), base_url=address)


def test_a_drawing_is_either_a_picture_a_refusal_or_a_failure() -> None:
    for wrong in ({}, {"picture": b"x", "refusal": "no"}, {"refusal": "no", "failure": Failed("x")}):
        with pytest.raises(ValueError, match="either a picture, a refusal or a failure"):
            Drawing(**wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="only a failure"):
        Drawing(picture=b"x", retry=Retry())


class Batched(Painter):
    """Forgets which seed belongs to whom when there are several."""

    async def draw(self, batch: Sequence[DrawingRequest]) -> list[Drawing]:
        return [Drawing(picture=painting(request.text, batch[0].seed)) for request in batch]


class Short(Painter):
    async def draw(self, batch: Sequence[DrawingRequest]) -> list[Drawing]:
        return (await super().draw(batch))[:1]


class Renamed(Painter):
    async def draw(self, batch: Sequence[DrawingRequest]) -> list[Drawing]:
        self.name = "m-2026"
        return await super().draw(batch)


@swept(
    ("make", "message"),
    [
        (lambda: Batched(batch=3), "other drawings alone and in a batch backwards"),
        (lambda: Short(batch=3), "1 drawings for a batch of 3"),
        (lambda: Renamed(), "the name changed from 'painter' to 'm-2026'"),
        (lambda: Painter(lambda request: ValueError("no")), "it raised ValueError"),
        (lambda: Painter(lambda request: Drawing(picture=b"no picture")), "not a readable picture"),
        (lambda: Painter(name=""), "name is empty"),
        (lambda: Painter(batch=0), "max_batch is 0"),
        (lambda: object(), "lacks members of Generator"),
    ],
)
def test_the_kit_finds_generators_that_break_the_contract(make: object, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        check_generator(make)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "make",
    [
        lambda: Painter(batch=4),
        lambda: Painter(lambda request: failing()),
        lambda: Painter(lambda request: Drawing(refusal="no")),
        lambda: Painter(lambda request: Drawing(picture=png.encode(Image.new("RGB", (3, 3))))),
    ],
)
def test_the_kit_passes_generators_that_keep_the_contract(make: object) -> None:
    check_generator(make)  # type: ignore[arg-type]


def test_a_random_generator_passes_if_declared_so() -> None:
    class Dice(Painter):
        async def draw(self, batch: Sequence[DrawingRequest]) -> list[Drawing]:
            found = await super().draw(batch)
            return [Drawing(picture=painting("any", sum(self.drawn.values()))) for _ in found]

    check_generator(Dice, deterministic=False)
    with pytest.raises(AssertionError):
        check_generator(Dice)


@pytest.mark.parametrize("name", ["noisy?l2=0.5", "blank", "refuser"])
def test_planted_generators_keep_the_contract(name: str) -> None:
    prompts = of_laws()
    check_generator(lambda: open_generator(f"planted:{name}", prompts), requests_of(prompts.prompts[:3], 2))
