"""The evidence for a fault in words, with counts that a person can check in the run."""

from collections import Counter
from collections.abc import Callable, Sequence

from counterbench.diagnosis.measures import ARROW_MISREADINGS, Answered, answered, lost_by_family
from counterbench.diagnosis.patterns import misreadings_of, two_answers
from counterbench.diagnosis.signs import is_count
from counterbench.scoring.results import PairResult

Pairs = Sequence[PairResult]


def evidence(fault: str, pairs: Pairs) -> str:
    """The evidence for `fault`, one of `FAULTS`, in these pairs."""
    return _EVIDENCE[fault](pairs)


def _of(hits: int, of: int) -> str:
    return f"{hits} of {of} ({100 * hits / of:.1f} %)" if of else f"{hits} of {of}"


def _relevant(pairs: Pairs) -> list[tuple[PairResult, str, str]]:
    """Relevant pairs that were answered twice, with the answers."""
    return [(pair, *answers) for pair in pairs if pair.key.relevant and (answers := two_answers(pair))]


def _sticky(pairs: Pairs) -> str:
    twice = _relevant(pairs)
    original = sum(a == b == pair.keys[0].expected for pair, a, b in twice)
    intervened = sum(a == b == pair.keys[1].expected for pair, a, b in twice)
    return (
        f"gives the original's true answer to both pictures of {_of(original, len(twice))} relevant pairs, and the "
        f"intervened one's to both of {intervened}"
    )


def _blind(pairs: Pairs) -> str:
    twice = _relevant(pairs)
    same = [(pair, a) for pair, a, b in twice if a == b]
    neither = sum(a not in {key.expected for key in pair.keys} for pair, a in same)
    families = Counter(pair.key.family for pair, _ in same)
    where = ", ".join(f"{family} {count}" for family, count in families.most_common(4))
    return (
        f"gives one answer to both pictures of {_of(len(same), len(twice))} relevant pairs (in {neither} it is true of "
        f"neither): {where}"
    )


def _bias(answer: str) -> Callable[[Pairs], str]:
    other = {"yes": "no", "no": "yes"}[answer]

    def in_words(pairs: Pairs) -> str:
        asked = [(key, said) for key, said in answered(pairs) if key.answer_type == "yes-no"]
        wrongly = [said == answer for key, said in asked if key.expected == other]
        missed = [said == other for key, said in asked if key.expected == answer]
        return (
            f"says {answer} to {_of(sum(wrongly), len(wrongly))} questions whose answer is {other}, and {other} to "
            f"{_of(sum(missed), len(missed))} whose answer is {answer}"
        )

    return in_words


def _off_by_one(pairs: Pairs) -> str:
    counts = [(int(key.expected), said) for key, said in answered(pairs) if key.answer_type == "integer"]
    errors = Counter(int(said) - true for true, said in counts if is_count(said) and int(said) != true)
    near = errors[1] + errors[-1]
    if not counts:
        return _misread(pairs, "off-by-one", "off-by-minus-one")
    return (
        f"is one off in {near} of {errors.total()} wrong counts ({errors[1]} too many, {errors[-1]} too few), of "
        f"{len(counts)} open ones"
    )


def _colours(pairs: Pairs) -> str:
    colours = [(key, said) for key, said in answered(pairs) if key.answer_type == "colour"]
    if not colours:
        return _misread(pairs, "colour-confusion")
    wrong = [(key, said) for key, said in colours if said != key.expected]
    near = sum(misreadings_of(key).get("colour-confusion") == said for key, said in wrong)
    often = Counter(f"{said} for {key.expected}" for key, said in wrong).most_common(3)
    examples = ", ".join(f"{what} {count} times" for what, count in often)
    return (
        f"names the neighbouring hue in {near} of {len(wrong)} wrong colours ({examples}), of {len(colours)} open ones"
    )


def _arrows(pairs: Pairs) -> str:
    asked = [(k, said) for k, said in answered(pairs) if k.skill == "arrow-target" and k.answer_type == "colour-shape"]
    if not asked:
        return _misread(pairs, *ARROW_MISREADINGS)
    wrong = [(key, said) for key, said in asked if said != key.expected]
    counts = {name: sum(key.misreadings.get(name) == said for key, said in wrong) for name in ARROW_MISREADINGS}
    return (
        f"names the shape nearest to the tail in {counts['nearest-tail']} of {len(wrong)} wrong arrow targets, the "
        f"most central one in {counts['most-central']}, the largest in {counts['largest']}, of {len(asked)} open ones"
    )


def _agreeing(pairs: Pairs) -> str:
    asked = [(key, said) for key, said in answered(pairs) if key.answer_type == "yes-no" and key.expected == "no"]
    absent = [said == "yes" for key, said in asked if "agreeable" in misreadings_of(key)]
    rest = [said == "yes" for key, said in asked if "agreeable" not in misreadings_of(key)]
    return (
        f"says yes to {_of(sum(absent), len(absent))} questions about what is not there, and to "
        f"{_of(sum(rest), len(rest))} others whose answer is no"
    )


def _misread(pairs: Pairs, *names: str) -> str:
    """The evidence from yes/no forms, in which a misreading gives the answer that is wrong."""
    asked: list[Answered] = [
        (key, said) for key, said in answered(pairs) if any(name in misreadings_of(key) for name in names)
    ]
    wrong = [(key, said) for key, said in asked if said != key.expected]
    explained = sum(said in {misreadings_of(key).get(name) for name in names} for key, said in wrong)
    return f"says what this misreading gives in {explained} of {len(wrong)} wrong answers, of {len(asked)} questions"


def _lost(outcome: str, words: str) -> Callable[[Pairs], str]:
    def in_words(pairs: Pairs) -> str:
        families = lost_by_family(pairs)
        lost = Counter({name: family.outcomes[outcome] for name, family in families.items()})
        asked = sum(family.asked for family in families.values())
        shares = (f"{name} {100 * n / families[name].asked:.1f} %" for name, n in lost.most_common(3) if n)
        return f"{words} {_of(lost.total(), asked)} questions: {', '.join(shares)}"

    return in_words


_EVIDENCE: dict[str, Callable[[Pairs], str]] = {
    "blind": _blind,
    "sticky": _sticky,
    "yes-bias": _bias("yes"),
    "no-bias": _bias("no"),
    "off-by-one": _off_by_one,
    "colour-confusion": _colours,
    "arrow-blind": _arrows,
    "prior-bound": lambda pairs: (
        _misread(pairs, "prior-bound") + " about pictures that are not as the real law would have them"
    ),
    "bag-of-words": lambda pairs: (
        _misread(pairs, "bag-of-words") + " about things whose noun and colour are in the picture apart"
    ),
    "agreeable": _agreeing,
    "unparsed": _lost("unparsed", "gives no readable answer to"),
    "refusing": _lost("refused", "declines"),
    "failing": _lost("failed", "fails on"),
}
