"""The doctor: asks a judge a few questions before a long run, and finds out if it can be asked and sees pictures.

`check_up` is the main function; the command `doctor` prints its `Checkup`. It takes the questions of a few drawn pairs
(a pair: two pictures with different right answers to one question), and asks them one by one, some of them all at once,
and some a second time. Four checks (`DoctorCheck`): "answers", replies can be read; "sees", answers follow the
pictures; "together" and "again", answers stay the same. Scorers have others (`scorer_checks`). A forecast tells what
1,000 questions would cost.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from PIL import Image, ImageDraw

from counterbench.answers import meant
from counterbench.answers.outcomes import Answer, Failed, Outcome, Refused, Unparsed
from counterbench.answers.parsing import CUT_OFF
from counterbench.asking.asker import Asker, Limits, PendingQuery, answer_to
from counterbench.asking.limits import Forecast, forecast
from counterbench.asking.runner import run_sync
from counterbench.bars import OnProgress, unseen
from counterbench.drawing.picture import Picture
from counterbench.errors import JudgeError
from counterbench.judges.base import Judge, JudgeExtras, Reply, extras
from counterbench.judges.opening import opened
from counterbench.judges.raters import RaterJudge
from counterbench.judges.scorers import ScorerJudge, statement_in
from counterbench.runs.folder import Figures, Record
from counterbench.runs.pair_queries import keys, queries
from counterbench.runs.queries import PromptTemplate, Query
from counterbench.stats.intervals import wilson
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite
from counterbench.text import brief, counted

# The number of pairs: a judge that sees answers the two pictures of at least one of them differently.
_PAIRS = 6
# A judge sees if it is right on both pictures of more than so many pairs: one that guesses is with a chance of 1 in 6.
_MAX_BY_CHANCE = 2
_TOGETHER = 8  # the number of questions that are also asked all at once
_AGAIN = 4  # the number of questions that are also asked a second time, one by one
_TEXT_WORDS = (20, 50, 100, 200)  # the lengths of texts that a scorer may cut
_FORECAST = 1000  # the number of questions of which a forecast is made
FIRST_PAIRS = 40  # the number of pairs of a first run, which is proposed as the next step
# The most replies that are shown of those that could not be read, and the characters to which each is cut.
_MAX_SHOWN, _MAX_WIDTH = 3, 60


class DoctorCheck(msgspec.Struct, frozen=True):
    """One check and its result in words."""

    name: str
    holds: bool | None  # null if the check could not be made
    message: str


class Checkup(msgspec.Struct, frozen=True, kw_only=True):
    """The doctor's findings about a judge."""

    judge: str
    able: bool  # every check that could be made holds
    findings: list[DoctorCheck]
    questions: int
    failed: int  # questions without a reply
    prices: str  # the list of prices from which costs are computed; "" without one
    unpriced: str  # the model, if its price is not known; else ""
    expected: Forecast  # of 1,000 questions
    figures: Figures  # sums over the replies to all questions

    def __repr__(self) -> str:
        failing = ", ".join(finding.name for finding in self.failing)
        return brief(self, f"{self.judge}: {f'FAILS: {failing}' if failing else 'able' if self.able else 'not able'}")

    @property
    def first(self) -> Forecast:
        """The forecast of the run that comes next, of `FIRST_PAIRS` pairs."""
        share, expected = 2 * FIRST_PAIRS / _FORECAST, self.expected
        return Forecast(
            calls=2 * FIRST_PAIRS,
            tokens_in=None if expected.tokens_in is None else round(expected.tokens_in * share),
            tokens_out=None if expected.tokens_out is None else round(expected.tokens_out * share),
            cost=None if expected.cost is None else expected.cost * share,
            seconds=None if expected.seconds is None else expected.seconds * share,
        )

    @property
    def failing(self) -> list[DoctorCheck]:
        """The checks that the judge failed."""
        return [finding for finding in self.findings if finding.holds is False]


class _Visit:
    """One checkup at work: the judge, the questions, and the sums over all replies.

    `truth`: the right answers by query id.
    """

    def __init__(self, judge: Judge, template: PromptTemplate, limits: Limits) -> None:
        """Take both questions of the first `_PAIRS` relevant pairs of `_source_for`, as the template asks them."""
        self.judge = judge
        self.asker = Asker(judge, limits)
        source = _source_for(judge)
        relevant = {pair.id for pair in source if pair.relevant}
        self.truth = {key.id: key.expected for key in keys(source)}
        dressed = (template.dress(query) for query in queries(source))
        self.queries = [query for query in dressed if query.group in relevant][: 2 * _PAIRS]
        self.figures, self.question_count = Figures(), 0

    async def ask(self, queries: Sequence[Query], repeat: int = 0) -> dict[str, Record]:
        """Ask queries together; returns the last record of each by the query's id.

        `repeat`: how often they were asked before, which only a rater is told: else its memory would answer.
        """
        records: list[Record] = []
        if isinstance(self.judge, RaterJudge):
            queries = [msgspec.structs.replace(query, repeat=repeat) for query in queries]
        self.question_count += len(queries)
        await self.asker.ask([PendingQuery(query, query.id, query.digest) for query in queries], records.extend)
        if self.asker.stopped:
            raise JudgeError(self.asker.stopped)
        for record in records:
            self.figures.add(record)
        return {record.id: record for record in records}


def check_up(
    judge: Judge | Callable[..., Any] | str,
    template: PromptTemplate,
    limits: Limits | None = None,
    on_progress: OnProgress = unseen,
    *,
    most_unread: float = 0.0,
    base_url: str = "",
) -> Checkup:
    """Open a judge, ask it a few questions one by one, together and again, and forecast a run.

    `most_unread`: the largest share of replies, 0 … 1, that may come to no answer. `limits`: by default with 3 retries.
    `base_url`: the server's address, of an `openai:` judge.

    Raises JudgeError if the judge cannot be asked at all, or stops answering.
    """
    opened_judge = opened(judge, lambda: keys(_source_for(opened_judge)), base_url=base_url)

    async def visit() -> Checkup:
        """Examine the judge, and close it in any case."""
        try:
            return await _examine(_Visit(opened_judge, template, limits or Limits(retries=3)), on_progress, most_unread)
        finally:
            await opened_judge.close()

    return run_sync(visit())


def _source_for(judge: Judge) -> SuiteSource:
    """The pairs that the doctor draws: of "smoke" or, for a judge that only compares pictures, of "pairwise"."""
    compares = extras(judge, JudgeExtras).only_compares
    return SuiteSource(load_suite("pairwise"), 2 * _PAIRS) if compares else SuiteSource(load_suite("smoke"))


async def _examine(visit: _Visit, on_progress: OnProgress, most_unread: float) -> Checkup:
    """Ask the questions one by one, together and again, and judge the replies. `most_unread`: a share, 0 … 1."""
    queries, together = visit.queries, visit.queries[:_TOGETHER]
    total = len(queries) + len(together) + _AGAIN
    singles: dict[str, Record] = {}
    for i, query in enumerate(queries):
        on_progress(i, total)
        singles |= await visit.ask([query])
        first = singles[query.id]
        if i == 0 and first.failure is not None and first.attempts > 1:
            raise JudgeError(
                f"the first question failed after {counted(first.attempts, 'try', 'tries')}: {_reason(first.failure)}"
            )
    at_once = await visit.ask(together, 1)
    on_progress(len(queries) + len(together), total)
    again: dict[str, Record] = {}
    for query in queries[:_AGAIN]:
        again |= await visit.ask([query], 2)
    on_progress(total, total)
    one_by_one = f"{len(together)} questions asked together and one by one"
    declared = extras(visit.judge, JudgeExtras)
    findings = (
        await asyncio.to_thread(scorer_checks, visit.judge, queries) if isinstance(visit.judge, ScorerJudge) else []
    ) or [
        _reading_check(queries, singles, most_unread),
        _sight_check(queries, singles, visit.truth),
        _stability_check("together", one_by_one, together, singles, at_once, declared.samples),
        _stability_check(
            "again", "the same questions a second time", queries[:_AGAIN], singles, again, declared.samples
        ),
    ]
    return Checkup(
        judge=visit.judge.name,
        able=all(finding.holds is not False for finding in findings),
        findings=findings,
        questions=visit.question_count,
        failed=visit.question_count - visit.figures.replies,
        prices=declared.prices,
        unpriced=declared.unpriced,
        expected=forecast(_FORECAST, visit.figures, visit.asker.at_once * visit.asker.batch),
        figures=visit.figures,
    )


def _reading_check(queries: Sequence[Query], records: dict[str, Record], most_unread: float) -> DoctorCheck:
    """The check that replies can be read: it fails if clearly more than `most_unread` (0 … 1) of them cannot."""
    failed = [record for record in records.values() if not record.final]
    if failed:
        last = _reason(failed[-1].failure or Failed("failed"))
        return DoctorCheck("answers", False, f"{len(failed)} of {len(records)} questions failed; the last: {last}")
    unread = [(query, records[query.id], why) for query in queries if (why := _reason_unread(query, records[query.id]))]
    message = f"{len(records) - len(unread)} of {len(records)} replies could be read as answers"
    if dropped := sorted({name for record in records.values() for name in record.dropped}):
        message += f" (without {', '.join(dropped)}, which the server does not take)"
    if not unread:
        return DoctorCheck("answers", True, message)
    examples: dict[str, str] = {}  # by reason, the first reply that could not be read for it
    for query, record, why in unread:
        examples.setdefault(why, f"{(record.reply or '')[:_MAX_WIDTH]!r} for {query.answer_type} ({why})")
    shown = "; ".join(list(examples.values())[:_MAX_SHOWN])
    hints = ["try another prompt template, which may say how to answer"]
    if any(record.finish == CUT_OFF for _, record, _ in unread):
        hints.insert(0, "raise max_tokens")
    message += f" (limit: {100 * most_unread:g} % unread); unread: {shown}; {', or '.join(hints)}"
    # So few questions cannot show a small share such as 1 in 50: the check fails if the interval is above the limit.
    interval = wilson(len(unread), len(records))
    return DoctorCheck("answers", interval is None or interval[0] <= most_unread, message)


def _reason_unread(query: Query, record: Record) -> str:
    """The reason why a reply is no answer; empty if it is one."""
    outcome = _outcome_of(query, record)
    if isinstance(outcome, Refused):
        return f"it declines: {outcome.evidence}"
    return outcome.reason if isinstance(outcome, Unparsed) else ""


def _sight_check(queries: Sequence[Query], records: dict[str, Record], truth: dict[str, str]) -> DoctorCheck:
    """The check that answers follow the pictures: more pairs have two right answers than guesses would give.

    `records` and `truth`: the record and the right answer of each query, by its id.
    """
    groups: dict[str, list[tuple[Query, Record]]] = {}
    for query in queries:
        groups.setdefault(query.group, []).append((query, records[query.id]))
    pairs = [pair for pair in groups.values() if all(record.final for _, record in pair)]
    if not pairs:
        return DoctorCheck("sees", None, "no pair has an answer to both pictures")
    differ = sum(meant(_outcome_of(*a)) != meant(_outcome_of(*b)) for a, b in pairs)
    right = sum(all(meant(_outcome_of(*item)) == meant(Answer(truth[item[0].id])) for item in pair) for pair in pairs)
    message = f"{differ} of {len(pairs)} pairs of different pictures got different answers to the same question"
    message += f"; {right} of the pairs got two right answers"
    if right <= _MAX_BY_CHANCE:
        message += ", as guesses would" if differ else ""
        message += "; check that the model receives the pictures, and that nothing caches the first for the second"
    return DoctorCheck("sees", right > _MAX_BY_CHANCE, message)


def _stability_check(
    name: str, subject: str, queries: Sequence[Query], before: dict[str, Record], now: dict[str, Record], samples: bool
) -> DoctorCheck:
    """The check that answers stay the same when questions are asked again.

    `name`: the name of the check; `subject`: the beginning of its message. `before` and `now`: the records of both
    times, by query id. `samples`: True if the judge draws its answers at random (temperature above 0): then they need
    not stay.
    """
    repeated = [(query, before[query.id], now[query.id]) for query in queries if query.id in now]
    compared = [(query, a, b) for query, a, b in repeated if a.final and b.final]
    failed = sum(a.final and not b.final for _, a, b in repeated)
    if samples and all(b.final for _, _, b in repeated):
        return DoctorCheck(name, None, f"{subject}: not counted, since the judge samples (temperature above 0)")
    if not compared:
        return DoctorCheck(name, False if failed else None, f"{subject}: no question was answered both times")
    changed = sum(meant(_outcome_of(query, a)) != meant(_outcome_of(query, b)) for query, a, b in compared)
    reworded = sum(a.reply != b.reply for _, a, b in compared)
    message = f"{subject}: {changed} of {len(compared)} answers differ, {reworded} replies are worded differently"
    if failed:
        message += f", {failed} failed this time"
    return DoctorCheck(name, changed == 0 and not failed, message)


def _outcome_of(query: Query, record: Record) -> Outcome:
    """The outcome of a recorded reply, read as an answer to its query."""
    return answer_to(query, Reply(text=record.reply, finish=record.finish))


def _reason(failure: Failed) -> str:
    """The kind and the message of a failure."""
    return f"{failure.kind} {failure.message}".strip()


def scorer_checks(judge: ScorerJudge, queries: Sequence[Query]) -> list[DoctorCheck]:
    """The checks of a scorer, by its numbers for drawn pairs and for two plain pictures.

    `queries`: comparisons, two by two about the same pictures. Numbers are asked for anew, also known ones.
    """
    items = [(picture, str(statement_in(query))) for query in queries for picture in query.pictures]
    began = time.monotonic()
    first = judge.numbers(items)
    seconds = (time.monotonic() - began) / len(items)
    numbers = [number for number in first if not isinstance(number, Failed)]
    if failed := [number for number in first if isinstance(number, Failed)]:
        return [DoctorCheck("finite", False, f"{len(failed)} of {len(items)} numbers failed: {_reason(failed[-1])}")]
    second = judge.numbers(items[::-1])[::-1]
    if failed := [number for number in second if isinstance(number, Failed)]:
        message = f"asked a second time, {len(failed)} of {len(items)} numbers failed: {_reason(failed[-1])}"
        return [DoctorCheck("finite", False, message)]
    spread = max(abs(a - b) for a, b in zip(numbers, second, strict=True))  # type: ignore[operator]
    low, high = min(numbers), max(numbers)
    advice = f": with the option margin={1.1 * spread:.2g} such a difference is a tie" if spread > judge.margin else ""
    steady = spread <= judge.margin or 10 * spread <= high - low
    threshold = max(spread, judge.margin)  # a smaller difference is none
    # Of each query two numbers follow each other; those of the next query are about the same pictures and another text.
    by_picture = sum(abs(a - b) > threshold for a, b in zip(numbers[::2], numbers[1::2], strict=True))
    by_text = sum(abs(numbers[i] - numbers[i + 2]) > threshold for i in range(len(numbers)) if i % 4 < 2)
    return [
        DoctorCheck("finite", True, f"{len(numbers)} numbers, from {low:.3g} to {high:.3g}, {seconds:.2g} s each"),
        DoctorCheck("repeats", steady, f"asked again, they differ by {spread:.2g} or less{advice}"),
        DoctorCheck("sees", by_picture > 0, f"{by_picture} of {len(queries)} times two pictures differ for one text"),
        DoctorCheck("reads", by_text > 0, f"{by_text} of {len(queries)} times two texts differ for one picture"),
        _sign_check(judge, threshold),
        *([_length_check(judge, threshold)] if by_text else []),
    ]


def _circle_numbers(judge: ScorerJudge, colour: str, texts: Sequence[str]) -> list[float | Failed]:
    """The numbers for a white picture with a large circle of this colour and each of the texts."""
    image = Image.new("RGB", (256, 256), "white")
    ImageDraw.Draw(image).ellipse((48, 48, 208, 208), colour)
    picture = Picture(lambda: image, f"a {colour} circle")
    return judge.numbers([(picture, text) for text in texts])


def _sign_check(judge: ScorerJudge, threshold: float) -> DoctorCheck:
    """The check that a larger number is a better match, on a red and a blue circle, each with both texts."""
    texts = ["a large red circle", "a large blue circle"]
    found = [*_circle_numbers(judge, "red", texts), *_circle_numbers(judge, "blue", texts)]
    if failed := next((number for number in found if isinstance(number, Failed)), None):
        return DoctorCheck("sign", None, f"not tried: a number for a plain circle failed: {_reason(failed)}")
    red, red_as_blue, blue_as_red, blue = (number for number in found if not isinstance(number, Failed))
    gaps = red - blue_as_red, blue - red_as_blue
    right = sum(gap > threshold for gap in gaps)
    message = f"of a red and a blue circle the right one has the larger number for {right} of 2 texts"
    reverse = "; a larger number must be a better match: return its negative" if max(gaps) < -threshold else ""
    return DoctorCheck("sign", right == 2, f"{message}{reverse}")


def _length_check(judge: ScorerJudge, threshold: float) -> DoctorCheck:
    """The check that the end of a text counts: its last words, red or blue, change the number for a red circle."""
    reads: dict[int, bool] = {}
    for words in _TEXT_WORDS:
        filler = "a plain white wall, " * (words // 4)
        first, second = _circle_numbers(judge, "red", [f"{filler}a red circle", f"{filler}a blue circle"])
        if isinstance(first, Failed) or isinstance(second, Failed):
            reason = _reason(first if isinstance(first, Failed) else second)  # type: ignore[arg-type]
            return DoctorCheck("long texts", None, f"not tried: a text of {words} words failed: {reason}")
        reads[words] = abs(first - second) > threshold
    cut = next((words for words in _TEXT_WORDS if not reads[words]), None)
    message = f"the end of a text of {cut or _TEXT_WORDS[-1]} words {'counts' if cut is None else 'does not count'}"
    if cut is not None and cut > _TEXT_WORDS[0]:
        message += " (CLIP reads 77 tokens): keep prompts shorter"
    return DoctorCheck("long texts", reads[_TEXT_WORDS[0]], message)
