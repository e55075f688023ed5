"""`diffusers:` generators on a small random pipeline: the real thing, loaded from a folder."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np
import pytest
from pictures.drawn import QUICK, prompt_set

from counterbench.drawing import reading
from counterbench.errors import InputError, JudgeError
from counterbench.pictures.generation.generate import generate_images
from counterbench.pictures.generators import Drawing, DrawingRequest, open_generator
from counterbench.pictures.generators.diffusion import DiffusersGenerator
from counterbench.prompts.prompt_set import PromptSet
from counterbench.testing import check_generator, sample_requests

torch = pytest.importorskip("torch", reason="needs the extra heavy: pip install -e '.[heavy]'")
pytest.importorskip("diffusers", reason="needs the extra heavy: pip install -e '.[heavy]'")
pytestmark = pytest.mark.slow

STEPS = {"steps": 2}


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.set_num_threads(1)
    from pictures.small_pipeline import build_small_pipeline

    return build_small_pipeline(tmp_path_factory.mktemp("pipeline"))


@pytest.fixture(scope="session")
def ancestral(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from pictures.small_pipeline import build_small_pipeline

    return build_small_pipeline(tmp_path_factory.mktemp("ancestral"), ancestral=True)


def draw_batches(generator: DiffusersGenerator, *batches: Sequence[DrawingRequest]) -> list[Drawing]:
    async def all_of() -> list[Drawing]:
        found: list[Drawing] = []
        for batch in batches:
            found += await generator.draw(batch)
        return found

    return asyncio.run(all_of())


def pixels(drawing: Drawing) -> Any:
    assert drawing.picture is not None, drawing
    return np.asarray(reading.decode(drawing.picture)).astype(int)


def test_the_diffusers_generator_conforms(small: Path) -> None:
    check_generator(lambda: DiffusersGenerator(str(small), STEPS), sample_requests(4))


@pytest.mark.filterwarnings("ignore:__array__ implementation")  # diffusers' own, of NumPy 2
@pytest.mark.parametrize("kind", ["small", "ancestral"])
def test_a_picture_is_the_same_in_any_batch(kind: str, request: pytest.FixtureRequest) -> None:
    """Its noise is; a batch of another size may round a channel to the next step, and no further."""
    folder = request.getfixturevalue(kind)
    wanted = sample_requests(5)
    alone = draw_batches(DiffusersGenerator(str(folder), STEPS), *([sample] for sample in wanted))
    threes = draw_batches(DiffusersGenerator(str(folder), STEPS | {"batch": 3}), wanted[:3], wanted[3:])
    backwards = draw_batches(DiffusersGenerator(str(folder), STEPS | {"batch": 5}), wanted[::-1])[::-1]
    for single, three, five in zip(alone, threes, backwards, strict=True):
        assert abs(pixels(single) - pixels(three)).max() <= 1
        assert abs(pixels(single) - pixels(five)).max() <= 1
        assert (pixels(single) != pixels(three)).mean() < 0.01
    for i in range(5):
        for j in range(i):
            assert abs(pixels(alone[i]) - pixels(alone[j])).mean() > 5, "other words or noise, other pictures"


def test_a_run_draws_every_picture_and_repeats_exactly(small: Path, tmp_path: Path) -> None:
    prompts = prompt_set(1)
    spec = f"diffusers:{small}?steps=2&size=32x64"
    made = generate_images(prompts, open_generator(spec, prompts), tmp_path, samples=2, limits=QUICK)
    assert made.images.counts == {"ok": 6}
    assert {(row.width, row.height) for row in made.images.rows} == {(32, 64)}
    assert len({row.picture_digest for row in made.images.rows}) == 6
    assert {row.model.startswith(f"{small}@") for row in made.images.rows} == {True}
    assert made.images.info.versions["pipeline"] == "StableDiffusionPipeline"
    assert made.images.info.versions.keys() >= {"torch", "diffusers", "device", "dtype", "counterbench", "pillow"}
    again = generate_images(prompts, open_generator(spec, prompts), tmp_path / "again", samples=2, limits=QUICK)
    assert again.images.rows == made.images.rows


class FaultyPipeline:
    """A pipeline that does otherwise than the real one: runs out of memory above `room`, blackens, or breaks."""

    def __init__(self, pipe: Any, room: int = 99, nsfw: bool = False) -> None:
        self._pipe, self.room, self.nsfw = pipe, room, nsfw
        self.sizes: list[int] = []

    def __call__(self, **call: Any) -> Any:
        self.sizes.append(len(call["prompt"]))
        if len(call["prompt"]) > self.room:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20.00 GiB.")
        found = self._pipe(**call)
        hidden = [self.nsfw and i == 0 for i in range(len(found.images))]
        return SimpleNamespace(images=found.images, nsfw_content_detected=hidden)


def faulty_generator(folder: Path, options: dict[str, Any], **how: Any) -> tuple[DiffusersGenerator, FaultyPipeline]:
    generator = DiffusersGenerator(str(folder), STEPS | options)
    assert generator._pipeline is not None
    pipe = FaultyPipeline(generator._pipeline._pipe, **how)
    generator._pipeline._pipe = pipe
    return generator, pipe


def test_a_picture_blackened_by_the_safety_checker_is_a_refusal(small: Path) -> None:
    generator, _ = faulty_generator(small, {"batch": 2}, nsfw=True)
    first, second = draw_batches(generator, sample_requests(2))
    assert first.refusal == "the pipeline's safety checker blackened the picture"
    assert second.picture is not None


def test_a_batch_that_does_not_fit_is_halved(small: Path) -> None:
    generator, pipe = faulty_generator(small, {"batch": 4}, room=2)
    drawings = draw_batches(generator, sample_requests(4), sample_requests(4))
    assert [drawing for drawing in drawings if not drawing.picture] == []
    assert pipe.sizes == [4, 2, 2, 2, 2]


def test_a_cancelled_drawing_stops_at_the_next_step(small: Path) -> None:
    generator = DiffusersGenerator(str(small), {"steps": 500})

    assert generator._pipeline is not None
    scheduler, steps = generator._pipeline._pipe.scheduler, []
    step = scheduler.step
    scheduler.step = lambda *args, **options: steps.append(1) or step(*args, **options)

    async def cancelled() -> int:
        task = asyncio.create_task(generator.draw(sample_requests(1)))
        while not steps:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        then = len(steps)
        await generator.close()  # which waits for the worker
        return len(steps) - then

    assert asyncio.run(cancelled()) <= 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": "big"}, "size is 'big'; give width x height"),
        ({"steps": 0}, "option 'steps'"),
        ({"dtype": "int8"}, "option 'dtype'"),
        ({"colour": "red"}, "unknown option 'colour'"),
        ({"device": "cuda:7"}, "device cuda:7 is not there"),
        ({"device": "toaster"}, "no device is called 'toaster'"),
    ],
)
def test_wrong_options_are_refused(small: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        DiffusersGenerator(str(small), options)


def test_a_size_that_the_pipeline_rejects_ends_the_run_with_one_call(small: Path, tmp_path: Path) -> None:
    prompts = prompt_set(2)
    generator, pipe = faulty_generator(small, {"size": "63x63"})
    with pytest.raises(JudgeError, match=r"does not take the options: .*divisible by 8 but are 63 and 63"):
        generate_images(prompts, generator, tmp_path, samples=2, limits=QUICK)
    assert len(pipe.sizes) == 1


def test_a_truncated_prompt_is_warned_about_and_noted_on_each_picture(small: Path, tmp_path: Path) -> None:
    """The small tokenizer has a token for each letter, and two marks; 77 get through."""
    short, long = prompt_set(2, ["only"]).prompts
    long = msgspec.structs.replace(long, text="a" * 60 + " " + "b" * 40)
    prompts = PromptSet("cut", ["only"], [short, long])
    spec = f"diffusers:{small}?steps=1"
    rows = generate_images(prompts, open_generator(spec, prompts), tmp_path, samples=1, limits=QUICK).images.rows
    assert [(row.status, row.message) for row in rows] == [
        ("ok", ""),
        ("ok", f"prompt cut because CLIP can only handle sequences up to 77 tokens; not read: {'b' * 25}"),
    ]


def test_folders_without_a_usable_pipeline_are_refused(small: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such folder"):
        DiffusersGenerator(str(tmp_path / "nowhere"))
    with pytest.raises(InputError, match="is a file"):
        DiffusersGenerator(str(small / "model_index.json"))
    with pytest.raises(InputError, match="a folder has no revisions"):
        DiffusersGenerator(str(small), {"revision": "main"})
    with pytest.raises(JudgeError, match="cannot be loaded"):
        DiffusersGenerator(str(tmp_path))
    (tmp_path / "model_index.json").write_text('{"_class_name": "DDPMPipeline", "_diffusers_version": "0.42.1"}')
    with pytest.raises(JudgeError, match="is not a pipeline that draws pictures from words"):
        DiffusersGenerator(str(tmp_path))


def test_an_installation_without_diffusers_names_the_extra(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "diffusers", None)
    monkeypatch.delitem(sys.modules, "counterbench.pictures.generators.pipelines", raising=False)
    with pytest.raises(InputError, match=r"this installs them: .* 'diffusers>=0.42' 'torch"):
        DiffusersGenerator(str(small))
