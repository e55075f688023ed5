"""Derives from the pairs of a run all verdicts on its judge under a policy, as a certificate has them.

In go the results of pairs (`PairResult`), a policy with its bounds, and the e-value (the measure of evidence) that
decides; out come `Findings` (`judge_findings`, for `evidence.issue`). `evidence.cells` computes the single verdicts.

A *pair* is two pictures with a question about each; it is right if both answers are. It is *relevant* if its right
answer changes, else it is a *control*. A *cell* holds the relevant pairs with questions of one kind, a *law* several
cells; a *picture kind* those with pictures of one kind ("swapped"). A *treatment* is a change of a control's second
picture ("jpeg"). The *conditions* on the run limit unreadable, refused and failed replies.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from counterbench.evidence.cells import (
    PairCount,
    cell_result,
    kind_counts,
    kind_results,
    law_results,
    treatment_result,
    treatment_results,
    with_closed_cells,
    with_needed,
)
from counterbench.evidence.document import (
    FAIL,
    NOT_ENOUGH,
    PASS,
    CellResult,
    CellVerdict,
    Condition,
    ControlResult,
    KindResult,
    LawResult,
    NumberFindings,
    SkillResult,
    TreatmentResult,
)
from counterbench.evidence.policies import Policy
from counterbench.evidence.treatments import TREATMENTS, treatment_of_cell
from counterbench.results.results import PairResult
from counterbench.results.scores import Share, score
from counterbench.runs.queries import cell_of
from counterbench.suites.kinds import ALL_CLOSE, KindRules

# A judge declines a treatment if it answers for less than this share of the pictures with it. If fewer replies than the
# second number are about such treatments, this may be chance: then no treatment counts as declined.
_MAX_ANSWERED, _MIN_REPLIES = 0.1, 5


class Findings(msgspec.Struct, frozen=True):
    """The verdicts on cells, laws, picture kinds, treatments and skills, by name; on the controls; and on the run."""

    cells: dict[str, CellResult]
    laws: dict[str, LawResult]
    kinds: dict[str, KindResult]
    treatments: dict[str, TreatmentResult]
    skills: dict[str, SkillResult]
    control: ControlResult
    numbers: NumberFindings | msgspec.UnsetType
    run: dict[str, Condition]  # by the name of the condition ("unparsed")

    @property
    def verdict(self) -> CellVerdict:
        """The verdict on everything: pass only if all parts pass."""
        of_kinds = [kind.verdict for kind in self.kinds.values()]
        return joint_verdict([*(law.verdict for law in self.laws.values()), *of_kinds, self._whole])

    @property
    def admitted(self) -> list[str]:
        """The laws that the judge is admitted to: those that pass, with some cell that is not closed.

        None unless controls, treatments and the conditions on the run pass.
        """
        if self._whole != PASS:
            return []
        return [name for name, law in self.laws.items() if law.verdict == PASS and {*law.cells} - law.closed.keys()]

    @property
    def _whole(self) -> CellVerdict:
        """The verdict on all that must pass for any law: controls, treatments and the conditions on the run."""
        conditions = [condition.verdict for condition in self.run.values()]
        treated = [treatment.verdict for treatment in self.treatments.values() if treatment.closes]
        controls = [self.control.verdict]
        if self.numbers is not msgspec.UNSET and self.numbers.margin is not None:
            controls = [NOT_ENOUGH] if self.numbers.lacks_margin else []
        return joint_verdict([*controls, *conditions, *treated])


def judge_findings(
    pairs: Sequence[PairResult],
    policy: Policy,
    e_needed: float,
    models: Sequence[str] = (),
    rules: KindRules = ALL_CLOSE,
    treated: Iterable[str] = (),
    numbers: NumberFindings | msgspec.UnsetType = msgspec.UNSET,
) -> Findings:
    """The findings on a judge from these pairs under a policy; an e-value of `e_needed` or more decides.

    `models`: the model ids of the replies. `rules`: for each cell of the suite the picture kinds that its truth depends
    on. `treated`: the names of the suite's treatments; one that no pair has is undecided.
    `numbers`: of a scorer or rater; the control pairs of a scorer are left out.
    """
    if _is_by_order(numbers):
        pairs, treated = [pair for pair in pairs if pair.key.relevant], ()
    pairs, declined = without_declined(pairs)
    relevant = [pair for pair in pairs if pair.key.relevant]
    # 1. Each cell, picture kind and treatment by itself.
    by_cell = counts(relevant, lambda pair: (cell_of(pair.key),))
    cells = {name: cell_result(by_cell[name], policy.ccs, e_needed) for name in sorted(by_cell)}
    failed, kinds_by_cell = [name for name, cell in cells.items() if cell.verdict == FAIL], shown_kinds(relevant)
    by_kind, closed_cells, _ = kind_counts(
        kinds_by_cell, failed, rules, lambda count: cell_result(count, policy.ccs, e_needed).verdict == FAIL
    )
    by_kind = with_needed(by_kind, rules)
    kinds = {name: cell_result(count, policy.ccs, e_needed) for name, count in by_kind.items()}
    controls = [pair for pair in pairs if not pair.key.relevant]
    declined_counts = Counter(name for pair in declined if (name := treatment_of_cell(pair.key.cell)))
    by_treatment = counts(controls, lambda pair: filter(None, [treatment_of_cell(pair.key.cell)]))
    treatments = {
        name: cell_result(by_treatment.get(name, PairCount()), TREATMENTS[name].bound_in(policy), e_needed)
        for name in TREATMENTS
        if name in by_treatment or name in declined_counts or name in treated
    }
    # 2. All together, with evidence adjusted for their number; a treatment that the judge declines is not among them.
    tested = {name: cell for name, cell in treatments.items() if name not in declined_counts}
    laws = law_results(cells, e_needed, kinds, tested, closed_cells)
    of_kinds = kind_results(kinds, laws, e_needed, tested)
    of_treatments = treatment_results(tested, laws, kinds, policy, e_needed)
    for name, count in declined_counts.items():
        of_treatments[name] = treatment_result(name, treatments[name], policy, 1.0, e_needed, count)
    by_skill = {name: score(group) for name, group in _by_name(relevant, lambda pair: pair.key.skill).items()}
    return Findings(
        cells=cells,
        laws=with_closed_cells(laws, of_kinds, kinds_by_cell, rules),
        kinds=of_kinds,
        treatments=of_treatments,
        skills={
            name: SkillResult(pairs=result.pairs, counted=result.ccs.of, ccs=result.ccs, outcomes=result.outcomes)
            for name, result in by_skill.items()
        },
        control=_control(controls, policy, e_needed),
        numbers=numbers,
        run=conditions(score(pairs).outcomes, len(cells), policy, models),
    )


def _is_by_order(numbers: NumberFindings | msgspec.UnsetType) -> bool:
    """True for the numbers of a scorer, of which no control is judged."""
    return numbers is not msgspec.UNSET and numbers.margin is not None


def counts(pairs: Sequence[PairResult], names_of: Callable[[PairResult], Iterable[str]]) -> dict[str, PairCount]:
    """The counts of right and wrong pairs with both replies, by each of the names that `names_of` gives a pair.

    Declined control pairs (`without_declined`) are not counted.
    """
    by_name = {name: PairCount() for pair in pairs for name in names_of(pair)}
    for pair in without_declined(pairs)[0]:
        for name in names_of(pair) if pair.consistent is not None else ():
            right, wrong = by_name[name]
            by_name[name] = PairCount(right + bool(pair.consistent), wrong + (not pair.consistent))
    return by_name


def shown_kinds(pairs: Iterable[PairResult]) -> dict[str, dict[str, PairCount]]:
    """The counts of relevant pairs, by cell and then by the kinds of their two pictures."""
    by_cell = _by_name((pair for pair in pairs if pair.key.relevant), lambda pair: cell_of(pair.key))
    return {
        cell: counts(of_cell, lambda pair: {kind for key in pair.keys for kind in key.kinds})
        for cell, of_cell in by_cell.items()
    }


def without_declined(pairs: Sequence[PairResult]) -> tuple[list[PairResult], list[PairResult]]:
    """The pairs that count, and the control pairs of treatments that the judge declines (gives almost no answers with).

    Declined pairs say nothing about the judge, and the certificate names the treatment. In all other pairs a missing
    answer counts as a changed answer, so that a judge gains nothing by silence on the hard ones.
    """
    answered: dict[str, list[bool]] = defaultdict(list)
    for pair in pairs:
        for key, reply in pair.questions:
            if reply is not None and "treatment" in key.traits:
                answered[key.traits["treatment"]].append(reply.value is not None)
    unanswered = {treatment for treatment, replies in answered.items() if sum(replies) < _MAX_ANSWERED * len(replies)}
    if sum(len(answered[treatment]) for treatment in unanswered) < _MIN_REPLIES:
        unanswered = set()
    declined = [pair for pair in pairs if pair.treatment in unanswered]
    return [pair for pair in pairs if pair.treatment not in unanswered], declined


def joint_verdict(verdicts: Iterable[CellVerdict]) -> CellVerdict:
    """One verdict from several: fail if any fails, else not enough evidence if any lacks it, else pass."""
    distinct = set(verdicts)
    return FAIL if FAIL in distinct else NOT_ENOUGH if NOT_ENOUGH in distinct else PASS


def at_most(what: str, count: int, total: int, bound: float) -> Condition:
    """The condition that at most a share `bound` of `total` questions have the outcome `what`; `count` of them have."""
    over = count > bound * total
    reason = f"{count} of {total} questions {what}, at most {100 * bound:g} % are allowed" if over else ""
    return Condition(value=count / total if total else None, bound=bound, verdict=FAIL if over else PASS, reason=reason)


def _by_name(pairs: Iterable[PairResult], name_of: Callable[[PairResult], str]) -> dict[str, list[PairResult]]:
    """The pairs by the name that `name_of` gives each, in the order of the names."""
    groups: dict[str, list[PairResult]] = defaultdict(list)
    for pair in pairs:
        groups[name_of(pair)].append(pair)
    return {name: groups[name] for name in sorted(groups)}


def _control(pairs: Sequence[PairResult], policy: Policy, e_needed: float) -> ControlResult:
    """The result of all control pairs together.

    They pass if the share of right pairs is shown to exceed the bound, and fail if it is shown not to. They also fail
    if, for one skill, answers are shown to stay the same less often than the bound. A single skill has too few pairs to
    show that it exceeds the bound, so that is not required.
    """
    numbers = score(pairs)
    stability = {name: score(group).stability for name, group in _by_name(pairs, lambda pair: pair.key.skill).items()}
    result = cell_result(PairCount(numbers.ccs.hits, numbers.ccs.of - numbers.ccs.hits), policy.control, e_needed)
    return ControlResult(
        verdict=FAIL if unstable(stability, policy, e_needed) else result.verdict,
        skills=stability,
        pairs=numbers.pairs,
        counted=numbers.ccs.of,
        accuracy=numbers.ccs,
        stability=numbers.stability,
        evidence=result.evidence,
        against=result.against,
        outcomes=numbers.outcomes,
    )


def unstable(skills: Mapping[str, Share], policy: Policy, e_needed: float) -> list[str]:
    """The skills in which a judge is shown to change answers to controls too often; `skills`: stability by skill."""
    counted = {name: PairCount(result.hits, result.of - result.hits) for name, result in skills.items()}
    return [name for name, count in counted.items() if cell_result(count, policy.control, e_needed).verdict == FAIL]


def conditions(outcomes: Mapping[str, int], cells: int, policy: Policy, models: Sequence[str]) -> dict[str, Condition]:
    """The conditions on the whole run, by name.

    `outcomes`: the number of questions by outcome; `cells`: the number of cells; `models`: the model ids of the
    replies. Questions that were not asked yet are not held against the judge, since a run may stop anywhere.
    """
    total = sum(outcomes.values())
    reason_of_cells = "" if cells else "the run has no pair whose truth changes"
    by_name = {
        "cells": Condition(value=cells, bound=1, verdict=PASS if cells else NOT_ENOUGH, reason=reason_of_cells),
        **{
            outcome: at_most(outcome, outcomes[outcome], total, getattr(policy.outcomes, outcome))
            for outcome in ("unparsed", "refused", "failed")
        },
    }
    if by_name["failed"].verdict == FAIL:  # no fault of the judge
        again = "run the same `counterbench probe` again (for an imported run: ask them where it came from)"
        reason = f"{by_name['failed'].reason}: {again}"
        by_name["failed"] = msgspec.structs.replace(by_name["failed"], verdict=NOT_ENOUGH, reason=reason)
    if policy.one_model:
        several = len(models) > 1
        reason = f"the server answered as {', '.join(models)}: the model changed within the run" if several else ""
        by_name["one-model"] = Condition(value=len(models), bound=1, verdict=FAIL if several else PASS, reason=reason)
    return by_name
