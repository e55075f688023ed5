"""Plain signs that a fault must show beside the model's test, so that it is not named for errors that only resemble it.

The model weighs a few ways to be wrong; a judge of flesh and blood has others. What each fault says of a judge can be
counted directly, and must hold.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from counterbench.diagnosis.patterns import MISREADINGS, Floats, misreadings_of
from counterbench.runs.queries import Key, cell_of
from counterbench.scene.pairs import ROLES
from counterbench.scoring.results import PairResult

MOST_P = 1e-4  # of the sticky judge's one-sidedness and the habitual one's, and of miscounting many things alone
MOST_P_OF_TREND = 0.001  # that a fault follows no difficulty, for all dials together; and no skill, for a bias
MOSTLY = 2 / 3  # of the wrong counts of a judge that miscounts by one
ONE_WORD = 0.95  # of the pairs answered alike, by a biased judge
LEAST_WRONG, LEAST_PAIRS = 10, 5  # below these nothing is held against a fault
# What was counted of a question or pair: what it is one of, its difficulties by name, and whether the fault shows.
_Counted = tuple[Hashable, Mapping[Any, float], float]


def is_plain(
    fault: str, pairs: Sequence[PairResult], blame: Floats, least: float, others: Collection[str] = ()
) -> bool:
    """Whether nothing plain speaks against `fault`, given its blame (N,) for each pair; faults without a sign pass.

    `others`: further faults that are to be named. Pairs that one of them could misread tell nothing of a difficulty.
    """
    rivals = {name for name, of in MISREADINGS.items() if of in others and of != fault}
    clear = [pair for pair in pairs if not any(rivals & misreadings_of(key).keys() for key in pair.keys)]
    if _follows(_shows(fault, clear)) or _is_rather_unseen(fault, clear):
        return False
    match fault:
        case "yes-bias" | "no-bias":
            return _leans_beyond_a_skill(pairs, fault.removesuffix("-bias"))
        case "sticky":
            return _leans_to_the_original(pairs)
        case "prior-bound":
            return _leans_to_habit(pairs)
        case "off-by-one":
            return _is_mostly_one_off(pairs)
        case "blind":
            return _is_widespread(pairs, blame, least)
        case _:
            return True


def _shows(fault: str, pairs: Sequence[PairResult]) -> Iterator[_Counted]:
    """The places where a fault can show, and whether it does: pairs of a judge that is blind or sticky, else questions.

    Of a misreading yes/no questions alone: a wrong number that is one off is its sign at any difficulty.
    """
    if fault in ("blind", "sticky"):
        yield from _alike(pairs)
        return
    for pair in pairs:
        found: list[_Counted] = []
        for key, reply in pair.questions:
            wrong = _wrongly(fault, key)
            if wrong and key.answer_type == "yes-no" and reply is not None and reply.value is not None:
                found.append((tuple(wrong), key.difficulty, float(reply.value in wrong.values())))
        if len(found) == len(ROLES) and found[0][1] == found[1][1]:  # it shows on both or neither, of some judges
            (one, difficulty, first), (other, _, second) = found
            found = [((one, other), difficulty, (first + second) / 2)]
        yield from (((cell_of(pair.key), names), difficulty, shows) for names, difficulty, shows in found)


def _wrongly(fault: str, key: Key) -> dict[str, str]:
    """The wrong answers to a question that are signs of a misreading or a bias, by name."""
    if fault.endswith("-bias"):
        known = {fault: fault.removesuffix("-bias")} if key.answer_type == "yes-no" else {}
    else:
        known = {name: value for name, value in misreadings_of(key).items() if MISREADINGS.get(name) == fault}
    return {name: value for name, value in known.items() if value != key.expected}


def _is_rather_unseen(fault: str, pairs: Sequence[PairResult]) -> bool:
    """A misreading of yes/no questions alone is rather what is said where it does not see: elsewhere that is so."""
    can = [any(_wrongly(fault, key) for key in pair.keys) for pair in pairs]
    kinds = {pair.key.answer_type for here, pair in zip(can, pairs, strict=True) if here}
    rest = [pair for here, pair in zip(can, pairs, strict=True) if not here]
    alone = fault in MISREADINGS.values() and kinds == {"yes-no"}
    return alone and any(_follows(_shows(bias, rest)) for bias in ("yes-bias", "no-bias"))


def _alike(pairs: Sequence[PairResult]) -> Iterator[_Counted]:
    """The pairs that were answered twice, and whether a relevant one alike, or a control otherwise the second time.

    Each difficulty is tried at its lower and its higher value of the two pictures.
    """
    for pair in pairs:
        if (both := pair.both) and both[0].value is not None and both[1].value is not None:
            first, second = (key.difficulty for key in pair.keys)
            dials = {name: (value, second.get(name, value)) for name, value in first.items()}
            ends = {(name, end): end(values) for name, values in dials.items() for end in (min, max)}
            shows = (both[0].value == both[1].value) == pair.key.relevant
            yield (cell_of(pair.key), pair.key.relevant), ends, float(shows)


def _follows(counted: Iterable[_Counted]) -> bool:
    """Whether what shows hangs on a difficulty: trend by ranks within cells (Mantel 1963), Bonferroni over dials."""
    from scipy.stats import norm, rankdata

    dials: dict[Hashable, dict[Hashable, list[tuple[float, float]]]] = {}
    for cell, difficulty, shows in counted:
        for name, value in difficulty.items():
            dials.setdefault(name, {}).setdefault(cell, []).append((value, shows))
    least = 1.0
    for cells in dials.values():
        together, variance = 0.0, 0.0
        for points in cells.values():
            values, shown = zip(*points, strict=True)
            x, y = rankdata(values) / len(points), np.array(shown, dtype=float)
            x, y = x - x.mean(), y - y.mean()
            together += float(x @ y)
            variance += float((x @ x) * (y @ y)) / max(len(points) - 1, 1)
        if variance > 0:
            least = min(least, 2 * float(norm.sf(abs(together) / math.sqrt(variance))))
    return least * max(len(dials), 1) < MOST_P_OF_TREND


def _leans_beyond_a_skill(pairs: Sequence[PairResult], answer: str) -> bool:
    """Outside the skill in which it says `answer` wrongly most, it does so hardly less, or clearly more than not."""
    from scipy.stats import binomtest, fisher_exact

    skills: defaultdict[str, Counter[tuple[bool, bool]]] = defaultdict(Counter)
    for pair in pairs:
        for key, reply in pair.questions:
            if key.answer_type == "yes-no" and reply is not None and reply.value is not None:
                skills[key.skill][key.expected != answer, reply.right] += 1
    *rest, most = sorted(skills.values(), key=lambda often: often[True, False] - often[False, False])
    others = sum(rest, Counter[tuple[bool, bool]]())
    shares = [[often[True, False], often[True, True]] for often in (most, others)]
    if not rest or float(fisher_exact(shares, alternative="greater").pvalue) >= MOST_P_OF_TREND:
        return True
    wrong = others[True, False] + others[False, False]
    could = (others[True, False] + others[True, True]) / others.total()
    return wrong > 0 and float(binomtest(others[True, False], wrong, could, alternative="greater").pvalue) < MOST_P


def _leans_to_the_original(pairs: Sequence[PairResult]) -> bool:
    """It gives the original's answer to both pictures more often than the intervened one's (exact binomial test)."""
    from scipy.stats import binomtest

    said = Counter[str]()
    for pair, answer in _answered_alike(pairs):
        said.update(key.role for key in pair.keys if key.expected == answer)
    of = said.total()
    return of > 0 and float(binomtest(said["original"], of, alternative="greater").pvalue) < MOST_P


def _leans_to_habit(pairs: Sequence[PairResult]) -> bool:
    """One answer to both pictures is more often habit's than the other, beyond the skill in which it is most so: one
    that answers from the words says one thing of all pictures that it is asked about in the same words.
    """
    from scipy.stats import binomtest

    said: dict[str, Counter[bool]] = {}
    for pair, answer in _answered_alike(pairs):
        habits = [key.misreadings["prior-bound"] for key in pair.keys if "prior-bound" in key.misreadings]
        said.setdefault(pair.key.skill, Counter()).update(answer == habit for habit in habits)
    skills = sorted(said.values(), key=lambda often: often[True] - often[False])
    rest = skills[:-1] or skills
    hits, of = sum(often[True] for often in rest), sum(often.total() for often in rest)
    return of > 0 and float(binomtest(hits, of, alternative="greater").pvalue) < MOST_P


def _answered_alike(pairs: Sequence[PairResult]) -> Iterator[tuple[PairResult, str]]:
    """The relevant pairs with one answer to both pictures, and that answer."""
    for pair in pairs:
        if pair.key.relevant and (both := pair.both):
            first, second = both[0].value, both[1].value
            if first is not None and first == second:
                yield pair, first


def _is_mostly_one_off(pairs: Sequence[PairResult]) -> bool:
    """Most of its wrong counts are by one. With few open ones: it miscounts few things as well as many."""
    wrong = [
        abs(int(reply.value) - int(key.expected))
        for pair in pairs
        for key, reply in pair.questions
        if key.answer_type == "integer" and reply is not None and reply.value is not None
        if is_count(reply.value) and not reply.right
    ]
    return _miscounts_few(pairs) if len(wrong) < LEAST_WRONG else wrong.count(1) >= MOSTLY * len(wrong)


def _miscounts_few(pairs: Sequence[PairResult]) -> bool:
    """Yes/no questions about counts are not clearly more often right where there are fewer things (Fisher's test)."""
    from scipy.stats import fisher_exact

    said = sorted(
        (int(key.traits["count"]), reply.right)
        for pair in pairs
        for key, reply in pair.questions
        if reply is not None and "count" in key.traits
        if key.misreadings.get("off-by-one", key.expected) != key.expected
    )
    half = len(said) // 2
    few, many = (Counter(right for _, right in part) for part in (said[:half], said[half:]))
    table = [[few[False], few[True]], [many[False], many[True]]]
    return float(fisher_exact(table, alternative="less").pvalue) >= MOST_P


def _is_widespread(pairs: Sequence[PairResult], blame: Floats, least: float) -> bool:
    """It shows in at least half of the skills, as not looking would; one that shows in one skill is not seeing that."""
    asked: Counter[str] = Counter()
    blamed: dict[str, float] = {}
    for pair, share in zip(pairs, blame, strict=True):
        if pair.key.relevant and pair.both is not None:
            asked[pair.key.skill] += 1
            blamed[pair.key.skill] = blamed.get(pair.key.skill, 0.0) + float(share)
    enough = [skill for skill, count in asked.items() if count >= LEAST_PAIRS]
    shows = sum(blamed[skill] >= least * asked[skill] for skill in enough)
    return 2 * shows >= len(enough)


def is_a_bias(pairs: Sequence[PairResult]) -> bool:
    """Every question is yes/no, and whatever it says of both pictures is one and the same word: that is a bias.

    A yes-biased judge then gives the same replies as one that looks away on so many pairs and says yes.
    """
    if any(pair.key.answer_type != "yes-no" for pair in pairs if pair.key.relevant):
        return False
    alike = Counter(answer for _, answer in _answered_alike(pairs))
    return alike.total() >= LEAST_WRONG and max(alike.values()) >= ONE_WORD * alike.total()


def is_count(text: str) -> bool:
    """Whether an answer is a count that can be worked with, and not a row of digits without end."""
    return text.isascii() and text.isdecimal() and len(text) <= 9
