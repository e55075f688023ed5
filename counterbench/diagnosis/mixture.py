"""A model of how a faulty judge answers a pair, fitted by expectation-maximisation (Dempster, Laird and Rubin 1977).

A pair is answered in one of three ways, and a response bias acts last, on each yes/no question by itself:

    blind    one answer to both pictures, from the words alone (a distribution for each answer type)
    sticky   the original's true answer to both pictures
    seeing   each picture for itself: misread in a known way, or wrong otherwise, or right

"Wrong otherwise" is no fault of the list: each kind of question has its own rates of it, one for any wrong answer and
one for the truth of the other picture, which only a relevant pair has. All pairs are fitted: a control says nothing
about "sticky" but as much as others about the rest, and a judge that changes an answer there is not blind.
"""

from collections.abc import Set as AbstractSet

import msgspec
import numpy as np

from counterbench.diagnosis.patterns import MISREADINGS, Flags, FloatArray, Patterns

# The faults that the model knows; each is a set of its parameters.
MODELLED: tuple[str, ...] = ("blind", "sticky", "yes-bias", "no-bias", *dict.fromkeys(MISREADINGS.values()))
_FAULTS = list(MISREADINGS.values())  # of each of the M misreadings
_STEPS, _ENOUGH, _TINY = 400, 1e-3, 1e-12  # the most steps, the least gain of one, and a divisor instead of 0
# The W ways to answer a pair. There is one blind way for each answer to a yes/no question, since a bias can make the
# two replies differ, and one for all other questions.
_SEEING, _STICKY, _BLIND_YES, _BLIND_NO, _BLIND_OTHER = range(5)
_BLIND = slice(_BLIND_YES, None)


class Doses(msgspec.Struct):
    """The parameters of the model: shares, and the distributions `words`."""

    blind: float  # of pairs
    sticky: float  # of pairs that are not blind
    yes: float  # of yes/no questions: answered yes by a bias, whatever was seen
    no: float  # of yes/no questions: the same for no
    misread: FloatArray  # (M,): of questions that are seen, by misreading
    other: FloatArray  # (G,): of relevant pairs' questions that are neither misread nor `far`, by kind of question
    far: FloatArray  # (G,): of questions that are seen and not misread, by kind of question
    words: list[FloatArray]  # by answer type, the distribution of answers that are given without looking

    def dose_of(self, fault: str) -> float:
        """The dose of a fault: its parameter, or the sum over its misreadings."""
        match fault:
            case "blind" | "sticky":
                return float(getattr(self, fault))
            case "yes-bias" | "no-bias":
                return self.yes if fault == "yes-bias" else self.no
            case _:
                return float(sum(self.misread[i] for i, name in enumerate(_FAULTS) if name == fault))


def parameters(fault: str) -> int:
    """The number of the model's parameters that belong to a fault."""
    return _FAULTS.count(fault) or 1


class Fit(msgspec.Struct, frozen=True):
    """A fitted model: its doses, the log-likelihood of the pairs, and the blame of each fault.

    `blame` (P, F + 1): the share of a pattern's wrong answers due to each of the F faults of `MODELLED`; the last
    column is the share due to none of them. Rows of patterns without a wrong answer are 0.
    """

    doses: Doses
    loglik: float
    blame: FloatArray


def fit(patterns: Patterns, absent: AbstractSet[str] = frozenset(), enough: float = _ENOUGH) -> Fit:
    """The most likely doses, with the faults in `absent` held at 0; done when a step gains less than `enough`."""
    doses = _start(patterns, absent)
    weights = patterns.count
    last = -np.inf
    for _ in range(_STEPS):
        step = _Step(patterns, doses)
        # `_words` adds one to the count of each word: with these added, the likelihood never falls.
        objective = float(weights @ np.log(step.total)) + sum(float(np.log(words).sum()) for words in doses.words)
        if objective - last < enough:
            break
        last = objective
        doses = step.improved(weights)
    step = _Step(patterns, doses)
    return Fit(doses, float(weights @ np.log(step.total)), step.blame())


def _start(patterns: Patterns, absent: AbstractSet[str]) -> Doses:
    """The first guess of the doses: each that is not held at 0 can grow from it."""

    def begin(fault: str, value: float) -> float:
        """The first guess of a fault's dose; 0 if the fault is absent."""
        return 0.0 if fault in absent else value

    groups = len(patterns.groups)
    return Doses(
        blind=begin("blind", 0.1),
        sticky=begin("sticky", 0.1),
        yes=begin("yes-bias", 0.05),
        no=begin("no-bias", 0.05),
        misread=np.array([begin(name, 0.1) for name in _FAULTS]),
        other=np.where([kind == "yes-no" for _, kind, _ in patterns.groups], 0.0, 0.03) * np.ones(groups),
        far=np.full(groups, 0.05),
        words=[np.full(size, 1 / size) for size in patterns.alphabets],
    )


class _Step:
    """The expectation of one step: the probability of each of P patterns, and of each of the W ways to it.

    The axis of 2 is (original, intervened), M are the misreadings. All arrays are probabilities.
    `biased_yes`, `biased_no`, `other`, `far`, `correct`, `seeing` (P, 2), `misread` (P, 2, M): the cause of a reply.
    `plain`, `replied` (W, P, 2): the reply by each way, before and after the bias.
    `total` (P,): the pattern. `share_of_way` (W, P): the pattern came by this way.
    `honest` (W, P, 2): the reply does not come from a bias.
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
        # Seeing: the causes of this reply. A question that is not misread may still be wrong otherwise.
        self.misread: FloatArray = patterns.matches * patterns.can_show * doses.misread
        read: FloatArray = np.clip(1 - (patterns.can_show * doses.misread).sum(axis=2), 0, 1)
        other, far = doses.other[patterns.group] * patterns.relevant, doses.far[patterns.group]
        wrong = present & ~patterns.right
        self.other: FloatArray = read * patterns.is_other_truth * ((1 - far) * other)[:, None]
        self.far: FloatArray = read * wrong * (far * patterns.chance_of_wrong)[:, None]
        self.correct: FloatArray = read * patterns.right * ((1 - far) * (1 - other))[:, None]
        seeing: FloatArray = self.misread.sum(axis=2) + self.other + self.far + self.correct
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
        """The ways without looking, in the order of `_BLIND`: the share of each (P,), and the chance of a reply (P, 2).

        `yes` has the chances of the two words yes and no.
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

        `sees` (P, 2) has the expected numbers of replies that come from seeing. Of these, `read` are not misread, and
        `near` are those of `read` in relevant pairs that are not wrong by `far`.
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
        near = (read - causes * self.far) * patterns.relevant[:, None]
        per_reply: FloatArray = (weights * self.share_of_way)[:, :, None] / np.clip(self.replied, _TINY, None)
        answered = float((weights[:, None] * (patterns.yes_no[:, None] & present)).sum())
        return Doses(
            blind=_share(float(weights @ blind), float(weights.sum())),
            sticky=_share(float(weights @ self.share_of_way[_STICKY]), float(weights @ (1 - blind))),
            yes=_share(float((per_reply * self.biased_yes).sum()), answered),
            no=_share(float((per_reply * self.biased_no).sum()), answered),
            misread=misread,
            other=_ratio(by_group(causes * self.other), by_group(near)),
            far=_ratio(by_group(causes * self.far), by_group(read)),
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
        for m, fault in enumerate(_FAULTS):
            blame[:, :, column[fault]] += causes * self.misread[:, :, m]
        blame[:, :, -1] = causes * (self.other + self.far)
        blame *= wrong[:, :, None]
        share_of_fault: FloatArray = blame.sum(axis=1) / np.clip(wrong.sum(axis=1), 1, None)[:, None]
        return share_of_fault


def _ratio(part: FloatArray, whole: FloatArray) -> FloatArray:
    """Element by element, part / whole of two arrays of one shape; 0 where whole is 0."""
    return np.where(whole > 0, part / np.where(whole > 0, whole, 1.0), 0.0)


def _share(part: float, whole: float) -> float:
    """The ratio part / whole, kept in 0 … 1; 0 if whole is 0."""
    return min(max(part / whole, 0.0), 1.0) if whole > 0 else 0.0
