"""Residuals: the law, the kind of question or the trait with most of the errors that no fault explains."""

import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from counterbench.diagnosis.document import Residual
from counterbench.diagnosis.measures import bin_starts
from counterbench.diagnosis.patterns import Flags, FloatArray
from counterbench.results.results import PairResult
from counterbench.results.scores import share
from counterbench.runs.queries import Key
from counterbench.stats.tails import log_fisher

# The kinds of words in a description: fields of a key, and traits of its subject. If two describe the same questions,
# the earlier one is used.
FIELDS = ("law", "cell", "family", "skill", "form")
# Numbers of a pair's difficulty, and columns of imported pairs, come after all of these.
_TRAITS = ("mentioned", "side", "count", "size", "column", "row", "colour", "naming", "treatment", "phrasing")
KINDS = (*FIELDS, *_TRAITS, "truth")
# The chance of a false residual, over all descriptions together (Bonferroni).
MAX_P = 0.005
# Pairs must be lost at least this many times as often as elsewhere: a slightly harder kind is no finding.
MIN_RATIO = 2
EXAMPLES = 5

WordPair = tuple[str, str]  # a kind and its value: ("law", "wind")


class _Part(NamedTuple):
    """A description of a part of the questions."""

    p: float  # the logarithm of its p
    questions: int
    words: WordPair
    looked: float  # the logarithm of the number of descriptions that were tried


class _QuestionTable:
    """N pairs of two questions each, with every description of any of them.

    `lost` (2, N): the question is not right, and no fault explains it; `answers` (2, N): it is yes/no and was answered
    so; `fits` (2, N): the description fits it.
    """

    def __init__(self, pairs: Sequence[PairResult], lost: Sequence[bool]) -> None:
        """Fill the arrays from N pairs; `lost` (N): True if a pair is not right and no fault explains it.

        The descriptions are in the order of KINDS, those of difficulty last.
        """
        self.lost: Flags = np.zeros((2, len(pairs)), dtype=bool)
        self.answers: dict[str, Flags] = {answer: np.zeros_like(self.lost) for answer in ("yes", "no")}
        for i, (pair, is_lost) in enumerate(zip(pairs, lost, strict=True)):
            for j, reply in enumerate(pair.both or ()):
                self.lost[j, i] = is_lost and not reply.right
                if pair.key.answer_type == "yes-no" and reply.value:
                    self.answers[reply.value][j, i] = True
        keys = [key for pair in pairs for key in pair.keys]
        found = ((words, fits.reshape(-1, 2).T) for words, fits in (*_fits_of_words(keys), *_fits_of_dials(keys)))
        self.fits: dict[WordPair, Flags] = dict(sorted(found, key=lambda item: _sort_key(item[0])))

    def where(self, description: Iterable[WordPair]) -> Flags:
        """The questions that fit all words of a description (2, N)."""
        return np.asarray(np.all([self.fits[words] for words in description], axis=0))

    def counted(self, places: Flags) -> tuple[int, int]:
        """The number of pairs lost at a question in `places` (2, N), and the number of pairs with such a question."""
        return int((places & self.lost).any(axis=0).sum()), int(places.any(axis=0).sum())

    def wrong_answers(self, places: Flags) -> dict[str, int]:
        """The numbers of wrong yes and wrong no answers to questions in `places` (2, N)."""
        return {answer: int((places & self.lost & with_answer).sum()) for answer, with_answer in self.answers.items()}

    def part(self, places: Flags) -> _Part | None:
        """The description of the part of `places` that stands out most from the rest; None if none is clear enough.

        `places` (2, N): the questions to look at.
        """
        shares = [(self.counted(places & fits), self.counted(places & ~fits)) for fits in self.fits.values()]
        looked = math.log(max(sum(inside[1] > 0 and outside[1] > 0 for inside, outside in shares), 1))
        parts = [
            _Part(log_fisher(inside, outside), int(fits.sum()), words, looked)
            for (words, fits), (inside, outside) in zip(self.fits.items(), shares, strict=True)
            if inside[0] and outside[1] and inside[0] * outside[1] >= MIN_RATIO * outside[0] * inside[1]
        ]
        best = min(parts, key=lambda part: (part.p, part.questions), default=None)
        return best if best and best.p + looked < math.log(MAX_P) else None


def find_residuals(pairs: Sequence[PairResult], unexplained: FloatArray) -> list[Residual]:
    """The kinds of questions with the `unexplained` blame (N,) of these pairs, the clearest first; empty if none is.

    Pairs count that have both replies and are not explained by a named fault. A description (a law, a skill, a trait)
    is named if its questions are lost at least twice as often as the others, and the p of Fisher's exact test,
    one-sided, times the number of descriptions is below 0.005. A pair counts once inside and once outside a description
    if it has such questions. The description with the smallest p is narrowed by the same rule as long as a part of it
    stands out from its rest. Its pairs are then set aside and the search starts again with the others, so that no pair
    is reported twice.
    """
    pair_count = sum(pair.both is not None for pair in pairs)
    indices = [i for i, blame in enumerate(unexplained.tolist()) if pairs[i].consistent or blame > 0.5]
    table = _QuestionTable([pairs[i] for i in indices], [not pairs[i].consistent for i in indices])
    blame = unexplained[indices]
    remaining: Flags = np.ones((2, len(indices)), dtype=bool)
    residuals = []
    while table.part(remaining):
        chosen, path = remaining, []
        while part := table.part(chosen):
            chosen = chosen & table.where([part.words])
            path.append(part)
        is_lost = (chosen & table.lost).any(axis=0)
        inside, outside = table.counted(chosen), table.counted(remaining & ~chosen)
        description = _in_fewest_words(table, remaining, [part.words for part in path])
        without_truth = [words for words in description.items() if words[0] != "truth"]
        residuals.append(
            Residual(
                where=description,
                effect=float(blame[is_lost].sum()) / pair_count,
                lost=share(*inside),
                elsewhere=share(*outside),
                pairs=[pairs[indices[i]].key.group for i in np.flatnonzero(is_lost)[:EXAMPLES]],
                said=table.wrong_answers(remaining & table.where(without_truth)) if "truth" in description else {},
                p=min(math.exp(log_fisher(inside, outside) + sum(part.looked for part in path)), 1.0),
            )
        )
        remaining[:, chosen.any(axis=0)] = False
    return residuals


def _fits_of_words(keys: Sequence[Key]) -> Iterator[tuple[WordPair, Flags]]:
    """Each description by words, in the order in which they occur, and a mask of the keys (Q,) that it fits."""
    kinds: dict[Hashable, tuple[int, list[WordPair]]] = {}  # keys are described once for all that are alike

    def kind(key: Key) -> int:
        """The index of a question's kind: questions are of one kind if the same descriptions fit."""
        fields = (key.law, key.cell, key.family, key.skill, key.form, key.answer_type, key.expected)
        content = (*fields, *key.traits.items())
        if content not in kinds:
            kinds[content] = len(kinds), _descriptions(key)
        return kinds[content][0]

    kind_of = np.array([kind(key) for key in keys], dtype=int)
    members: defaultdict[WordPair, list[int]] = defaultdict(list)
    for number, descriptions in kinds.values():
        for words in descriptions:
            members[words].append(number)
    for words, numbers in members.items():
        fits = np.zeros(len(kinds), dtype=bool)
        fits[numbers] = True
        yield words, fits[kind_of]


def _fits_of_dials(keys: Sequence[Key]) -> Iterator[tuple[WordPair, Flags]]:
    """Each description by a bound of a dial (a number of the difficulty), and a mask of the keys (Q,) that it fits."""
    for name in dict.fromkeys(name for key in keys for name in key.difficulty):
        values = [key.difficulty.get(name, math.nan) for key in keys]
        numbers, values_known = np.array(values, dtype=float), [value for value in values if not math.isnan(value)]
        distinct = sorted(set(values_known))
        for low in bin_starts(values_known)[1:]:
            yield (f"{name} from", f"{low}"), numbers >= low
            yield (f"{name} to", f"{distinct[bisect_left(distinct, low) - 1]}"), numbers < low


def _sort_key(words: WordPair) -> tuple[int, str]:
    """The sort key of a description, by its kind."""
    return (KINDS.index(words[0]), "") if words[0] in KINDS else (len(KINDS), words[0])


def _descriptions(key: Key) -> list[WordPair]:
    """The descriptions that fit a question, except those by numbers of its difficulty.

    A count of N fits "1 or more" up to "N or more"; a treatment fits "any", too. Law and cell are used for checks of
    laws only: any other cell is already described by its family and form.
    """
    fields = FIELDS if key.law and key.cell.startswith(f"{key.law}/") else FIELDS[2:]
    descriptions = [(kind, str(getattr(key, kind))) for kind in fields if getattr(key, kind)]
    for kind, value in key.traits.items():
        if kind == "count" and value.isdecimal():
            descriptions += [(kind, f"{bound} or more") for bound in range(1, int(value) + 1)]
        elif kind not in FIELDS:
            descriptions += [("treatment", "any"), (kind, value)] if kind == "treatment" else [(kind, value)]
    if key.answer_type == "yes-no":
        descriptions.append(("truth", key.expected))
    return descriptions


def _in_fewest_words(table: _QuestionTable, remaining: Flags, description: Sequence[WordPair]) -> dict[str, str]:
    """The description of the same `remaining` questions (2, N) in as few words as possible, in the order of KINDS."""
    words = sorted(dict(description).items(), key=_sort_key)
    for word in reversed(words):
        shorter = [other for other in words if other != word]
        if shorter and np.array_equal(remaining & table.where(shorter), remaining & table.where(words)):
            words = shorter
    return dict(words)
