"""Scores: every measure against tables worked by hand, every denominator, and judges whose CCS is known beforehand."""

import functools
import itertools
import math
import random
import tracemalloc
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from handmade import key, record, run_info
from hypothesis import given
from hypothesis import strategies as st
from planted_runs import keys_of, write_run
from rehearsal import Rehearsal
from sweeping import swept

import counterbench as cb
from counterbench.answers import PARSER_VERSION
from counterbench.errors import InputError
from counterbench.files.formats import encode
from counterbench.judges.planted import PLANTED
from counterbench.results.results import load_results, pair_results
from counterbench.results.scores import (
    Document,
    Score,
    Share,
    band,
    document,
    score,
    score_results,
    score_runs,
    share,
    suspects,
    why_nothing,
)
from counterbench.runs.folder import (
    JOURNAL_FILE,
    KEYS_FILE,
    Record,
    identity_of,
    read_journal,
    read_keys,
    read_run_info,
)
from counterbench.runs.queries import Key
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite

MEASURES = tuple(field.name for field in msgspec.structs.fields(Score) if field.type is Share)
INFO = run_info(suite="table", suite_digest="digest", seed=3, judge="hand", template_digest="template")
FAIL, NONE = None, "<none>"  # no reply came; no record is there
HARD, SORRY = "It is hard to say.", "I'm sorry, but I can't help with that."
ROLES = ("original", "intervened")


Row = tuple[bool, str | None, str | None]  # relevant (the truth is yes then no, else yes twice), and what was said


def keys_and_records(rows: Sequence[Row]) -> tuple[list[Key], list[Record]]:
    keys_, records_ = [], []
    for i, (relevant, *replies) in enumerate(rows):
        for role, expected, reply in zip(ROLES, ("yes", "no" if relevant else "yes"), replies, strict=True):
            keys_.append(key(f"p{i}/{role}", expected, relevant=relevant))
            if reply != NONE:
                records_.append(record(f"p{i}/{role}", reply))
    return keys_, records_


def score_of_rows(rows: Sequence[Row]) -> Score:
    return score(pair_results(*keys_and_records(rows), "default"))


def fraction(found: Share) -> tuple[int, int]:
    assert found.value == (found.hits / found.of if found.of else None)
    return found.hits, found.of


def fractions(found: Score) -> dict[str, tuple[int, int]]:
    return {measure: fraction(getattr(found, measure)) for measure in MEASURES}


# ---- tables by hand


def test_ccs_and_ccs_answered_have_their_own_denominators() -> None:
    found = score_of_rows(
        [
            (True, "yes", "no"),  # right on both
            (True, "yes", HARD),  # unparsed: in ccs, not in ccs_answered
            (True, SORRY, "no"),  # refused: likewise
            (True, HARD, SORRY),
            (True, "no", "no"),  # wrong on the original
            (True, FAIL, "no"),  # failed: in neither
            (True, "yes", FAIL),
            (True, FAIL, FAIL),
            (True, "yes", NONE),  # not asked: in neither
            (True, NONE, NONE),
        ]
    )
    assert (found.pairs, found.answered) == (10, 2)
    assert fractions(found) == {
        "acc_original": (2, 5),  # of the same pairs as ccs
        "acc_intervened": (3, 5),
        "ccs": (1, 5),
        "ccs_answered": (1, 2),
        "gap": (1, 5),
        "stability": (0, 0),
    }
    assert found.outcomes == {"answer": 9, "unparsed": 2, "refused": 2, "failed": 4}


KINDS = ["right", "wrong", HARD, SORRY, FAIL, NONE]


@given(st.lists(st.tuples(st.booleans(), st.sampled_from(KINDS), st.sampled_from(KINDS)), max_size=12))
def test_scores_of_any_outcomes_equal_counting_by_definition(kinds: list[tuple[bool, str | None, str | None]]) -> None:
    def words(kind: str | None, truth: str) -> str | None:
        wrong = {"yes": "no", "no": "yes"}[truth]
        return {"right": truth, "wrong": wrong}.get(kind, kind) if kind else FAIL

    rows = [(rel, words(a, "yes"), words(b, "no" if rel else "yes")) for rel, a, b in kinds]
    found = fractions(score_of_rows(rows))
    replied = {"right", "wrong", HARD, SORRY}
    answers = {"right", "wrong"}
    pairs = [(a, b) for _, a, b in kinds if a in replied and b in replied]
    same = [(a, b) for rel, a, b in kinds if not rel and a in replied and b in replied]
    consistent = sum(pair == ("right", "right") for pair in pairs)
    assert found == {
        "acc_original": (sum(a == "right" for a, _ in pairs), len(pairs)),
        "acc_intervened": (sum(b == "right" for _, b in pairs), len(pairs)),
        "ccs": (consistent, len(pairs)),
        "ccs_answered": (consistent, sum(a in answers and b in answers for a, b in pairs)),
        "gap": (sum(a == "right" and b != "right" for a, b in pairs), len(pairs)),
        "stability": (sum(a in answers and a == b for a, b in same), len(same)),
    }
    flat = [kind for _, *both in kinds for kind in both]
    assert score_of_rows(rows).outcomes == {
        "answer": sum(kind in answers for kind in flat),
        "unparsed": flat.count(HARD),
        "refused": flat.count(SORRY),
        "failed": flat.count(FAIL),
    }
    if pairs:
        numbers = score_of_rows(rows)
        assert numbers.acc_original.value is not None
        assert numbers.ccs.value is not None
        assert numbers.gap.value == pytest.approx(numbers.acc_original.value - numbers.ccs.value)


# ---- joined by id


def test_mismatched_records_and_keys_are_errors_that_name_them() -> None:
    known, replies = keys_and_records([(True, "yes", "no"), (True, "yes", "no")])
    for keys_, records_, why in (
        (known, [*replies, record("p9/original", "yes")], "record is of query 'p9/original', which has no key"),
        ([*known, known[0]], replies, "two keys have the same id"),
        (known[:3], replies[:3], r"pair 'p1' has keys for \['original'\]"),
    ):
        with pytest.raises(InputError, match=why):
            pair_results(keys_, records_, "default")


def test_a_damaged_run_is_a_clear_error(tmp_path: Path) -> None:
    write_run(tmp_path / "run", "planted:oracle", "smoke")
    lines = (tmp_path / "run" / "keys.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "run" / "keys.jsonl").write_bytes(b"".join([*lines[:4], b"{}\n", *lines[5:]]))
    for path, why in (("run", r"keys\.jsonl, line 5"), ("nothing", "no such run folder"), (".", r"has no run\.json")):
        with pytest.raises(InputError, match=why):
            cb.score(tmp_path / path)


# ---- repeats


def repeats(*texts: Sequence[str | None], count: int) -> Score:
    keys_ = [key("p0/original", "yes"), key("p0/intervened", "no")]
    records_ = [record(f"p0/{role}", s, v) for role, all_ in zip(ROLES, texts, strict=True) for v, s in enumerate(all_)]
    return score(pair_results(keys_, records_, "default", count))


def test_the_majority_of_repeats_counts() -> None:
    assert fraction(repeats(["yes", "no", "yes"], ["no", "no", "yes"], count=3).ccs) == (1, 1)
    assert fraction(repeats(["yes", "no", "no"], ["no", "no", "yes"], count=3).ccs) == (0, 1)


def test_a_failed_repeat_fails_the_question_and_a_missing_one_leaves_it_open() -> None:
    failed = repeats(["yes", FAIL, "yes"], ["no"] * 3, count=3)
    assert failed.ccs.value is None
    assert failed.outcomes == {"answer": 1, "unparsed": 0, "refused": 0, "failed": 1}
    missing = pair_results(
        [key("p0/original", "yes"), key("p0/intervened", "no")],
        [record("p0/original", "yes", v) for v in range(3)] + [record("p0/intervened", "no", 0)],
        "default",
        3,
    )
    assert (missing[0].missing, missing[0].failed) == (1, 0)


def test_a_failure_before_or_after_does_not_change_an_answer() -> None:
    keys_, records_ = keys_and_records([(True, "yes", "no")])
    late = [*records_, record("p0/original", FAIL)]
    early = [record("p0/original", FAIL), *records_]
    for attempts in (late, early):
        found = score(pair_results(keys_, attempts, "default"))
        assert fraction(found.ccs) == (1, 1)
        assert found.outcomes["failed"] == 0


# ---- documents


def test_a_document_has_its_provenance_and_groups() -> None:
    keys_ = [
        key(f"{family}{i}/{role}", "yes", relevant=False, family=family, category=category)
        for family, category in [("mine", "zoo"), ("control", "control"), ("arrow", "causal"), ("occlusion", "causal")]
        for i in range(2)
        for role in ROLES
    ]
    results = pair_results(keys_, [record(k.id, "yes" if k.family != "arrow" else "no") for k in keys_], "strict")
    doc = document("runs/x", INFO, results, "strict")
    assert doc.run == "runs/x"
    assert list(doc.categories) == ["causal", "control", "zoo"]  # the paper's order, others after
    assert list(doc.families) == ["mine", "control", "arrow", "occlusion"]
    assert fraction(doc.categories["causal"].ccs) == (2, 4)
    assert fraction(doc.families["arrow"].ccs) == (0, 2)
    assert fraction(doc.overall.ccs) == (6, 8)
    s = doc.provenance
    assert (s.suite, s.suite_digest, s.seed, s.judge, s.repeats) == ("table", "digest", 3, "hand", 1)
    assert (s.template, s.template_digest, s.parser) == ("default", "template", PARSER_VERSION)
    assert (s.scoring, s.version, s.truth) == ("strict", cb.__version__, "computed")
    assert doc.complete
    assert doc.missing == 0


@swept(
    ("row", "complete", "missing"),
    [
        ((True, "yes", "no"), True, 0),
        ((True, HARD, SORRY), True, 0),
        ((True, "yes", FAIL), False, 0),
        ((True, "yes", NONE), False, 1),
        ((True, NONE, NONE), False, 2),
    ],
)
def test_a_document_says_whether_it_is_complete(row: Row, complete: bool, missing: int) -> None:
    doc = document("run", INFO, pair_results(*keys_and_records([(True, "yes", "no"), row]), "default"), "default")
    assert (doc.complete, doc.missing) == (complete, missing)


def test_scores_do_not_depend_on_the_order_of_lines(tmp_path: Path) -> None:
    write_run(tmp_path / "run", "planted:noisy", "counterbench-550", 60)
    expected, mixed = cb.score(tmp_path / "run"), random.Random(1)
    for name in ("keys.jsonl", "journal.jsonl"):
        path = tmp_path / "run" / name
        lines = path.read_text().splitlines(keepends=True)
        if name == "journal.jsonl":
            lines += mixed.sample(lines, 20)  # answered twice, alike
        mixed.shuffle(lines)
        path.write_text("".join(lines))
    found = cb.score(tmp_path / "run")
    assert score_results(load_results(tmp_path / "run")) == found
    assert (found.overall, found.categories, found.families) == (
        expected.overall,
        expected.categories,
        expected.families,
    )


def test_a_run_is_scored_in_little_memory(tmp_path: Path) -> None:
    path, peaks = tmp_path / "run", []
    write_run(path, "planted:noisy", "smoke")
    info, known = read_run_info(path), list(zip(read_keys(path), read_journal(path / JOURNAL_FILE), strict=True))
    for turns in (1, 60):
        with (path / KEYS_FILE).open("wb") as keys_file, (path / JOURNAL_FILE).open("wb") as journal:
            for turn, (truth, reply) in itertools.product(range(turns), known):
                id = f"{turn}.{truth.id}"
                identity = identity_of(info.judge, info.template_digest, id, reply.asked, 0)
                keys_file.write(encode(msgspec.structs.replace(truth, id=id, group=f"{turn}.{truth.group}")) + b"\n")
                journal.write(encode(msgspec.structs.replace(reply, id=id, identity=identity)) + b"\n")
        tracemalloc.start()
        assert cb.score(path).overall.pairs == turns * len(known) / 2
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    # Of a question there is its id, a few numbers, and what its reply came to: one object for all that said the same.
    assert (peaks[1] - peaks[0]) / (59 * len(known)) < 300


# ---- suspects


def doc_of(
    family: str, pairs: int, right: int, judge: str = "hand", failed: int = 0, rest: int | None = None
) -> Document:
    """Pairs of a family, so many right; with `rest` thirty others, so many right."""
    keys_, records_ = [], []
    for i in range(0 if rest is None else 30):
        for role, truth in zip(ROLES, ("yes", "no"), strict=True):
            keys_.append(key(f"rest{i}/{role}", truth, family="rest"))
            records_.append(record(f"rest{i}/{role}", truth if i < (rest or 0) else "yes"))
    for i in range(pairs):
        for role, truth in zip(ROLES, ("yes", "no"), strict=True):
            keys_.append(key(f"{family}{i}/{role}", truth, family=family))
            reply = truth if i < right else FAIL if i >= pairs - failed else "yes"
            records_.append(record(f"{family}{i}/{role}", reply))
    return document(judge, INFO, pair_results(keys_, records_, "default"), "default")


def arrow_docs(*judges: tuple[int, int, int]) -> list[Document]:
    """Judges with so many arrow pairs, so many of them right, and so many right of thirty others."""
    return [doc_of("arrow", pairs, right, str(at), rest=rest) for at, (pairs, right, rest) in enumerate(judges)]


@swept(
    ("documents", "expected"),
    [
        (arrow_docs((10, 0, 28), (10, 0, 3)), ["arrow"]),
        (arrow_docs((10, 0, 28)), []),  # one judge may be that bad
        (arrow_docs((9, 0, 28), (9, 0, 28)), []),  # too few pairs
        (arrow_docs((10, 0, 28), (10, 1, 28)), []),
        (arrow_docs((40, 0, 3), (40, 0, 10), (40, 0, 0), (40, 0, 15)), []),  # weak judges get nothing right anywhere
        ([doc_of("arrow", 11, 0, failed=2, rest=30), doc_of("arrow", 11, 0, rest=30)], []),  # failures are no evidence
        ([doc_of("arrow", 12, 0, rest=30), doc_of("other", 12, 0, rest=30)], []),
        (arrow_docs((12, 0, 28), (12, 0, 28), (12, 3, 28)), []),
        ([], []),
    ],
)
def test_a_subtask_is_suspect_if_every_judge_scores_0_on_enough_pairs_and_one_is_strong_elsewhere(
    documents: list[Document], expected: list[str]
) -> None:
    assert suspects(documents) == expected


def test_an_all_zero_subtask_of_computed_truth_blames_the_judges() -> None:
    assert why_nothing("computed") == "no judge sees this"
    assert why_nothing("published") == why_nothing("computed/published") == "truth or scoring is suspect"


def test_suspect_subtasks_are_marked_in_every_document(tmp_path: Path) -> None:
    names = ("planted:arrow-blind?p=1", "planted:arrow-blind?p=1&seed=1")
    runs = [write_run(tmp_path / str(n), name, "counterbench-550") for n, name in enumerate(names)]
    documents = score_runs(runs)
    assert documents[0].suspect == documents[1].suspect == ["arrow"]
    assert score_runs(runs[:1])[0].suspect == []
    blind = [write_run(tmp_path / f"b{n}", f"planted:blind?seed={n}", "counterbench-550", 48) for n in range(4)]
    assert [doc.suspect for doc in score_runs(blind)] == [[]] * 4


# ---- judges whose CCS is known beforehand (built with the keys; no picture is drawn)


@functools.cache
def rehearsal() -> Rehearsal:
    return Rehearsal(SuiteSource(load_suite("counterbench-550")))


@functools.cache
def planted_document(spec: str) -> Document:
    return document(spec, INFO, rehearsal().results(spec), "default")


FAMILIES = {"spatial", "attribute", "counting", "containment", "arrow", "occlusion", "composition", "control"}
YES_NO = {"spatial", "containment", "composition"}
RELEVANT = FAMILIES - {"control"}
# Where each fault can show: its CCS is below 1 there, and 1 everywhere else.
TOUCHES: dict[str, set[str]] = {
    "oracle": set(),
    "agreeable": set(),
    "bag-of-words": set(),
    "threshold": FAMILIES,
    "constant": FAMILIES,
    "random": FAMILIES,
    "noisy": FAMILIES,
    "sticky": RELEVANT,
    "blind": FAMILIES,
    "yes-bias": YES_NO,
    "no-bias": YES_NO,
    "first-bias": set(),
    "first-mentioned": set(),
    "lazy": set(),
    "left-blind": {"spatial", "attribute", "containment", "arrow", "composition", "control"},
    "left-right": {"spatial"},
    "saturating": {"counting", "occlusion"},
    "small-blind": {"containment"},
    "off-by-one": {"counting", "occlusion"},
    "arrow-blind": {"arrow"},
    "colour-confusion": {"attribute", "control"},
    "prettier-wins": set(),
    "prior-bound": set(),
    "prompt-led": set(),
    "text-led": set(),
    "unparsed": FAMILIES,
    "refusing": FAMILIES,
    "failing": set(),
    "fickle": set(),
    "edge-blind": {"attribute", "containment"},
    "style-blind": set(),
}


@swept("name", PLANTED)
def test_a_planted_fault_lowers_ccs_where_it_touches_and_nowhere_else(name: str) -> None:
    found = planted_document(name)
    lowered = {family for family, numbers in found.families.items() if numbers.ccs.value != 1.0}
    assert lowered == TOUCHES[name]
    assert found.overall.pairs == 550


@pytest.mark.parametrize("p", [0.1, 0.5])
def test_a_noisy_judge_has_the_ccs_of_its_dose(p: float) -> None:
    found = planted_document(f"noisy?p={p}").overall
    right = (1 - p) ** 2  # right on both, independently
    assert found.ccs.value == pytest.approx(right, abs=4 * math.sqrt(right * (1 - right) / 550))
    assert found.acc_original.value == pytest.approx(1 - p, abs=4 * math.sqrt(p * (1 - p) / 550))
    assert found.gap.value == pytest.approx(p * (1 - p), abs=4 * math.sqrt(p * (1 - p) / 550))


def test_scoring_parses_the_raw_replies_again(tmp_path: Path) -> None:
    write_run(tmp_path / "run", "planted:oracle", "smoke")
    path = tmp_path / "run" / "journal.jsonl"
    # The outcome that the journal notes is an observation; the reply counts.
    path.write_text(path.read_text().replace('"outcome":"answer"', '"outcome":"unparsed"'))
    assert cb.score(tmp_path / "run").overall.ccs.value == 1.0


def test_strict_and_default_differ_by_synonyms_only(tmp_path: Path) -> None:
    write_run(tmp_path / "run", "planted:oracle", "counterbench-550", 80)
    path = tmp_path / "run" / "journal.jsonl"
    path.write_text(path.read_text().replace('"reply":"cyan', '"reply":"turquoise'))
    default, strict = cb.score(tmp_path / "run"), cb.score(tmp_path / "run", scoring="strict")
    cyan = {key.group for key in keys_of("counterbench-550", 80) if key.expected.startswith("cyan")}
    assert cyan
    assert default.overall.ccs.value == 1.0
    assert strict.overall.ccs.hits == 80 - len(cyan)
    assert strict.overall.outcomes == default.overall.outcomes  # another colour is an answer, a wrong one
    with pytest.raises(InputError, match="choose from: as-released, default, strict"):
        cb.score(tmp_path / "run", scoring="lenient")


@swept(("hits", "name"), [(90, "high"), (89, "middle"), (70, "middle"), (69, "low"), (0, "low")])
def test_colour_bands_begin_at_70_and_90_percent(hits: int, name: str) -> None:
    assert band(share(hits, 100)) == name
    assert band(share(0, 0)) == ""
