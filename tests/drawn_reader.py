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


# What was said of pictures, by their digests and the words: tests ask about the same drawn pairs again and again.
_SAID: dict[tuple[str, ...], Reply] = {}


class KnowingReader(PixelReader):
    """The pixel reader, which reads no picture twice for the same question."""

    async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
        asked = [(query.text, query.answer_type, *(of.digest for of in query.pictures)) for query in batch]
        new = {key: query for key, query in zip(asked, batch, strict=True) if key not in _SAID}
        _SAID.update(zip(new, await super().answer([*new.values()]), strict=True))
        return [_SAID[key] for key in asked]


class DrawnReader(KnowingReader):
    """The same; what it cannot read of a treated control is looked up in the suite that draws it."""

    async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
        replies = await super().answer(batch)
        return [self._seen(*each) for each in zip(batch, replies, strict=True)]

    def _seen(self, query: Query, reply: Reply) -> Reply:
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


@functools.cache
def _suite(smallest: int | None) -> Suite:
    return load_suite(BASIC).with_smallest(smallest)
