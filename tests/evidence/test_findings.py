"""What pairs show: tables by hand, and planted judges, who are never admitted to a law on which their fault shows."""

import functools
from collections.abc import Collection, Sequence

import msgspec
import pytest
from handmade import DECLINES, FAILS, MISSING, RAMBLES, pair
from planted_runs import erring_records, keys_of_cells, records

from counterbench.answers.outcomes import Unparsed
from counterbench.evidence.cells import law_of, needed_e_value
from counterbench.evidence.findings import Findings, counts, judge_findings
from counterbench.evidence.policies import load_policy
from counterbench.results.results import PairResult, pair_results
from counterbench.results.rules import Judged
from counterbench.runs.queries import Key, cell_of

POLICIES = ("exploratory", "standard", "strict")
# At their default doses each of these must be found out, under every policy.
FAULTY = ("constant", "blind", "random", "sticky", "yes-bias", "no-bias", "failing", "refusing", "unparsed")
FAMILIES = ("spatial", "counting", "attribute")
LAWS = ("falling", "wind", "frost", "mirrors")


def findings_of(pairs: Sequence[PairResult], policy: str = "standard", models: Sequence[str] = ()) -> Findings:
    held = load_policy(policy)
    return judge_findings(pairs, held, needed_e_value(held, 1), models)


@functools.cache
def pairs_of(judge: str, suite: str = "certify", laws: Collection[str] = FAMILIES, pairs: int = 40) -> list[PairResult]:
    """What a planted judge makes of the first pairs of every cell of some laws, or families."""
    known = keys_of_cells(suite, laws, pairs)
    return list(pair_results(known, records(f"planted:{judge}", known), "default"))


SAID = {"y": "yes", "n": "no", "u": RAMBLES, "r": DECLINES, "f": FAILS, "?": MISSING}


def cell_pair(i: int, cell: str, truths: str, replies: str) -> PairResult:
    """A yes/no pair; replies: "y", "n", "u" (unparsed), "r" (refused), "f" (failed) or "?" (not asked)."""
    own = {"id": f"p{i}", "family": law_of(cell), "skill": "left", "cell": cell if truths[0] != truths[1] else ""}
    first, second = (SAID[word] for word in replies)
    return pair((str(SAID[truths[0]]), str(SAID[truths[1]])), (first, second), **own)


def test_findings_equal_a_table_worked_by_hand() -> None:
    rows = [
        ("a/x", "yn", "yn"),
        ("a/x", "ny", "ny"),
        ("a/x", "yn", "yy"),
        ("a/x", "yn", "nn"),
        ("a/y", "ny", "uy"),
        ("a/y", "ny", "nr"),
        ("a/y", "yn", "yf"),
        ("a/y", "ny", "n?"),
    ]
    pairs = [cell_pair(i, *row) for i, row in enumerate(rows)]
    pairs += [
        cell_pair(10, "still", "yy", "yy"),
        cell_pair(11, "still", "nn", "yy"),
        cell_pair(12, "a", "nn", "ny"),
    ]
    found = findings_of(pairs, "exploratory")
    assert {name: (cell.ccs.hits, cell.ccs.of) for name, cell in found.cells.items()} == {"a/x": (2, 4), "a/y": (0, 2)}
    assert list(found.laws) == ["a"]
    left = found.skills["left"]  # over all cells that ask for it
    assert (left.pairs, left.counted, left.ccs.hits, left.ccs.of) == (8, 6, 2, 6)
    assert left.outcomes == {"answer": 12, "unparsed": 1, "refused": 1, "failed": 1}
    control = found.control
    assert (control.pairs, control.stability.hits, control.accuracy.hits, control.accuracy.of) == (3, 2, 1, 3)
    assert found.run["unparsed"].value == 1 / 21  # what was not asked is no fault
    assert (found.run["unparsed"].verdict, found.run["failed"].verdict) == ("pass", "not-enough-evidence")


def silent(pairs: Sequence[PairResult], about: Collection[str], but: Collection[str] = ()) -> list[PairResult]:
    """The same pairs, without an answer about pictures that are treated so, but for pairs of these ids."""

    def reply(key: Key, reply: Judged | None) -> Judged | None:
        quiet = key.traits.get("treatment") in about and key.group not in but
        return Judged(Unparsed("hm"), False) if quiet else reply

    return [PairResult(p.keys, *(reply(*question) for question in p.questions), p.failed, p.missing) for p in pairs]


def of_treatment(pairs: Sequence[PairResult], name: str) -> list[PairResult]:
    return [pair for pair in pairs if pair.keys[1].traits.get("treatment") == name]


def test_a_wholly_declined_treatment_is_undecided_and_blocks_nothing() -> None:
    pairs = pairs_of("oracle")
    found = findings_of(silent(pairs, ["jpeg", "texture"]))
    assert {
        name: (result.declined, result.of) for name, result in found.treatments.items() if result.verdict != "pass"
    } == {name: (len(of_treatment(pairs, name)), 0) for name in ("jpeg", "texture")}
    assert {found.treatments[name].verdict for name in ("jpeg", "texture")} == {"not-enough-evidence"}
    assert found.admitted == findings_of(pairs).admitted
    assert (found.control.verdict, found.control.accuracy.value) == ("pass", 1)  # of all others
    assert {condition.verdict for condition in found.run.values()} == {"pass"}


def test_silence_about_part_of_a_treatment_counts_as_a_changed_answer() -> None:
    """Answers about a tenth of the JPEGs, and all JPEGs count: nobody gains by silence about the hard ones."""
    pairs = pairs_of("oracle")
    jpegs = of_treatment(pairs, "jpeg")
    found = findings_of(silent(pairs, ["jpeg", "texture"], but=[pair.key.group for pair in jpegs[:4]]))
    texture, jpeg = found.treatments["texture"], found.treatments["jpeg"]
    assert texture.declined == len(of_treatment(pairs, "texture")) > 0
    assert (jpeg.right, jpeg.of, jpeg.declined, jpeg.verdict) == (4, len(jpegs), 0, "fail")
    assert found.control.accuracy.of - found.control.accuracy.hits == len(jpegs) - 4 > 0
    assert found.run["unparsed"].value > 0


def test_pairs_without_both_replies_count_in_no_cell() -> None:
    pairs = [cell_pair(1, "a/x", "yn", "yn"), cell_pair(2, "a/x", "yn", "yf"), cell_pair(3, "b/x", "yn", "??")]
    assert counts(pairs, lambda pair: (cell_of(pair.key),)) == {"a/x": (1, 0), "b/x": (0, 0)}


def test_more_than_one_model_fails_unless_the_policy_allows_it() -> None:
    assert findings_of(pairs_of("oracle"), models=["a"]).verdict == "pass"
    changed = findings_of(pairs_of("oracle"), models=["a", "b"])
    assert changed.verdict == "fail"
    assert changed.admitted == []
    assert "a, b: the model changed within the run" in changed.run["one-model"].reason
    lenient = msgspec.structs.replace(load_policy(), one_model=False)
    assert judge_findings(pairs_of("oracle"), lenient, needed_e_value(lenient, 1), ["a", "b"]).verdict == "pass"


def test_controls_or_cells_alone_do_not_certify() -> None:
    for some, missing in ((True, "control"), (False, "cells")):
        found = findings_of([pair for pair in pairs_of("oracle") if pair.key.relevant is some])
        assert found.verdict == "not-enough-evidence"
        assert found.admitted == []
        lacking = found.control if missing == "control" else found.run["cells"]
        assert lacking.verdict == "not-enough-evidence"
    assert findings_of([]).verdict == "not-enough-evidence"


@pytest.mark.parametrize(
    "policy", [pytest.param(name, marks=[pytest.mark.slow] * (name != "standard")) for name in POLICIES]
)
@pytest.mark.parametrize("suite", ["certify", "laws"])
@pytest.mark.parametrize("judge", FAULTY)
def test_a_judge_with_a_fault_is_admitted_to_nothing(judge: str, suite: str, policy: str) -> None:
    pairs = pairs_of(judge) if suite == "certify" else pairs_of(judge, "laws", LAWS)
    found = findings_of(pairs, policy)
    assert found.admitted == []
    assert found.verdict != "pass"


@pytest.mark.slow
def test_a_yes_bias_fails_the_yes_no_cells_only() -> None:
    """A skill that is asked in two forms hid it; each form is a cell."""
    cells = findings_of(pairs_of("yes-bias?p=0.4", pairs=120)).cells
    for family in ("counting", "attribute"):
        assert cells[f"{family}/open"].verdict == "pass"
        assert cells[f"{family}/yes-no"].verdict == "fail"


def test_a_failed_question_bars_a_perfect_judge_and_an_unasked_one_does_not() -> None:
    known = keys_of_cells("certify", FAMILIES, 40)
    replies = records("planted:oracle", known)
    assert findings_of(list(pair_results(known, replies[1:], "default"))).verdict == "pass"
    failed = [r for r in records("planted:failing?p=1", known) if r.id == replies[0].id]
    found = findings_of(list(pair_results(known, [*failed, *replies[1:]], "default")))
    assert (found.verdict, found.admitted) == ("not-enough-evidence", [])
    assert "run the same `counterbench probe` again" in found.run["failed"].reason


# ---- corrupted runs: every answer about some laws, or one cell, is the wrong one


@pytest.mark.parametrize(
    ("corrupted", "lost"),
    [(("wind", "frost"), ["frost", "wind"]), (("wind/unaffected",), ["wind"]), (("mirrors/integrity",), ["mirrors"])],
)
def test_only_laws_with_inverted_answers_are_not_admitted(corrupted: tuple[str, ...], lost: list[str]) -> None:
    known = keys_of_cells("laws", LAWS, 40)
    replies = erring_records(
        "planted:oracle", known, lambda key: key.relevant and {cell_of(key), law_of(cell_of(key))} & {*corrupted}
    )
    found = findings_of(list(pair_results(known, replies, "default")))
    assert found.admitted == sorted(set(LAWS) - set(lost))
    assert [name for name, law in found.laws.items() if law.verdict == "fail"] == lost
    assert [name for name in lost if not found.laws[name].decided_by.startswith(corrupted)] == []
    assert found.verdict == "fail"
