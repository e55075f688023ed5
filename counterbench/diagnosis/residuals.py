"""Residuals: the law, the kind of question or the trait with most of the errors that no fault explains."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy  # whose `stats` is loaded when it is first used

from counterbench.diagnosis.document import Residual
from counterbench.diagnosis.measures import starts
from counterbench.diagnosis.patterns import Flags, Floats
from counterbench.results.results import PairResult
from counterbench.results.scores import share
from counterbench.runs.queries import Key

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

Words = tuple[str, str]  # a kind and its value


class _Part(NamedTuple):
    """A description of a part of the questions."""

    p: float  # the logarithm
    questions: int
    words: Words
    looked: float  # the logarithm of the number of descriptions that were tried


class _Asked:
    """N pairs of two questions each, with every description D of any of them.

    `lost` (N, 2): the question is not right, and no fault explains it; `fits` (N, 2, D): the description fits it.
    """

    def __init__(self, pairs: Sequence[PairResult], lost: Sequence[bool]) -> None:
        dials = _dials(pairs)
        described = [[_descriptions(key, dials) for key in pair.keys] for pair in pairs]
        names = dict.fromkeys(words for pair in described for words in (*pair[0], *pair[1]))
        self.names = sorted(names, key=_place)
        column = {words: d for d, words in enumerate(self.names)}
        self.fits: Flags = np.zeros((len(pairs), 2, len(column)), dtype=bool)
        self.lost: Flags = np.zeros((len(pairs), 2), dtype=bool)
        self.answers = np.full((len(pairs), 2), "", dtype=object)  # yes and no
        for i, (pair, gone) in enumerate(zip(pairs, lost, strict=True)):
            for j, (words, reply) in enumerate(zip(described[i], pair.both or (), strict=True)):
                self.fits[i, j, [column[description] for description in words]] = True
                self.lost[i, j] = gone and not reply.right
                if pair.key.answer_type == "yes-no":
                    self.answers[i, j] = reply.value or ""
        self.often = self.fits.sum(axis=(0, 1))

    def where(self, description: Sequence[Words]) -> Flags:
        """The questions that fit all words of a description (N, 2)."""
        return np.asarray(self.fits[:, :, [self.names.index(words) for words in description]].all(axis=2))

    def counted(self, places: Flags) -> tuple[int, int]:
        """The number of pairs that are lost at a question in `places`, and the number with a question in `places`."""
        return int((places & self.lost).any(axis=1).sum()), int(places.any(axis=1).sum())

    def wrong_answers(self, places: Flags) -> dict[str, int]:
        """The numbers of wrong yes and wrong no answers to questions in `places`."""
        return {answer: int((places & self.lost & (self.answers == answer)).sum()) for answer in ("yes", "no")}

    def part(self, places: Flags) -> _Part | None:
        """The description of the part of `places` that stands out most from the rest; None if none is clear enough."""
        inside = self.fits & places[:, :, None]
        outside = ~self.fits & places[:, :, None]
        lost, rest_lost = ((part & self.lost[:, :, None]).any(axis=1).sum(axis=0) for part in (inside, outside))
        total, rest_total = (part.any(axis=1).sum(axis=0) for part in (inside, outside))
        p = np.zeros(len(self.names))
        may = (total > 0) & (rest_total > 0)
        clear = may & (lost > 0) & (lost * rest_total >= MIN_RATIO * rest_lost * total)
        p[clear] = _fisher((lost, total), (rest_lost, rest_total))[clear]
        looked = math.log(max(may.sum(), 1))
        parts = [_Part(p[d], self.often[d], self.names[d], looked) for d in np.flatnonzero(clear)]
        best = min(parts, key=lambda part: (part.p, part.questions), default=None)
        return best if best and best.p + looked < math.log(MAX_P) else None


def find_residuals(pairs: Sequence[PairResult], unexplained: Floats) -> list[Residual]:
    """The kinds of questions with the `unexplained` blame (N,) of these pairs, the clearest first; empty if none is.

    Pairs count that have both replies and are not explained by a named fault. A description (a law, a skill, a trait)
    is named if its questions are lost at least twice as often as the others, and the p of Fisher's exact test,
    one-sided, times the number of descriptions is below 0.005. A pair counts once inside and once outside a description
    if it has such questions. The description with the smallest p is narrowed by the same rule as long as a part of it
    stands out from its rest. Its pairs are then set aside and the search starts again with the others, so that no pair
    is reported twice.
    """
    counted = sum(pair.both is not None for pair in pairs)
    indices = [i for i, blame in enumerate(unexplained.tolist()) if pairs[i].consistent or blame > 0.5]
    table = _Asked([pairs[i] for i in indices], [not pairs[i].consistent for i in indices])
    blame = unexplained[indices]
    remaining: Flags = np.ones((len(indices), 2), dtype=bool)
    residuals = []
    while table.part(remaining):
        chosen, path = remaining, []
        while part := table.part(chosen):
            chosen = chosen & table.where([part.words])
            path.append(part)
        lost = (chosen & table.lost).any(axis=1)
        inside, outside = table.counted(chosen), table.counted(remaining & ~chosen)
        where = _shortened(table, remaining, [part.words for part in path])
        anyhow = [words for words in where.items() if words[0] != "truth"]
        residuals.append(
            Residual(
                where=where,
                effect=float(blame[lost].sum()) / counted,
                lost=share(*inside),
                elsewhere=share(*outside),
                pairs=[pairs[indices[i]].key.group for i in np.flatnonzero(lost)[:EXAMPLES]],
                said=table.wrong_answers(remaining & table.where(anyhow)) if "truth" in where else {},
                p=min(math.exp(float(_fisher(inside, outside)) + sum(part.looked for part in path)), 1.0),
            )
        )
        remaining[chosen.any(axis=1)] = False
    return residuals


def _fisher(inside: tuple[Any, Any], outside: tuple[Any, Any]) -> Floats:
    """The logarithm of Fisher's p, one-sided, that `inside` more are lost than `outside`, each (lost, of)."""
    return np.asarray(
        scipy.stats.hypergeom.logsf(inside[0] - 1, inside[1] + outside[1], inside[0] + outside[0], inside[1]),
        dtype=float,
    )


def _dials(pairs: Sequence[PairResult]) -> dict[str, list[tuple[float, float]]]:
    """The bin limits of each number of the difficulty: the highest value below a bin, and the lowest in it."""
    values_of: defaultdict[str, list[float]] = defaultdict(list)
    for name, value in (dial for pair in pairs for key in pair.keys for dial in key.difficulty.items()):
        values_of[name].append(value)
    return {
        name: [(max(value for value in values if value < low), low) for low in starts(values)[1:]]
        for name, values in values_of.items()
    }


def _place(words: Words) -> tuple[int, str]:
    """The sort key of a description, by its kind."""
    return (KINDS.index(words[0]), "") if words[0] in KINDS else (len(KINDS), words[0])


def _descriptions(key: Key, dials: Mapping[str, Sequence[tuple[float, float]]]) -> list[Words]:
    """All descriptions that fit a question.

    A count fits every number up to it, a treatment also "any", a number of its difficulty the bounds around it. Law
    and cell are used for checks of laws only: any other cell is already described by its family and form.
    """
    fields = FIELDS if key.law and key.cell.startswith(f"{key.law}/") else FIELDS[2:]
    descriptions = [(kind, str(getattr(key, kind))) for kind in fields if getattr(key, kind)]
    for kind, value in key.traits.items():
        if kind == "count" and value.isdecimal():
            descriptions += [(kind, f"{bound} or more") for bound in range(1, int(value) + 1)]
        elif kind not in FIELDS:
            descriptions += [("treatment", "any")] * (kind == "treatment") + [(kind, value)]
    if key.answer_type == "yes-no":
        descriptions.append(("truth", key.expected))
    for name, number in key.difficulty.items():
        for high, low in dials[name]:
            descriptions.append((f"{name} from", f"{low}") if number >= low else (f"{name} to", f"{high}"))
    return descriptions


def _shortened(table: _Asked, remaining: Flags, description: Sequence[Words]) -> dict[str, str]:
    """The same questions described in as few words as possible, in the order of KINDS."""
    words = sorted(dict(description).items(), key=_place)
    for word in reversed(words):
        shorter = [other for other in words if other != word]
        if shorter and np.array_equal(remaining & table.where(shorter), remaining & table.where(words)):
            words = shorter
    return dict(words)
