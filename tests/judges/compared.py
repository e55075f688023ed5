"""Comparisons of two plain pictures, and runs of planted scorers and raters, for their tests."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import msgspec
from PIL import Image
from planted_runs import edit_info, keys_of_cells, read_journal, rewrite, write_cells_run

from counterbench.answers.choices import PREFERENCE
from counterbench.drawing.picture import Picture
from counterbench.judges import open_judge
from counterbench.judges.base import Judge, Reply
from counterbench.runs.queries import Query, load_template
from counterbench.suites.comparisons import comparison_question

LAWS = ("presence",)
COLOURS = ("red", "blue", "green")


def plain(colour: str) -> Picture:
    return Picture(lambda: Image.new("RGB", (4, 4), colour), colour)


def comparison(
    first: str, second: str, prompt: str, id: str = "q", template: str = "structured", **more: object
) -> Query:
    """The question which of two plain pictures shows the prompt better, as a judge gets it."""
    fields = {
        "id": id, "group": id, "role": "original", "text": comparison_question(prompt), "answer_type": PREFERENCE,
        "pictures": (plain(first), plain(second)),
    }  # fmt: skip
    return load_template(template).dress(Query(**fields | more))  # type: ignore[arg-type]


def shown(image: Image.Image) -> str:
    """The colour of a plain picture."""
    pixel = image.getpixel((0, 0))
    return next(name for name in COLOURS if Image.new("RGB", (1, 1), name).getpixel((0, 0)) == pixel)


def replies_to(judge: Judge, queries: Sequence[Query]) -> list[Reply]:
    """The replies to the queries, asked in batches of the judge's size; the judge is closed."""

    async def all_of_them() -> list[Reply]:
        replies: list[Reply] = []
        for start in range(0, len(queries), judge.max_batch):
            replies += await judge.answer(queries[start : start + judge.max_batch])
        await judge.close()
        return replies

    return asyncio.run(all_of_them())


def compared_run(path: Path, judge: str) -> Path:
    """A run of a planted scorer or rater on 30 pairs of each cell of one family and of the controls of `pairwise`."""
    write_cells_run(path, "planted:oracle", LAWS, suite="pairwise")
    known = list(keys_of_cells("pairwise", LAWS, 30))
    opened = open_judge(judge, lambda: known)
    queries = [comparison("red", "blue", key.id, id=key.id, group=key.group, role=key.role) for key in known]
    replies = dict(zip((key.id for key in known), asyncio.run(opened.answer(queries)), strict=True))
    rewrite(
        path,
        [msgspec.structs.replace(r, reply=replies[r.id].text, model=replies[r.id].model) for r in read_journal(path)],
    )
    edit_info(path, judge=opened.name)
    return path
