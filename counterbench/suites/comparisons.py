"""Comparisons: a pair's two pictures in one question, first in one order and then in the other.

Which of them shows a prompt better? The prompt states one of the answers to the pair's own question, so one picture
shows it and the other does not. Of a control both do, or neither: equal. Half of the pairs have one picture, the one
that does not show the prompt, as things on a photograph: a judge should not take the richer picture for the better.
"""

import re

import msgspec

from counterbench.answers.choices import EQUAL, FIRST, FORCED, PREFERENCE, SECOND
from counterbench.drawing.styles import FLAT
from counterbench.errors import InputError
from counterbench.scene.pairs import ROLES, Pair

# Styles from plain to rich, for planted judges that prefer the richer picture; the others are no richer than flat.
RICH = (FLAT, "textured", "photograph")
SWAPPED = {FIRST: SECOND, SECOND: FIRST, EQUAL: EQUAL}  # the same answers in the other order
_QUOTED_PROMPT = re.compile(r'right answer to "(.+)" is "([^"]+)"', re.DOTALL)
_WHICH_SHOWS_IT = (
    "Here are two pictures: the first and the second (on one sheet: the left and the right one). Both were made from "
    "this prompt:\n{}\nWhich of the two shows better what the prompt asks for?"
)
_MAY_BE_EQUAL = " If both show it equally well, or equally badly, they are equal."


def comparison_question(prompt: str, forced: bool = False) -> str:
    """The question which of two pictures shows `prompt` better, and its choices; not "equal" if `forced`."""
    choices = (FIRST, SECOND) if forced else (FIRST, SECOND, EQUAL)
    return f"{_WHICH_SHOWS_IT.format(prompt)}{'' if forced else _MAY_BE_EQUAL}\nChoices: {', '.join(choices)}"


def is_comparison(answer_type: str) -> bool:
    """True for the answer type of a question about two pictures."""
    return answer_type in (PREFERENCE, FORCED)


def compared(pair: Pair) -> Pair:
    """A computed pair as a comparison of its pictures; InputError for a control that is not asked with yes or no."""
    nth = pair.index // 2  # its forms take turns
    before, after = pair.answers
    if pair.relevant:
        stated = (before, after)[nth % 2]
        truths = (FIRST, SECOND) if nth % 2 == 0 else (SECOND, FIRST)
    elif pair.form == "yes-no":
        stated, truths = (before, "no" if before == "yes" else "yes")[nth % 2], (EQUAL, EQUAL)
    else:
        raise InputError(f"{pair.id}: a control of a suite of comparisons is asked with yes or no: forms = ['yes-no']")
    worse = ROLES[(nth + 1) % 2]
    rich = {f"{worse}_style": RICH[-1]} if nth // 2 % 2 else {}
    return msgspec.structs.replace(
        pair,
        question=comparison_question(f'a picture about which the right answer to "{pair.question}" is "{stated}"'),
        answer_type=PREFERENCE,
        original_answer=truths[0],
        intervened_answer=truths[1],
        traits=rich or msgspec.UNSET,
    )


def pair_of_comparison(pair: Pair) -> Pair:
    """The pair that a comparison was made of, its answers computed anew; InputError for other questions."""
    found, program = _QUOTED_PROMPT.search(pair.question), pair.program
    if found is None or program is None:
        raise InputError(f"{pair.id}: its words are not those of a comparison")
    before, after = (program.answer(scene) for scene in pair.scenes)
    return msgspec.structs.replace(
        pair, question=found[1], answer_type=program.answer_type, original_answer=before, intervened_answer=after,
        traits=msgspec.UNSET,
    )  # fmt: skip


def misread(pair: Pair) -> dict[str, str]:
    """The answers to a comparison, original first, of judges who misread its pictures, by fault.

    Such a judge compares what it sees: it takes a picture for one that shows the prompt if its wrong answer is the
    stated one.
    """
    found, program = _QUOTED_PROMPT.search(pair.question), pair.program
    if found is None or program is None:
        return {}
    both = [(program.answer(scene), program.misreadings(scene)) for scene in pair.scenes]
    faults = {fault: [wrong.get(fault, truth) == found[2] for truth, wrong in both] for _, own in both for fault in own}
    return {fault: EQUAL if a == b else FIRST if a else SECOND for fault, (a, b) in faults.items()}


def style_of(pair: Pair, role: str, style: str) -> str:
    """The style of one picture of a pair; `style`: of the others."""
    return (pair.traits or {}).get(f"{role}_style", style)


def preferred(first: str, second: str) -> str:
    """The answer of a judge that prefers the richer picture; empty if the styles are as rich."""
    rank, other_rank = (RICH.index(style) if style in RICH else 0 for style in (first, second))
    return "" if rank == other_rank else FIRST if rank > other_rank else SECOND
