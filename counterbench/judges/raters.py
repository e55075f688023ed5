"""Raters: a judge's ratings of two pictures, one at a time and with the prompt shown, as the answer to a comparison.

`rater:JUDGE?scale=1-5` wraps any judge. Each picture of a comparison gets the question of the protocol `direct`; the
picture with the higher rating is better, and equal ratings are the answer "equal". So the suite `pairwise` tests if a
judge's ratings order pictures rightly. That says nothing of their level: a rating of 4 may be too kind for all.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import msgspec

from counterbench.answers import read_reply
from counterbench.answers.choices import EQUAL, FIRST, PREFERENCE, SECOND
from counterbench.answers.outcomes import Answer, Failed, Refused, Unparsed
from counterbench.answers.parsing import DECLINED, FILTERED
from counterbench.errors import InputError, chosen
from counterbench.judges.base import Judge, JudgeExtras, Reply, Retry, extras, raised, without_error_text
from counterbench.judges.scorers import Memo, MemoKey, numbers_in, order, statement_in, with_numbers
from counterbench.judges.specs import RATER
from counterbench.runs.queries import RATING_QUESTIONS, Key, PromptTemplate, Query, load_template, with_prompt

_PLACES = (FIRST, SECOND)
_SPENT = ("tokens_in", "tokens_out", "tokens_reasoning", "cost")


def split_rater(spec: str) -> tuple[str, str]:
    """The inner judge's name and the scale of `JUDGE?option=value&scale=1-5`; InputError for an unknown scale."""
    name, _, query = spec.partition("?")
    options = query.split("&") if query else []
    scales = [option.partition("=")[2] for option in options if option.startswith("scale=")] or ["1-5"]
    if len(scales) > 1:
        raise InputError(f"{RATER}:{spec}: option 'scale' is given twice")
    chosen("scale", scales[-1], RATING_QUESTIONS, f"{RATER}:{spec}")
    rest = "&".join(option for option in options if not option.startswith("scale="))
    return f"{name}?{rest}" if rest else name, scales[-1]


def rated_keys(keys: Callable[[], Iterable[Key]], scale: str) -> Iterator[Key]:
    """The truth of a rater's own questions, from that of the comparisons: the best rating for what shows the prompt.

    For planted judges: a misread comparison is a misread rating. Both pictures are best where they are equal.
    """
    worst, best = scale.split("-")
    for key in keys():
        for place in _PLACES:
            ratings = {answer: best if answer in (place, EQUAL) else worst for answer in (*_PLACES, EQUAL)}
            expected = ratings.get(key.expected, "")
            wrong = {name: ratings[answer] for name, answer in key.misreadings.items() if answer in ratings}
            yield msgspec.structs.replace(
                key,
                id=f"{key.id}/{place}",
                answer_type=f"rating:{scale}",
                expected=expected,
                misreadings={name: rating for name, rating in wrong.items() if rating != expected},
            )


def rater_name(judge: str, scale: str = "1-5") -> str:
    """The name of the rater that asks the judge of this name."""
    return f"{RATER}:{judge}{'&' if '?' in judge else '?'}scale={scale}"


def rating_template() -> PromptTemplate:
    """The template of a rater's questions, and by default of the protocol `direct`."""
    return with_prompt(load_template())


class RaterJudge:
    """A judge of comparisons that asks `inner` for a rating of each of the two pictures, from 1 to 5 or 0 to 10.

    A comparison takes two calls of `inner`, whose tokens and cost its reply adds up. A rating that came already, of the
    same picture and prompt, is not asked for again: the memory holds a future of each, from the first call for it on.
    """

    max_pictures = 2
    only_compares = recalls = True

    def __init__(self, inner: Judge, scale: str = "1-5") -> None:
        """Wrap a judge; InputError for an unknown scale, and for a judge that only compares pictures."""
        declared = extras(inner, JudgeExtras)
        if declared.only_compares:
            raise InputError(f"{RATER}:{inner.name}: this judge compares two pictures and rates none; name it alone")
        self._question, self._answer_type = chosen("scale", scale, RATING_QUESTIONS), f"rating:{scale}"
        self._inner, self._template, self._memo = inner, rating_template(), Memo()
        self._recalled: dict[MemoKey, Reply] = {}  # of an earlier process; a future needs a running loop
        self.name = rater_name(inner.name, scale)
        self.max_batch, self.max_in_flight = max(1, inner.max_batch // 2), inner.max_in_flight
        self.versions, self.samples, self.needs_images = declared.versions, declared.samples, declared.needs_images
        self.prices, self.unpriced = declared.prices, declared.unpriced
        self.short_name = declared.short_name and f"{RATER} {declared.short_name}"

    async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
        """One reply for each query, from its two ratings."""
        ratings = [self._ratings(query) for query in batch]
        wanted = dict(pair for pairs in ratings if not isinstance(pairs, Failed) for pair in pairs)
        for key in wanted.keys() & self._recalled.keys():
            future = asyncio.get_running_loop().create_future()
            future.set_result(self._recalled.pop(key))
            self._memo.keep(key, future)
        futures = {key: self._memo[key] for key in wanted if key in self._memo}  # some that other calls are asking for
        keys = [key for key in wanted if key not in futures]
        for key in keys:
            futures[key] = asyncio.get_running_loop().create_future()
            self._memo.keep(key, futures[key])
        try:
            for start in range(0, len(keys), self._inner.max_batch):
                part = keys[start : start + self._inner.max_batch]
                for key, reply in zip(part, await self._ask_inner([wanted[key] for key in part]), strict=True):
                    futures[key].set_result(without_error_text(reply))
        finally:  # if this call was stopped, those that wait for its ratings ask again
            for key in keys:
                if not futures[key].done():
                    futures[key].set_result(Reply(failure=Failed("stopped", "its call was stopped"), retry=Retry()))
                if futures[key].result().failure is not None:
                    self._memo.pop(key, None)
        replies = {key: await asyncio.shield(future) for key, future in futures.items()}
        unpaid = {*keys}

        def paid_once(key: MemoKey) -> Reply:
            """The reply, with its cost and tokens the first time alone."""
            cost = replies[key] if key in unpaid else _for_nothing(replies[key])
            unpaid.discard(key)
            return cost

        return [
            Reply(failure=pairs) if isinstance(pairs, Failed) else self._joined([paid_once(key) for key, _ in pairs])
            for pairs in ratings
        ]

    def recall(self, query: Query, reply: str) -> None:
        """Remember the ratings in an earlier reply to a query, which cost nothing now."""
        ratings, numbers = self._ratings(query), numbers_in(reply)
        if not isinstance(ratings, Failed) and numbers is not None:
            for (key, _), number in zip(ratings, numbers, strict=True):
                if key not in self._memo:
                    self._recalled[key] = Reply(text=f"{number:g}", cost=0, tokens_in=0, tokens_out=0)

    async def close(self) -> None:
        """Close the inner judge."""
        await self._inner.close()

    async def _ask_inner(self, queries: Sequence[Query]) -> Sequence[Reply]:
        """The inner judge's replies; if it raises an error, failures, so that what was paid before is kept."""
        try:
            return await self._inner.answer(queries)
        except Exception as error:
            return [Reply(failure=raised(error))] * len(queries)

    def _ratings(self, query: Query) -> list[tuple[MemoKey, Query]] | Failed:
        """The two questions to the inner judge, each with its key; the failure if the query is no comparison."""
        statement = statement_in(query)
        if isinstance(statement, Failed):
            return statement
        return [
            (
                (picture.digest, statement, query.repeat),
                self._template.dress(
                    Query(
                        id=f"{query.id}/{place}", group=query.group, role=query.role, pictures=(picture,),
                        text=self._question, answer_type=self._answer_type, prompt=statement, repeat=query.repeat,
                    )
                ),
            )
            for place, picture in zip(_PLACES, query.pictures, strict=True)
        ]  # fmt: skip

    def _joined(self, replies: Sequence[Reply]) -> Reply:
        """One reply from two ratings: their order; or that one which failed, declines or gives no rating."""
        failed = any(reply.failure is not None for reply in replies)
        joint: dict[str, Any] = {name: _sum([getattr(reply, name) for reply in replies], failed) for name in _SPENT}
        joint |= {"dropped": tuple(sorted({name for reply in replies for name in reply.dropped}))}
        joint |= {"logprobs": None, "choices": None}  # of a rating, not of the answer
        values = []
        for reply in replies:
            if reply.failure is not None:
                return msgspec.structs.replace(reply, **joint)
            outcome = read_reply(reply.text or "", self._answer_type, reply.finish)
            if not isinstance(outcome, Answer):
                return msgspec.structs.replace(_unrated(reply, outcome), **joint)
            values.append(float(outcome.value))
        first, second = values
        of_model = next((reply for reply in replies if reply.model), replies[0])  # a recalled one has no model
        return msgspec.structs.replace(of_model, text=with_numbers(first, second, order(first, second)), **joint)


def _unrated(reply: Reply, outcome: Refused | Unparsed | Failed) -> Reply:
    """A reply without a rating as the reply to a comparison, of which it is no answer either.

    Its words are left out if they could be read as an answer, such as "the first one".
    """
    if isinstance(outcome, Refused):
        return reply if reply.finish in (FILTERED, DECLINED) else msgspec.structs.replace(reply, finish=DECLINED)
    if isinstance(read_reply(reply.text or "", PREFERENCE, reply.finish), Unparsed):
        return reply
    return msgspec.structs.replace(reply, text="no rating could be read in its words")


def _for_nothing(reply: Reply) -> Reply:
    """A reply that came already: it takes no tokens and costs nothing now, if it is known what it took."""
    return msgspec.structs.replace(reply, **{name: getattr(reply, name) and 0 for name in _SPENT})


def _sum(amounts: Sequence[float | None], failed: bool) -> float | None:
    """The sum of amounts; None if one is not known or, if a call failed (of which it rarely is), if none is."""
    known = [amount for amount in amounts if amount is not None]
    return sum(known) if known and (failed or len(known) == len(amounts)) else None
