"""The pixel reader: a judge that sees pictures and words only, and so a second check of the truth.

It shares no question programs, phrasings, renderer or scenes with the rest, so that a mistake in one of
those (left for right) shows as a disagreement.
"""

from collections.abc import Sequence

from PIL import Image

from counterbench.answers.outcomes import Failed
from counterbench.errors import InputError
from counterbench.judges.base import Reply
from counterbench.judges.pixels.cannot import CannotRead
from counterbench.judges.pixels.reader import read_answer as read_shapes
from counterbench.judges.pixels.things.reader import read_things
from counterbench.runs.queries import Query

__all__ = ["CannotRead", "PixelReader", "read_answer"]


class PixelReader:
    """The pixel reader as a judge: needs no model, no network and no key, and says so when it cannot tell."""

    name = "pixels"
    max_batch = 16
    max_in_flight = 1

    async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
        """One reply for each query: the plain answer, or "I cannot tell: …"; a damaged picture is a failure."""
        return [_reply(query) for query in batch]

    async def close(self) -> None:
        """Nothing to release."""


def read_answer(image: Image.Image, question: str) -> str:
    """The answer to a question about a picture of things or of shapes, in canonical form, or CannotRead."""
    try:
        return read_things(image, question)
    except CannotRead as error:
        if error.what != "words":
            raise
    return read_shapes(image, question)


def _reply(query: Query) -> Reply:
    try:
        if len(query.pictures) != 1:
            raise CannotRead(f"the question comes with {len(query.pictures)} pictures, not one")
        answer = read_answer(query.pictures[0].image(), query.text)
    except CannotRead as error:
        answer = error.plain
    except InputError as error:
        return Reply(failure=Failed("picture", str(error)), model=PixelReader.name, cost=0.0)
    return Reply(text=query.phrased(answer), model=PixelReader.name, cost=0.0)
