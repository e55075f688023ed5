"""Questions to an author (a language model) about a prompt, in two steps.

The author first writes the expectations, that is, the things that a right picture must show; then, for each
expectation, the questions that test it on a picture. These are the World Knowledge Extractor and the Hypothesis
Formulator of PicWorld (section 3.2.1, 3.2.2; figures 9 and 10). The method is the paper's: expectations with a reason
and an importance (Eq. 1); for each by itself one question on existence, then on state. The words of both requests are
ours. So are the limits: an expectation has one or two questions on its state, and a prompt has at most eight
expectations; the paper sets no such limits, or states two different ones.
"""

from collections.abc import Iterator, Sequence

from counterbench.pictures.protocols.authors import AuthorQuestion, FilledText, WrittenTexts, one_line
from counterbench.prompts.prompt_set import Prompt

MAX_EXPECTATIONS = 8  # the most expectations of a prompt
STATES = 2  # the most questions on the state of one expectation
IMPORTANCE = {"high": 3, "medium": 2, "low": 1}  # the weight of each, in the scores of `layers`
# The phenomena that an expectation may be about (figure 9), each with the tag of its checks.
PHENOMENA = {
    "optics": "optics",
    "gravity & deformation": "gravity-deformation",
    "thermodynamics & phase state": "thermodynamics-phase",
    "fluid dynamics": "fluid-dynamics",
    "electromagnetism": "electromagnetism",
    "causality & resulting state": "causality",
    "spatial relationship": "spatial",
    "knowledge & symbols": "knowledge-symbols",
}
EXTRACTOR = f"""\
You say what must be seen in a picture that is right, given the prompt that it is made from. The picture is one \
moment, standing still: name marks that a camera would catch, and never something that goes on. Say what follows from \
the prompt by physics, cause and effect, place in space or what is generally known, rather than what it says itself. \
Each item is one mark that can be checked alone; what is made of several is several items.
End with a JSON list of one to {MAX_EXPECTATIONS} items, and nothing behind it. Each is an object with five keys:
- "phenomenon": one of {", ".join(f'"{name}"' for name in PHENOMENA)};
- "subject": a list of the things in the prompt that it is about;
- "expectation": what is to be seen, in one sentence;
- "reason": the law or rule from which it follows, in one sentence;
- "importance": "high" if without it the point of the prompt is missed, "medium" if its absence is a plain mistake \
beside that point, "low" if it is a small thing that only a very faithful picture has."""
FORMULATOR = f"""\
You write the questions by which somebody who sees a picture, and knows nothing else, tells whether it shows what was \
expected of it. Each question asks one thing, can be answered from the picture alone by yes or no, names the things it \
is about, and is answered by yes where the expectation is met.
End with a JSON list, and nothing behind it. Each of its items is an object with two keys, "type" and "question". The \
first item has the type "existence": are the things that it is about there at all? Then one or {STATES} of the type \
"state": do they look as they are expected to?"""


class Expectation(WrittenTexts, frozen=True, rename={"words": "expectation"}):
    """A thing that a right picture must show, with a reason and an importance, as the author wrote it."""

    words: FilledText  # what must be seen, in one sentence
    phenomenon: str  # a name in PHENOMENA
    subject: list[FilledText]  # the things that it is about
    reason: FilledText
    importance: str  # a name in IMPORTANCE

    def faults(self) -> Iterator[str]:
        """Yield a sentence on each fault: an unknown phenomenon, an unknown importance, an empty subject."""
        if _word(self.phenomenon) not in PHENOMENA:
            yield f"the phenomenon {self.phenomenon[:40]!r} is none of {', '.join(PHENOMENA)}"
        if _word(self.importance) not in IMPORTANCE:
            yield f"the importance {self.importance[:40]!r} is none of {', '.join(IMPORTANCE)}"
        if not self.subject:
            yield "it names no subject"

    @property
    def weight(self) -> int:
        """The importance as a weight: 3, 2 or 1."""
        return IMPORTANCE[_word(self.importance)]

    @property
    def tag(self) -> str:
        """The tag of the phenomenon, such as "thermodynamics-phase"."""
        return PHENOMENA[_word(self.phenomenon)]


class WrittenQuestion(WrittenTexts, frozen=True, rename={"words": "question"}):
    """One yes/no question that tests an expectation, as the author wrote it; "yes" means that it is met."""

    words: FilledText
    type: str  # "existence" or "state"

    def faults(self) -> Iterator[str]:
        """Yield a sentence if the type is neither "existence" nor "state"."""
        if _word(self.type) not in ("existence", "state"):
            yield f"the type {self.type[:40]!r} is none of existence, state"


def extracting(prompt: Prompt) -> AuthorQuestion[Expectation]:
    """The request to the author for the expectations of a prompt."""
    text = f"The prompt is:\n{prompt.text}"
    return AuthorQuestion("expectations", text, EXTRACTOR, Expectation, "expectation", _faults)


def formulating(number: int, expectation: Expectation) -> AuthorQuestion[WrittenQuestion]:
    """The request to the author for the questions that test one expectation, the `number`th of its list (from 1)."""
    things = ", ".join(map(one_line, expectation.subject))
    text = f"The things are: {things}\nThe expectation is:\n{one_line(expectation.words)}"
    return AuthorQuestion(f"questions-{number}", text, FORMULATOR, WrittenQuestion, "question", _faults_of_questions)


def _faults(items: Sequence[Expectation]) -> Iterator[str]:
    """Yield a sentence if a list of expectations is too long."""
    if len(items) > MAX_EXPECTATIONS:
        yield f"it has {len(items)} expectations, and there must be 1 to {MAX_EXPECTATIONS}"


def _faults_of_questions(items: Sequence[WrittenQuestion]) -> Iterator[str]:
    """Yield a sentence unless there is one question on existence, which is the first, and then one or two on state."""
    kinds = [_word(question.type) for question in items]
    if kinds[0] != "existence" or kinds.count("existence") > 1:
        yield "its first question, and no other, must be of the type existence"
    elif not 1 <= len(kinds) - 1 <= STATES:
        yield f"it has {len(kinds) - 1} questions of the type state, and there must be 1 or {STATES}"


def _word(text: str) -> str:
    """The text without spaces around it and in lower case, so that it can be compared with a name of ours."""
    return text.strip().casefold()
