"""PW-Agent (PicWorld, section 3.2): an author's expectations of a prompt, tested on each picture and scored.

An expectation is a thing that a right picture must show. An author, which is a language model, writes them once for a
prompt, with questions (`prepare`, `checks`). Then a judge, which sees the pictures, answers these questions (`ask`).
Two roles of the paper, World Knowledge Extractor and Hypothesis Formulator, are the author's; two are the judge's:

- The Visual Perceptor answers each question alone, from the picture: yes, no or uncertain, with its evidence and a
  confidence (Eq. 2). The state of a missing thing is not asked: it fails too. These answers are called facts.
- The Reasoning Judger sees the facts and the picture, and not the prompt. It is asked for the terms of Eq. 5: an award
  for the rendering of every expectation that was met, a bonus, and the number of facts that contradict one another.

S1, S2, S3 and S are computed from these answers (`layers`), while the paper leaves them to the model. The checks of
expectation 1 are `e1-existence`, `e1-state-1`, `e1-state-2`, `e1-foundation` and `e1-excellence`; the last two have its
text and reason, and all of them its importance as their weight.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, cast

from counterbench.errors import InputError
from counterbench.pictures.protocols.asks import Ask, CheckReplies, CheckReply, alone, checks_credited, together
from counterbench.pictures.protocols.authors import by_author, one_line
from counterbench.pictures.protocols.base import Protocol
from counterbench.pictures.protocols.pw_agent import author
from counterbench.pictures.protocols.pw_agent.layers import (
    AWARDS,
    EXCELLENCE,
    EXISTENCE,
    FOUNDATION,
    INCONSISTENCY,
    MAX_SCORE,
    SCORINGS,
    STATE,
    Layers,
    LayerScores,
    expectation_of,
    layers_of,
    span,
    total,
)
from counterbench.pictures.scores.measure import Ends
from counterbench.pictures.scores.results import CheckResult, PictureScore
from counterbench.pictures.scores.rules import Scoring, mean
from counterbench.pictures.scores.scores import ByPrompt, Scores, Slices
from counterbench.prompts.prompt_set import Check, Prompt, PromptSet

COLUMNS = ("s1", "s2", "s3", "s")
# The kinds of slices, each with the field of the prompt that it is by: PicWorld's subcategory is our discipline.
_FIELDS = {"category": "category", "subcategory": "discipline", "level": "level"}

# By dimension: the answer type of its checks, and the answer about a right picture.
TYPES = {
    EXISTENCE: ("finding", "yes"),
    STATE: ("finding", "yes"),
    FOUNDATION: ("rating:1-1.5", "1.5"),
    EXCELLENCE: ("rating:0-3", "3"),
    INCONSISTENCY: ("integer", "0"),
}
PERCEIVED = (EXISTENCE, STATE)  # the dimensions that the Visual Perceptor is asked about
# The questions to the Reasoning Judger: figure 11, in our words.
_JUDGER_QUESTIONS = {
    FOUNDATION: (
        "Each line below is something that the picture shows as it must be. How is it rendered? 1: simply, and no more "
        "than right. 1.5: in more detail than that."
    ),
    EXCELLENCE: (
        "Each line below is something that the picture shows as it must be. Is there anything exceptional in how it is "
        "rendered, in detail, realism or complexity? 0: nothing. 1 to 3: the more, the higher."
    ),
}
_INCONSISTENCY_QUESTION = (
    "How many of these facts contradict another one, or what the picture shows? Count each contradiction once."
)
_IMPORTANCE_WORDS = {weight: word for word, weight in author.IMPORTANCE.items()}  # 3: "high", …


class PWAgent(Protocol):
    """PicWorld's protocol, on prompts whose questions an author wrote for it. All numbers are from 0 to 10."""

    name = "pw-agent"
    summary = "PicWorld: existence and state of what an author expects, then awards; S1, S2, S3 and S, from 0 to 10"
    asks = "each expected thing, its state where it is there, then what is awarded; the prompt is not shown"
    calls = "two or three an expectation, and three more"
    needs = "questions that an author wrote: t2i prepare --protocol pw-agent"
    prepared = 1 + author.MAX_EXPECTATIONS
    awards = AWARDS
    max_score = MAX_SCORE
    scorings: ClassVar[Mapping[str, Scoring]] = SCORINGS

    def fits(self, prompts: PromptSet) -> None:
        """InputError unless some prompt has questions, and all questions are of the kinds that this protocol asks."""
        if not any(prompt.checks for prompt in prompts.prompts):
            raise InputError(
                f"{prompts.name!r} has no questions, and pw-agent needs those of an author: write them with "
                "`t2i prepare --protocol pw-agent`, then give that file as --prompts"
            )
        for prompt in prompts.prompts:
            for check in prompt.checks:
                kind, _ = TYPES.get(check.dimension, ("", ""))
                is_weighted = check.dimension in PERCEIVED
                if check.answer_type != kind or (is_weighted and check.weight not in author.IMPORTANCE.values()):
                    raise InputError(
                        f"{prompts.name!r}, {prompt.id!r}, check {check.id!r}: is no check of pw-agent (dimension "
                        f"{check.dimension!r}, answer type {check.answer_type!r}, weight {check.weight:g}), which `t2i "
                        "prepare` has an author write; --protocol checklist takes any"
                    )
            states = {expectation_of(check) for check in prompt.checks if check.dimension == STATE}
            if prompt.checks and not states:
                raise InputError(f"{prompts.name!r}, {prompt.id!r}: no check on a state, without which it has no S2")
            for check in prompt.checks:
                expectation = expectation_of(check)
                if check.dimension in (STATE, *AWARDS) and (not expectation or expectation not in states):
                    raise InputError(
                        f"{prompts.name!r}, {prompt.id!r}, check {check.id!r}: its id does not tell whose "
                        f"{check.dimension} it is; name it NAME-{check.dimension}, with the NAME of a check "
                        f"NAME-{STATE} or NAME-{STATE}-1"
                    )

    def prepare(self, prompt: Prompt, replies: CheckReplies) -> Sequence[Ask]:
        """The questions that the author of a prompt's checks must still be asked, given its replies so far.

        First for the prompt's expectations; once these are there, for the details of each. A question whose reply
        cannot be read is asked once more.
        """
        expected = enumerate(author.extracting(prompt).items(replies), 1)
        return by_author(prompt, author.extracting(prompt), replies) or [
            ask for n, expectation in expected for ask in by_author(prompt, author.formulating(n, expectation), replies)
        ]

    def checks(self, prompt: Prompt, replies: CheckReplies) -> Sequence[Check]:
        """The prompt's own checks, else an author's; none unless the author wrote about every expectation."""
        if prompt.checks:
            return prompt.checks
        expected = author.extracting(prompt).items(replies)
        written = [author.formulating(n, expectation).items(replies) for n, expectation in enumerate(expected, 1)]
        if not expected or not all(written):
            return ()
        pairs = enumerate(zip(expected, written, strict=True), 1)
        made = [check for n, (expectation, questions) in pairs for check in _checks_on(f"e{n}", expectation, questions)]
        return [*made, _check("inconsistencies", INCONSISTENCY, _INCONSISTENCY_QUESTION)]

    def ask(self, prompt: Prompt, replies: CheckReplies) -> Sequence[Ask]:
        """The next questions: on existence, then on the state of things that are there, then the Reasoning Judger's."""
        zeros = self.follows(prompt, replies)  # by id of checks that need no question: their credit, 0
        perceived = [check for check in prompt.checks if check.dimension in PERCEIVED]
        unasked = [check for check in perceived if check.id not in replies and check.id not in zeros]
        if unasked:
            return [alone(check) for check in unasked if not check.after or check.after in replies]
        return [ask for ask in _judger_asks(prompt, zeros, _facts(perceived, replies, zeros)) if ask.id not in replies]

    def follows(self, prompt: Prompt, replies: CheckReplies) -> Mapping[str, float]:
        """The checks that need no question, by id, each with the credit 0.

        They are the states of missing things, and the awards of expectations that are not met.
        """
        settled: dict[str, float] = {}  # by check id
        failed = set()  # names of expectations that are not met
        for check in prompt.checks:
            existence = replies.get(check.after)
            if check.dimension == STATE and existence is not None and existence.answer == "no":  # not if uncertain
                settled[check.id] = 0.0
            if check.id in settled or (check.dimension == STATE and _failed(replies.get(check.id))):
                failed.add(expectation_of(check))
        awards = (check for check in prompt.checks if check.dimension in AWARDS)
        return settled | {check.id: 0.0 for check in awards if expectation_of(check) in failed}

    def credits(self, ask: Ask, reply: CheckReply) -> Mapping[str, float | None]:
        """The confidence (1 if none is stated) for a state that is met; the usual credit for every other check.

        A count of contradictions below 0 is no answer, and so it is lost.
        """
        by_check = checks_credited(ask, reply)
        if ask.answer_type == "integer" and (reply.answer or "").startswith("-"):
            return dict.fromkeys(by_check)
        stated = reply.parsed.confidence if reply.parsed is not None else None
        states = [check.id for check in ask.checks if check.dimension == STATE and by_check[check.id] == 1]
        return by_check | dict.fromkeys(states, 1.0 if stated is None else stated)

    def of_picture(self, picture: PictureScore, scoring: Scoring) -> Mapping[str, float]:
        """S (Eq. 6), then S1, S2 and S3, each from 0 to 10."""
        layer_scores = layers_of(picture, cast(Layers, scoring))
        return {} if layer_scores is None else _numbers(layer_scores)

    def score(self, rows: Iterable[CheckResult], levels: Sequence[str], scoring: Scoring) -> Scores:
        """`s1`, `s2`, `s3` and `s` (Eq. 6): means over prompts of the means over each prompt's complete pictures."""
        whole = ByPrompt(rows, levels).part(COLUMNS, lambda picture: self.of_picture(picture, scoring), MAX_SCORE)
        return Scores(whole=whole, headline=COLUMNS, bounded=COLUMNS)

    def slices(self, rows: Iterable[CheckResult], levels: Sequence[str], scoring: Scoring) -> Slices:
        """The numbers of `score` by category, subcategory and level."""
        all_rows = list(rows)
        return ByPrompt(all_rows, levels).slices(self.score(all_rows, levels, scoring).whole, _FIELDS)

    def ends(self, rows: Iterable[CheckResult], levels: Sequence[str], scoring: Scoring) -> Mapping[str, Ends]:
        """For each number its least and its largest value for any outcome of lost facts (see `layers.span`)."""
        layers, prompts = cast(Layers, scoring), ByPrompt(rows, levels)
        low = prompts.part(COLUMNS, lambda picture: _numbers(span(picture, layers)[0]))
        high = prompts.part(COLUMNS, lambda picture: _numbers(span(picture, layers)[1]))
        return {name: (mean(low.columns[name]), mean(high.columns[name])) for name in COLUMNS}


def _numbers(layers: LayerScores) -> Mapping[str, float]:
    """The numbers of a picture by column: S, then S1, S2 and S3, which are the `layers`."""
    return {"s": total(layers), **dict(zip(COLUMNS, layers, strict=False))}


def _checks_on(name: str, wanted: author.Expectation, questions: Sequence[author.WrittenQuestion]) -> Iterator[Check]:
    """The checks of one `wanted` expectation: its existence, its states, and its awards.

    `name`: the beginning of their ids, such as "e1". `questions`: the author's, first on existence, then on states.
    """
    check = partial(_check, weight=wanted.weight, tags=(wanted.tag,))
    existence_text, *state_texts = (one_line(written.words) for written in questions)
    existence_id = f"{name}-{EXISTENCE}"
    yield check(existence_id, EXISTENCE, existence_text)
    for number, text in enumerate(state_texts, 1):
        yield check(f"{name}-{STATE}-{number}", STATE, text, after=existence_id)
    for kind in AWARDS:
        yield check(
            f"{name}-{kind}", kind, one_line(wanted.words), criteria=f"Because: {one_line(wanted.reason)}", call=kind
        )


def _check(id: str, dimension: str, text: str, **fields: Any) -> Check:
    """A check of a dimension, with the answer type and the expected answer in TYPES; `fields`: its other fields."""
    kind, expected = TYPES[dimension]
    return Check(id=id, dimension=dimension, text=text, answer_type=kind, expected=expected, **fields)


def _failed(reply: CheckReply | None) -> bool:
    """True if a reply says that a state is not met, or cannot be seen."""
    return reply is not None and reply.answer in ("no", "uncertain")


def _judger_asks(prompt: Prompt, unasked: Iterable[str], facts: str) -> Iterator[Ask]:
    """The questions to the Reasoning Judger: the number of contradictions, and one question for each kind of award.

    `unasked`: the ids of checks that are 0 already. `facts`: the text that each question begins with.
    """
    calls: dict[str, list[Check]] = {}
    for check in prompt.checks:
        if check.dimension == INCONSISTENCY:
            yield Ask(id=check.id, text=f"{facts}\n{check.text}", answer_type=check.answer_type, checks=(check,))
        elif check.dimension in _JUDGER_QUESTIONS and check.id not in unasked:
            calls.setdefault(check.dimension, []).append(check)
    for kind, checks in calls.items():
        yield together(checks, f"{facts}\n{_JUDGER_QUESTIONS[kind]}\n")


def _facts(perceived: Sequence[Check], replies: CheckReplies, settled: Iterable[str]) -> str:
    """The Judger's facts as text: each question about the picture with its answer.

    `settled`: the ids of the checks that were not asked, since the thing is not there.
    """
    lines = ["What was asked about this picture, and what somebody answered who looked at it:"]
    for check in perceived:
        importance = _IMPORTANCE_WORDS.get(int(check.weight), "low")
        answer = "Not asked: it is not there." if check.id in settled else _answer_in_words(replies[check.id])
        lines.append(f"- {check.dimension}, {importance} importance: {check.text} {answer}")
    return "\n".join(lines)


def _answer_in_words(reply: CheckReply) -> str:
    """An answer in words, with its confidence and evidence: "Yes (confidence 0.9): a red ball lies there"."""
    answer = reply.parsed
    if answer is None:
        return "No answer."
    sure = f" (confidence {answer.confidence:g})" if answer.confidence is not None else ""
    return f"{answer.value.capitalize()}{sure}{f': {answer.evidence}' if answer.evidence else '.'}"
