"""A run about pictures of balls and a judge that sees them, with a fault or none: for tests of whole audits."""

import asyncio
import json
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from asked import judge_pictures
from drawn_reader import DrawnReader
from PIL import Image, ImageDraw

from counterbench.judges.base import Reply
from counterbench.pictures.auditing.drawn import drawn_questions
from counterbench.pictures.auditing.edits import edited_things
from counterbench.pictures.auditing.relations import RELATIONS, UNCHANGED
from counterbench.pictures.auditing.things import AuditedThing, holds
from counterbench.pictures.importing.pictures import import_pictures
from counterbench.pictures.importing.places import FoundPicture
from counterbench.pictures.judging.picture_queries import PictureQuestions
from counterbench.prompts.claims import Beside, Claim, CountClaim, Present
from counterbench.prompts.prompt_set import Check, Prompt, PromptSet
from counterbench.runs.queries import Query, load_template
from counterbench.scene.programs.base import NUMBER_WORDS
from counterbench.scene.seeds import Stream

INK = {"red": (230, 20, 20), "blue": (20, 20, 230), "green": (20, 150, 20)}
CLAIMS: tuple[Claim, ...] = (
    *(Present(f"{colour} ball") for colour in INK),
    *(CountClaim(f"{colour} balls", number) for colour in INK for number in (1, 2, 3)),
    *(Beside(f"{left} ball", "left", f"{right} ball") for left in INK for right in INK if left != right),
)


def words(claim: Claim) -> str:
    """A claim as people ask it."""
    if not isinstance(claim, CountClaim):
        return claim.text
    number, is_single = NUMBER_WORDS[claim.number], claim.number == 1
    return f"{'Is' if is_single else 'Are'} there exactly {number} {claim.things[:-1] if is_single else claim.things}?"


# The claim of each question that is asked of these, by its words.
KNOWN: dict[str, Claim] = {words(claim): claim for claim in CLAIMS}
for claim in (*CLAIMS, *(CountClaim("red balls", number) for number in range(6))):  # up to four are drawn
    KNOWN.setdefault(claim.text, claim)
    for relation in (*RELATIONS.values(), UNCHANGED):
        extras = relation.applied_to(claim, words(claim)).extras
        KNOWN |= {extra.text.rpartition(": ")[2]: extra.claim for extra in extras}
DRAWN = {item.id: item.truth for item in drawn_questions([*RELATIONS]).items}


def draw_balls(file: Path, number: int) -> None:
    """Up to four balls, each in a column."""
    image = Image.new("RGB", (96, 48), (250, 250, 250))
    stream = Stream("balls", number)
    for column in range(4):
        if (ink := stream.choice([*INK.values(), None])) is not None:
            x, y = 12 + 24 * column, stream.integer(14, 34)
            ImageDraw.Draw(image).ellipse((x - 8, y - 8, x + 8, y + 8), fill=ink)
    image.putpixel((0, 0), (number % 256, number // 256, 0))  # no two are the same file
    image.save(file)


def balls(image: Image.Image, start: int = 0) -> tuple[AuditedThing, ...]:
    """The balls in a picture, by their columns."""
    pixels, found = np.asarray(image.convert("RGB"), int), []
    for colour, ink in INK.items():
        columns = (np.abs(pixels - ink).sum(axis=2) < 90).sum(axis=0) > 2
        edges = np.flatnonzero(np.diff(np.concatenate([[0], columns.astype(int), [0]])))
        found += [
            AuditedThing("ball", (colour,), start + int(a + b) // 2)
            for a, b in zip(edges[::2], edges[1::2], strict=True)
        ]
    return tuple(found)


class Sighted:
    """A judge that sees balls, and knows what is true of our drawings; `yes`: says yes about all else.

    `blind_to_two`: cannot read two pictures side by side, not even drawn ones. `slow`: takes its time, so that it can
    be killed on the way. The command line gives options as texts, of which any is true.
    """

    max_batch, max_in_flight = 4, 1

    def __init__(self, yes: bool | str = False, blind_to_two: bool = False, slow: bool | str = False) -> None:
        self.name = f"sighted{'-yes' if yes else ''}{'-one' if blind_to_two else ''}"
        self.yes, self.blind_to_two, self.slow = yes, blind_to_two, slow
        self.question_ids: list[str] = []

    async def answer(self, batch: Sequence[Query]) -> list[Reply]:
        await asyncio.sleep(0.01 if self.slow else 0)
        self.question_ids += [query.id for query in batch]
        return [Reply(text=self._number(query) or ("yes" if self._says(query) else "no")) for query in batch]

    def _number(self, query: Query) -> str:
        """The number of balls, for a question that asks for one."""
        match = re.match(r"How many (\w+) balls", query.text)
        things = balls(query.pictures[0].image()) if match else ()
        return str(sum(match[1] in ball.colours for ball in things)) if match else ""

    def _says(self, query: Query) -> bool:
        if self.blind_to_two and "side by side" in query.text:
            return True
        if query.id in DRAWN:
            return DRAWN[query.id] == "yes"
        if self.yes:
            return True
        image = query.pictures[0].image()
        half = (image.width // 2, image.height)
        things = balls(image)
        if "left picture" in query.text:
            things = balls(image.crop((0, 0, *half)))
        elif "together" in query.text:
            sides = balls(image.crop((0, 0, *half))), balls(image.crop((half[0], 0, *image.size)))
            things = edited_things("together", *sides)
        question = query.text.partition("?")[0].rpartition(": ")[2]  # without the words of the template
        return holds(KNOWN[f"{question}?"], things)

    async def close(self) -> None: ...


def run_of(folder: Path, judge: Sighted, prompts: int = 60, models: int = 1) -> Path:
    """The run of a judge about one picture of each prompt by each model, three or four questions each."""
    prompt_list, placed = [], []
    for number in range(prompts):
        chosen = (CLAIMS[number % 3], CLAIMS[3 + number % 9], CLAIMS[12 + number % 6])
        checks = [Check(id=f"q{place}", text=words(claim)) for place, claim in enumerate(chosen)]
        if number % 3 == 0:
            text = "How many red balls are there?"
            checks.append(Check(id="number", text=text, answer_type="integer", expected="2"))
        prompt_list.append(Prompt.at(f"p{number}", "image", f"balls, number {number}", checks=tuple(checks)))
        for model in range(models):
            file = folder / f"{model}-{number}.png"
            draw_balls(file, number + 1000 * model)
            placed.append(FoundPicture(f"model-{model}", prompt_list[-1].id, 0, file, f"row {number}"))
    by = PromptSet("balls", ("image",), prompt_list, protocol="checklist")
    images = import_pictures(placed, by, folder / "images")
    options = {"template": load_template(), "certificate": None, "uncertified": True}
    judge_pictures(PictureQuestions(images, by), judge, folder / "run", **options)
    judge.question_ids.clear()
    return folder / "run"


def ball_table(folder: Path, prompts: int) -> Path:
    """A table of one picture of each prompt, with six questions each; a third of these are true, or so."""
    rows = []
    for number in range(prompts):
        draw_balls(folder / f"{number}.png", number)
        start = number % 3
        rows += [
            {"image": f"{number}.png", "prompt": f"balls, number {number}", "model": "one", "question": words(claim)}
            for claim in (*CLAIMS[start : start + 2], *CLAIMS[start + 3 : start + 5], *CLAIMS[start + 12 : start + 14])
        ]
    (folder / "table.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return folder / "table.jsonl"


class BallEyes(Sighted):
    """The same judge for `evaluate`: reads drawn pairs as the pixel reader does."""

    def __init__(self, yes: bool | str = False) -> None:
        super().__init__(yes)
        self._pixels = DrawnReader()

    async def answer(self, batch: Sequence[Query]) -> list[Reply]:
        return [await self._reply(query) for query in batch]

    async def _reply(self, query: Query) -> Reply:
        denied = query.text.startswith("Is the following false: ")
        if "ball" not in query.text and query.id not in DRAWN:
            self.question_ids.append(query.id)
            return (await self._pixels.answer([query]))[0]
        (reply,) = await super().answer([query])
        text = reply.text if not denied or self.yes else "no" if reply.text == "yes" else "yes"
        return Reply(text=query.phrased(text or ""))
