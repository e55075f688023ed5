"""Simulations over many seeds: the questions of a source, asked without files or a journal."""

import asyncio

from counterbench.judges.base import Judge, Reply
from counterbench.judges.planted import PlantedJudge
from counterbench.results.results import PairResult
from counterbench.results.rules import DEFAULT, Judged, scoring
from counterbench.runs.pair_queries import keys, queries
from counterbench.runs.queries import Key
from counterbench.suites.sources import Source


class Rehearsal:
    """The questions of a source, asked of judges in this process, without files or a journal.

    It serves simulations over many seeds: the results are those of `probe` and `score`. A planted judge, which looks at
    no picture, takes a fraction of a second.
    """

    def __init__(self, source: Source, scoring_name: str = DEFAULT) -> None:
        self.keys = list(keys(source))
        self._queries = list(queries(source))
        self._read = scoring(scoring_name)
        self._known: dict[tuple[object, ...], Judged] = {}  # planted judges say few different things

    def results(self, spec: str) -> list[PairResult]:
        """The results of the planted judge of that name, by pair."""
        return self.results_of(PlantedJudge(spec, self.keys))

    def results_of(self, judge: Judge) -> list[PairResult]:
        """The results of a judge by pair. It is asked in batches, one at a time, and each question once."""
        judged = [
            None if reply.text is None else self._judge(reply.text, reply.finish, key)
            for reply, key in zip(asyncio.run(self._ask(judge)), self.keys, strict=True)
        ]
        return [
            PairResult((self.keys[i], self.keys[i + 1]), judged[i], judged[i + 1], judged[i : i + 2].count(None), 0)
            for i in range(0, len(judged), 2)
        ]

    async def _ask(self, judge: Judge) -> list[Reply]:
        replies: list[Reply] = []
        for start in range(0, len(self._queries), judge.max_batch):
            batch = self._queries[start : start + judge.max_batch]
            replies += await judge.answer(batch)
            for query in batch:
                for picture in query.pictures:
                    picture.forget()
        return replies

    def _judge(self, text: str, finish: str, key: Key) -> Judged:
        case = (text, finish, key.answer_type, key.expected, *key.labels.items())
        if case not in self._known:
            self._known[case] = self._read(text, key, finish, False)
        return self._known[case]
