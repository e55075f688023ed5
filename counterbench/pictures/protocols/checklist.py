"""Checklists: the weighted mean of a picture's checks, by dimension, category and tag; three protocols count so.

T2I-CoReBench (section 3) has yes/no checks of weight 1, so that a picture's score is its share of yes. Its release
leaves out replies that it cannot read and takes the mean of the others (`as-released`); `of-all` counts them as no.
`soft` and `soft-geometric` count the judge's probability of the expected answer, if the judge gives one.

R2I-Score (R2I-Bench, section 3) is Σ wᵢ sᵢ / Σ wᵢ over questions graded 0 … 1 by criteria of their own. In the release
no question reaches the judge (its placeholder is misspelt), which no scoring can repeat; `as-released` is the rest of
it: a check without a grade is left out, and a picture's score is rounded to two decimals.

A check that `needs` others counts 0 where one of them is answered wrongly (`asks.unmet`, DSG's rule).

`direct` is the usual method, to compare with: one rating by a judge that sees the prompt, gives a verdict without any
fact about the picture, and may believe the prompt. The scale is the one from 1 to 5 by which people rate alignment
(Otani et al., CVPR 2023; GenAI-Bench, Li et al., 2024), in our words; a rating r is worth (r - 1) / 4.
`direct-layers` asks for three at once.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar

from counterbench.pictures.protocols import r2i_author
from counterbench.pictures.protocols.asks import Ask, CheckReplies, unmet
from counterbench.pictures.protocols.authors import AuthorQuestion, FilledText, WrittenTexts, by_author, one_line
from counterbench.pictures.protocols.base import Protocol
from counterbench.pictures.scores.results import CheckResult
from counterbench.pictures.scores.rules import DEFAULT, SOFT, Scoring
from counterbench.pictures.scores.scores import ByPrompt, NamesOf, ScorePart, Scores, Slices, by_checks
from counterbench.prompts.prompt_set import Check, Prompt, PromptSet
from counterbench.results.measures import FRACTION, PERCENT
from counterbench.runs.queries import RATING_QUESTIONS

# By a field of checks, a function from a row to the names of the slices that it belongs to.
_OF_CHECKS: Mapping[str, NamesOf] = {
    "dimension": lambda row: (row.dimension,),
    "tag": lambda row: row.tags,
    "criterion": lambda row: (row.criterion,),
}
_MAX_QUESTIONS = 20  # questions that an author writes about a prompt, one about each thing in it
_AUTHOR = """\
You write the questions by which a picture is checked that a text-to-image model made from a prompt. Whoever answers \
sees the picture and one question at a time, and never the prompt: each question must say by itself what is to be \
looked for.
Ask about each thing that the prompt asks for, once: each object, its number, its colours and other properties, where \
it is, what it does, what is written, and how all of it is drawn. Ask about nothing that the prompt leaves open. Each \
question can be answered with yes or no, and yes is the answer about a picture that shows the prompt.
End with a JSON list, and nothing behind it. Each of its items is an object with two keys: "question", and "skill", \
one word for what it takes to answer: "presence", "count", "colour", "left-right", "above-below", "inside", "text", or \
another word."""
_TEXT, _, _CRITERIA = RATING_QUESTIONS["1-5"].partition("\n")
_RATING = Check(id="rating", text=_TEXT, answer_type="rating:1-5", expected="5", criteria=_CRITERIA)

# PicWorld's three layers (Figure 12), each with its share in the total score (Eq. 6), as words and weights of ours.
_LAYERS = tuple(
    Check(id=name, text=text, answer_type="rating:0-10", expected="10", weight=weight, dimension=name, call="layers")
    for name, weight, text in (
        ("instruction", 1, "How well does the picture show what the prompt asks for?"),
        (
            "realism",
            2,
            "How well does it obey the laws of nature and of logic, also where the prompt is silent?",
        ),
        ("detail", 1, "How rich and how coherent are the details of what it shows rightly?"),
    )
)


class _Question(WrittenTexts, frozen=True, rename={"words": "question"}):
    """One question, as an author writes it in the JSON list."""

    words: FilledText
    skill: FilledText


def _author_question(prompt: Prompt) -> AuthorQuestion[_Question]:
    """The question to an author for the questions about a prompt's pictures."""
    text = f"The prompt is:\n{prompt.text}"
    return AuthorQuestion("questions", text, _AUTHOR, _Question, "question", _faults)


def _faults(questions: Sequence[_Question]) -> Iterator[str]:
    """The fault of an author's list as a whole: too many questions, or none."""
    if not 1 <= len(questions) <= _MAX_QUESTIONS:
        yield f"it has {len(questions)} questions, and there must be 1 to {_MAX_QUESTIONS}"


class Checklist(Protocol):
    """The protocol of checklists, for any prompts with any weighted checks."""

    name = "checklist"
    summary = "T2I-CoReBench, and prompts of one's own: the weighted mean of a picture's checks"
    asks = "each check alone, or several as one call; the prompt is not shown"
    calls = "one a check or call: 12.5 on T2I-CoReBench"
    template = "strict"
    notation = PERCENT
    scorings: ClassVar[Mapping[str, Scoring]] = {
        DEFAULT: Scoring(),
        "of-all": Scoring(missing_data="zero"),
        "as-released": Scoring(missing_data="skip"),
        **SOFT,
    }
    _of_checks: ClassVar[Mapping[str, NamesOf]] = _OF_CHECKS
    _subject: ClassVar[str] = "discipline"  # the name of the slices by discipline

    def prepare(self, prompt: Prompt, replies: CheckReplies) -> Sequence[Ask]:
        """The question for a list of questions, for a prompt without checks; once more, if the reply cannot be used."""
        return by_author(prompt, _author_question(prompt), replies)

    def checks(self, prompt: Prompt, replies: CheckReplies) -> Sequence[Check]:
        """The prompt's own checks, else those that an author wrote."""
        return prompt.checks or [
            Check(id=f"q{number}", text=one_line(question.words), dimension=one_line(question.skill)[:40].lower())
            for number, question in enumerate(_author_question(prompt).items(replies), 1)
        ]

    def follows(self, prompt: Prompt, replies: CheckReplies) -> Mapping[str, float]:
        """A credit of 0 for each check that needs another which was answered wrongly (`asks.unmet`)."""
        return unmet(prompt, replies)

    def score(self, rows: Iterable[CheckResult], levels: Sequence[str], scoring: Scoring) -> Scores:
        """`score`: the mean over prompts."""
        return Scores(whole=self._part(ByPrompt(rows, levels), scoring), headline=("score",), bounded=("score",))

    def slices(self, rows: Iterable[CheckResult], levels: Sequence[str], scoring: Scoring) -> Slices:
        """`score` by fields of prompts (category, discipline, law, level) and by fields of checks (the rest)."""
        weighted = [row for row in rows if row.weight > 0]
        prompts = ByPrompt(weighted, levels)
        fields = {"category": "category", self._subject: "discipline", "law": "law", "level": "level"}
        by_check = by_checks(weighted, self._of_checks, lambda rows: self._part(ByPrompt(rows, levels), scoring))
        return prompts.slices(self._part(prompts, scoring), fields) | by_check

    def _part(self, prompts: ByPrompt, scoring: Scoring) -> ScorePart:
        """The score of each prompt: the mean over its pictures."""
        return prompts.part(("score",), lambda picture: self.of_picture(picture, scoring))


class R2IScore(Checklist):
    """The protocol of R2I-Bench, for any prompts with any weighted checks; disciplines are subcategories here."""

    name = "r2i-score"
    summary = "R2I-Bench: the weighted mean of a picture's grades for reasoning, alignment and quality"
    asks = "each check alone, with the criteria of its grades; the prompt is not shown"
    calls = "one a check: 5.8 on R2I-Bench"
    needs = "weighted checks; the dimensions reasoning, alignment and quality for the table"
    template = "default"
    notation = FRACTION
    scorings: ClassVar[Mapping[str, Scoring]] = {
        **Checklist.scorings,
        "as-released": Scoring(missing_data="skip", clamp=False, decimals=2),
    }
    prepared = 2  # criteria, then weights
    _subject = "subcategory"

    def prepare(self, prompt: Prompt, replies: CheckReplies) -> Sequence[Ask]:
        """The next question to the author: for questions with criteria, then for their weights; each at most twice."""
        grading = r2i_author.grading(prompt)
        asks, questions = by_author(prompt, grading, replies), grading.items(replies)
        return asks or (by_author(prompt, r2i_author.weighing(prompt, questions), replies) if questions else ())

    def checks(self, prompt: Prompt, replies: CheckReplies) -> Sequence[Check]:
        """The prompt's own checks, else those that an author wrote; none while one of them has no weight."""
        questions = r2i_author.grading(prompt).items(replies)
        weights = r2i_author.weighing(prompt, questions).items(replies)
        return prompt.checks or (list(r2i_author.checks(questions, weights)) if weights else ())


class Direct(Checklist):
    """The protocol of one rating, for any prompts; their own checks are not asked."""

    name = "direct"
    summary = "a baseline, as most people do it: one rating from 1 to 5, the prompt shown"
    asks = "one rating from 1 to 5 of how well the picture shows its prompt; the prompt is shown"
    calls = "one"
    needs = "any prompts: no checks, no author; a certificate of the judge as a rater covers ranks alone"
    template = "default"
    rates = True
    notation = FRACTION
    shows_prompt = True
    scorings: ClassVar[Mapping[str, Scoring]] = {DEFAULT: Scoring(), "of-all": Scoring(missing_data="zero")}

    prepare = Protocol.prepare

    def fits(self, prompts: PromptSet) -> None:
        """Accept any set of prompts."""

    def checks(self, prompt: Prompt, replies: CheckReplies) -> Sequence[Check]:
        """The one check of every prompt: a rating from 1 to 5."""
        return (_RATING,)


class DirectLayers(Direct):
    """The protocol of three ratings in one reply, one for each of PicWorld's layers; their weighted mean is the score.

    PicWorld compares PW-Agent with such a judge (section 4.3.2, Table 2).
    """

    name = "direct-layers"
    summary = "PicWorld's baseline: instruction, realism and detail rated from 0 to 10 at once, the prompt shown"
    asks = "three ratings from 0 to 10 in one reply; the prompt is shown"
    needs = "any prompts: no checks, no author; no certificate covers it"
    rates = False

    def checks(self, prompt: Prompt, replies: CheckReplies) -> Sequence[Check]:
        """The three checks of every prompt: a rating from 0 to 10 each."""
        return _LAYERS
