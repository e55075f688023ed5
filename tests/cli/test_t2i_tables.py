"""Scores of generators as tables: the stamp, the references, what was lost, names that look like markup."""

import io
from typing import Any

import msgspec
from rich.console import Console
from t2i.judged import LEVELS, SIGNATURE, check, gone, picture, right, usual

from counterbench.cli import t2i_tables as tables
from counterbench.cli.grid import Table
from counterbench.stats.intervals import Estimate
from counterbench.t2i import words
from counterbench.t2i.protocols.cf_eval import CFEval
from counterbench.t2i.protocols.numbers import document as document_of
from counterbench.t2i.scores.document import Document, JudgeStatus, Leaning
from counterbench.t2i.scores.labels import LabelledMean
from counterbench.t2i.scores.results import CheckResult

KINDS = {"r": right, "h": usual}
TWO = ("factual", "counterfactual")


def rows(kinds: str, groups: int = 12) -> list[CheckResult]:
    found = []
    for i in range(groups):
        for level, kind in zip(LEVELS, kinds, strict=True):
            of: dict[str, Any] = {"group": f"g{i}", "level": level, "law": f"[red]law[/] {i}", "discipline": "physics"}
            found += KINDS[kind](**of)
            prior = float(kind == "r")
            found.append(check(check="prior", dimension="contrast", weight=0, expected="no", credit=prior, **of))
    return found


def document(of: list[CheckResult], generator: str = "openai:x: [b]", **options: Any) -> Document:
    provenance = msgspec.structs.replace(SIGNATURE, generator=generator, certificate=options.pop("certificate", "c1"))
    stands = {name: options.pop(name) for name in JudgeStatus.__struct_fields__ if name in options}
    certified = {"admitted": True, "certified": True} if "reasons" not in stands else {}
    judge_status = JudgeStatus(**(certified | stands))
    options = {"levels": LEVELS} | options
    return document_of(CFEval(), of, provenance=provenance, judge_status=judge_status, **options)


def text(table: Table) -> str:
    page = io.StringIO()
    table.print(Console(width=400, file=page))
    return page.getvalue()


def line(shown: str, start: str) -> list[str]:
    """The cells of the row that begins so."""
    return (
        next(each for each in shown.splitlines() if each.strip().startswith(start)).strip().removeprefix(start).split()
    )


LEANING = Leaning(
    pairs=20, both_yes=Estimate(0.4, 0.2, 0.6), both_no=Estimate(0, 0, 0.2), leaning=Estimate(0.4, 0.1, 0.6)
)
REFERENCES = {
    name: {column: number.value for column, number in document(rows(kinds)).columns.items()}
    for name, kinds in (("prior", "rhh"), ("literal", "rrh"))
}


def test_the_headline_stands_beside_prior_and_literal() -> None:
    table, beside = tables.headline_tables([document(rows("rrr"), references=REFERENCES)])
    shown = text(table)
    assert "UNCERTIFIED" not in shown
    # S_L1, S_L2, S_L3, PRR and RRR with their ends; gated away, prior at L2 and L3.
    prr, rrr = ["1.00", "[0.75,", "1.06]"], ["1.00", "[0.75,", "1.14]"]
    assert line(shown, "openai:x: [b]") == ["1.00", "1.00", "1.00", *prr, *rrr]
    assert line(shown, "prior (planted, true)") == ["1.00", "0.12", "0.12", "0.12", "0.34"]
    assert line(shown, "literal (planted, true)") == ["1.00", "1.00", "0.12", "1.00", "0.12"]
    assert line(text(beside), "openai:x: [b]") == ["0.00", "0.00", "0.00"]
    assert line(text(beside), "prior (planted, true)") == ["–", "1.00", "1.00"]


def test_a_column_without_any_interval_does_not_say_that_it_has_them() -> None:
    for groups, marked in ((12, True), (2, False)):
        table, _ = tables.headline_tables([document(rows("rrr", groups))])
        assert ("PRR [95 %]" in text(table)) is marked
        assert "S_L1 [95 %]" not in text(table)
        table, _ = tables.headline_tables([document(rows("rrr", groups))], everything=True)
        assert ("S_L1 [95 %]" in text(table)) is marked


def test_another_prompt_set_or_scoring_is_another_table() -> None:
    first = document(rows("rrr"))
    other = document(rows("rrr"), scoring_name="as-released")
    assert len(tables.headline_tables([first, first, other])) == 4


def test_an_undefined_rate_is_a_dash() -> None:
    table, _ = tables.headline_tables([document(rows("hrr"))])
    assert line(text(table), "openai:x: [b]")[:6] == ["0.12", "0.00", "0.00", "0.00", "[0.00,", "0.60]"]
    assert line(text(table), "openai:x: [b]")[6] == "–"


def slice_tables(of: Document) -> list[Table]:
    return [each for each in tables.slice_tables(of, [of]) if isinstance(each, Table)]


def every_table(of: Document) -> list[Table]:
    means = {
        "l1": LabelledMean(value=0.5, low=0.4, high=0.6, judged=0.7, judge_weight=1, labels=3, others=9, warnings=["w"])
    }
    return [
        *tables.headline_tables([of]),
        *tables.point_table([of]),
        *slice_tables(of),
        *tables.leaning_table([msgspec.structs.replace(of, leaning=LEANING)]),
        tables.bounds_table(of),
        tables.lost_table([of]),
        tables.truth_table(of, means, {"l2": Estimate(0.3, 0.2, 0.4)}),
    ]


def table_of(title: str) -> Table:
    """The one table with these words in its title."""
    (found,) = [each for each in every_table(document(rows("rrh"))) if title in each.title]
    return found


def test_no_two_runs_have_one_name() -> None:
    def run(path: str, prompts: str = "mine", protocol: str = "cf-eval", **signed: Any) -> Document:
        of = document(rows("rrr", 1), "g")
        provenance = msgspec.structs.replace(of.provenance, prompts=prompts, **signed)
        return msgspec.structs.replace(of, run=path, provenance=provenance, protocol=protocol)

    def names(*documents: Document) -> list[str]:
        return [of.generator for of in words.distinct_documents(documents)]

    assert names(run("a"), run("b", "other")) == ["g on mine", "g on other"]
    assert names(run("a"), run("b", protocol="checklist")) == ["g under cf-eval", "g under checklist"]
    assert names(run("runs/a"), run("runs/b")) == ["g in a", "g in b"]
    assert names(run("one/r"), run("two/r")) == ["g in one/r", "g in two/r"]
    assert names(run("a"), run("b"), run("c", "other")) == ["g on mine in a", "g on mine in b", "g on other"]
    assert names(run("a"), run("b", prompt_shown=True)) == ["g", "g (prompt shown)"]
    assert names(run("a"), run("a")) == ["g", "g"]  # they are the same


def test_every_table_of_an_uncertified_run_is_stamped() -> None:
    for table in every_table(document(rows("rrh"), reasons=["why"])):
        assert text(table).startswith("UNCERTIFIED: ")
    for table in every_table(document(rows("rrh"), reasons=["why"], admitted=True)):
        assert text(table).startswith("admitted, not certified: ")
    for table in every_table(document(rows("rrh"))):
        assert "certified" not in text(table).lower()


def test_one_uncertified_run_stamps_the_table_and_its_own_row() -> None:
    both = [document(rows("rrr"), "one"), document(rows("rrr"), "two", reasons=["why"])]
    shown = text(tables.headline_tables(both)[0])
    assert shown.startswith("UNCERTIFIED: ")
    assert "two (UNCERTIFIED)" in shown
    assert "one (UNCERTIFIED)" not in shown
    three = [*both, document(rows("rrr"), "three", reasons=["why"], admitted=True)]
    shown = text(tables.headline_tables(three)[0])
    assert shown.startswith("UNCERTIFIED: ")
    assert "three (admitted, not certified)" in shown
    assert text(tables.headline_tables(three[::2])[0]).startswith("admitted, not certified: ")


def test_people_s_labels_come_first_and_the_band_beside_them() -> None:
    shown = text(table_of("ungated means of S"))
    assert line(shown, "l1") == ["0.50", "[0.40,", "0.60]", "3/12", "1.00", "[0.75,", "1.00]", "–"]
    assert line(shown, "l2") == ["–", "–", "1.00", "[0.75,", "1.00]", "0.30", "[0.20,", "0.40]"]


def test_a_row_that_rests_on_part_of_its_pictures_or_replies_says_so() -> None:
    whole, of = rows("rrr"), rows("rrr")
    of[:4] = [msgspec.structs.replace(row, credit=None, outcome="unparsed") for row in of[:4]]
    shown = text(tables.headline_tables([document(whole, "one", references=REFERENCES), document(of, "two")])[0])
    assert line(shown, "generator")[:3] == ["pictures", "replies", "S_L1"]
    assert line(shown, "one")[:3] == ["36/36", "144/144", "1.00"]
    assert line(shown, "two")[:3] == ["35/36", "140/144", "1.00"]
    assert line(shown, "ungated")[0] == line(shown, "literal (planted, true)")[0] == "1.00"
    contrast = [*whole[:3], msgspec.structs.replace(whole[3], credit=None, outcome="refused"), *whole[4:]]
    assert line(text(tables.headline_tables([document(contrast, "m")])[0]), "m")[:2] == ["143/144", "1.00"]
    assert "pictures" not in text(tables.headline_tables([document(whole)])[0])
    levels = [check(group=f"g{i}", level=level, credit=1.0) for i in range(12) for level in TWO]
    found = document([*levels, *gone("missing", group="g0", level=TWO[0], sample=1)], "m", levels=TWO)
    assert line(text(tables.headline_tables([found])[0]), "m (incomplete)")[0] == "24/25"


def test_the_legend_has_a_line_for_what_is_printed_and_no_other() -> None:
    whole = document(rows("rrr"))
    assert [each.split()[0] for each in tables.legend_lines([whole])] == ["PRR", "gated", "prior:"]
    assert "RRR (reasoning retention) = S_L3 / √S_L2" in tables.legend_lines([whole])[0]
    readme = tables.legend_lines([document(rows("rrr"), scoring_name="readme")])[0]
    assert "= S_L2 / S_L1; " in readme
    assert "= S_L3² / S_L2" in readme
    few = document(rows("rrr", 2))
    assert tables.legend_lines([few])[-1].startswith("no interval: from fewer than 12 laws")
    assert tables.legend_lines([whole], sliced=True)[-1].startswith("no interval in some rows: from fewer than 12 laws")
    plain = document([check(group=f"g{i}", level=level) for i in range(12) for level in TWO], levels=TWO)
    assert tables.legend_lines([plain]) == []


def test_what_is_to_be_said_of_every_run_is_said_once() -> None:
    one, two = (document(rows("rrr"), name, reasons=["why"], unverified=share) for name, share in (("a", 1), ("b", 0)))
    said = tables.notes_of_all([one, two])
    assert [note.partition(";")[0] for note in said] == ["UNCERTIFIED: why", "RRR is not monotone"]
    assert tables.note_lines(one, said=said) == ["a: 100.0 % of the weight rests on unverified checks"]
    assert tables.note_lines(two, said=said) == []
    assert tables.notes_of_all([one]) == []


def test_a_slice_has_no_more_rows_than_can_be_read() -> None:
    of = [row for i in range(55) for row in right(group=f"g{i}", level="l1", category=f"c{i // 2 if i < 10 else i}")]
    found = document(of, levels=LEVELS)
    shown = tables.shown_slices(found, [found])["category"]
    assert len(shown) == 40
    assert list(shown)[:6] == ["c0", "c1", "c2", "c3", "c4", "c10"]  # those of two groups first
    assert "… and 10 more: --format csv has all" in tables.slice_tables(found, [found])


def test_what_the_notes_say() -> None:
    of = rows("rrr", 2)
    lost = [*gone("refused", sample=1), *gone("missing", sample=2), *picture(1, None, 1, sample=3)]
    of += [
        msgspec.structs.replace(row, group="g0", law="[red]law[/] 0", discipline="physics", level="l2") for row in lost
    ]
    both = [check(sample=4), check(sample=4, check="prior", dimension="contrast", weight=0, expected="no", credit=0.0)]
    of += [
        msgspec.structs.replace(row, group="g1", law="[red]law[/] 1", discipline="physics", level="l3") for row in both
    ]
    notes = tables.note_lines(document(of, "m", reasons=["why", "more"], unverified=0.25))
    starts = (
        "m: UNCERTIFIED: why (and 1 more: -v)",
        "m: INCOMPLETE, 1 picture missing or unreadable, 0 checks",
        "m: 1 picture refused, 1 reply unparsed",
        "m: 25.0 % of the weight rests on unverified checks",
        "m: at l3 the judge affirms the prior's outcome and the asked one in a share of 0.25",
        "m: RRR is not monotone",
    )
    assert len(notes) == len(starts)
    for note, start in zip(notes, starts, strict=True):
        assert note.startswith(start)
    found = document(of, "m")
    provenance = msgspec.structs.replace(found.provenance, generator="planted:card?rate=0.5")
    carded = tables.note_lines(msgspec.structs.replace(found, provenance=provenance))
    assert not any("affirms the prior's outcome" in note for note in carded)  # of a card it may be true


def test_whether_bounds_are_worth_a_table() -> None:
    lost = gone("blank", group="g0", law="[red]law[/] 0", level="l2", sample=1, discipline="physics")
    assert [words.has_losses(document(rows("rrr") + of)) for of in ([], lost)] == [False, True]
