"""What happened in a run, in counts: flips, yes-share, wrong counts and colours, arrows, lost replies."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from counterbench.diagnosis.difficulty import difficulties
from counterbench.diagnosis.document import Confusion, Measures, YesShare
from counterbench.diagnosis.lost import LOST, lost_by_family
from counterbench.diagnosis.signs import is_count
from counterbench.judges.planted import PLANTED
from counterbench.palette import COLOURS
from counterbench.runs.queries import Key
from counterbench.scoring.results import PairResult
from counterbench.scoring.scores import Share, share

ARROW_MISREADINGS = PLANTED["arrow-blind"].misreadings
Answered = tuple[Key, str]  # a question's key, and the answer it got


def measure(pairs: Sequence[PairResult]) -> Measures:
    """The measures of a run's pairs."""
    changed = {True: Counter[bool](), False: Counter[bool]()}
    for pair in pairs:
        before, after = (reply.value if reply is not None else None for reply in pair.replies)
        if before is not None and after is not None:
            changed[pair.key.relevant][before != after] += 1
    relevant, irrelevant = changed[True], changed[False]
    answers = list(answered(pairs))
    yes_no = [(key, said) for key, said in answers if key.answer_type == "yes-no"]
    return Measures(
        flips=share(relevant[True], relevant.total()),
        false_flips=share(irrelevant[True], irrelevant.total()),
        collapse=share(relevant[False], relevant.total()),
        yes=YesShare(
            said=share(sum(said == "yes" for _, said in yes_no), len(yes_no)),
            true=share(sum(key.expected == "yes" for key, _ in yes_no), len(yes_no)),
        ),
        counts=_confusion(answers, "integer"),
        colours=_confusion(answers, "colour"),
        arrows=_arrows(answers),
        lost=_lost(pairs),
        phrasings=_phrasings(answers),
        difficulty=difficulties(pairs),
    )


def answered(pairs: Sequence[PairResult]) -> Iterator[Answered]:
    """Every question that got an answer, with it."""
    for pair in pairs:
        for key, reply in pair.questions:
            if reply is not None and reply.value is not None:
                yield key, reply.value


def _confusion(answers: Sequence[Answered], kind: str) -> Confusion:
    """Truth → said → how often, of one answer type; numbers and colours in their order."""
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for key, said in answers:
        if key.answer_type == kind:
            found[key.expected][said] += 1
    return {truth: {said: found[truth][said] for said in _ordered(found[truth])} for truth in _ordered(found)}


def _ordered(names: dict[str, Counter[str]] | Counter[str]) -> list[str]:
    colours = {name: i for i, name in enumerate(COLOURS)}
    return sorted(names, key=lambda n: (not is_count(n), int(n) if is_count(n) else 0, colours.get(n, 99), n))


def _arrows(answers: Sequence[Answered]) -> dict[str, int]:
    found = dict.fromkeys(("right", *ARROW_MISREADINGS, "other"), 0)
    for key, said in answers:
        if key.answer_type != "colour-shape" or not any(name in key.misreadings for name in ARROW_MISREADINGS):
            continue  # without a scene nothing is known of what else could be named
        kinds = (name for name in ARROW_MISREADINGS if key.misreadings.get(name) == said)
        found["right" if said == key.expected else next(kinds, "other")] += 1
    return found if any(found.values()) else {}


def _phrasings(answers: Sequence[Answered]) -> dict[str, Share]:
    found: defaultdict[str, list[bool]] = defaultdict(list)
    for key, said in answers:
        if phrasing := key.traits.get("phrasing"):
            found[phrasing].append(said == key.expected)
    return {phrasing: share(sum(right), len(right)) for phrasing, right in sorted(found.items())}


def _lost(pairs: Sequence[PairResult]) -> dict[str, dict[str, int]]:
    return {
        family: {name: lost.outcomes[name] for name in LOST.values()}
        for family, lost in lost_by_family(pairs).items()
        if lost.outcomes.total()
    }
