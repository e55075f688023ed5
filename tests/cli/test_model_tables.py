"""Score tables of generators, short and full: the evidence, what was lost, names that look like markup."""

import io
from collections.abc import Iterable
from typing import Any

import msgspec
import pytest
from pictures.judged import LEVELS, SIGNATURE, check, gone, picture_rows, right, usual
from rich.console import Console

from counterbench.cli import model_tables as tables
from counterbench.cli.grid import Table
from counterbench.evidence.shown import Evidence, Finding, OnPictures
from counterbench.pictures.protocols.cf_eval import CFEval
from counterbench.pictures.protocols.numbers import document as document_of
from counterbench.pictures.scores.document import ByPeople, Corrected, JudgeStatus, Leaning, ModelDocument
from counterbench.pictures.scores.results import CheckResult
from counterbench.pictures.words import about_judges, about_numbers, run_names
from counterbench.stats.intervals import Estimate

SEEN = Finding(admitted=True, ccs=Estimate(1, 0.9, 1), pairs=26)
KINDS = {"r": right, "h": usual}
TWO = ("factual", "counterfactual")


def model_rows(kinds: str, groups: int = 12) -> list[CheckResult]:
    found = []
    for i in range(groups):
        for level, kind in zip(LEVELS, kinds, strict=True):
            law = f"[red]law[/] {i}"
            more: dict[str, Any] = {"group": f"g{i}", "level": level, "law": law, "discipline": "physics"}
            found += KINDS[kind](**more)
            prior = float(kind == "r")
            found.append(check(check="prior", dimension="contrast", weight=0, expected="no", credit=prior, **more))
    return found


def model_document(
    results: list[CheckResult], generator: str = "openai:x: [b]", by_people: ByPeople | None = None, **options: Any
) -> ModelDocument:
    provenance = msgspec.structs.replace(SIGNATURE, generator=generator, certificate=options.pop("certificate", "c1"))
    stands = {name: options.pop(name) for name in JudgeStatus.__struct_fields__ if name in options}
    certified = {"admitted": True, "certified": True, "verdict": "supported", "because": "it was shown"}
    certified = {"because": [*stands["reasons"], ""][0]} if "reasons" in stands else certified
    judge_status = JudgeStatus(**({"evidence": Evidence(drawn={"falling": SEEN})} | certified | stands))
    options = {"levels": LEVELS} | options
    made = document_of(CFEval(), results, provenance=provenance, judge_status=judge_status, **options)
    return msgspec.structs.replace(made, by_people=by_people)


LEANING = Leaning(
    pairs=20, both_yes=Estimate(0.4, 0.2, 0.6), both_no=Estimate(0, 0, 0.2), leaning=Estimate(0.4, 0.1, 0.6)
)
REFERENCES = {
    name: {column: number.value for column, number in model_document(model_rows(kinds)).columns.items()}
    for name, kinds in (("prior", "rhh"), ("literal", "rrh"))
}


def brief_lines(*documents: ModelDocument) -> list[str]:
    """The lines of a brief page."""
    return page_lines(tables.brief_page(documents))


def whole_lines(*documents: ModelDocument) -> list[str]:
    """The lines of a page with everything."""
    return page_lines(tables.whole_page(documents))


def page_lines(page: Iterable[Table | str]) -> list[str]:
    text = io.StringIO()
    for part in page:
        print(part, file=text) if isinstance(part, str) else part.print(Console(width=400, file=text))
    return [line.rstrip() for line in text.getvalue().splitlines() if line.strip()]


def table_row(shown: list[str], start: str, nth: int = 0) -> list[str]:
    """The cells of a row that begins so."""
    found = [text.strip() for text in shown if text.strip().startswith(start)][nth]
    return found.removeprefix(start).split()


def test_a_short_table_has_a_line_a_model_and_at_most_ten_notes() -> None:
    ours = model_document(model_rows("rrr"), "openai:x: [b]", references=REFERENCES)
    shown = brief_lines(ours)
    # S_L1, S_L2, S_L3, then PRR and RRR with their ends.
    prr, rrr = ["1.00", "[0.75,", "1.06]"], ["1.00", "[0.75,", "1.14]"]
    assert table_row(shown, "openai:x: [b]") == ["1.00", "1.00", "1.00", *prr, *rrr]
    assert shown[:2] == ["Supported: it was shown.", "cf-eval on laws"]
    assert shown[-2:] == [
        "L1 real law, L2 altered with outcome, L3 altered alone; PRR L2/√L1, RRR L3/√L2",
        "Judge: planted:oracle. Drawn test passed for falling, on pictures like these.",
    ]
    usual = model_document(model_rows("rhh"), "b", references=REFERENCES)
    several = brief_lines(ours, usual, model_document(model_rows("rrh"), "c"))
    assert len(shown) <= 9
    assert len(several) <= len(shown) + 2 * 3
    assert "b ignores altered laws: its pictures show the usual outcome, 100 % at L2, 100 % at L3" in several
    assert "c ignores altered laws: its pictures show the usual outcome, 100 % at L3" in several
    assert not [text for text in several if "planted, true" in text or "ungated" in text]
    failing = brief_lines(model_document(model_rows("hrr"), "d"))
    assert "d fails the real law: 100 % of its groups are below the gate: 0 at L2 and L3" in failing


def test_only_a_column_with_intervals_names_them_in_its_header() -> None:
    for groups, marked in ((12, True), (2, False)):
        _, title, names, *_ = brief_lines(model_document(model_rows("rrr", groups)))
        assert ("PRR [95 %]" in names) is marked
        assert "S_L1 [95 %]" not in names
        assert ("S_L1 [95 %]" in whole_lines(model_document(model_rows("rrr", groups)))[2]) is marked
        assert title == ("cf-eval on laws" if marked else "cf-eval on laws: only 2 laws, so no intervals")


def test_each_prompt_set_and_scoring_has_its_own_table() -> None:
    first = model_document(model_rows("rrr"))
    other = model_document(model_rows("rrr"), scoring_name="as-released")
    titles = [text for text in brief_lines(first, first, other) if text.startswith("cf-eval on")]
    assert titles == ["cf-eval on laws", "cf-eval on laws, as-released scoring"]


def test_an_undefined_rate_is_a_dash() -> None:
    shown = table_row(brief_lines(model_document(model_rows("hrr"))), "openai:x: [b]")
    assert shown == ["0.12", "0.00", "0.00", "0.00", "[0.00,", "0.60]", "–"]


def test_names_are_shortened_on_terminals_only_and_never_the_users_own() -> None:
    spec = "diffusers:/models/a-very-long-folder-name-of-somebody/stable-diffusion-of-a-very-long-name"
    first, second = model_document(model_rows("rrr", 1), spec), model_document(model_rows("rrr", 1), "planted:literal")
    second = msgspec.structs.replace(
        second, provenance=msgspec.structs.replace(second.provenance, generator_name="mine"), run="other"
    )
    named = {
        names: [document.generator for document in run_names.distinct_documents([first, second], names)]
        for names in ("short", "whole", "as asked")
    }
    assert named["short"][0] != spec
    assert [named["short"][1], named["whole"], named["as asked"]] == ["mine", [spec, "mine"], [spec, "planted:literal"]]
    rows_of = tables.score_rows([first, second])
    assert [row["generator"] for row in rows_of if row["part"] == "overall"] == [spec, "mine"]


def test_runs_have_distinct_names_in_a_table() -> None:
    def run(path: str, prompts: str = "mine", protocol: str = "cf-eval", **signed: Any) -> ModelDocument:
        made = model_document(model_rows("rrr", 1), "g")
        provenance = msgspec.structs.replace(made.provenance, prompts=prompts, **signed)
        return msgspec.structs.replace(made, run=path, provenance=provenance, protocol=protocol)

    def names(*documents: ModelDocument) -> list[str]:
        return [document.generator for document in run_names.distinct_documents(documents)]

    assert names(run("a"), run("b", "other")) == ["g on mine", "g on other"]
    assert names(run("a"), run("b", protocol="checklist")) == ["g under cf-eval", "g under checklist"]
    assert names(run("runs/a"), run("runs/b")) == ["g in a", "g in b"]
    assert names(run("one/r"), run("two/r")) == ["g in one/r", "g in two/r"]
    assert names(run("a"), run("b"), run("c", "other")) == ["g on mine in a", "g on mine in b", "g on other"]
    assert names(run("a"), run("b", prompt_shown=True)) == ["g", "g (prompt shown)"]
    assert names(run("a"), run("a")) == ["g", "g"]  # they are the same


def test_evidence_is_stated_once_for_each_judge() -> None:
    tested = model_document(model_rows("rrr"), "one")
    bare = model_document(model_rows("rrr"), "two", reasons=["why", "more"], evidence=Evidence())
    other = model_document(model_rows("rrr"), "three", reasons=["unlike"], admitted=True)
    both = "Judge: planted:oracle, not tested: its numbers are unproven (why)"
    assert brief_lines(bare, bare)[-1] == both
    assert brief_lines(tested, bare, other)[-3:] == [
        "Judge: planted:oracle. Drawn test passed for falling, on pictures like these. (one)",
        f"{both} (two)",
        "Judge: planted:oracle. Drawn test passed for falling. (three)",
    ]
    assert [text for text in whole_lines(bare, other) if "not certified" in text] == [
        "two: not certified: more", "three: not certified: unlike",
    ]  # fmt: skip
    next_step = ["Evidence on these pictures: none yet; to add human labels: counterbench label RUN"]
    runs = [[tested], [tested, other], [bare]]
    assert [*map(about_judges.pictures_line, runs)] == [[], next_step, next_step]


def test_evidence_names_passed_failed_and_untried_skills() -> None:
    def drawn(*names: str, but: str = "") -> Evidence:
        return Evidence(drawn={name: msgspec.structs.replace(SEEN, admitted=name != but) for name in names})

    few = model_document(model_rows("rrr"), admitted=True, reasons=["r"], left_out={"colour": "fail"}, covered=0.6,
        evidence=drawn("count", "colour", but="colour"), not_tested={"text": 0.2, "form": 0.11})  # fmt: skip
    assert brief_lines(few)[-1] == (
        "Judge: planted:oracle. Drawn test passed for count; not for colour; not tried: text, form (31 % of the "
        "weight); scored on 60.0 % of the weight."
    )
    assert "; not for colour (fail); " in "\n".join(whole_lines(few))
    many = model_document(model_rows("rrr"), evidence=drawn(*"abcdef"))
    assert brief_lines(many)[-1].startswith("Judge: planted:oracle. Drawn test passed for a, b, c and 3 more, on")
    assert "passed for a, b, c, d, e, f, on" in "\n".join(whole_lines(many))
    failed = model_document(model_rows("rrr"), reasons=["as a whole"], evidence=drawn("count", but="count"))
    assert brief_lines(failed)[-1] == "Judge: planted:oracle, not admitted: its numbers are unproven (as a whole)"


def scores_by_people(headline: bool) -> ByPeople:
    number = Corrected(0.5, 0.4, 0.6, judged=0.7, judge_weight=1.0, labelled=30, of=90)
    return ByPeople(columns={"s_l1": number, "ungated_s_l1": number}, groups=40 * headline or 20, labels=60,
                    headline=headline, notes=["a note"])  # fmt: skip


@pytest.mark.parametrize("headline", [True, False])
def test_scores_by_people_come_first_with_enough_labels(headline: bool) -> None:
    beside = OnPictures(admitted=True, refuted=False, sensitivity=Estimate(0.9, 0.86, 0.95),
                        specificity=Estimate(1, 0.87, 1), yes=40, no=30, evidence=50.0)  # fmt: skip
    evidence = Evidence(labelled={"presence": beside, "count": msgspec.structs.replace(beside, admitted=False)})
    labelled = model_document(model_rows("rrh", 40), "m", by_people=scores_by_people(headline), evidence=evidence)
    shown = brief_lines(labelled)
    titles = [text for text in shown if text.startswith(("By people", "cf-eval on"))]
    assert titles[0].startswith("By people" if headline else "cf-eval on")
    assert [" ".join(text.split()) for text in shown if "30/90" in text] == ["m S_L1 0.50 [0.40, 0.60] 0.70 30/90"]
    more = "60 human labels" + ("" if headline else "; with 10 more labelled groups, scores by people come first")
    assert {more, "judge certified by labels for presence", "labels are too few to decide about the judge for 1 skill",
            "m: a note"} <= {*shown}  # fmt: skip
    every = whole_lines(labelled)
    assert table_row(every, "S_L1, ungated") == ["0.50", "[0.40,", "0.60]", "0.70", "30/90"]
    assert " ".join(table_row(every, "presence")) == "0.90 [0.86, 0.95] 1.00 [0.87, 1.00] 40 + 30 – certified"


def test_a_row_with_missing_pictures_or_replies_is_marked() -> None:
    every, lossy = model_rows("rrr"), model_rows("rrr")
    lossy[:4] = [msgspec.structs.replace(row, credit=None, outcome="unparsed") for row in lossy[:4]]
    shown = whole_lines(model_document(every, "one", references=REFERENCES), model_document(lossy, "two"))
    assert table_row(shown, "model")[:3] == ["pictures", "replies", "S_L1"]
    assert table_row(shown, "one")[:3] == ["36/36", "144/144", "1.00"]
    assert table_row(shown, "two")[:3] == ["35/36", "140/144", "1.00"]
    assert table_row(shown, "ungated")[0] == table_row(shown, "literal (planted, true)")[0] == "1.00"
    contrast = [*every[:3], msgspec.structs.replace(every[3], credit=None, outcome="refused"), *every[4:]]
    assert table_row(brief_lines(model_document(contrast, "m")), "m", 1)[:2] == ["143/144", "1.00"]
    assert "pictures" not in "\n".join(brief_lines(model_document(every))[:3])
    levels = [check(group=f"g{i}", level=level, credit=1.0) for i in range(12) for level in TWO]
    found = model_document([*levels, *gone("missing", group="g0", level=TWO[0], sample=1)], "m", levels=TWO)
    assert table_row(brief_lines(found), "m (incomplete)")[0] == "24/25"
    assert "m: INCOMPLETE, 1 picture missing or unreadable, 0 checks failed or not asked" in brief_lines(found)


def test_the_legend_explains_the_printed_columns_and_no_others() -> None:
    assert [text.split()[0] for text in about_numbers.legend([model_document(model_rows("rrr"))])] == [
        "PRR",
        "gated",
        "prior:",
    ]
    assert "RRR (reasoning retention) = S_L3/√S_L2" in about_numbers.legend([model_document(model_rows("rrr"))])[0]
    readme = [model_document(model_rows("rrr"), scoring_name="readme")]
    assert about_numbers.legend(readme)[0].endswith(" = S_L2/S_L1; RRR (reasoning retention) = S_L3²/S_L2")
    assert about_numbers.brief_legend(readme)[0].endswith("PRR L2/L1, RRR L3²/L2")
    for groups, rows in ((2, ""), (12, " in some rows")):
        start = f"no interval{rows}: intervals need at least 12 laws"
        assert [text for text in whole_lines(model_document(model_rows("rrr", groups))) if text.startswith(start)]
    plain = model_document([check(group=f"g{i}", level=level) for i in range(12) for level in TWO], levels=TWO)
    assert (about_numbers.legend([plain]), about_numbers.brief_legend([plain])) == ([], [])


def test_a_note_about_all_runs_is_printed_once() -> None:
    first, second = (model_document(model_rows("rrr"), name) for name in "ab")
    shown = whole_lines(first, msgspec.structs.replace(second, leaning=LEANING))
    assert [text for text in shown if "not monotone" in text] == [
        "all runs: RRR is not monotone: compare it only beside those of the planted models prior, literal and starter"
    ]
    leans = "20 checks asked as they are and negated: yes to both 0.40, no to both 0.00; the judge leans to yes by "
    assert f"b: {leans}0.40 [0.10, 0.60]" in shown


def test_a_slice_shows_a_bounded_number_of_rows() -> None:
    found = [row for i in range(55) for row in right(group=f"g{i}", level="l1", category=f"c{i // 2 if i < 10 else i}")]
    page = list(tables.slice_tables([model_document(found, levels=LEVELS)]))
    table = next(part for part in page if isinstance(part, Table) and part.title.endswith("by category"))
    names = [row.cells[0].plain for row in table.rows]
    assert len(names) == 40
    assert names[:6] == ["c0", "c1", "c2", "c3", "c4", "c10"]  # those of two groups first
    assert "… and 10 more: --format csv has all" in page


def test_notes_report_losses_and_leanings() -> None:
    results = model_rows("rrr", 2)
    lost = [*gone("refused", sample=1), *gone("missing", sample=2), *picture_rows(1, None, 1, sample=3)]
    results += [
        msgspec.structs.replace(row, group="g0", law="[red]law[/] 0", discipline="physics", level="l2") for row in lost
    ]
    both = [check(sample=4), check(sample=4, check="prior", dimension="contrast", weight=0, expected="no", credit=0.0)]
    results += [
        msgspec.structs.replace(row, group="g1", law="[red]law[/] 1", discipline="physics", level="l3") for row in both
    ]
    notes = about_numbers.notes(model_document(results, "m"))
    starts = (
        "INCOMPLETE, 1 picture missing or unreadable, 0 checks",
        "1 picture refused, 1 reply unparsed",
        "at l3 the judge affirms both the prior's outcome and the asked one for a share of 0.25",
        "RRR is not monotone",
    )
    assert len(notes) == len(starts)
    for note, start in zip(notes, starts, strict=True):
        assert note.startswith(start)
    found = model_document(results, "m")
    provenance = msgspec.structs.replace(found.provenance, generator="planted:card?rate=0.5")
    carded = about_numbers.notes(msgspec.structs.replace(found, provenance=provenance))
    assert [note for note in carded if "affirms the prior's outcome" in note] == []  # of a card it may be true


def test_bounds_have_a_table_only_where_something_was_lost() -> None:
    lost = gone("blank", group="g0", law="[red]law[/] 0", level="l2", sample=1, discipline="physics")
    pages = [whole_lines(model_document(model_rows("rrr") + more)) for more in ([], lost)]
    shown = [[text for text in page if "given the lost" in text] for page in pages]
    assert shown == [[], ["openai:x: [b]: lowest and highest possible scores, given the lost answers"]]
