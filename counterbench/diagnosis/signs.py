"""Plain signs that a fault must show beside the model's test, so that it is not named for errors that only resemble it.

The model weighs a few ways to be wrong; a judge of flesh and blood has others. What each fault says of a judge can be
counted directly, and must hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from counterbench.diagnosis.patterns import Floats
from counterbench.scoring.results import PairResult

MOST_P = 1e-4  # of the sticky judge's one-sidedness
MOSTLY = 2 / 3  # of the wrong counts of a judge that miscounts by one
ONE_WORD = 0.95  # of the pairs answered alike, by a biased judge
LEAST_WRONG, LEAST_PAIRS = 10, 20  # below these nothing is held against a fault


def is_plain(fault: str, pairs: Sequence[PairResult], blame: Floats, least: float) -> bool:
    """Whether nothing plain speaks against `fault`, given its blame (N,) for each pair; faults without a sign pass."""
    match fault:
        case "sticky":
            return _leans_to_the_original(pairs)
        case "off-by-one":
            return _is_mostly_one_off(pairs)
        case "blind":
            return _is_widespread(pairs, blame, least)
        case _:
            return True


def _leans_to_the_original(pairs: Sequence[PairResult]) -> bool:
    """It gives the original's answer to both pictures more often than the intervened one's (exact binomial test)."""
    from scipy.stats import binomtest

    said = Counter[str]()
    for pair in pairs:
        if pair.key.relevant and pair.both is not None and pair.both[0].value == pair.both[1].value is not None:
            said.update(key.role for key in pair.keys if key.expected == pair.both[0].value)
    of = said.total()
    return of > 0 and float(binomtest(said["original"], of, alternative="greater").pvalue) < MOST_P


def _is_mostly_one_off(pairs: Sequence[PairResult]) -> bool:
    """Most of its wrong counts are by one; with few open ones nothing speaks against it."""
    wrong = [
        abs(int(reply.value) - int(key.expected))
        for pair in pairs
        for key, reply in pair.questions
        if key.answer_type == "integer" and reply is not None and reply.value is not None
        if is_count(reply.value) and not reply.right
    ]
    return len(wrong) < LEAST_WRONG or wrong.count(1) >= MOSTLY * len(wrong)


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
    relevant = [pair for pair in pairs if pair.key.relevant]
    if any(pair.key.answer_type != "yes-no" for pair in relevant):
        return False
    alike = Counter(both[0].value for pair in relevant if (both := pair.both) and both[0].value == both[1].value)
    return alike.total() >= LEAST_WRONG and max(alike.values()) >= ONE_WORD * alike.total()


def is_count(text: str) -> bool:
    """Whether an answer is a count that can be worked with, and not a row of digits without end."""
    return text.isascii() and text.isdecimal() and len(text) <= 9
