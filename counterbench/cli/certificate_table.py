"""Certificates for people: a table by law or by cell, the chances, and what kept a judge from passing."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from counterbench.certificate import CellResult, Certificate, Chance
from counterbench.certificate.chances import MOST_LAWS, in_words
from counterbench.cli.grid import Table, cell
from counterbench.cli.tables import percent
from counterbench.scene.questions import FORMS
from counterbench.scoring.scores import Share, share
from counterbench.stats.betting import hits_to_reach
from counterbench.text import counted

CONTROL = "(control)"
_STYLES = {"pass": "green", "fail": "red", "not-enough-evidence": "yellow"}
_SHORT = {"pass": "pass", "fail": "fail", "not-enough-evidence": "not enough evidence"}


def certificate_table(certificate: Certificate) -> Table:
    """A row for each law and one for the controls: what was found, the cell that is shown least, and the verdict."""
    c = certificate
    table = Table(f"{c.judge} on {c.suite}, policy {c.policy.name} (CCS, %)")
    table.add_column(unit(c))
    table.add_column("pairs", justify="right")
    table.add_column("CCS", justify="right")
    table.add_column("weakest cell")
    table.add_column("its CCS", justify="right")
    table.add_column("verdict")
    for name, law in c.laws.items():
        weakest = law.decided_by or min(law.cells, key=lambda each: c.cells[each].evidence)
        together = [c.cells[each].ccs for each in law.cells]
        whole = share(sum(part.hits for part in together), sum(part.of for part in together))
        found = c.cells[weakest].ccs
        table.add_row(
            name,
            cell(str(whole.of)),
            percent(whole),
            weakest.rpartition("/")[2],
            cell(f"{found.hits} of {found.of}"),
            cell(_SHORT[law.verdict], _STYLES[law.verdict]),
        )
    table.add_section()
    control = c.control
    found = control.accuracy
    table.add_row(
        CONTROL,
        cell(str(control.counted)),
        percent(found),
        "",
        cell(f"{found.hits} of {found.of}"),
        cell(_SHORT[control.verdict], _STYLES[control.verdict]),
    )
    return table


def cells_table(certificate: Certificate) -> Table:
    """A row for each cell."""
    table = Table("Cells")
    table.add_column("cell")
    table.add_column("CCS [95 %]", justify="right")
    table.add_column("e-value", justify="right")
    table.add_column("verdict")
    for name, found in certificate.cells.items():
        verdict = cell(_SHORT[found.verdict], _STYLES[found.verdict])
        table.add_row(name, percent(found.ccs, interval=True), cell(_e_value(found.evidence)), verdict)
    return table


def skills_table(certificate: Certificate) -> Table:
    """A row for each skill: summaries, which decide nothing."""
    table = Table("Summaries by skill (%)")
    for column in ("skill", "pairs", "CCS [95 %]", "right where yes", "right where no"):
        table.add_column(column, justify="left" if column == "skill" else "right")
    for name, skill in certificate.skills.items():
        numbers = [cell(f"{skill.counted}/{skill.pairs}"), percent(skill.ccs, interval=True)]
        table.add_row(name, *numbers, *(_share(of) for of in (skill.sensitivity, skill.specificity)))
    return table


def legend(certificate: Certificate) -> list[str]:
    """What the columns of a certificate are, a line each."""
    c = certificate
    stability = f"; stable on {percent(c.control.stability).plain} %" if c.control.stability.value is not None else ""
    return [
        f"a {unit(c)} passes with all its cells, each shown to exceed {100 * c.policy.ccs:g} %",
        f"{CONTROL}: pairs whose answer must stay; under CCS their accuracy{stability}",
    ]


def reasons(certificate: Certificate) -> list[str]:
    """Everything that does not pass, and why."""
    return list(_reasons(certificate))


def _reasons(c: Certificate) -> Iterator[str]:
    for name, condition in c.run.items():
        if condition.verdict != "pass":
            yield f"run: {name}: {_SHORT[condition.verdict]}: {condition.reason}"
    if c.control.verdict != "pass":
        shown = CellResult(
            verdict=c.control.verdict,
            ccs=c.control.accuracy,
            evidence=c.control.evidence,
            against=c.control.against,
        )
        yield f"controls: {_why(shown, c.policy.control, c.threshold)}"
    for name, law in c.laws.items():
        if law.verdict == "pass":
            continue
        found = c.cells[law.decided_by]
        if found.verdict == "pass":
            lost = sum(other.verdict != "pass" for other in c.laws.values()) - 1
            beside = f"{counted(lost, unit(c), 'laws' if unit(c) == 'law' else 'families')} that did not pass"
            yield f"{name}: not enough evidence beside {beside}: e-value {_e_value(law.adjusted)} of {c.threshold:.3g}"
        else:
            yield f"{name}: {law.decided_by.rpartition('/')[2]}: {_why(found, c.policy.ccs, c.threshold)}"


def _why(found: CellResult, bound: float, least: float) -> str:
    hits, misses = found.ccs.hits, found.ccs.of - found.ccs.hits
    told = f"{hits} of {found.ccs.of} right"
    if found.verdict == "fail":
        return f"fail: {told}, shown to be below {100 * bound:g} %"
    more = hits_to_reach(math.log(least), hits, misses, bound)
    return f"not enough evidence: {told}; {more} more without an error would show {100 * bound:g} %"


def chances_table(policy: str, chances: Mapping[str, Chance], of: str) -> Table:
    """How likely judges of known CCS are admitted, and in how many calls."""
    units = {"family": "families", "law": "laws"}.get(of, of)
    table = Table(f"To be admitted by {policy}, of a judge with this true CCS in every cell")
    table.add_column("true CCS")
    table.add_column(f"to all {units}", justify="right")
    table.add_column(f"to {100 * MOST_LAWS:g} % of them", justify="right")
    table.add_column("calls, about", justify="right")
    for ccs, chance in chances.items():
        most = in_words(chance.most_laws)
        table.add_row(ccs, in_words(chance.all_laws), most, f"{chance.calls:,}")
    return table


def unit(c: Certificate) -> str:
    """What the cells of a certificate are cells of: a form is of a family, a check of a law."""
    return "family" if all(name.rpartition("/")[2] in FORMS for name in c.cells) else "law"


def _e_value(value: float) -> str:
    return f"{value:.3g}" if value < 1e6 else "over a million"


def _share(found: Share | None) -> str:
    return "–" if found is None else percent(found).plain


def signature_lines(certificate: Certificate) -> list[str]:
    """What the certificate is bound to."""
    c = certificate
    models = ", ".join(f"{name} ({count})" for name, count in c.models.items()) or "no model id returned"
    attempt = "of no attempt" if c.attempt is None else f"attempt {c.attempt}"
    return [
        f"suite {c.suite} {c.suite_digest} · {attempt}, seed {c.seed} · truth {c.truth} · keys {c.keys_digest}",
        f"judge {c.judge} · {models} · wording {c.wording} {c.wording_digest} · votes {c.votes}",
        f"parser {c.parser} · scoring {c.scoring} · policy {c.policy_digest} · journal {c.journal_digest}",
        f"replies from {c.asked_from or '?'} to {c.asked_until or '?'} · certificate {c.digest}",
    ]


def domain_line(certificate: Certificate) -> str:
    """On what pictures it was shown."""
    domain = certificate.domain
    if domain is None:
        return "shown on pictures of which the run does not say what they are like: it is of an earlier version"
    parts = [domain.renderer, domain.style, f"{domain.size} pixels", domain.file_format]
    parts += [f"detail {domain.detail}"] if domain.detail else []
    return f"shown on pictures like these, and on no others: {', '.join(filter(None, parts))}"
