"""How likely a judge of a given true CCS passes a policy on given pairs: computed exactly, before anything is asked.

The judge of the model reads every question right with the same probability q = √CCS, each independently of all
others, and a pair is right when both questions are: `planted:noisy?p=1−q` is such a judge. Included are all conditions
on the skills (least pairs, CCS, sensitivity and specificity, jointly: they share their questions) and on the controls.
Not included: unparsed, refused and failed replies, and a model that changes, as this judge has none; two wrong answers
that happen to be the same, which a stability bound above the accuracy's would count in its favour.
A real judge differs from one skill to another; one that is much better than the bound on most and at it on one has the
chance of that one.
"""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Iterable

import msgspec

from counterbench.certificate.policies import Conditions, Policy
from counterbench.runs.queries import Key
from counterbench.stats.intervals import wilson

# The true CCS of the judges whose chances are named.
TRUE_CCS = (0.90, 0.95, 0.98)
_NEGLIGIBLE = 1e-12  # outcomes less likely than this, on either side, are left out of sums


class Pairs(msgspec.Struct, frozen=True):
    """How many relevant pairs test a skill, and how many of them are asked as yes/no (one truth yes, one no)."""

    pairs: int
    yes_no: int


class Composition(msgspec.Struct, frozen=True):
    """What a suite or run asks: pairs by skill, and how many pairs are controls."""

    skills: dict[str, Pairs]
    control: int


def composition(keys: Iterable[Key]) -> Composition:
    """The composition of some pairs, from any keys of theirs: each pair is counted once."""
    pairs: Counter[str] = Counter()
    yes_no: Counter[str] = Counter()
    seen: set[str] = set()
    control = 0
    for key in keys:
        if key.group in seen:
            continue
        seen.add(key.group)
        if not key.relevant:
            control += 1
            continue
        pairs[key.skill] += 1
        yes_no[key.skill] += key.answer_type == "yes-no"
    return Composition({skill: Pairs(pairs[skill], yes_no[skill]) for skill in sorted(pairs)}, control)


def chances(policy: Policy, asked: Composition) -> dict[str, float]:
    """The chance of passing at each true CCS of `TRUE_CCS`, by its text ("0.90").

    InputError if the policy has conditions for a skill that is not there.
    """
    return {f"{ccs:.2f}": chance(policy, asked, ccs) for ccs in TRUE_CCS}


def chance(policy: Policy, asked: Composition, ccs: float) -> float:
    """The chance that a judge of this true CCS (0 … 1) passes the policy on these pairs."""
    conditions = policy.for_skills(asked.skills)
    control = policy.control
    if not asked.skills or asked.control < control.pairs:
        return 0.0
    right = math.sqrt(ccs)
    needed = least_hits(asked.control, max(control.accuracy, control.stability))
    found = _at_least(needed, asked.control, ccs)
    for skill, pairs in asked.skills.items():
        found *= _skill(pairs, conditions[skill], right)
    return found


@functools.lru_cache(maxsize=1024)
def least_hits(of: int, bound: float) -> int:
    """The fewest hits of `of` whose 95 % Wilson interval begins at `bound` or above; `of` + 1 if none are enough.

    >>> least_hits(33, 0.85), least_hits(33, 0.9)
    (33, 34)
    """
    low, high = 0, of + 1
    while low < high:
        middle = (low + high) // 2
        interval = wilson(middle, of)
        if interval is not None and interval[0] >= bound:
            high = middle
        else:
            low = middle + 1
    return low


def _at_least(hits: int, of: int, p: float) -> float:
    from scipy.stats import binom

    return float(binom.sf(hits - 1, of, p))


@functools.lru_cache(maxsize=256)
def _skill(asked: Pairs, conditions: Conditions, right: float) -> float:
    """The chance that a skill passes.

    Of the m yes/no pairs, b have both right, a only the yes, c only the no: a multinomial, here one binomial after
    the other. The CCS counts b and the right open pairs; sensitivity is (a + b) / m and specificity (b + c) / m.
    """
    if asked.pairs < conditions.pairs:
        return 0.0
    needed, m = least_hits(asked.pairs, conditions.ccs), asked.yes_no
    if m == 0:
        return _at_least(needed, asked.pairs, right**2)
    import numpy as np
    from scipy.stats import binom

    yes, no = least_hits(m, conditions.sensitivity), least_hits(m, conditions.specificity)
    least, most = int(binom.ppf(_NEGLIGIBLE, m, right**2)), int(binom.isf(_NEGLIGIBLE, m, right**2))
    b = np.arange(least, most + 1)[:, None]
    one = right / (1 + right)  # only the yes is right, where not both are
    a = np.arange(int(binom.isf(_NEGLIGIBLE, m - least, one)) + 1)[None, :]
    enough_yes = np.where(a >= yes - b, binom.pmf(a, m - b, one), 0.0)
    enough_no = binom.sf(no - b - 1, np.maximum(m - b - a, 0), right)  # c, where neither both nor only the yes are
    enough_pairs = binom.pmf(b, m, right**2) * binom.sf(needed - b - 1, asked.pairs - m, right**2)
    return float((enough_pairs * enough_yes * enough_no).sum())


def in_words(chance: float) -> str:
    """A chance in per cent, as people read it: none that is almost certain is called certain.

    >>> in_words(0.9988), in_words(0.99999), in_words(0.0004), in_words(0)
    ('99.9 %', 'over 99.9 %', 'under 0.1 %', '0 %')
    """
    percents = 100 * chance
    if chance == 0:
        return "0 %"
    if percents < 0.1:
        return "under 0.1 %"
    if 99.9 < percents < 100:
        return "over 99.9 %"
    return f"{percents:.1f} %"
