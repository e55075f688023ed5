"""Checks asked both ways: as they are, and negated, in the frame "is the following false: …?" (`FRAME`).

Only one of the two can be answered with yes. This shows a judge that says yes to everything, which a score does not
show where the right answer is always yes. Answers in the frame are no part of any score.

`negations` makes the questions, `asked_both_ways` finds the two answers, `both_ways` counts contradictions by skill,
and `revoked_by_contradictions` says what they revoke. `leaning` measures how far a judge leans to yes.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from counterbench.pictures.protocols.asks import Ask, CheckReply, question
from counterbench.pictures.scores.document import Leaning
from counterbench.prompts.claims import FRAME, Present, claim_of
from counterbench.prompts.prompt_set import Check, Prompt, PromptSet
from counterbench.prompts.skills import skill_of
from counterbench.scene.seeds import Stream
from counterbench.stats.intervals import UNDEFINED, Estimate, wilson
from counterbench.stats.paired import holm, paired_difference

_SUFFIX = "~negated"
EVERYTHING = "all"  # stands for every skill
_ALPHA = 0.05
_FEWEST = 8  # the smallest number of checks with which a skill can be revoked


class BothForms(msgspec.Struct, frozen=True):
    """A judge's two answers to one check of one sample, yes or no each; `BothWays` counts many of these."""

    sample: str
    answer: str  # to the check as it is
    answer_negated: str  # to the check in the frame
    check: str = ""  # its id


def negations(prompt: Prompt, sample: str, share: float) -> list[Ask]:
    """The yes/no checks of a sample that are asked in the frame too: each with chance `share`, chosen by a hash."""
    return [
        Ask(id=check.id + _SUFFIX, text=FRAME.format(question=question(check)))
        for check in _checks_to_negate(prompt)
        if Stream("negated", sample, check.id).chance(share)
    ]


def negated_check(ask: str) -> str:
    """The id of the check that a question puts in the frame; "" for any other question."""
    return ask.removesuffix(_SUFFIX) if ask.endswith(_SUFFIX) else ""


def asked_both_ways(
    prompt: Prompt, prefix: str, sample: str, replied: Callable[[str], CheckReply | None]
) -> Iterator[BothForms]:
    """The two answers to each check of a sample that was answered both as it is and negated.

    `prefix`: the sample's id in the run; `replied`: the reply to a question by its whole id.
    """
    for check in _checks_to_negate(prompt):
        as_is, negated = replied(f"{prefix}/{check.id}"), replied(f"{prefix}/{check.id}{_SUFFIX}")
        if as_is is not None and negated is not None and as_is.answer is not None and negated.answer is not None:
            yield BothForms(sample, as_is.answer, negated.answer, check.id)


class BothWays(msgspec.Struct, frozen=True):
    """The checks of a run, of all its models together, that were asked both ways."""

    counts: dict[str, int]  # by skill: the number of checks
    contradicted: dict[str, int]  # by skill: the number of checks whose two answers cannot both be right

    @property
    def total(self) -> tuple[int, int]:
        """The numbers of contradicted checks, and of all, over all skills."""
        return sum(self.contradicted.values()), sum(self.counts.values())


def both_ways(prompts: PromptSet, both_forms: Iterable[BothForms]) -> BothWays:
    """The numbers, by skill, of checks that were asked both ways, and of those with contradicting answers.

    "Yes" twice is a contradiction for any check. "No" twice is one only for a check of a single thing: who denies that
    the dog is red, and that this is false, may mean that there is no dog.
    """
    counts, contradicted = Counter[str](), Counter[str]()
    for answers in both_forms:
        check = prompts.checks[answers.sample.rpartition("/")[0], answers.check]
        skill = skill_of(check)
        counts[skill] += 1
        contradicted[skill] += answers.answer == answers.answer_negated and (
            answers.answer == "yes" or _is_one_thing(check)
        )
    return BothWays(dict(counts), dict(contradicted))


def revoked_by_contradictions(ways: BothWays, control: float) -> list[str]:
    """The skills whose admission is revoked by contradictions, or EVERYTHING.

    `control`: the policy's bound for controls, the share of them that a judge must have right.
    A skill is revoked where the exact one-sided 95 % interval of the contradicted share lies above 1 − `control`: over
    all checks, or of a skill with 8 checks or more (adjusted for the number of skills by Holm).
    """
    if _p_value(*ways.total, 1 - control) <= _ALPHA:
        return [EVERYTHING]
    skills = [skill for skill, count in ways.counts.items() if count >= _FEWEST]
    adjusted = holm([_p_value(ways.contradicted[skill], ways.counts[skill], 1 - control) for skill in skills])
    return [skill for skill, p in zip(skills, adjusted, strict=True) if p is not None and p <= _ALPHA]


def _p_value(count: int, total: int, max_share: float) -> float:
    """The chance of so many contradictions or more, if a share `max_share` of the checks has one."""
    from scipy.special import bdtrc

    return float(bdtrc(count - 1, total, max_share)) if count else 1.0


def _is_one_thing(check: Check) -> bool:
    """True if a check asks for a single thing: is there a dog?"""
    claim = claim_of(check.text)
    return isinstance(claim, Present) and claim.number == "one"


def leaning(forms: Sequence[BothForms]) -> Leaning | None:
    """A judge's leaning to yes; None where nothing was answered both ways."""
    if not forms:
        return None
    yes, no = (sum(answers.answer == answers.answer_negated == answer for answers in forms) for answer in ("yes", "no"))
    total = len(forms)
    difference = paired_difference(0, yes, no, total - yes - no) or UNDEFINED
    return Leaning(pairs=total, both_yes=_share(yes, total), both_no=_share(no, total), leaning=difference)


def _checks_to_negate(prompt: Prompt) -> Iterable[Check]:
    """The yes/no checks of a prompt that are asked alone, and so may be asked negated too."""
    return (check for check in prompt.checks if check.answer_type == "yes-no" and not (check.call or check.after))


def _share(hits: int, total: int) -> Estimate:
    """A share with its 95 % interval (Wilson)."""
    low, high = wilson(hits, total) or (None, None)
    return Estimate(hits / total, low, high)
