"""`swap`: both judges on the same pairs until it is decided; a run in place of the old judge; resuming."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from commands import call, document, done, fails
from pictures.own_pictures import Eyes, table
from scenery import suite_of

import counterbench as cb
from counterbench.files import formats
from counterbench.judges.base import Reply
from counterbench.pictures.evaluation import Evaluation
from counterbench.runs.folder import RunInfo, answered, last_records
from counterbench.runs.queries import Query

NOISY = "planted:noisy?p=0.08"


def swap_document(*args: object, code: int) -> Any:
    return document("swap", *args, code=code)


def journals(run: Path) -> dict[str, bytes]:
    return {side.name: (side / "journal.jsonl").read_bytes() for side in run.iterdir()}


def test_swap_json_has_the_difference_of_every_cell() -> None:
    found = swap_document("planted:oracle", NOISY, "--for", "smoke", "--out", "r", code=1)
    assert (found["verdict"], len(found["cells"]), found["run"]) == ("changed", 8, "r")
    assert sum(cell["pairs"] for cell in found["cells"].values()) == found["overall"]["pairs"]
    assert found["calls"] == 4 * found["overall"]["pairs"]
    assert found["overall"]["difference"]["high"] < 0
    assert {frozenset(cell) for cell in found["cells"].values()} == {frozenset({"difference", "pairs", "verdict"})}


def test_the_same_judge_is_equivalent_and_then_asked_no_more(here: Path) -> None:
    words = ("planted:oracle", "planted:oracle?seed=4", "--for", "smoke", "--out", "r")
    first = swap_document(*words, code=0)
    before = journals(here / "r")
    assert first["verdict"] == "equivalent"
    assert swap_document(*words, code=0) == first
    assert journals(here / "r") == before


def test_both_judges_are_asked_the_same_questions_together(here: Path) -> None:
    stopped = swap_document("planted:oracle", NOISY, "--for", "smoke", "--out", "r", "--max-calls", 200, code=3)
    asked_ids = {
        side: [line.split(b'"id":"')[1].split(b'"')[0] for line in journal.splitlines()]
        for side, journal in journals(here / "r").items()
    }
    assert stopped["verdict"] == "undecided"
    assert len(asked_ids["old"]) + len(asked_ids["new"]) == stopped["calls"] == 200
    assert abs(len(asked_ids["old"]) - len(asked_ids["new"])) <= 64
    few, many = sorted(asked_ids.values(), key=len)
    assert set(few) <= set(many)


@pytest.mark.parametrize(
    ("old", "new"),
    [("arrow-blind", "arrow-blind+yes-bias"), ("yes-bias?p=0.15", "yes-bias?p=0.8")],
    ids=["lacked", "grown"],
)
def test_a_new_or_stronger_fault_of_the_new_judge_is_named(old: str, new: str) -> None:
    found = swap_document(f"planted:{old}", f"planted:{new}", "--for", "smoke", code=1)
    assert [fault["name"] for fault in found["new_faults"]] == ["yes-bias"]


@pytest.mark.slow
def test_a_stopped_swap_resumes_to_the_same_result(here: Path) -> None:
    words = ("planted:oracle", NOISY, "--for", "smoke", "--out")
    whole = swap_document(*words, "whole", code=1)
    parts = [call("swap", *words, "parts", "--max-calls", 150, "--json") for _ in range(-(-whole["calls"] // 150))]
    assert [part.exit_code for part in parts] == [3] * (len(parts) - 1) + [1]
    assert json.loads(parts[-1].stdout) == whole | {"run": "parts"}
    for side in ("old", "new"):
        assert len(last_records(here / "parts" / side / "journal.jsonl")) == whole["calls"] // 2


def test_a_run_may_stand_for_the_old_judge() -> None:
    call("probe", "smoke", "--judge", "planted:oracle", "--out", "old")
    found = swap_document("old", NOISY, "--out", "r", code=3)  # of so few pairs nothing is decided
    assert (found["old"], found["suite"]) == ("planted:oracle", "smoke")
    assert found["calls"] == 2 * found["overall"]["pairs"]
    assert not Path("r/old").exists()


def test_pairs_that_the_old_judge_did_not_answer_are_not_asked(here: Path) -> None:
    call("probe", "smoke", "--judge", "planted:failing?p=0.3", "--out", "old")
    failed = answered(here / "old/journal.jsonl").failed
    found = swap_document("old", "planted:oracle", "--out", "r", code=3)
    groups = {id.rpartition("/")[0] for id in failed}
    assert found["stopped"] == "there are no further pairs"
    assert not groups & {id.rpartition("/")[0] for id, _ in answered(here / "r/new/journal.jsonl").identity_by_repeat}


def test_a_swap_with_a_run_on_a_folder_needs_that_folder() -> None:
    cb.generate(suite_of({"name": "spatial", "count": 24}, seed=5), "drawn")
    call("probe", "./drawn", "--judge", "planted:oracle", "--out", "old")
    assert "name its pairs with --for SUITE|DIR" in fails("swap", "old", "planted:oracle")
    found = swap_document("old", "planted:oracle", "--for", "./drawn", code=3)  # of so few pairs nothing is decided
    assert (found["overall"]["pairs"], found["overall"]["difference"]["value"]) == (24, 0)


@pytest.mark.slow
def test_an_old_run_may_grow_between_two_swaps(here: Path) -> None:
    """Pairs that it lacked, between those that it had, are then asked too."""
    call("probe", "certify", "--judge", "planted:oracle", "--limit", 40, "--out", "whole")
    shutil.copytree("whole", "old")
    journal = Path("old/journal.jsonl")
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[8:60]))
    first = swap_document("old", "planted:oracle", "--out", "r", code=3)
    journal.write_bytes(b"".join(lines))
    then = swap_document("old", "planted:oracle", "--out", "r", code=3)
    assert first["overall"]["pairs"] < then["overall"]["pairs"]
    assert then["calls"] == 2 * then["overall"]["pairs"] == len(journals(here / "r")["new"].splitlines())


def stopped_by_its_replies() -> None:
    call("validate", "planted:oracle", "--for", "smoke", "--policy", "exploratory", "--out", "old")


def of_other_pairs() -> None:
    call("probe", "smoke", "--judge", "planted:oracle", "--seed", 9, "--limit", 8, "--out", "old")
    info = formats.read_json(Path("old/run.json"), RunInfo)
    formats.write_json(Path("old/run.json"), msgspec.structs.replace(info, seed=8))


def of_another_template() -> None:
    call("probe", "smoke", "--judge", "planted:oracle", "--template", "bare", "--out", "old")


def test_a_run_cannot_be_the_new_judge() -> None:
    of_other_pairs()
    assert "counterbench compare" in fails("swap", "planted:oracle", "old")


@pytest.mark.parametrize(
    ("make", "more", "message"),
    [
        (stopped_by_its_replies, (), "stopped by its replies (of validate, evaluate or swap)"),
        (of_other_pairs, (), "has other pairs now"),
        (of_another_template, ("--template", "default"), "OLD was asked with template 'bare', not 'default'"),
    ],
)
def test_a_misleading_old_run_is_refused(make: Callable[[], None], more: tuple[str, ...], message: str) -> None:
    make()
    assert message in fails("swap", "old", "planted:oracle", *more)
    assert not Path("runs").exists()


def test_failed_questions_leave_a_swap_undecided() -> None:
    found = swap_document("planted:oracle", "planted:failing?p=0.1", "--for", "smoke", code=3)
    assert found["stopped"].endswith("failed")


def test_swap_for_prompts_asks_the_cells_that_they_need() -> None:
    found = swap_document("planted:oracle", "planted:oracle", "--for", "attributes", "--max-calls", 80, code=3)
    assert set(found["cells"]) == {"presence/open", "presence/yes-no"}


@pytest.mark.slow
def test_swap_for_a_run_about_pictures_also_asks_stickers_on_them(here: Path) -> None:
    done("t2i", "generate", "attributes", "--generator", "planted:card", "--out", "images", "--limit", 6)
    done("t2i", "judge", "images/planted-card", "--judge", "planted:oracle", "--uncertified", "--out", "judged")
    swap = ("planted:oracle", "planted:style-blind?p=1", "--for", "judged", "--out", "r")
    stopped = swap_document(*swap, "--max-calls", 60, code=3)
    found = swap_document(*swap, code=1)
    lost = {cell: figures["difference"]["value"] for cell, figures in found["cells"].items()}
    assert lost.keys() == {"presence/open", "presence/yes-no", "stickers/presence"}
    assert lost.pop("stickers/presence") < -0.5
    assert [*lost.values()] == [0, 0]
    assert stopped["calls"] == 60 < found["calls"]
    domain = formats.read_json(here / "r" / "new" / "run.json", RunInfo).domain
    assert (domain.style, domain.size) == ("flat, sticker", "512x512")


class Liar(Eyes):
    """A judge that reads drawn pairs and stickers as `Eyes` does, and finds every ball in the asked colour."""

    name = "liar"

    async def _reply(self, query: Query) -> Reply:
        about_balls = " ball" in query.text
        return Reply(text='{"answer": "yes"}') if about_balls else await super()._reply(query)


@pytest.mark.slow
def test_a_judge_that_moves_the_scores_of_the_named_pictures_has_changed(here: Path) -> None:
    evaluation = Evaluation(table(here / "own", 30), Eyes(), here / "run")
    images = [imported.path for imported in evaluation.import_pictures()]
    options: Any = {"prompts": evaluation.prompts, "template": "structured", "uncertified": True}
    cb.t2i_judge(images, Eyes(), here / "judged", **options)
    found = cb.swap(Eyes(), Liar(), str(here / "judged"), delta=0.3, out=here / "r")
    assert (found.overall.verdict, found.ranking.moved, found.verdict) == ("equivalent", ["poor"], "changed")
    same = cb.swap(Eyes(), Eyes(), str(here / "judged"), delta=0.3, out=here / "s")
    assert (same.verdict, same.ranking.moved) == ("equivalent", [])
