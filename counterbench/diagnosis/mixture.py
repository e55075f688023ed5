"""Fits a model of a judge's faults to its answers: how often each fault acts (its dose), and which errors it explains.

In go `Patterns`: P different pairs of replies as arrays, each with its count. Out comes a `Fit` (`fit`), for `faults`.
The model says that a pair of questions is answered in one of three ways, and that a response bias acts last, on each
yes/no question by itself:

    blind    one answer to both pictures, from the words alone (a distribution for each answer type)
    sticky   the original's true answer to both pictures
    seeing   each picture by itself: misread in a known way, or wrong in another way, or right

Being wrong in another way is not a fault: each kind of question has two rates of it, one for the truth of the pair's
other picture (in relevant pairs, whose truth changes) and one for any wrong answer. Pairs whose truth stays (controls)
are fitted too: they say nothing about "sticky", but as much as others about the rest.

The most likely doses are found by expectation-maximisation (Dempster, Laird and Rubin 1977). Each step (`_Step`)
computes the probability of each cause of each reply from the doses, and then better doses from these.
"""

from collections.abc import Set as AbstractSet

import msgspec
import numpy as np

from counterbench.diagnosis.patterns import MISREADINGS, Flags, FloatArray, Patterns

# The faults that the model knows; each is a set of its parameters.
MODELLED: tuple[str, ...] = ("blind", "sticky", "yes-bias", "no-bias", *dict.fromkeys(MISREADINGS.values()))
_FAULT_OF_MISREADING = list(MISREADINGS.values())  # of each of the M misreadings, in order
_MAX_STEPS, _MIN_GAIN, _TINY = 400, 1e-3, 1e-12  # steps; the gain of a step in log-likelihood; a divisor instead of 0
# The indexes of the W = 5 ways to answer a pair. "blind" is three of them: one for each answer to a yes/no question,
# since a bias can make the two replies differ, and one for all other questions.
_SEEING, _STICKY, _BLIND_YES, _BLIND_NO, _BLIND_OTHER = range(5)
_BLIND = slice(_BLIND_YES, None)


class Doses(msgspec.Struct):
    """The parameters of the model. All are shares, 0 … 1; M: misreadings, G: kinds of questions."""

    blind: float  # of pairs
    sticky: float  # of pairs that are not blind
    yes: float  # of yes/no questions: answered yes by a bias, whatever was seen
    no: float  # of yes/no questions: the same for no
    misread: FloatArray  # (M,): of questions that are seen and can show the misreading
    # (G,): of relevant pairs' questions that are neither misread nor `any_wrong`: answered as the other picture.
    other_truth: FloatArray
    any_wrong: FloatArray  # (G,): of questions that are seen and not misread: answered wrong in any other way
    words: list[FloatArray]  # by answer type, the distribution of the answers that are given without looking

    def dose_of(self, fault: str) -> float:
        """The dose of a fault: its parameter, or the sum over its misreadings."""
        match fault:
            case "blind" | "sticky":
                return float(getattr(self, fault))
            case "yes-bias" | "no-bias":
                return self.yes if fault == "yes-bias" else self.no
            case _:
                return float(sum(self.misread[i] for i, name in enumerate(_FAULT_OF_MISREADING) if name == fault))


def parameters(fault: str) -> int:
    """The number of parameters of the model for a fault, to penalise it by."""
    return _FAULT_OF_MISREADING.count(fault) or 1


class Fit(msgspec.Struct, frozen=True):
    """A fitted model: its doses, the log-likelihood of all pairs, and the blame of each fault.

    `blame` (P, F + 1): the share of a pattern's wrong answers due to each of the F faults of `MODELLED`; the last
    column is the share due to none of them. Rows of patterns without a wrong answer are 0.
    """

    doses: Doses
    loglik: float
    blame: FloatArray


def fit(patterns: Patterns, absent: AbstractSet[str] = frozenset(), enough: float = _MIN_GAIN) -> Fit:
    """The fit with the most likely doses; those of the faults in `absent` are held at 0.

    It ends when a step gains less than `enough` in the log-likelihood, or after `_MAX_STEPS`.
    """
    doses = _start(patterns, absent)
    weights = patterns.count
    last = -np.inf
    for _ in range(_MAX_STEPS):
        step = _Step(patterns, doses)
        # `_words` adds one to the count of each answer; with the logarithms of these shares the sum never falls.
        objective = float(weights @ np.log(step.total)) + sum(float(np.log(words).sum()) for words in doses.words)
        if objective - last < enough:
            break
        last = objective
        doses = step.improved(weights)
    step = _Step(patterns, doses)
    return Fit(doses, float(weights @ np.log(step.total)), step.blame())


def _start(patterns: Patterns, absent: AbstractSet[str]) -> Doses:
    """The doses to begin with: above 0, from which they can grow, but 0 for the faults in `absent`."""

    def begin(fault: str, value: float) -> float:
        """The dose of a fault to begin with: `value`, or 0 if the fault is absent."""
        return 0.0 if fault in absent else value

    groups = len(patterns.groups)
    return Doses(
        blind=begin("blind", 0.1),
        sticky=begin("sticky", 0.1),
        yes=begin("yes-bias", 0.05),
        no=begin("no-bias", 0.05),
        misread=np.array([begin(name, 0.1) for name in _FAULT_OF_MISREADING]),
        other_truth=np.where([kind == "yes-no" for _, kind, _ in patterns.groups], 0.0, 0.03) * np.ones(groups),
        any_wrong=np.full(groups, 0.05),
        words=[np.full(size, 1 / size) for size in patterns.alphabets],
    )


class _Step:
    """One step of the fit: from some doses, the probability of each of P patterns and of each cause of its replies.

    The axis of 2 is (original, intervened); M are the misreadings, W the ways. All arrays are probabilities.
    `biased_yes`, `biased_no` (P, 2): the reply, and that a bias gives it.
    `misread` (P, 2, M), `other_truth`, `any_wrong`, `correct` (P, 2): the reply, and that it has this cause, if the
    picture is seen. `seeing` (P, 2): the sum of these.
    `plain`, `replied` (W, P, 2): the reply by each way, before and after the bias.
    `total` (P,): the pattern. `share_of_way` (W, P): given the pattern, that it came by this way.
    `honest` (W, P, 2): given the reply and the way, that it does not come from a bias.
    """

    def __init__(self, patterns: Patterns, doses: Doses) -> None:
        """Compute every array of the class from these doses.

        `seeing` is at least `_TINY`, so that one can divide by it; `total` is above 0 so that it has a logarithm.
        """
        self.patterns, self.doses = patterns, doses
        present = patterns.present
        yes_no = patterns.yes_no[:, None] & present
        self.biased_yes: FloatArray = doses.yes * (yes_no & patterns.yes)
        self.biased_no: FloatArray = doses.no * (yes_no & patterns.no)
        unbiased = 1 - yes_no * (doses.yes + doses.no)
        # The way "seeing": the causes of the reply. A question that is read (not misread) may still be answered wrong.
        self.misread: FloatArray = patterns.matches * patterns.can_show * doses.misread
        read: FloatArray = np.clip(1 - (patterns.can_show * doses.misread).sum(axis=2), 0, 1)
        swapped, astray = doses.other_truth[patterns.group] * patterns.relevant, doses.any_wrong[patterns.group]
        wrong = present & ~patterns.right
        self.other_truth: FloatArray = read * patterns.is_other_truth * ((1 - astray) * swapped)[:, None]
        self.any_wrong: FloatArray = read * wrong * (astray * patterns.chance_of_wrong)[:, None]
        self.correct: FloatArray = read * patterns.right * ((1 - astray) * (1 - swapped))[:, None]
        seeing: FloatArray = self.misread.sum(axis=2) + self.other_truth + self.any_wrong + self.correct
        self.seeing = np.clip(seeing, _TINY, None)
        # The ways in their order: the share of each (P,), and the chance of each reply before the bias (P, 2).
        blind, sticky = doses.blind, doses.sticky
        ways: list[tuple[float | FloatArray, FloatArray]] = [
            ((1 - blind) * (1 - sticky), self.seeing),
            ((1 - blind) * sticky, patterns.is_original_truth * 1.0),
            *self._blind_ways(),
        ]
        self.plain = np.stack([np.where(present, chance, 1.0) for _, chance in ways])
        share = np.stack([share * np.ones(len(present)) for share, _ in ways])
        bias = np.where(present, self.biased_yes + self.biased_no, 0.0)
        self.replied = bias + np.where(present, unbiased, 1.0) * self.plain
        joint = share * self.replied[:, :, 0] * self.replied[:, :, 1]
        self.total: FloatArray = np.clip(joint.sum(axis=0), 1e-300, None)
        self.share_of_way: FloatArray = joint / self.total
        self.honest: FloatArray = np.where(present, unbiased * self.plain / np.clip(self.replied, _TINY, None), 1.0)

    def _blind_ways(self) -> list[tuple[FloatArray, FloatArray]]:
        """The three blind ways, in the order of `_BLIND`: the share of each (P,), and the chance of a reply (P, 2).

        `yes` has the chances of the two answers yes and no.
        """
        patterns, doses = self.patterns, self.doses
        words = np.zeros((len(patterns.count), 2))  # the chance of each reply, said without looking
        for kind, chances in enumerate(doses.words):
            rows = patterns.answer_type == kind
            for j in (0, 1):
                words[rows, j] = np.where(patterns.answer[rows, j] >= 0, chances[patterns.answer[rows, j]], 0.0)
        yes = next((d for k, d in zip(patterns.answer_types, doses.words, strict=True) if k == "yes-no"), np.zeros(2))
        ways: list[tuple[FloatArray, FloatArray]] = [
            (doses.blind * patterns.yes_no * yes[0], patterns.yes * 1.0),
            (doses.blind * patterns.yes_no * yes[1], patterns.no * 1.0),
        ]
        chance = np.where(patterns.present[:, 0], words[:, 0], words[:, 1])
        ways.append((doses.blind * ~patterns.yes_no * chance, np.ones_like(words)))
        return ways

    def improved(self, weights: FloatArray) -> Doses:
        """The doses that make these expectations most likely (0 stays 0). `weights` (P,): the count of each pattern.

        `sees` (P, 2) has the expected numbers of replies that come from seeing; `causes` (P, 2) turns the probability
        of a cause into such a number. Of `sees`, `read` are not misread; of `read`, `not_astray` are those in relevant
        pairs that are not wrong by `any_wrong`.
        """
        patterns = self.patterns
        present = patterns.present
        blind = self.share_of_way[_BLIND].sum(axis=0)
        sees: FloatArray = (weights * self.share_of_way[_SEEING])[:, None] * self.honest[_SEEING] * present
        causes = sees / self.seeing
        misread = _ratio(
            (causes[:, :, None] * self.misread).sum(axis=(0, 1)),
            (sees[:, :, None] * patterns.can_show).sum(axis=(0, 1)),
        )
        groups = len(patterns.groups)

        def by_group(values: FloatArray) -> FloatArray:
            """Sums of values (P, 2) by kind of question (G,)."""
            return np.asarray(np.bincount(patterns.group, values.sum(axis=1), groups), dtype=float)

        read = sees - causes * self.misread.sum(axis=2)
        not_astray = (read - causes * self.any_wrong) * patterns.relevant[:, None]
        per_reply: FloatArray = (weights * self.share_of_way)[:, :, None] / np.clip(self.replied, _TINY, None)
        answered = float((weights[:, None] * (patterns.yes_no[:, None] & present)).sum())
        return Doses(
            blind=_share(float(weights @ blind), float(weights.sum())),
            sticky=_share(float(weights @ self.share_of_way[_STICKY]), float(weights @ (1 - blind))),
            yes=_share(float((per_reply * self.biased_yes).sum()), answered),
            no=_share(float((per_reply * self.biased_no).sum()), answered),
            misread=misread,
            other_truth=_ratio(by_group(causes * self.other_truth), by_group(not_astray)),
            any_wrong=_ratio(by_group(causes * self.any_wrong), by_group(read)),
            words=self._words(weights),
        )

    def _words(self, weights: FloatArray) -> list[FloatArray]:
        """The distribution of answers without looking, by answer type: (A,) for a type of A answers. `weights`: (P,).

        It comes from expected counts plus one each, so that no answer is impossible.
        """
        patterns = self.patterns
        tallies = [np.ones(size) for size in patterns.alphabets]
        answer = np.where(patterns.present[:, 0], patterns.answer[:, 0], patterns.answer[:, 1])
        for kind, name in enumerate(patterns.answer_types):
            rows = (patterns.answer_type == kind) & (answer >= 0)
            if name == "yes-no":
                tallies[kind][:2] += weights @ self.share_of_way[_BLIND_YES], weights @ self.share_of_way[_BLIND_NO]
            else:
                tallies[kind] += np.bincount(
                    answer[rows], (weights * self.share_of_way[_BLIND_OTHER])[rows], len(tallies[kind])
                )
        return [counts / counts.sum() for counts in tallies]

    def blame(self) -> FloatArray:
        """The share of each pattern's wrong answers due to each of `MODELLED`, and to none: (P, F + 1), see `Fit`."""
        patterns = self.patterns
        wrong: Flags = patterns.present & ~patterns.right
        blame = np.zeros((len(wrong), 2, len(MODELLED) + 1))  # by pattern, reply and fault
        column = {fault: i for i, fault in enumerate(MODELLED)}
        bias = self.share_of_way[:, :, None] / np.clip(self.replied, _TINY, None)
        blame[:, :, column["yes-bias"]] = (bias * self.biased_yes).sum(axis=0)
        blame[:, :, column["no-bias"]] = (bias * self.biased_no).sum(axis=0)
        honest = self.share_of_way[:, :, None] * self.honest
        blame[:, :, column["sticky"]] = honest[_STICKY]
        blame[:, :, column["blind"]] = honest[_BLIND].sum(axis=0)
        causes = honest[_SEEING] / self.seeing
        for m, fault in enumerate(_FAULT_OF_MISREADING):
            blame[:, :, column[fault]] += causes * self.misread[:, :, m]
        blame[:, :, -1] = causes * (self.other_truth + self.any_wrong)
        blame *= wrong[:, :, None]
        share_of_fault: FloatArray = blame.sum(axis=1) / np.clip(wrong.sum(axis=1), 1, None)[:, None]
        return share_of_fault


def _ratio(part: FloatArray, whole: FloatArray) -> FloatArray:
    """Element by element, part / whole of two arrays of one shape; 0 where whole is 0."""
    return np.where(whole > 0, part / np.where(whole > 0, whole, 1.0), 0.0)


def _share(part: float, whole: float) -> float:
    """The ratio part / whole, kept in 0 … 1; 0 if whole is 0."""
    return min(max(part / whole, 0.0), 1.0) if whole > 0 else 0.0
