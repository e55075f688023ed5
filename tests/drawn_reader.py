"""A judge for tests that sees drawn pictures: it reads them as the pixel reader does, and knows the treated ones."""

import functools
from collections.abc import Sequence

from counterbench.drawing import png
from counterbench.drawing.styles import draw
from counterbench.evidence.admission import BASIC
from counterbench.judges.base import Reply
from counterbench.judges.pixels.reader import PixelReader
from counterbench.prompts.manifest import MIN_TESTED_SIDE
from counterbench.runs.queries import Query
from counterbench.scene.pairs import ROLES
from counterbench.suites.suite import Suite, load_suite

_CANNOT = "I cannot tell"


# What was said to a question about a picture: tests ask about the same drawn pairs again and again.
_SAID: dict[tuple[str, bool, bool], Reply] = {}


class KnowingReader(PixelReader):
    """The pixel reader, which reads no picture twice for the same question."""

    async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
        questions = [(query.digest, query.answer_line, query.in_json) for query in batch]
        new = {key: query for key, query in zip(questions, batch, strict=True) if key not in _SAID}
        _SAID.update(zip(new, await super().answer([*new.values()]), strict=True))
        return [_SAID[key] for key in questions]


class DrawnReader(KnowingReader):
    """The same, which knows the pairs of the suite that tests skills: it need not read them, nor can it all treated."""

    async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
        known = {query.id: reply for query in batch if (reply := _known(query)) is not None}
        read = [query for query in batch if query.id not in known]
        replies = await super().answer(read)
        known |= {query.id: self._with_truth(query, reply) for query, reply in zip(read, replies, strict=True)}
        return [known[query.id] for query in batch]

    def _with_truth(self, query: Query, reply: Reply) -> Reply:
        if _CANNOT not in (reply.text or ""):
            return reply
        family, _, index = query.group.rpartition("-")
        for suite in map(_suite, (None, MIN_TESTED_SIDE, min(query.pictures[0].image().size))):
            for part in suite.parts if index.isdigit() else ():
                if part.family == family:
                    pair, place = suite.sample(part, int(index)), ROLES.index(query.role)
                    scene = pair.scenes[place]
                    drawn = draw(scene, suite.side_of(scene), suite.style, pair.scenes[0])
                    if png.pixel_digest(drawn) == png.pixel_digest(query.pictures[0].image()):
                        return Reply(text=query.phrased(pair.answers[place]), model=reply.model, cost=0.0)
        return reply


def _known(query: Query) -> Reply | None:
    """The truth of a pair as it is asked, but for the treated ones: which there are depends on the size of pictures."""
    family, _, index = query.group.rpartition("-")
    for part in _suite(None).parts if index.isdigit() and "following false" not in query.text else ():
        if part.family == family != "treated":
            pair = _suite(None).sample(part, int(index))
            if pair.question in query.text:
                return Reply(
                    text=query.phrased(pair.answers[ROLES.index(query.role)]), model=PixelReader.name, cost=0.0
                )
    return None


@functools.cache
def _suite(smallest: int | None) -> Suite:
    return load_suite(BASIC).with_smallest(smallest)
