"""The checks of a prompt set beside what a certificate tested: tested ones, those left out, and those that are scored.

A check is a question about a picture that a model draws for a prompt. `admission` says what the words mean; in go
prompts and a certificate, or names of cells and skills, and out come names, shares of the weight, and prompt sets.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

import msgspec

from counterbench.evidence.document import PASS, Certificate
from counterbench.evidence.rungs import rung_of
from counterbench.prompts.prompt_set import Check, Prompt, PromptSet, cell_of
from counterbench.prompts.skills import FAMILIES, skill_of

# The name for checks of no skill.
UNNAMED = "unnamed"


def needed_cells(prompts: Iterable[Prompt]) -> dict[str, list[str]]:
    """The cells of the checks, by law; only checks with a program have one."""
    cells: dict[str, set[str]] = {}
    for prompt in prompts:
        for check in prompt.checks:
            if cell := cell_of(prompt, check):
                cells.setdefault(prompt.law, set()).add(cell)
    return {law: sorted(cells[law]) for law in sorted(cells)}


def undrawn_share(prompts: PromptSet) -> float:
    """The share of the checks' weight, 0 … 1, of checks without a program: no pair asks exactly what they ask."""
    return share_of_weight(prompts, lambda prompt, check: not cell_of(prompt, check))


def share_of_weight(prompts: PromptSet, counts: Callable[[Prompt, Check], bool]) -> float:
    """The share of the weight, 0 … 1, of the checks for which `counts` is true."""
    weights = [(check.weight, counts(prompt, check)) for prompt in prompts.prompts for check in prompt.checks]
    return sum(weight for weight, does_count in weights if does_count) / sum(weight for weight, _ in weights)


def tested_by(certificate: Certificate | None, labelled: Collection[str]) -> frozenset[str]:
    """The names of the tested cells and skills: by some pair of a certificate, or (`labelled`) by people's labels."""
    drawn = {*certificate.cells, *certificate.skills} if certificate is not None else set()
    return frozenset({*drawn, *labelled})


def is_tested(tested: Collection[str], prompt: Prompt, check: Check) -> bool:
    """True if a check's cell is among the `tested` names; for a check without a cell, if its skill is."""
    if cell := cell_of(prompt, check):
        return cell in tested
    skill = skill_of(check)
    return skill in tested and "/" not in skill


def untested_shares(tested: Collection[str], prompts: PromptSet) -> dict[str, float]:
    """The share of the weight, 0 … 1, of checks that are not tested: by law, or by skill if no check has a cell."""
    by_law = bool(needed_cells(prompts.prompts))
    weights = defaultdict[str, float](float)
    for prompt in prompts.prompts:
        for check in prompt.checks:
            if check.weight and not is_tested(tested, prompt, check):
                weights[(prompt.law if by_law else skill_of(check)) or UNNAMED] += check.weight
    total = sum(check.weight for prompt in prompts.prompts for check in prompt.checks)
    return {name: weight / total for name, weight in weights.items()}


def is_out(left_out: Collection[str], prompt: Prompt, check: Check) -> bool:
    """True if a check's law or cell is among the `left_out` names; for a check without a cell, its skill or rung."""
    cell = cell_of(prompt, check)
    names = (cell,) if cell else (skill_of(check), rung_of(check))
    return prompt.law in left_out or any(name in left_out for name in names)


def laws_out(certificate: Certificate, needed: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """The laws that a certificate does not admit its judge to, and closed cells of the other laws, with the reasons.

    `needed`: the cells of the checks, by law. A closed cell is one of which the certificate claims nothing.
    """
    reasons = {}
    for law, cells in needed.items():
        result = certificate.laws.get(law)
        lacking = [cell for cell in cells if result is None or cell not in result.cells]
        if result is None or lacking:
            reasons[law] = f"{lacking[0]} was not asked" if result is not None else "not asked"
        elif result.verdict != PASS:
            reasons[law] = f"{result.decided_by}: {result.verdict}"
        elif law not in certificate.admitted:
            reasons[law] = next(iter(result.closed.values()), "the run does not pass")
        else:
            closed = {cell: result.closed[cell] for cell in cells if cell in result.closed}
            reasons |= {law: next(iter(closed.values()))} if len(closed) == len(cells) else closed
    return reasons


def skills_out(certificate: Certificate, prompts: PromptSet) -> dict[str, str]:
    """The skills of checks without a program that were tested and not passed, with the reasons.

    The reason names the first family of the skill that the certificate does not admit to.
    """
    out = {}
    for prompt in prompts.prompts:
        for check in prompt.checks:
            families = [name for name in FAMILIES.get(skill_of(check), ()) if name in certificate.laws]
            if not cell_of(prompt, check) and (lost := [name for name in families if name not in certificate.admitted]):
                out[skill_of(check)] = f"{lost[0]}: {certificate.laws[lost[0]].verdict}"
    return out


def scored_prompts(prompts: PromptSet, counts: Callable[[Prompt, Check], bool]) -> PromptSet:
    """The prompts with only the checks that count, and without prompts that have none; InputError if none is left.

    A check that needs others (`Check.needs`), or whose question comes after another's reply, counts only if these do.
    """
    scored = [msgspec.structs.replace(prompt, checks=counted_checks(prompt, counts)) for prompt in prompts.prompts]
    return prompts.holding([prompt for prompt in scored if prompt.checks or not prompts.by_id[prompt.id].checks])


def counted_checks(prompt: Prompt, counts: Callable[[Prompt, Check], bool]) -> tuple[Check, ...]:
    """The checks of a prompt that count, and whose needed checks (`_needed_ids`) all count too."""
    ids = {check.id for check in prompt.checks if counts(prompt, check)}
    while without_needed := {check.id for check in prompt.checks if check.id in ids and not ids >= _needed_ids(check)}:
        ids -= without_needed
    return tuple(check for check in prompt.checks if check.id in ids)


def _needed_ids(check: Check) -> set[str]:
    """The ids of the checks without which a check does not count."""
    return {*check.needs, *filter(None, [check.after])}
