"""A run over pictures: what makes it another, and resuming at any wave."""

from collections import Counter
from pathlib import Path

import msgspec
import pytest
from commands import fails
from pictures.carded import cards, checklist, judged, mixed, prompt
from pictures.lawful import draw, of_laws
from pictures.preparing.authors import Author
from planted_runs import read_journal

from counterbench.answers.outcomes import Failed
from counterbench.errors import InputError
from counterbench.judges.base import Reply
from counterbench.judges.panel import PanelJudge
from counterbench.pictures.generators.card import CardGenerator
from counterbench.pictures.judging.judged_run import load_judged, load_models
from counterbench.pictures.judging.picture_queries import PictureQuestions
from counterbench.pictures.judging.run import read_t2i_run
from counterbench.pictures.protocols import protocol
from counterbench.prompts.manifest import Images, read_manifest
from counterbench.prompts.prompt_set import Check

LAWS = of_laws()


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Images:
    return draw(LAWS, "literal", tmp_path_factory.mktemp("images"), limit=2)


# ---- what makes it another run


def digests(images: Images) -> dict[str, str]:
    prompts = images.prompts
    assert prompts is not None
    other = prompts.holding([msgspec.structs.replace(p, checks=p.checks[1:]) for p in prompts.prompts])
    cf_eval, checklists = protocol("cf-eval"), protocol("checklist")
    return {
        "cf-eval": PictureQuestions(images, prompts, cf_eval).digest,
        "checklist": PictureQuestions(images, prompts, checklists).digest,
        "other checks": PictureQuestions(images, other, cf_eval).digest,
        "negated": PictureQuestions(images, prompts, cf_eval, negated=0.5).digest,
        "more negated": PictureQuestions(images, prompts, cf_eval, negated=1).digest,
    }


def test_protocol_checks_and_negation_are_part_of_a_runs_identity(pictures: Images) -> None:
    found = digests(pictures)
    assert len(set(found.values())) == len(found)
    assert digests(pictures) == found


def test_a_new_version_of_a_protocol_is_another_run(
    pictures: Images, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged(pictures, tmp_path / "run", by="checklist")
    before = digests(pictures)
    monkeypatch.setattr(type(protocol("checklist")), "version", 2)
    after = digests(pictures)
    assert {name for name in before if before[name] != after[name]} == {"checklist"}
    with pytest.raises(
        InputError,
        match="run: judged by version 1 of checklist, and counterbench has version 2; `t2i judge` with another --out",
    ):
        read_t2i_run(tmp_path / "run")


def test_a_panel_about_pictures_is_nobody_to_ask_anything_new(tmp_path: Path) -> None:
    drawn = cards(checklist([prompt("g", Check(id="c", text="Is there a ball?"))]), tmp_path)
    members = [tmp_path / judge for judge in ("oracle", "noisy")]
    for member in members:
        judged(drawn, member, member.name)
    judged(drawn, tmp_path / "panel", PanelJudge(members))
    message = " ".join(fails("t2i", "audit", tmp_path / "panel").split())
    assert "cannot be asked anything new: name the runs of its members" in message


# ---- two waves

TWO_WAVES = checklist(
    [
        prompt(
            group,
            Check(id="told", text="What is shown?", answer_type="description", expected="", weight=0),
            Check(id="there", text="Is it there?", after="told"),
            Check(id="plain", text="Is it plain?"),
            Check(
                id="light", text="Is the light good?", answer_type="rating:1-5", expected="5", call="c", after="there"
            ),
            Check(id="mood", text="Is the mood good?", answer_type="rating:1-5", expected="5", call="c", after="there"),
        )
        for group in ("cat", "dog", "owl")
    ]
)
CALLS = 3 * 4  # told, plain, there, call.c


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Images:
    return cards(TWO_WAVES, tmp_path_factory.mktemp("two"))


def test_follow_up_questions_are_asked_after_replies_and_all_checks_are_scored(two: Images, tmp_path: Path) -> None:
    end = judged(two, tmp_path / "run")
    assert (end.complete, end.calls, end.total) == (True, CALLS, CALLS)
    rows = load_judged(tmp_path / "run").rows
    assert Counter(row.check for row in rows) == {"there": 3, "plain": 3, "light": 3, "mood": 3}
    assert {row.outcome for row in rows} == {"answer"}
    card = CardGenerator("card", TWO_WAVES)
    assert {(row.group, row.check): row.answer for row in rows} == {
        (p.group, id): answer for p in TWO_WAVES.prompts for id, answer in card.answers(p, 0).items() if id != "told"
    }


@pytest.mark.parametrize("stop", range(CALLS))
def test_a_run_stopped_anywhere_resumes_and_asks_nothing_twice(stop: int, two: Images, tmp_path: Path) -> None:
    whole, run = tmp_path / "whole", tmp_path / "run"
    judged(two, whole, "noisy")
    first = judged(two, run, "noisy", max_calls=stop) if stop else None
    assert first is None or not first.complete
    assert judged(two, run, "noisy").complete
    ids = [record.id for record in read_journal(run)]
    assert len(ids) == len(set(ids)) == CALLS
    assert set(ids) == {record.id for record in read_journal(whole)}
    assert load_judged(run).rows == load_judged(whole).rows


def test_a_failed_question_blocks_only_its_follow_ups(two: Images, tmp_path: Path) -> None:
    texts = {"yes-no": "yes", "description": "It is a card.", "ratings:1-5": "light: 4\nmood: 4"}
    failure = Reply(failure=Failed("hoarse", "no voice"))
    hoarse = Author(lambda query: failure if query.id == "cat/image/0/told" else texts[query.answer_type], "hoarse")
    assert not judged(two, tmp_path / "run", hoarse).complete
    assert hoarse.counts.keys() == {"cat/image/0/told", "cat/image/0/plain"} | {
        f"{group}/image/0/{id}" for group in ("dog", "owl") for id in ("told", "plain", "there", "call.c")
    }
    waiting = {row.check: row.outcome for row in load_judged(tmp_path / "run").rows if row.group == "cat"}
    assert waiting == {"there": "unasked", "plain": "answer", "light": "unasked", "mood": "unasked"}
    again = Author(lambda query: texts[query.answer_type], "hoarse")
    assert judged(two, tmp_path / "run", again).complete
    assert [query.role for query in again.queries.values()] == ["told", "there", "call.c"]
    assert (
        again.queries["cat/image/0/there"].text.count("Asked before: What is shown?\nThe answer was: It is a card.\n")
        == 1
    )
    assert {row.outcome for row in load_judged(tmp_path / "run").rows} == {"answer"}


# ---- several models


def test_several_models_are_one_run_in_random_order_and_scored_apart(tmp_path: Path) -> None:
    prompts = mixed()
    good, poor = (cards(prompts, tmp_path / name, f"card?rate={rate}") for name, rate in (("a", 0.9), ("b", 0.2)))
    good, poor = (read_manifest(made.path.rename(tmp_path / name)) for made, name in ((good, "good"), (poor, "poor")))
    run = tmp_path / "run"
    questions = PictureQuestions([good, poor], prompts)
    order = [sample.id.partition("/")[0] for sample in questions.things]
    assert len({*order[: len(order) // 4]}) == 2  # never one model after the other
    judged_together = judged([good, poor], run, prompts=prompts)
    assert judged_together.complete
    of_models = load_models(run)
    assert [model_run.kept.model.name for model_run in of_models] == ["good", "poor"]
    for model_run, alone in zip(of_models, (good, poor), strict=True):
        judged(alone, tmp_path / f"alone-{alone.path.name}", prompts=prompts)
        assert model_run.rows == load_judged(tmp_path / f"alone-{alone.path.name}").rows
        assert [row.id for row in model_run.kept.samples] == [row.id for row in alone.rows]
    with pytest.raises(InputError, match="is about 2 models \\(good, poor\\)"):
        load_judged(run)


def test_two_folders_of_one_name_are_refused(two: Images) -> None:
    with pytest.raises(InputError, match="two folders of pictures are called 'card'"):
        PictureQuestions([two, two], TWO_WAVES)
