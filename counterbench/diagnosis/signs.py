"""Plain signs that a fault must show beside the model's test, so that it is not named for errors that only resemble it.

The model weighs a few ways to be wrong; a judge of flesh and blood has others. What each fault says of a judge can be
counted directly, and must hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from counterbench.diagnosis.patterns import Floats
from counterbench.scoring.results import PairResult

MOST_P = 1e-4  # of the sticky judge's one-sidedness and the habitual one's, and of miscounting many things alone
MOSTLY = 2 / 3  # of the wrong counts of a judge that miscounts by one
ONE_WORD = 0.95  # of the pairs answered alike, by a biased judge
LEAST_WRONG, LEAST_PAIRS = 10, 5  # below these nothing is held against a fault


def is_plain(fault: str, pairs: Sequence[PairResult], blame: Floats, least: float) -> bool:
    """Whether nothing plain speaks against `fault`, given its blame (N,) for each pair; faults without a sign pass."""
    match fault:
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
