"""Pictures of one's own for tests: a table of two models' pictures of balls, and a judge that sees their colours."""

import csv
import re
from collections.abc import Sequence
from pathlib import Path
from string import ascii_lowercase

from drawn_reader import DrawnReader
from PIL import Image, ImageColor, ImageDraw

from counterbench.judges.base import Reply
from counterbench.runs.queries import Query
from counterbench.scene.seeds import Stream

COLOURS = ("red", "green", "blue", "yellow", "orange", "purple")
RATES = {"good": 0.95, "poor": 0.3}


def draw_ball(path: Path, colour: str, mark: int, side: int = 96) -> None:
    """A ball, and a mark that makes each picture another one."""
    image = Image.new("RGB", (96, 96), (240, 235, 225))
    draw = ImageDraw.Draw(image)
    draw.ellipse((20, 20, 70, 70), fill=colour)
    draw.line((0, 90, 95, 80 + mark % 15), fill="black")
    path.parent.mkdir(parents=True, exist_ok=True)
    image.resize((side, side), Image.Resampling.NEAREST).save(path)


def table(
    folder: Path, prompts: int = 15, rates: dict[str, float] = RATES, side: int = 96, whole: bool = False
) -> Path:
    """A CSV with image, prompt, model and a question; each model draws the asked colour at its rate, by a hash.

    `whole`: without questions, so that whole prompts are asked.
    """
    rows = [("image", "prompt", "model", "question")[: 4 - whole]]
    for number in range(prompts):
        colour = COLOURS[number % len(COLOURS)]
        for model, rate in rates.items():
            right = Stream("own", model, number).chance(rate)
            drawn = colour if right else COLOURS[(number + 1) % len(COLOURS)]
            draw_ball(folder / "pictures" / f"{model}-{number}.png", drawn, number, side)
            rows.append(
                (
                    f"pictures/{model}-{number}.png",
                    f"a {colour} ball on table {ascii_lowercase[number // 26]}{ascii_lowercase[number % 26]}",
                    model,
                    f"Is there a {colour} ball?",
                )[: 4 - whole]
            )
    with (folder / "table.csv").open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    return folder / "table.csv"


class Eyes:
    """A judge that reads drawn pairs as the pixel reader does and sees colours of balls; keeps what it was asked."""

    name, max_batch, max_in_flight = "eyes", 8, 1

    def __init__(self, blind: bool = False, mumbles: bool = False, on_plain_alone: bool = False) -> None:
        self.blind, self.mumbles, self._on_plain_alone = blind, mumbles, on_plain_alone
        self.question_ids: list[str] = []
        self._pixels = DrawnReader()

    async def answer(self, batch: Sequence[Query]) -> list[Reply]:
        self.question_ids += [query.id for query in batch]
        return [await self._reply(query) for query in batch]

    async def _reply(self, query: Query) -> Reply:
        if self._on_plain_alone and "sticker" in query.text:
            return Reply(text='{"answer": "no"}')
        of_ball = re.search(r"\b([a-z]+) ball\b", query.text)
        if of_ball is None:
            return Reply(text='{"answer": "yes"}') if self.blind else (await self._pixels.answer([query]))[0]
        if self.mumbles:
            return Reply(text="Hard to say, it depends.")
        wanted = ImageColor.getrgb(of_ball[1])
        colours = query.pictures[0].image().getcolors(9999) or ()
        is_seen = any(colour == wanted and count > 200 for count, colour in colours)
        denied = query.text.startswith("Is the following false")
        return Reply(text='{"answer": "%s"}' % ("yes" if is_seen != denied else "no"))

    async def close(self) -> None: ...
