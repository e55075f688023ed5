"""Prompts of the same words are drawn once and asked about once, and each has its row all the same."""

from pathlib import Path
from typing import ClassVar

import msgspec
from pictures.carded import judged
from pictures.drawn import QUICK, Painter, failing
from pictures.lawful import draw, of_laws, true_rows

from counterbench.pictures.generation.generate import generate_images
from counterbench.pictures.generators import DrawingRequest
from counterbench.pictures.judging.judged_run import load_judged
from counterbench.pictures.judging.picture_queries import PictureQuestions
from counterbench.pictures.run_scores import frame
from counterbench.prompts.manifest import Images
from counterbench.prompts.prompt_set import Check, Prompt, PromptSet
from counterbench.runs.folder import read_journal

SEEN = Check(id="seen", dimension="assessment-point", text="Is it there?")


def prompt(group: str, level: str = "l1", text: str = "A ball.", **fields: object) -> Prompt:
    return Prompt.at(group, level, text, **({"checks": (SEEN,)} | fields))


def alike(*more: Prompt) -> PromptSet:
    """Two groups with the same L1 and an L2 each, and what else there is."""
    own = [prompt(group, "l2", f"A ball by {group}.") for group in ("a", "b")]
    return PromptSet("alike", ("l1", "l2"), [prompt("a"), own[0], prompt("b"), own[1], *more])


def paths(images: Images) -> dict[str, str]:
    return {row.id: row.path for row in images.rows}


SHARED = {"a/l1/0": "a/l1/0.png", "a/l2/0": "a/l2/0.png", "b/l1/0": "a/l1/0.png", "b/l2/0": "b/l2/0.png"}


def test_prompts_of_the_same_words_are_drawn_once_into_one_file(tmp_path: Path) -> None:
    painter, steps = Painter(), []
    made = generate_images(alike(), painter, tmp_path, samples=1, on_progress=lambda p: steps.append((p.done, p.total)))
    assert painter.drawn == {"a/l1/0": 1, "a/l2/0": 1, "b/l2/0": 1}
    assert paths(made.images) == SHARED
    assert (steps[0], steps[-1]) == ((0, 3), (3, 3))
    assert [row.id for row in made.pictures] == ["a/l1/0", "a/l2/0", "b/l2/0"]
    again = Painter()
    assert generate_images(alike(), again, tmp_path, samples=1).progress.complete
    assert not again.drawn


def test_a_generator_that_draws_by_id_draws_each_prompt(tmp_path: Path) -> None:
    class Keeper(Painter):
        by_id: ClassVar[bool] = True

    painter = Keeper()
    made = generate_images(alike(), painter, tmp_path, samples=1)
    assert painter.drawn["b/l1/0"] == 1
    assert paths(made.images)["b/l1/0"] == "b/l1/0.png"


def test_a_failure_counts_for_all_prompts_of_the_words_and_is_retried_once(tmp_path: Path) -> None:
    def broken(request: DrawingRequest) -> object:
        return failing() if request.level == "l1" else None

    made = generate_images(alike(), Painter(broken), tmp_path, samples=1, limits=QUICK)  # type: ignore[arg-type]
    assert {row.id: row.status for row in made.images.rows if row.level == "l1"} == dict.fromkeys(
        ("a/l1/0", "b/l1/0"), "missing"
    )
    assert (made.progress.failed, made.progress.total) == (1, 3)
    again = Painter()
    assert paths(generate_images(alike(), again, tmp_path, samples=1).images) == SHARED
    assert again.drawn == {"a/l1/0": 1}


# ---- judged


def test_a_question_about_the_same_picture_is_asked_once_and_answers_for_all(tmp_path: Path) -> None:
    laws = of_laws("falling")
    images = draw(laws, "noisy?l1=0.6", tmp_path / "images")
    judged(images, tmp_path / "run")
    question_ids = [record.id for record in read_journal(tmp_path / "run" / "journal.jsonl")]
    distinct = {(*p.drawn_as, p.law): p for p in laws.prompts}.values()
    assert len(question_ids) == sum(len(p.checks) for p in distinct)
    rows = load_judged(tmp_path / "run").rows
    assert {(r.sample_id, r.check): r.answer for r in rows} == {
        (r.sample_id, r.check): r.answer for r in true_rows(laws, "noisy?l1=0.6")
    }
    assert frame(tmp_path / "run")["reply"].notna().all()


def test_different_questions_about_a_shared_picture_are_all_asked(tmp_path: Path) -> None:
    other = msgspec.structs.replace(SEEN, text="Is it a ball?")
    prompts = PromptSet("two", ("l1",), [prompt("a"), prompt("b"), prompt("c", checks=(other,))])
    images = generate_images(prompts, Painter(), tmp_path, samples=1).images
    assert [query.id for query in PictureQuestions(images, prompts).queries()] == ["a/l1/0/seen", "c/l1/0/seen"]
