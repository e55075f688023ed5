"""Comparisons: which of a pair's two pictures shows a prompt better? Asked twice, about the same pictures in one order.

Each of the two prompts states what is true of one picture and false of the other, so that who looks at the pictures
alone is right once at most (the image score of Winoground). Of a control one prompt is true of both pictures and the
other of neither: equal. Half of the pairs have one picture as things on a photograph, which is then the right picture
of one prompt and the wrong one of the other: a judge should not take the richer picture for the better. The family
`one-sided` has pairs with one picture in each of the other styles.
"""

import msgspec

from counterbench.answers.choices import EQUAL, FIRST, FORCED, PREFERENCE, SECOND
from counterbench.drawing.styles import FLAT
from counterbench.errors import InputError
from counterbench.scene.pairs import ROLES, Pair
from counterbench.scene.programs import Program
from counterbench.scene.programs.prompts import ShowsAll
from counterbench.scene.seeds import Stream

# Styles from poor to rich, for planted judges that prefer the richer picture.
RICH = ("degraded", "blurred", FLAT, "textured", "photograph")
SWAPPED = {FIRST: SECOND, SECOND: FIRST, EQUAL: EQUAL}  # the same answers in the other order
# Rises whenever the same pair would give another comparison; part of the digest of every suite of comparisons.
COMPARISONS_VERSION = 5
_OPPOSITE = {"yes": "no", "no": "yes"}
_WHICH_SHOWS_IT = (
    "Here are two pictures: the first and the second (on one sheet: the left and the right one). Both were made from "
    "this prompt:\n{}\nWhich of the two better shows what the prompt asks for?"
)
_MAY_BE_EQUAL = " If both show it equally well, or equally badly, they are equal."


def comparison_question(prompt: str, forced: bool = False) -> str:
    """The question which of two pictures shows `prompt` better, and its choices; not "equal" if `forced`."""
    choices = (FIRST, SECOND) if forced else (FIRST, SECOND, EQUAL)
    return f"{_WHICH_SHOWS_IT.format(prompt)}{'' if forced else _MAY_BE_EQUAL}\nChoices: {', '.join(choices)}"


def prompts_of(pair: Pair) -> list[str]:
    """The prompts of a comparison's two questions."""
    return [prompt_of(question) or "" for question in pair.questions]


def prompt_of(question: str) -> str | None:
    """The prompt in the words of `comparison_question`, which a template may have added to; None in other words."""
    before, behind = _WHICH_SHOWS_IT.split("{}")
    inner = question.partition(before)[2].rpartition(behind)
    return inner[0] if inner[1] else None


def is_comparison(answer_type: str) -> bool:
    """True for the answer type of a question about two pictures."""
    return answer_type in (PREFERENCE, FORCED)


def compared(pair: Pair) -> Pair:
    """A computed pair as a comparison of its pictures; InputError for one whose answers no prompt can state.

    These are a control that is not asked with yes or no, and shapes that are named by their letters. In half of the
    pairs one picture, by lot, has the style "photograph"; treated ones are tests of their own.
    """
    program = _program(pair)
    if not pair.relevant and pair.form != "yes-no":
        raise InputError(f"{pair.id}: a control of a suite of comparisons is asked with yes or no: forms = ['yes-no']")
    if isinstance(program, ShowsAll):
        raise InputError(f"{pair.id}: a whole prompt is asked about one picture: leave it out of suites of comparisons")
    if any(described.letter for described in program.described):
        raise InputError(
            f"{pair.id}: no prompt names a shape by its letter: give 'spatial' the parameter letters = false"
        )
    lots = _lots(pair)
    places = _places(lots)
    if pair.relevant:
        clauses = [program.true_clause(pair.scenes[place]) for place in places]
        truths = [(FIRST, SECOND)[place] for place in places]
    else:
        both = program.true_clause(pair.scenes[0]), program.clause(_OPPOSITE[pair.original_answer])
        clauses, truths = [both[place] for place in places], [EQUAL, EQUAL]
    styled_role, style = ROLES[lots.below(2)], RICH[-1] if lots.chance(0.5) else ""
    if pair.family == "one-sided":
        style = pair.cell.rpartition("/")[2]
    styles = {f"{styled_role}_style": style} if style and pair.family != "treated" else {}
    question, question_2 = (comparison_question(clause.prompt) for clause in clauses)
    return msgspec.structs.replace(
        pair,
        question=question,
        question_2=question_2,
        answer_type=PREFERENCE,
        original_answer=truths[0],
        intervened_answer=truths[1],
        traits=styles or msgspec.UNSET,
        kinds=((), ()),  # both questions are about both pictures
    )


def _program(pair: Pair) -> Program:
    if pair.program is None:
        raise InputError(f"{pair.id}: an imported pair is no comparison")
    return pair.program


def _lots(pair: Pair) -> Stream:
    """Lots from a hash of the pair: families take turns in what they draw, and nothing else must follow from that."""
    return Stream("comparison", pair.id, pair.scenes[0].digest)


def _places(lots: Stream) -> tuple[int, int]:
    """By question, the picture whose truth its prompt states: 0 for the original, 1 for the intervened one.

    Of a control, 0 is the prompt that is true of both pictures, and 1 the one that is true of neither.
    """
    return (1, 0) if lots.chance(0.5) else (0, 1)


def pair_of_comparison(pair: Pair) -> Pair:
    """A pair that the comparison may have been made of, its answers computed anew."""
    program = _program(pair)
    before, after = (program.answer(scene) for scene in pair.scenes)
    return msgspec.structs.replace(
        pair, question=program.phrasings()[0], answer_type=program.answer_type, original_answer=before,
        intervened_answer=after, question_2=msgspec.UNSET, traits=msgspec.UNSET,
    )  # fmt: skip


def misread(pair: Pair) -> tuple[dict[str, str], dict[str, str]]:
    """For each of the two questions of a comparison, the answers of judges who misread its pictures, by misreading.

    Such a judge answers the question of the pair that the comparison was made of, on each picture. It takes a picture
    for one that shows the prompt if that answer, right or wrong, is the one that the prompt states.
    """
    program = _program(pair)
    truths = [program.answer(scene) for scene in pair.scenes]
    stated = truths if pair.relevant else [truths[0], _OPPOSITE[truths[0]]]
    wrong = [program.misreadings(scene) | _usual(pair, truth) for scene, truth in zip(pair.scenes, truths, strict=True)]
    found: tuple[dict[str, str], dict[str, str]] = {}, {}
    for answers, place in zip(found, _places(_lots(pair)), strict=True):
        for fault in {**wrong[0], **wrong[1]}:
            shows = [own.get(fault, truth) == stated[place] for own, truth in zip(wrong, truths, strict=True)]
            answers[fault] = EQUAL if shows[0] == shows[1] else FIRST if shows[0] else SECOND
    return found


def _usual(pair: Pair, truth: str) -> dict[str, str]:
    """The misreading "prior-bound", of a judge that sees what is usual; empty where `truth` is the usual answer."""
    return {"prior-bound": pair.prior_answer} if pair.prior_answer not in ("", truth) else {}


def style_of(pair: Pair, role: str, style: str) -> str:
    """The style of the picture of this role; `style`: the style of pictures for which the pair names none."""
    return (pair.traits or {}).get(f"{role}_style", style)


def preferred(first: str, second: str) -> str:
    """The answer of a judge that prefers the richer of two pictures of these styles; empty if they are equally rich."""
    rank, other_rank = (RICH.index(style if style in RICH else FLAT) for style in (first, second))
    return "" if rank == other_rank else FIRST if rank > other_rank else SECOND
