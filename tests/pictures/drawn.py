"""What tests of generators share: small prompt sets, and a generator whose pictures tell what they were drawn from."""

import asyncio
import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from PIL import Image

from counterbench.answers.outcomes import Failed
from counterbench.asking.asker import Limits
from counterbench.drawing import png, reading
from counterbench.pictures.generators import Drawing, DrawingRequest
from counterbench.prompts.prompt_set import Check, Prompt, PromptSet

LEVELS = ("l1", "l2", "l3")
QUICK = Limits(backoff=0.01)
# A prompt file of one's own, whose checks nothing can be drawn for.
OWN = """id,level,check,prompt,question,dimension,skill,weight
balls,only,three,Three balls.,Are there exactly three balls?,assessment-point,count,15
balls,only,clear,Three balls.,Is the picture clear?,visual-integrity,integrity,5
"""


def prompt_set(groups: Sequence[str] | int = 2, levels: Sequence[str] = LEVELS, name: str = "small") -> PromptSet:
    """Groups ("g0", "g1", … if only their number is given), each prompt with words of its own."""
    names = [f"g{i}" for i in range(groups)] if isinstance(groups, int) else groups
    check = Check(id="seen", dimension="assessment-point", text="Is it there?", weight=1, skill="position")
    places = [(group, level) for group in names for level in levels]
    return PromptSet(name, levels, [Prompt.at(*at, "Draw {} by {}.".format(*at), checks=(check,)) for at in places])


def requests_of(prompts: Sequence[Prompt], samples: int = 1) -> list[DrawingRequest]:
    """So many samples of each prompt, as a generator gets them."""
    return [
        DrawingRequest(id=f"{p.id}/{k}", group=p.group, level=p.level, sample=k, text=p.text, seed=k)
        for p in prompts
        for k in range(samples)
    ]


def painting(text: str, seed: int, size: tuple[int, int] = (8, 8)) -> bytes:
    """The picture of a text and a seed, and of no others."""
    digest = hashlib.sha256(f"{seed} {text}".encode()).digest()
    image = Image.new("RGB", size, tuple(digest[:3]))
    image.paste((*digest[3:5], digest[0] ^ 255), (0, 0, size[0] // 2, size[1]))
    return png.encode(image)


def painting_digest(text: str, seed: int) -> str:
    """The digest of `painting`'s pixels."""
    return reading.normalised(painting(text, seed)).digest


class Painter:
    """Draws `painting`s, unless `draw_instead` has another (or an exception) for a request; counts what it drew."""

    max_in_flight = 4

    def __init__(
        self,
        draw_instead: Callable[[DrawingRequest], Drawing | Exception | None] = lambda request: None,
        *,
        batch: int = 1,
        delay: float = 0.0,
        name: str = "painter",
        cost: float | None = None,
        side: int = 8,
    ) -> None:
        self.name, self.max_batch, self._draw_instead, self._delay, self._cost = name, batch, draw_instead, delay, cost
        self._size = (side, side)
        self.drawn: Counter[str] = Counter()
        self.requests: dict[str, DrawingRequest] = {}
        self.batches: list[int] = []
        self.closed = 0

    async def draw(self, batch: Sequence[DrawingRequest]) -> list[Drawing]:
        self.batches.append(len(batch))
        await asyncio.sleep(self._delay)
        drawings = []
        for request in batch:
            self.drawn[request.id] += 1
            self.requests[request.id] = request
            other = self._draw_instead(request)
            if isinstance(other, Exception):
                raise other
            drawings.append(other or Drawing(picture=painting(request.text, request.seed, self._size), cost=self._cost))
        return drawings

    async def close(self) -> None:
        self.closed += 1


def failing(kind: str = "broken") -> Drawing:
    return Drawing(failure=Failed(kind, "it did not work"))


def files(folder: Path) -> set[str]:
    """The files of a folder but for the lock."""
    return {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file() and p.name != ".lock"}
