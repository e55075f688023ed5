"""Certificates for people: a table by law or by cell, and the reasons why a judge does not pass.

A cell holds questions of one kind, and a law (in suites of shapes a family) all its cells. Pictures are also counted by
picture kind, over all laws, and controls by treatment: the change to a picture that must not change an answer.
"""

from collections.abc import Iterator

import msgspec

from counterbench.cli.grid import GridCell, Table, cell
from counterbench.cli.tables import percent
from counterbench.evidence.admission import all_laws
from counterbench.evidence.cells import unit, units
from counterbench.evidence.document import CellVerdict, Certificate
from counterbench.evidence.findings import unstable
from counterbench.evidence.issue import ByStyle
from counterbench.evidence.shown import share_of_laws
from counterbench.evidence.treatments import declined_treatments, lost_treatments
from counterbench.results.scores import Share, share
from counterbench.text import counted, listed, some

CONTROL = "(control)"
SHORT = {"pass": "pass", "fail": "fail", "not-enough-evidence": "undecided"}
_STYLES = {"pass": "green", "fail": "red", "not-enough-evidence": "yellow"}
MANY = 12  # laws; a table of more has no row for a law that passes


def certificate_table(c: Certificate, everything: bool = False) -> Table:
    """A table with a row for each law and one for the controls: results, the weakest cell, and the verdict.

    Of many laws only the first of those that do not pass have a row, unless `everything`.
    """
    headers = [unit(c.cells)], ["pairs", "CCS"], ["weakest cell"], ["right"], ["verdict"]
    table = Table(f"{c.judge} on {c.suite}, policy {c.policy.name} (CCS, %)", *headers)
    rows = shown_laws(c, everything)

    def add_row(name: str, whole: Share, weakest: str, ccs: Share, verdict: CellVerdict) -> None:
        """Add a row: its name, all its pairs together, its weakest cell with that cell's CCS, and its verdict."""
        cells = str(whole.of), percent(whole), weakest.rpartition("/")[2], _right_of_pairs(ccs)
        table.add_row(name, *cells, verdict_cell(verdict))

    for name in rows:
        weakest = c.weakest(name)
        add_row(name, share_of_laws(c, [name]), weakest, c.cells[weakest].ccs, c.laws[name].verdict)
    if passed := [name for name, law in c.laws.items() if law.verdict == "pass" and name not in rows]:
        whole = share_of_laws(c, passed)
        add_row(f"({len(passed)} others)" if rows else f"(all {len(passed)})", whole, "", whole, "pass")
    table.add_section()
    if c.margin is None:
        add_row(CONTROL, c.control.accuracy, "", c.control.accuracy, c.control.verdict)
    return table


def shown_laws(c: Certificate, everything: bool) -> list[str]:
    """The laws that have a row: all, if these are at most MANY or with `everything`.

    Else the first MANY of those that do not pass, failed laws before undecided ones.
    """
    if everything or len(c.laws) <= MANY:
        return list(c.laws)
    return [
        name for verdict in ("fail", "not-enough-evidence") for name, law in c.laws.items() if law.verdict == verdict
    ][:MANY]


def _right_of_pairs(right: Share) -> str:
    """The number of right pairs, of all: "57 of 60"."""
    return f"{right.hits} of {right.of}"


def verdict_cell(verdict: CellVerdict) -> GridCell:
    """A verdict, in its colour."""
    return cell(SHORT[verdict], _STYLES[verdict])


def cells_table(certificate: Certificate) -> Table:
    """A row for each cell."""
    table = Table("By cell (CCS, %)", ["cell"], ["CCS [95 %]", "right", "e-value"], ["verdict"])
    for name, result in certificate.cells.items():
        e_value = f"{result.evidence:.3g}" if result.evidence < 1e6 else "over a million"
        cells = percent(result.ccs, interval=True), _right_of_pairs(result.ccs), e_value
        table.add_row(name, *cells, verdict_cell(result.verdict))
    return table


def by_style_table(result: ByStyle) -> Table:
    """A row for each skill, a column for each style, and the verdicts below."""
    title = f"{result.judge} on {result.suite}, policy {result.policy}: skills by style (CCS, %)"
    table = Table(title, ["skill"], [*result.verdicts], ["worst"])
    for name, by_style in result.skills.items():
        shares = [percent(by_style[style]) if style in by_style else cell("") for style in result.verdicts]
        table.add_row(name, *shares, result.worst.get(name, "–"))
    table.add_section()
    table.add_row("(verdict)", *map(verdict_cell, result.verdicts.values()))
    return table


def e_value_line(c: Certificate) -> str:
    """A line that explains the e-values of a certificate."""
    return (
        f"e-value: evidence against a CCS of {100 * c.policy.ccs:g} % or less; {c.threshold:.3g} is enough, after the "
        f"adjustment for the number of {units(c.cells)}"
    )


def kinds_table(certificate: Certificate) -> Table:
    """A row for each picture kind: the pairs that show it, of all laws but those that have failed."""
    table = Table("By picture kind (CCS, %)", ["kind"], ["right", "of", "%"], ["verdict"])
    for name, kind in certificate.kinds.items():
        right = share(kind.right, kind.of)
        table.add_row(name, str(right.hits), str(right.of), percent(right), verdict_cell(kind.verdict))
    return table


def legend(c: Certificate) -> Iterator[str]:
    """Lines that explain the columns of a certificate's table."""
    yield f"a {unit(c.cells)} passes if each of its cells is shown to exceed {100 * c.policy.ccs:g} %"
    controls = [c.control.verdict] if c.margin is None else []
    if "not-enough-evidence" in (*controls, *(law.verdict for law in c.laws.values())):
        yield f"undecided: not enough evidence; at most {c.policy.most:,} pairs are asked for each cell"
    if c.numbers is not msgspec.UNSET:
        ties, text_order = (f"{percent(s).plain} % of {s.of:,}" for s in (c.numbers.ties, c.numbers.text_order))
        yield f"ties: where one picture is right, {ties} answers are equal numbers; each is wrong"
        yield f"text order: in {text_order} pairs both pictures have more for their own prompt (no claim)"
    if c.margin is not None:
        yield "by order: a pair is right if the right picture has the larger number, for each of its two prompts"
        yield (
            "controls, also treated ones, are not judged, since two numbers are hardly ever equal; 9 in 10 of their "
            f"gaps are within {c.margin:.3g}, which is the margin for comparing models"
        )
        if c.numbers is not msgspec.UNSET:
            right = c.numbers.at_margin
            yield f"by more than that margin {percent(right).plain} % of {right.of:,} pairs are right; the others tie"
        return
    same_percent = percent(c.control.stability).plain
    yield f"{CONTROL}: invariance test, pairs whose answer must stay the same" + (
        f"; it did, right or wrong, on {same_percent} %" if c.control.stability.of else ""
    )


def run_lines(c: Certificate) -> Iterator[str]:
    """Lines on the conditions of the whole run, treatments and controls that do not pass, with the reasons.

    No law is admitted unless all conditions pass.
    """
    for name, condition in c.run.items():
        if condition.verdict != "pass":
            yield f"run: {name}: {SHORT[condition.verdict]}: {condition.reason}"
    yield from (f"treatment: {line}" for line in lost_treatments(c))
    if declined := declined_treatments(c):
        pairs = counted(sum(declined.values()), "pair")
        yield f"treatment: the judge declines {listed(declined)} ({pairs} not answered): such pictures are untested"
    for name in unstable(c.control.skills, c.policy, c.threshold):
        result = c.control.skills[name]
        words = f"a changed answer, or none, on {result.of - result.hits} of {result.of} pairs"
        yield f"controls: {name}: fail: {words}, shown to be {100 - 100 * c.policy.control:g} % or more"


def kind_lines(c: Certificate) -> Iterator[str]:
    """Lines on picture kinds that do not pass, and on the closed cells of laws that pass, with the reasons.

    A cell is closed if it rests on such a kind: the law does not admit to it.
    """
    for name, kind in c.kinds.items():
        if kind.verdict == "pass":
            continue
        why = f"shown not to exceed {100 * c.policy.ccs:g} %" if kind.verdict == "fail" else "too few to decide"
        if not kind.of:
            why += ": no pair of these laws shows it; validate for more laws, or for all: --for laws"
        yield f"picture kind {name}: {SHORT[kind.verdict]}: right on {kind.right} of {kind.of} pairs, {why}"
    by_reason: dict[str, list[str]] = {}
    for name, why in c.closed.items():
        by_reason.setdefault(why, []).append(name)
    for why, cells in by_reason.items():
        yield f"closed: {counted(len(cells), 'cell')} ({some(cells)}): {why}"


def treatments_table(certificate: Certificate) -> Table:
    """A row for each treatment of control pairs."""
    headers = ["treatment"], ["right", "of", "%", "above"], ["verdict"]
    table = Table("By treatment of control pairs (right on both, %)", *headers)
    for name, result in certificate.treatments.items():
        right = share(result.right, result.of)
        bound = f"{100 * result.bound:g}"
        table.add_row(name, str(result.right), str(result.of), percent(right), bound, verdict_cell(result.verdict))
    return table


def evidence_line(c: Certificate, named: bool) -> str:
    """A line on the evidence: how many laws passed on which pictures; `named`: which, for use without a table."""
    if not c.laws:
        return "Drawn test: no pair has an answer that must change, so it shows nothing"
    passed, names = len(c.admitted), f": {', '.join(c.admitted)}" if named and c.admitted else ""
    total = counted(len(c.laws), unit(c.cells), units(c.cells))
    laws = all_laws(c) if passed == len(c.laws) else f"{passed or 'none'} of {total}"
    where = f", on pictures like these: {c.domain.text}" if c.domain is not None and passed else ""
    return f"Drawn test passed for {laws}{names}{where}"


def provenance_lines(c: Certificate) -> list[str]:
    """Lines with the digests and settings that the certificate is bound to."""
    models = ", ".join(f"{name} ({count})" for name, count in c.models.items()) or "no model id returned"
    attempt = "of no attempt" if c.attempt is None else f"attempt {c.attempt}"
    return [
        f"suite {c.suite} {c.suite_digest} · {attempt}, seed {c.seed} · truth {c.truth} · keys {c.keys_digest}",
        f"judge {c.judge} · {models} · template {c.template} {c.template_digest} · repeats {c.repeats}",
        f"parser {c.parser} · scoring {c.scoring} · policy {c.policy.digest} · journal {c.journal_digest}",
        f"replies from {c.asked_from or '?'} to {c.asked_until or '?'} · certificate {c.digest}",
    ]
