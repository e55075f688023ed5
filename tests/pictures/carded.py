"""What tests of checklists share: a small set that nothing can be drawn for, its cards, and runs over them."""

import csv
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from asked import judge_pictures
from pictures.drawn import QUICK

from counterbench.asking.asker import Limits
from counterbench.asking.runner import Progress
from counterbench.judges.base import Judge
from counterbench.judges.planted import PlantedJudge
from counterbench.pictures.generation.generate import generate_images
from counterbench.pictures.generators.card import CardGenerator
from counterbench.pictures.judging.picture_queries import PictureQuestions
from counterbench.pictures.protocols import protocol
from counterbench.prompts.manifest import Images
from counterbench.prompts.prompt_set import Check, Prompt, PromptSet
from counterbench.runs.queries import load_template


def prompt(group: str, *checks: Check, level: str = "image", category: str = "") -> Prompt:
    text = f"A picture of {group} at {level}."
    return Prompt.at(group, level, text, checks=checks, category=category)


def checklist(prompts: Sequence[Prompt], levels: Sequence[str] = ("image",), name: str = "mine") -> PromptSet:
    return PromptSet(name, levels, prompts, protocol="checklist")


def mixed(groups: int = 10) -> PromptSet:
    """Two levels, two dimensions, tags; ten checks of each kind at each level."""
    checks = (
        Check(id="colour", text="Is the colour right?", dimension="looks", tags=("pos",)),
        Check(id="shape", text="Is the shape right?", dimension="looks", tags=("neg",)),
        Check(id="why", text="Does it obey the law?", dimension="logic"),
        Check(id="many", text="How many?", dimension="logic", answer_type="integer", expected="3"),
        Check(id="well", text="How well?", dimension="looks", answer_type="rating:1-5", expected="5"),
    )
    return checklist(
        [
            prompt(f"g{i}", *checks, level=level, category=f"c{i % 2}")
            for i in range(groups)
            for level in ("easy", "hard")
        ],
        ("easy", "hard"),
    )


def cards(prompts: PromptSet, out: Path, spec: str = "card", samples: int = 1) -> Images:
    """Their cards, in a folder `card` under `out`."""
    generator = CardGenerator(spec, prompts)
    return generate_images(prompts, generator, out, samples=samples, limits=QUICK, name="card").images


def csv_file(path: Path, columns: Sequence[str], lines: Iterable[Sequence[object]]) -> Path:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([columns, *lines])
    return path


def judged(
    images: Images | Sequence[Images],
    out: Path,
    judge: str | Judge = "oracle",
    *,
    prompts: PromptSet | None = None,
    by: str = "",
    negated: float = 0.0,
    max_calls: int | None = None,
    retries: int = 0,
    on_progress: Callable[[Progress], None] = lambda progress: None,
) -> Progress:
    """Have a planted judge (or another) judge them into the run `out`, under a protocol."""
    prompt_set = prompts or (images if isinstance(images, Images) else images[0]).prompts
    chosen = protocol(by or prompt_set.protocol)
    questions = PictureQuestions(images, prompt_set, chosen, negated=negated)
    return judge_pictures(
        questions,
        PlantedJudge(judge, questions.keys) if isinstance(judge, str) else judge,
        out,
        template=load_template(chosen.template),
        certificate=None,
        uncertified=True,
        limits=Limits(max_calls=max_calls, retries=retries, backoff=0.01),
        on_progress=on_progress,
    )
