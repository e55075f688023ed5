"""Certificates for people: a table by skill, the chances, and what kept a judge from passing."""

from __future__ import annotations

from collections.abc import Mapping

from counterbench.certificate import Certificate, Condition, ControlResult, SkillResult
from counterbench.certificate.chances import in_words
from counterbench.cli.grid import Cell, Table, cell
from counterbench.cli.tables import percent
from counterbench.scoring.scores import Share

CONTROL = "(control)"
_STYLES = {"pass": "green", "fail": "red", "not-enough-evidence": "yellow"}


def certificate_table(certificate: Certificate) -> Table:
    """A row for each skill and one for the controls: what was found, the verdict, and what would settle it.

    Each verdict stands beside its CCS, in the control row beside the accuracy, in however narrow a terminal.
    """
    title = f"{certificate.judge} on {certificate.suite}, policy {certificate.policy.name} (%)"
    parts: list[SkillResult | ControlResult] = [*certificate.skills.values(), certificate.control]
    needed = [still_needed(part) for part in parts]
    table = Table(title)
    table.add_column("skill")
    table.add_column("pairs", justify="right")
    table.add_column("CCS [95 %]", justify="right")
    table.add_column("verdict")
    table.add_column("sens", justify="right")
    table.add_column("spec", justify="right")
    if any(needed):
        table.add_column("still needed")
    for name, part, more in zip([*certificate.skills, CONTROL], parts, needed, strict=True):
        if isinstance(part, ControlResult):
            table.add_section()
            main, sensitivity, specificity = part.accuracy, None, None
        else:
            main, sensitivity, specificity = part.ccs, part.sensitivity, part.specificity
        found = [cell(f"{part.counted}/{part.pairs}"), percent(main, interval=True)]
        found += [cell(part.verdict, _STYLES[part.verdict]), _share(sensitivity), _share(specificity)]
        table.add_row(name, *found, *([more] if any(needed) else []))
    return table


def legend(certificate: Certificate) -> list[str]:
    """What the columns of a certificate are, and the controls' stability, a line each."""
    control = f"{CONTROL}: pairs whose answer must stay; under CCS their accuracy"
    if certificate.control.stability.value is not None:
        stability = percent(certificate.control.stability, interval=True).plain
        control += f"; stability (the same answer to both pictures): {stability}"
    return ["pairs: counted/all; sens, spec: the share right where yes, where no is true", control]


def _share(share: Share | None) -> Cell:
    return cell("–", "dim") if share is None else percent(share)


def still_needed(part: SkillResult | ControlResult) -> str:
    """How many more pairs the hardest condition asks for, at the rates found; nothing to say of what failed."""
    if part.verdict != "not-enough-evidence":
        return ""
    more: dict[str, int] = {}
    for name, condition in part.conditions.items():
        if condition.needed is not None:
            more[name] = condition.needed - _counted(part, name)
        elif condition.verdict != "pass" and condition.value is not None:
            return "no number at this rate"
    kinds = {
        "yes/no pairs": ("sensitivity", "specificity"),
        "pairs": tuple(more.keys() - {"sensitivity", "specificity"}),
    }
    most = {kind: max((more[name] for name in names if name in more), default=0) for kind, names in kinds.items()}
    return ", ".join(f"{count} {kind}" for kind, count in sorted(most.items()) if count)


def _counted(part: SkillResult | ControlResult, condition: str) -> int:
    share: Share | None = None if condition == "pairs" else getattr(part, condition)
    return part.counted if share is None else share.of


def reasons(certificate: Certificate) -> list[str]:
    """Every condition that does not pass, and why."""
    parts: list[tuple[str, Mapping[str, Condition]]] = [
        *((name, skill.conditions) for name, skill in certificate.skills.items()),
        ("control", certificate.control.conditions),
        ("run", certificate.run),
    ]
    return [
        f"{name}: {condition_name}: {condition.verdict}: {condition.reason}"
        for name, conditions in parts
        for condition_name, condition in conditions.items()
        if condition.verdict != "pass"
    ]


def chances_line(policy: str, chances: Mapping[str, float]) -> str:
    """How likely judges of known CCS pass, in words."""
    shown = " · ".join(f"{ccs}: {in_words(chance)}" for ccs, chance in chances.items())
    return f"chance to pass {policy} on these pairs, by true CCS: {shown}"


def signature_lines(certificate: Certificate) -> list[str]:
    """What the certificate is bound to."""
    c = certificate
    models = ", ".join(f"{name} ({count})" for name, count in c.models.items()) or "no model id returned"
    return [
        f"suite {c.suite} {c.suite_digest} · seed {c.seed} · truth {c.truth} · keys {c.keys_digest}",
        f"judge {c.judge} · {models} · wording {c.wording} {c.wording_digest} · votes {c.votes}",
        f"parser {c.parser} · scoring {c.scoring} · policy {c.policy_digest} · journal {c.journal_digest}",
        f"certificate {c.digest}",
    ]
