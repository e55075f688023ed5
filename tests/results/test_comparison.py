"""Comparison: counts by hand, joined by id, ranks with ties, what is refused, and the four published judges."""

import math
import random
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import handmade
import msgspec
import pytest
from handmade import record, run_info
from planted_runs import edit_info
from published import RELEASE, needing
from refusals import refusal

from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.interop.counterbench_release import import_release
from counterbench.pages.gather import compare_judges
from counterbench.results.comparison import Admitted, Comparison, Costs, JudgeContrast
from counterbench.runs.folder import KEYS_FILE, Record
from counterbench.runs.queries import Key
from counterbench.scene.pairs import ROLES

RIGHT, WRONG, FAILS, MISSING = "right", "wrong", "fails", "missing"
Said = Mapping[str, str]  # pair → what became of it; a pair's category is what its name starts with


def make_run(path: Path, outcomes: Said, judge: str = "", shuffled: int | None = None, **info: object) -> Path:
    """A run by hand: the truth is yes, then no. A wrong pair is wrong on the intervened picture alone."""
    keys, records = [], []
    for pair, outcome in outcomes.items():
        for role, expected in zip(ROLES, ("yes", "no"), strict=True):
            keys.append(key(pair, role, expected))
            if role == ROLES[0] or outcome == RIGHT:
                records.append(record(f"{pair}/{role}", expected))
            elif outcome == WRONG:
                records.append(record(f"{pair}/{role}", "yes"))
            elif outcome == FAILS:
                records.append(record(f"{pair}/{role}", None))
    if shuffled is not None:
        random.Random(shuffled).shuffle(keys)
        random.Random(shuffled + 1).shuffle(records)
    path.mkdir(parents=True)
    own = {"suite_digest": "s" * 32, "judge": judge or path.name, "queries": len(keys)} | info
    formats.write_json(path / "run.json", run_info(**own))
    formats.write_lines(path / KEYS_FILE, keys)
    formats.write_lines(path / "journal.jsonl", records)
    edit_info(path)  # which makes them replies to what it says was asked
    return path


def key(pair: str, role: str, expected: str) -> Key:
    return handmade.key(f"{pair}/{role}", expected, category=pair.partition("-")[0])


def pairs(category: str, **counts: int) -> dict[str, str]:
    """So many pairs of each outcome, in the order named: pairs("c", right=2, wrong=1) is c-0, c-1 right, c-2 wrong."""
    outcomes = [outcome for outcome, count in counts.items() for _ in range(count)]
    return {f"{category}-{i}": outcome for i, outcome in enumerate(outcomes)}


def counts(found: JudgeContrast) -> tuple[int, int, int, int]:
    return found.both, found.only_first, found.only_second, found.neither


def exact(first: int, second: int) -> float:
    """McNemar's exact p in whole numbers."""
    n = first + second
    return float(min(Fraction(1), 2 * sum(Fraction(math.comb(n, k), 2**n) for k in range(min(first, second) + 1))))


def compare(runs: Sequence[Path], scoring: str = "default", anyway: bool = False) -> Comparison:
    return compare_judges(runs, scoring, anyway)[0]


# ---- which judge to buy


def test_the_cheapest_admitted_judge_comes_first(tmp_path: Path) -> None:
    found = compare([make_run(tmp_path / name, pairs("c", right=3)) for name in ("dear", "cheap", "free", "none")])
    assert [run.costs for run in found.runs] == [Costs(None, None, None)] * 4
    costs = {"dear": (20.0, 5), "cheap": (1.0, 4), "free": (None, 5), "none": (0.1, 0)}
    known = [
        msgspec.structs.replace(
            run,
            costs=Costs(costs[run.judge][0], None, None),
            admitted=Admitted(costs[run.judge][1], 5, "standard", "d") if run.judge != "none" else None,
        )
        for run in reversed(found.runs)
    ]
    found = msgspec.structs.replace(found, runs=known)
    assert [run.judge for run in found.by_offer] == ["cheap", "dear", "free", "none"]


def test_the_cost_of_a_thousand_pictures_counts_every_reply(tmp_path: Path) -> None:
    first, second = make_run(tmp_path / "one", pairs("c", right=2)), make_run(tmp_path / "other", pairs("c", right=2))
    journal = first / "journal.jsonl"
    paid = [msgspec.structs.replace(r, cost=0.002, tokens_in=300) for r in formats.read_lines(journal, Record)]
    formats.write_lines(journal, paid)
    assert [run.costs for run in compare([first, second]).runs] == [
        Costs(pytest.approx(2), pytest.approx(300_000), None),  # type: ignore[arg-type]
        Costs(None, None, None),
    ]


# ---- two judges


def test_a_comparison_of_two_judges_equals_counts_by_hand(tmp_path: Path) -> None:
    first = make_run(tmp_path / "one", pairs("c", right=12, wrong=3) | {"d-0": RIGHT, "d-1": WRONG})
    second = make_run(
        tmp_path / "other", pairs("c", wrong=9, right=4) | {"c-13": WRONG, "c-14": WRONG} | pairs("d", right=2)
    )
    found = compare([first, second])
    (both,) = found.overall.contrasts
    assert (both.first, both.second) == ("one", "other")
    assert counts(both) == (4, 9, 2, 2)
    assert (both.units, both.left_out) == (17, 0)
    assert (both.ccs_first.hits, both.ccs_second.hits, both.ccs_first.of) == (13, 6, 17)
    assert both.difference.value == pytest.approx(7 / 17)
    assert both.difference.low is not None
    assert both.difference.high is not None
    assert both.difference.low < 7 / 17 < both.difference.high
    assert both.p == both.p_holm == pytest.approx(exact(9, 2))  # 134 / 2048 = 0.0654
    assert both.better is None
    assert both.units_needed == 30  # 17 · (1.96 + 0.84)² · 11 / 7²; the exact test needs 31
    assert both.verdict == f"cannot be told apart: about {both.units_needed} pairs would be needed"
    assert (found.scoring, found.level, found.marked) == ("default", 0.05, [])
    assert list(found.categories) == ["c", "d"]
    assert counts(found.categories["c"].contrasts[0]) == (3, 9, 1, 2)
    assert counts(found.categories["d"].contrasts[0]) == (1, 0, 1, 0)


def test_six_pairs_to_none_show_a_difference_and_five_do_not(tmp_path: Path) -> None:
    oracle = make_run(tmp_path / "oracle", pairs("c", right=20))
    for wrong, better in ((5, None), (6, "oracle")):
        worse = make_run(tmp_path / f"worse{wrong}", pairs("c", wrong=wrong, right=20 - wrong))
        (found,) = compare([worse, oracle]).overall.contrasts
        assert (found.better, found.difference.value) == (better, -wrong / 20)
    assert (found.p, found.verdict, found.units_needed) == (pytest.approx(2 / 64), "oracle is better", None)


def test_equal_judges_have_no_number_of_pairs_needed(tmp_path: Path) -> None:
    first = make_run(tmp_path / "one", pairs("c", right=5, wrong=5))
    second = make_run(tmp_path / "other", pairs("c", wrong=5, right=5))
    (found,) = compare([first, second]).overall.contrasts
    assert counts(found) == (0, 5, 5, 0)
    assert (found.better, found.units_needed, found.p) == (None, None, 1.0)
    assert "no number of pairs can be named" in found.verdict


def test_failed_and_missing_pairs_are_left_out_and_counted(tmp_path: Path) -> None:
    first = make_run(tmp_path / "one", pairs("c", right=6, fails=2, missing=1, wrong=3))
    second = make_run(tmp_path / "other", pairs("c", missing=1, fails=1, right=10))
    found = compare([first, second])
    (contrast,) = found.overall.contrasts
    assert counts(contrast) == (4, 0, 3, 0)
    assert (contrast.units, contrast.left_out) == (7, 5)
    assert (found.overall.pairs, found.overall.left_out) == (7, 5)
    assert [(run.complete, run.missing, run.failed) for run in found.runs] == [(False, 1, 2), (False, 1, 1)]


def test_runs_are_joined_by_id_and_never_by_order(tmp_path: Path) -> None:
    outcomes = pairs("c", right=9, wrong=5, fails=2), pairs("c", wrong=4, right=12)
    straight = [make_run(tmp_path / "straight" / str(i), by_pair, f"j{i}") for i, by_pair in enumerate(outcomes)]
    mixed = [make_run(tmp_path / "mixed" / str(i), by_pair, f"j{i}", shuffled=i) for i, by_pair in enumerate(outcomes)]
    in_order, in_disorder = compare(straight), compare(mixed)
    assert in_order.overall == in_disorder.overall
    assert in_order.categories == in_disorder.categories


# ---- several judges


def test_p_values_are_adjusted_over_all_pairs_and_ranks_have_ties(tmp_path: Path) -> None:
    # a is right on 40; b misses 6 and c 7 of them, d 20. a and b differ by 6 to 0: 0.03125 alone, not after Holm.
    spans = {"a": (0, 0), "b": (0, 6), "c": (3, 10), "d": (20, 40)}
    runs = [
        make_run(tmp_path / name, {f"c-{i}": WRONG if low <= i < high else RIGHT for i in range(40)})
        for name, (low, high) in spans.items()
    ]
    found = compare(runs).overall
    p = {(c.first, c.second): (c.p, c.p_holm) for c in found.contrasts}
    alone = {
        ("a", "b"): exact(6, 0),
        ("a", "c"): exact(7, 0),
        ("a", "d"): exact(20, 0),
        ("b", "c"): exact(4, 3),
        ("b", "d"): exact(20, 6),
        ("c", "d"): exact(20, 7),
    }
    assert {two: p_values[0] for two, p_values in p.items()} == pytest.approx(alone)
    assert p["a", "d"][1] == pytest.approx(6 * alone["a", "d"])
    assert p["b", "d"][1] == pytest.approx(5 * alone["b", "d"])  # 0.009 · 5
    assert p["a", "b"][1] == pytest.approx(max(4 * alone["a", "c"], 3 * alone["c", "d"], 2 * alone["a", "b"]))
    better = {two: c.better for two, c in zip(p, found.contrasts, strict=True)}
    assert better == {two: ("a" if two == ("a", "d") else "b" if two == ("b", "d") else None) for two in alone}
    assert [(s.judge, s.ccs.hits, s.rank, s.rank_last) for s in found.ranking] == [
        ("a", 40, 1, 3),
        ("b", 34, 1, 3),
        ("c", 33, 1, 4),
        ("d", 20, 3, 4),
    ]
    tied = next(c for c in found.contrasts if (c.first, c.second) == ("a", "b"))
    assert tied.units_needed == 81  # 40 · (2.64 + 0.84)² / 6, at a level of 5 % / 6


def test_each_category_is_adjusted_separately(tmp_path: Path) -> None:
    # In d nothing was answered by all: its p is there for the two that did.
    a = make_run(tmp_path / "a", pairs("c", right=8) | pairs("d", right=8))
    b = make_run(tmp_path / "b", pairs("c", right=8) | pairs("d", wrong=8))
    c = make_run(tmp_path / "c", pairs("c", right=8) | pairs("d", fails=8))
    found = compare([a, b, c])
    assert [x.p_holm for x in found.categories["c"].contrasts] == [1, 1, 1]
    with_d, *without = found.categories["d"].contrasts
    assert with_d.p == with_d.p_holm == pytest.approx(2 / 256)
    assert with_d.better == "a"
    for contrast in without:
        assert (contrast.units, contrast.p, contrast.p_holm, contrast.better) == (0, None, None, None)
        assert (contrast.difference.value, contrast.ccs_first.value) == (None, None)
        assert contrast.verdict == "no pair in common"
    assert [(s.judge, s.ccs.value, s.rank, s.rank_last) for s in found.categories["d"].ranking] == [
        ("a", None, 1, 2),
        ("b", None, 2, 3),
        ("c", None, 1, 3),
    ]
    overall = found.overall.contrasts[0]
    assert overall.p_holm == pytest.approx(3 * 2 / 256)


# ---- names and provenances


def test_two_runs_of_one_judge_are_named_by_their_paths(tmp_path: Path) -> None:
    runs = [
        make_run(tmp_path / name, pairs("c", right=3), judge) for name, judge in (("x", "j"), ("y", "j"), ("z", "k"))
    ]
    found = compare(runs)
    assert [run.judge for run in found.runs] == [str(runs[0]), str(runs[1]), "k"]
    assert [run.provenance.judge for run in found.runs] == ["j", "j", "k"]


# ---- what is refused


def compare_refusal(*runs: Path) -> str:
    return refusal(lambda: compare(runs), InputError)


def test_a_single_run_or_one_run_twice_is_refused(here: Path) -> None:
    run = make_run(here / "run", pairs("c", right=3))
    assert "one run cannot be compared" in compare_refusal(run)
    assert "one run cannot be compared" in compare_refusal()
    assert "was named twice" in compare_refusal(run, Path("run"))
    (here / "link").symlink_to(run)
    assert "link: this run was named twice" in compare_refusal(run, here / "link")


@pytest.mark.parametrize(
    ("part", "other"),
    [
        ("suites", {"suite": "another", "suite_digest": "t" * 32}),
        ("suites", {"suite_digest": "t" * 32}),  # the same name, other pairs
        ("templates", {"template": "curt", "template_digest": "v" * 32}),
        ("repeats", {"repeats": 3}),
    ],
)
def test_other_suites_templates_or_repeats_are_refused_or_marked(
    tmp_path: Path, part: str, other: dict[str, Any]
) -> None:
    first = make_run(tmp_path / "one", pairs("c", right=3))
    second = make_run(tmp_path / "two", pairs("c", right=3), **other)
    repeats = other.get("repeats", 1)
    replies = list(formats.read_lines(second / "journal.jsonl", Record))
    formats.write_lines(
        second / "journal.jsonl",
        [msgspec.structs.replace(r, repeat=v) for r in replies for v in range(repeats)],
    )
    edit_info(second)
    message = compare_refusal(first, second)
    assert f"{part} differ" in message
    assert str(first) in message
    assert str(second) in message
    assert "--anyway" in message
    found = compare([first, second], anyway=True)
    assert [mark.partition(":")[0] for mark in found.marked] == [f"{part} differ"]
    assert found.overall.pairs == 3


def test_the_option_anyway_compares_pairs_with_the_same_id_and_truth(tmp_path: Path) -> None:
    first = make_run(tmp_path / "one", pairs("c", right=6))
    second = make_run(tmp_path / "two", pairs("c", wrong=8), suite_digest="t" * 32)
    keys = [key(f"c-{i}", role, answer) for i in range(8) for role, answer in zip(ROLES, ("yes", "no"), strict=True)]
    keys[0] = msgspec.structs.replace(keys[0], expected="no")
    keys[3] = msgspec.structs.replace(keys[3], relevant=False)
    formats.write_lines(second / KEYS_FILE, keys)
    found = compare([first, second], anyway=True)
    (contrast,) = found.overall.contrasts
    assert counts(contrast) == (0, 4, 0, 0)
    assert contrast.left_out == 4  # two with another truth, two of the second run alone
    assert found.marked[1] == f"keys differ: 2 of 6 shared ids in {first} and {second}"


def test_other_keys_under_the_same_digest_are_refused(tmp_path: Path) -> None:
    first, second = (make_run(tmp_path / name, pairs("c", right=2)) for name in ("one", "two"))
    formats.write_lines(second / KEYS_FILE, [key(f"c-{i}", role, "yes") for i in range(2) for role in ROLES])
    assert f"keys differ: 2 of 2 shared ids in {first} and {second}" in compare_refusal(first, second)


def test_a_judge_that_answered_nothing_is_left_out_and_the_others_are_compared(tmp_path: Path) -> None:
    right = make_run(tmp_path / "one", pairs("c", right=8))
    failed = make_run(tmp_path / "failed", pairs("c", fails=8))
    wrong = make_run(tmp_path / "other", pairs("c", wrong=8))
    found, without = compare([right, failed, wrong]), compare([right, wrong])
    assert [(run.judge, run.run, run.failed) for run in found.unanswered] == [("failed", str(failed), 8)]
    assert msgspec.structs.replace(found, unanswered=[]) == without
    message = compare_refusal(right, failed)
    assert "1 of 2 runs can be compared, two or more are needed" in message
    assert str(failed) in message


# ---- the four published judges

released = needing("THE PUBLISHED JUDGES ARE NOT COMPARED", "CounterBench/data")
GEMINI, GPT, MINI, QWEN = (
    f"published:{name}"
    for name in ("google/gemini-2.0-flash-001", "openai/gpt-4o", "openai/gpt-4o-mini", "qwen/qwen2.5-vl-72b-instruct")
)


@pytest.fixture(scope="module")
def published_runs(tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    imported = import_release(RELEASE, tmp_path_factory.mktemp("published") / "released")
    return compare(imported.runs, "strict")


@released
def test_qwen_leads_and_gemini_and_gpt_4o_are_tied(published_runs: Comparison) -> None:
    assert [(s.judge, s.rank, s.rank_last) for s in published_runs.overall.ranking] == [
        (QWEN, 1, 1),
        (GEMINI, 2, 3),
        (GPT, 2, 3),
        (MINI, 4, 4),
    ]
    assert (published_runs.overall.pairs, published_runs.overall.left_out) == (545, 5)
    two = contrast(published_runs, GEMINI, GPT)
    assert two == (471, 38, 30, 11)
    (tied,) = (c for c in published_runs.overall.contrasts if c.better is None)
    assert {tied.first, tied.second} == {GEMINI, GPT}
    assert tied.p == pytest.approx(exact(38, 30))
    assert tied.units_needed is not None
    assert 5000 < tied.units_needed < 10_000


@released
def test_the_published_counts_are_reproduced(published_runs: Comparison) -> None:
    # Their sums are the strict scores: 509, 501 and 460 of 550, and Qwen's 520 of 545.
    assert contrast(published_runs, GEMINI, MINI) == (438, 71, 22, 19)
    assert contrast(published_runs, GPT, MINI) == (445, 56, 15, 34)
    assert contrast(published_runs, QWEN, GEMINI) == (497, 23, 7, 18)
    assert contrast(published_runs, QWEN, GPT) == (478, 42, 18, 7)
    assert contrast(published_runs, QWEN, MINI) == (436, 84, 19, 6)
    p = sorted([exact(71, 22), exact(56, 15), exact(23, 7), exact(42, 18), exact(84, 19), exact(38, 30)])
    found = sorted(c.p_holm for c in published_runs.overall.contrasts if c.p_holm is not None)
    assert found == pytest.approx([p_value * (6 - i) for i, p_value in enumerate(p)])


def contrast(found: Comparison, first: str, second: str) -> tuple[int, int, int, int]:
    """The counts of two judges, whichever was named first."""
    for c in found.overall.contrasts:
        if (c.first, c.second) == (first, second):
            return counts(c)
        if (c.first, c.second) == (second, first):
            return c.both, c.only_second, c.only_first, c.neither
    raise AssertionError(f"{first} and {second} were not compared")
