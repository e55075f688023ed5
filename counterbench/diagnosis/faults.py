"""Names the faults of a judge from its replies: a closed list, each fault with its evidence and its effect on CCS.

Lost replies (unparsed, refusing, failing) are counted, and so are the faults of `PLAIN`, each with a test of its own.
The others are tested in one model of all of them (`mixture`), so that no fault is taken for a similar one. Such a fault
is named if a judge with all other faults but this one is clearly less likely (likelihood-ratio test), and if it shows
on more than a few of the questions that can show it.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from counterbench.answers.outcomes import outcome_name
from counterbench.diagnosis.measures import LOST, Lost, lost_by_family
from counterbench.diagnosis.mixture import MODELLED, Fit, fit, parameters
from counterbench.diagnosis.patterns import FloatArray, Patterns
from counterbench.diagnosis.plain import CHOICES, TREATED, faults_of_treatments, faults_on_choices
from counterbench.diagnosis.symptoms import has_symptoms, is_a_bias
from counterbench.results.results import PairResult
from counterbench.stats.intervals import wilson
from counterbench.stats.tails import chi2_above

# Every name that a diagnosis can use, on any pairs (`agreeable` is sycophancy); and on comparisons (`first-bias` is
# position bias), or controls (invariance tests) with treatments. One more fault (prompt-led) shows only on generated
# pictures: `t2i judge --template shown-prompt` measures it.
FAULTS: tuple[str, ...] = (*MODELLED, *LOST)
PLAIN: tuple[str, ...] = (*CHOICES, *TREATED)

# A fault is named below this p, and from this dose on. Both, and the shares below, were chosen on simulated judges:
# see docs/diagnosis.md for the results.
MAX_P, MIN_DOSE = 1e-4, 0.04
# Pairs of faults that cannot be told apart from one of them alone, or from none, and why.
_BLIND = "a judge that answers from the words alone shows no misreading, repeated answer or bias of its own"
INDISTINCT: dict[frozenset[str], str] = {
    **{frozenset(("blind", other)): _BLIND for other in MODELLED if other != "blind"},
    frozenset(("yes-bias", "no-bias")): "opposite biases at the same dose look like errors that nothing explains",
}
# An outcome is a fault if it is certainly (95 %) more than this share of all questions, or of one family's.
MIN_LOST, MIN_LOST_IN_FAMILY = 0.01, 0.05
EXAMPLES = 5
_ENOUGH_FOR_TEST = 1e-2  # in log-likelihood; the test's own threshold is a gain of 7.6 or more


class FoundFault(NamedTuple):
    """A fault that a judge shows: its dose, the test's p (None if it is counted), and its blame for each pair (N,).

    Blame is the part, 0 … 1, of the point lost on a pair that is put down to the fault.
    """

    name: str
    dose: float
    p: float | None
    blame: FloatArray


class FaultFindings(NamedTuple):
    """All faults of a judge, and for each pair (N,) the blame that none of them explains."""

    named: list[FoundFault]
    unexplained: FloatArray


def find_faults(pairs: Sequence[PairResult]) -> FaultFindings:
    """The faults that a judge shows on these pairs.

    The blame for a pair adds up to 1 if the judge is not right on both, and is 0 if it is, or if a question failed.
    """
    patterns = Patterns(pairs)
    blame = _lost_blame(pairs)
    named: list[FoundFault] = []
    on_choices = faults_on_choices(pairs)
    unassigned = np.array([_wrong_count(pair) > 0 for pair in pairs]) * (1 - sum(blame.values(), np.zeros(len(pairs))))
    for name, (dose, shows) in (on_choices | faults_of_treatments(pairs)).items():
        blame[name] = unassigned * np.array(shows, dtype=float)
        unassigned = unassigned - blame[name]
        named.append(FoundFault(name, dose, None, blame[name]))
    if len(patterns.count):
        assigned = sum(blame.values(), np.zeros(len(pairs)))
        tested = {} if on_choices else _faults_by_test(patterns, {"blind"} if is_a_bias(pairs) else set())
        while True:
            final = fit(patterns, set(MODELLED) - set(tested))
            modelled = _model_blame(patterns, final, pairs, assigned)
            with_symptoms = {
                name: p
                for name, p in tested.items()
                if final.doses.dose_of(name) >= MIN_DOSE and has_symptoms(name, pairs, modelled[name], MIN_DOSE, tested)
            }
            if with_symptoms == tested:
                break
            tested = with_symptoms
        named += [FoundFault(name, final.doses.dose_of(name), p, modelled[name]) for name, p in tested.items()]
        blame |= modelled
    families = lost_by_family(pairs).values()
    for name, outcome in LOST.items():
        share = _lost_share(families, outcome)
        if share is not None:
            named.append(FoundFault(name, share, None, blame[name]))
    unexplained = sum(blame.values(), np.zeros(len(pairs))) - sum((n.blame for n in named), np.zeros(len(pairs)))
    return FaultFindings(named, np.clip(unexplained, 0.0, 1.0))


def _faults_by_test(patterns: Patterns, never: set[str]) -> dict[str, float]:
    """The p of each modelled fault without which the replies are clearly less likely; none of `never`.

    A judge has a bias to yes or to no, not both: together they could explain errors of any kind. Another fault is named
    only if neither bias explains the replies as well without it. The test is by likelihood ratio, with a degree of
    freedom for each parameter of the fault. `absent` is the bias without which the replies are likelier.
    """
    biases = ("no-bias", "yes-bias")
    absent, full = max(((bias, fit(patterns, {bias, *never})) for bias in biases), key=lambda fitted: fitted[1].loglik)
    named = {}
    for fault in MODELLED:
        if full.doses.dose_of(fault) < MIN_DOSE:
            continue
        p = 0.0
        for bias in (absent,) if fault in biases else (absent, *set(biases) - {absent}):
            if p < MAX_P:
                without = fit(patterns, {bias, *never, fault}, enough=_ENOUGH_FOR_TEST)
                ratio = max(2 * (full.loglik - without.loglik), 0.0)
                p = max(p, chi2_above(ratio, parameters(fault)))
        if p < MAX_P:
            named[fault] = p
    return named


def _wrong_count(pair: PairResult) -> int:
    """The number of wrong answers in a pair (0 … 2); 0 if a question failed."""
    return 0 if pair.both is None else sum(reply.value is not None and not reply.right for reply in pair.both)


def _lost_blame(pairs: Sequence[PairResult]) -> dict[str, FloatArray]:
    """By fault, (N,): the share of a pair's replies that are unparsed or refused, among those that are not right.

    It is 0 if a question of the pair failed.
    """
    outcomes = [[outcome_name(reply.outcome) for reply in pair.both or ()] for pair in pairs]
    blame = {name: np.array([row.count(outcome) for row in outcomes], dtype=float) for name, outcome in LOST.items()}
    lost = sum(blame.values(), np.zeros(len(pairs)))
    wrong_or_lost = np.clip(lost + [_wrong_count(pair) for pair in pairs], 1, None)
    return {name: count / wrong_or_lost for name, count in blame.items()}


def _model_blame(
    patterns: Patterns, final: Fit, pairs: Sequence[PairResult], assigned: FloatArray
) -> dict[str, FloatArray]:
    """The part of each pair's loss (N,) by modelled fault, without the part `assigned` (N,) to other faults.

    The key "" has the part that no fault explains. `final`: the model whose blame is shared out.
    """
    blame = np.zeros((len(pairs), len(MODELLED) + 1))
    for row, members in zip(final.blame, patterns.members, strict=True):
        blame[members] = row
    unassigned = np.array([_wrong_count(pair) > 0 for pair in pairs]) * (1 - assigned)
    return {name: blame[:, i] * unassigned for i, name in enumerate((*MODELLED, ""))}


def _lost_share(families: Collection[Lost], outcome: str) -> float | None:
    """The share of all questions with this outcome; None unless clearly more than a few, overall or in one family."""
    lost, total = sum(family.outcomes[outcome] for family in families), sum(family.questions for family in families)
    parts = [(family.outcomes[outcome], family.questions, MIN_LOST_IN_FAMILY) for family in families]
    intervals = [(wilson(hits, n), min_share) for hits, n, min_share in [*parts, (lost, total, MIN_LOST)]]
    return lost / total if any(interval and interval[0] > min_share for interval, min_share in intervals) else None
