"""Checks if the plain counts of a judge's answers fit a fault that the model of faults (`mixture`) suggests.

In go a fault's name and the results of pairs; out comes True if nothing speaks against the fault (`has_symptoms`, used
by `faults`). The model knows a few ways to be wrong, and a real judge has others. So a fault is named only if the
counts that it implies hold too; each function below `has_symptoms` checks one of them.

A *fault* is a known way to be wrong: "blind" (one answer to both pictures), "sticky" (the original's answer to both),
"yes-bias", or one with a *misreading*, the wrong answer that it gives to a question. A *symptom* is such an answer. A
*dial* is one of the named numbers of a pair's difficulty ("objects"): true faults do not follow it, errors of a judge
that cannot see small things do. A pair is *relevant* if its right answer changes, else it is a control.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from counterbench.diagnosis.patterns import MISREADINGS, FloatArray, misreadings_of, two_answers
from counterbench.results.results import PairResult
from counterbench.runs.queries import Key, cell_of
from counterbench.scene.pairs import ROLES
from counterbench.stats.tails import average_ranks, binomial_above, log_fisher, normal_above

# The largest p values of tests: of one-sided answers (sticky, prior-bound) and of miscounting only many things.
MAX_P = 1e-4
MAX_P_OF_TREND = 0.001  # of the test that a fault follows a difficulty, over all dials together, or a bias a skill
MIN_OFF_BY_ONE = 2 / 3  # the least share of errors by one among the wrong counts of an off-by-one judge
MIN_ONE_WORD = 0.95  # the least share of one word among the pairs with one answer, for a biased judge
MIN_WRONG, MIN_PAIRS = 10, 5  # wrong answers, and pairs of a skill, below which a count is not held against a fault


class _Symptom(NamedTuple):
    """A question, or a pair whose questions count as one, that can show a fault, and if it does."""

    stratum: Hashable  # the kind of question; a trend with a difficulty is tested within each kind
    difficulty: Mapping[Any, float]  # its dials, by name
    share: float  # of its answers that show the fault: 0, ½ or 1


def has_symptoms(
    fault: str, pairs: Sequence[PairResult], blame: FloatArray, min_dose: float, others: Collection[str] = ()
) -> bool:
    """True if no count speaks against `fault`; faults without a check pass.

    `blame` (N,): for each of N pairs, the share of its errors that the model puts down to the fault. `min_dose`: the
    least share of pairs that a fault to be named acts in. `others`: further faults to be named; pairs that one of them
    could misread are left out of the tests of difficulty.
    """
    other_misreadings = {name for name, cause in MISREADINGS.items() if cause in others and cause != fault}
    clear = [pair for pair in pairs if not any(other_misreadings & misreadings_of(key).keys() for key in pair.keys)]
    if _follows_difficulty(_symptoms(fault, clear)) or _is_rather_unseen(fault, clear):
        return False
    match fault:
        case "yes-bias" | "no-bias":
            return _leans_beyond_a_skill(pairs, fault.removesuffix("-bias"))
        case "sticky":
            return _leans_to_the_original(pairs)
        case "prior-bound":
            return _leans_to_prior(pairs)
        case "off-by-one":
            return _is_mostly_one_off(pairs)
        case "blind":
            return _is_widespread(pairs, blame, min_dose)
        case _:
            return True


def _symptoms(fault: str, pairs: Sequence[PairResult]) -> Iterator[_Symptom]:
    """A `_Symptom` for each pair (blind, sticky) or question (other faults) that can show a fault.

    Of questions only yes/no ones count, since a number that is wrong by one is a symptom even if such errors follow a
    difficulty. Two questions of a pair at equal difficulty count as one: some judges show the fault on both or on
    neither.
    """
    if fault in ("blind", "sticky"):
        yield from _same_answers(pairs)
        return
    for pair in pairs:
        symptoms: list[_Symptom] = []
        for key, reply in pair.questions:
            wrong = _wrong_answers(fault, key)
            if wrong and key.answer_type == "yes-no" and reply is not None and reply.value is not None:
                symptoms.append(_Symptom(tuple(wrong), key.difficulty, float(reply.value in wrong.values())))
        if len(symptoms) == len(ROLES) and symptoms[0].difficulty == symptoms[1].difficulty:
            first, second = symptoms
            symptoms = [_Symptom((first.stratum, second.stratum), first.difficulty, (first.share + second.share) / 2)]
        yield from (symptom._replace(stratum=(cell_of(pair.key), symptom.stratum)) for symptom in symptoms)


def _wrong_answers(fault: str, key: Key) -> dict[str, str]:
    """The wrong answers to a question that are symptoms of a fault, by the name of the misreading or bias."""
    if fault.endswith("-bias"):
        answers = {fault: fault.removesuffix("-bias")} if key.answer_type == "yes-no" else {}
    else:
        answers = {name: value for name, value in misreadings_of(key).items() if MISREADINGS.get(name) == fault}
    return {name: value for name, value in answers.items() if value != key.expected}


def _is_rather_unseen(fault: str, pairs: Sequence[PairResult]) -> bool:
    """True if a misreading that only yes/no questions show is rather a bias of a judge that cannot see small things.

    Then yes or no follows a difficulty also on the pairs that cannot show the misreading.
    """
    can_show = [any(_wrong_answers(fault, key) for key in pair.keys) for pair in pairs]
    kinds = {pair.key.answer_type for possible, pair in zip(can_show, pairs, strict=True) if possible}
    others = [pair for possible, pair in zip(can_show, pairs, strict=True) if not possible]
    only_yes_no = fault in MISREADINGS.values() and kinds == {"yes-no"}
    return only_yes_no and any(_follows_difficulty(_symptoms(bias, others)) for bias in ("yes-bias", "no-bias"))


def _same_answers(pairs: Sequence[PairResult]) -> Iterator[_Symptom]:
    """A `_Symptom` for each pair with two answers, as "blind" and "sticky" show.

    The symptom is two equal answers to a relevant pair, or two different ones to a control. Each dial counts as two:
    the lower and the higher of its values for the two pictures.
    """
    for pair in pairs:
        if answers := two_answers(pair):
            first, second = (key.difficulty for key in pair.keys)
            dials = {name: (value, second.get(name, value)) for name, value in first.items()}
            ends = {(name, end): end(values) for name, values in dials.items() for end in (min, max)}
            shows = (answers[0] == answers[1]) == pair.key.relevant
            yield _Symptom((cell_of(pair.key), pair.key.relevant), ends, float(shows))


def _follows_difficulty(symptoms: Iterable[_Symptom]) -> bool:
    """True if symptoms become more, or fewer, with a dial of the difficulty.

    The test is a trend by ranks within strata (Mantel 1963), corrected for the number of dials (Bonferroni).
    """
    dials: dict[Hashable, dict[Hashable, list[tuple[float, float]]]] = {}
    for stratum, difficulty, share in symptoms:
        for name, value in difficulty.items():
            dials.setdefault(name, {}).setdefault(stratum, []).append((value, share))
    smallest_p = 1.0
    for strata in dials.values():
        trend, variance = 0.0, 0.0
        for points in strata.values():
            values, shares = zip(*points, strict=True)
            x, y = average_ranks(values) / len(points), np.array(shares, dtype=float)
            x, y = x - x.mean(), y - y.mean()
            trend += float(x @ y)
            variance += float((x @ x) * (y @ y)) / max(len(points) - 1, 1)
        if variance > 0:
            smallest_p = min(smallest_p, 2 * normal_above(abs(trend) / math.sqrt(variance)))
    return smallest_p * max(len(dials), 1) < MAX_P_OF_TREND


def _leans_beyond_a_skill(pairs: Sequence[PairResult], answer: str) -> bool:
    """True if the bias to `answer` shows in more than one skill.

    That is so if in all other skills together `answer` is wrongly given hardly less often than in the skill with the
    most such errors, or clearly more often than the opposite wrong answer. Counts are by (the truth is not `answer`,
    the reply is right): under (True, False), `answer` was wrongly given.
    """
    skills: defaultdict[str, Counter[tuple[bool, bool]]] = defaultdict(Counter)
    for pair in pairs:
        for key, reply in pair.questions:
            if key.answer_type == "yes-no" and reply is not None and reply.value is not None:
                skills[key.skill][key.expected != answer, reply.right] += 1
    *other_skills, strongest = sorted(skills.values(), key=lambda counts: counts[True, False] - counts[False, False])
    others = sum(other_skills, Counter[tuple[bool, bool]]())
    shares = [(counts[True, False], counts[True, False] + counts[True, True]) for counts in (strongest, others)]
    if not other_skills or log_fisher(*shares) >= math.log(MAX_P_OF_TREND):
        return True
    wrong = others[True, False] + others[False, False]
    chance = (others[True, False] + others[True, True]) / others.total()
    return _is_more(others[True, False], wrong, chance)


def _leans_to_the_original(pairs: Sequence[PairResult]) -> bool:
    """True if equal answers are more often the original's truth than the intervened's (exact binomial test)."""
    roles = Counter[str]()
    for pair, answer in _answered_alike(pairs):
        roles.update(key.role for key in pair.keys if key.expected == answer)
    return _is_more(roles["original"], roles.total())


def _leans_to_prior(pairs: Sequence[PairResult]) -> bool:
    """True if equal answers are more often what the prior (what usually happens) gives than not (binomial test).

    The skill in which this is clearest is left out, since a judge that answers from the words alone gives one answer
    for all pictures with the same question.
    """
    by_skill: dict[str, Counter[bool]] = {}
    for pair, answer in _answered_alike(pairs):
        priors = [key.misreadings["prior-bound"] for key in pair.keys if "prior-bound" in key.misreadings]
        by_skill.setdefault(pair.key.skill, Counter()).update(answer == prior for prior in priors)
    skills = sorted(by_skill.values(), key=lambda counts: counts[True] - counts[False])
    rest = skills[:-1] or skills
    return _is_more(sum(counts[True] for counts in rest), sum(counts.total() for counts in rest))


def _is_more(hits: int, total: int, chance: float = 0.5) -> bool:
    """True if `hits` of `total` are clearly more than by a chance of `chance` each (exact binomial test)."""
    return total > 0 and binomial_above(hits, total, chance) < MAX_P


def _answered_alike(pairs: Sequence[PairResult]) -> Iterator[tuple[PairResult, str]]:
    """The relevant pairs with one answer to both pictures, and that answer."""
    for pair in pairs:
        if pair.key.relevant and (answers := two_answers(pair)) and answers[0] == answers[1]:
            yield pair, answers[0]


def _is_mostly_one_off(pairs: Sequence[PairResult]) -> bool:
    """True if most wrong counts are off by one.

    With fewer than `MIN_WRONG` wrong counts, it is True if few things are miscounted as often as many.
    """
    wrong = [
        abs(int(reply.value) - int(key.expected))
        for pair in pairs
        for key, reply in pair.questions
        if key.answer_type == "integer" and reply is not None and reply.value is not None
        if is_count(reply.value) and not reply.right
    ]
    return _miscounts_few(pairs) if len(wrong) < MIN_WRONG else wrong.count(1) >= MIN_OFF_BY_ONE * len(wrong)


def _miscounts_few(pairs: Sequence[PairResult]) -> bool:
    """True unless yes/no questions about counts are clearly more often right with fewer things (Fisher's test)."""
    rows = sorted(
        (int(key.traits["count"]), reply.right)
        for pair in pairs
        for key, reply in pair.questions
        if reply is not None and "count" in key.traits
        if key.misreadings.get("off-by-one", key.expected) != key.expected
    )
    half = len(rows) // 2
    few, many = (Counter(right for _, right in part) for part in (rows[:half], rows[half:]))
    return log_fisher((many[False], many.total()), (few[False], few.total())) >= math.log(MAX_P)


def _is_widespread(pairs: Sequence[PairResult], blame: FloatArray, min_dose: float) -> bool:
    """True if blindness shows in at least half of the skills, as in a judge that does not look at pictures.

    A judge that shows it in one skill only cannot see what that skill is about; it is not blind. `blame` (N,): the
    share of each pair's errors that is put down to blindness.
    """
    counts: Counter[str] = Counter()
    blamed: dict[str, float] = {}
    for pair, share in zip(pairs, blame, strict=True):
        if pair.key.relevant and pair.both is not None:
            counts[pair.key.skill] += 1
            blamed[pair.key.skill] = blamed.get(pair.key.skill, 0.0) + float(share)
    enough = [skill for skill, count in counts.items() if count >= MIN_PAIRS]
    shows = sum(blamed[skill] >= min_dose * counts[skill] for skill in enough)
    return 2 * shows >= len(enough)


def is_a_bias(pairs: Sequence[PairResult]) -> bool:
    """True if equal answers to both pictures are to be called a bias, not blindness.

    They are if every question is yes/no and these answers are nearly always the same word: a blind judge that always
    says yes would give the same replies as one with a yes-bias.
    """
    if any(pair.key.answer_type != "yes-no" for pair in pairs if pair.key.relevant):
        return False
    alike = Counter(answer for _, answer in _answered_alike(pairs))
    return alike.total() >= MIN_WRONG and max(alike.values()) >= MIN_ONE_WORD * alike.total()


def is_count(text: str) -> bool:
    """True if an answer is a whole number of at most nine digits."""
    return text.isascii() and text.isdecimal() and len(text) <= 9
