"""Judges that see colours of balls and read drawn pairs, each with a fault or none, and tables with more questions."""

import csv
import re
from collections.abc import Sequence
from pathlib import Path

from pictures.own_pictures import COLOURS, Eyes, table

from counterbench.judges.base import Reply
from counterbench.runs.queries import Query

_SEEN = re.compile(
    rf"^(?:Is the following false: )?(?:Is there|Does the picture show this: \"?)\s*a (?:{'|'.join(COLOURS)}) ball"
)


def asking(folder: Path, questions: Sequence[str], skill: str = "", **made: object) -> Path:
    """The table of `own_pictures` with these questions about every picture; "{}" is the colour that was asked for.

    `skill`: in a column of its own, of questions without the colour.
    """
    folder.mkdir(parents=True)
    source = table(folder, **made)  # type: ignore[arg-type]
    with source.open(newline="") as file:
        rows = list(csv.DictReader(file))
    named = ["skill"] * bool(skill)
    asked_rows = [
        row | {"question": text.format(row["prompt"].split()[1])} | dict.fromkeys(named, "" if "{" in text else skill)
        for row in rows
        for text in questions
    ]
    with source.open("w", newline="") as file:
        writer = csv.DictWriter(file, [*asked_rows[0]])
        writer.writeheader()
        writer.writerows(asked_rows)
    return source


class Sees(Eyes):
    """Sees balls, and says yes to whatever else it is asked of them, and no to its denial."""

    async def _reply(self, query: Query) -> Reply:
        denied = query.text.startswith("Is the following false")
        if "ball" not in query.text or _SEEN.match(query.text):
            return self.of_seen(await super()._reply(query), query, denied)
        return Reply(text=query.phrased(await self.of_others(query, denied)))

    def of_seen(self, reply: Reply, query: Query, denied: bool) -> Reply:
        return reply

    async def of_others(self, query: Query, denied: bool) -> str:
        return "no" if denied else "yes"


class Agrees(Sees):
    """Says yes to the denial of every question about balls, and answers those about drawings."""

    def of_seen(self, reply: Reply, query: Query, denied: bool) -> Reply:
        return Reply(text=query.phrased("yes")) if denied and "ball" in query.text else reply

    async def of_others(self, query: Query, denied: bool) -> str:
        return "yes"


class CannotDeny(Agrees):
    """Says yes to every denial, also of what drawings show."""

    def of_seen(self, reply: Reply, query: Query, denied: bool) -> Reply:
        return Reply(text=query.phrased("yes")) if denied else reply


class Flatters(Sees):
    """Says of other things that they are there where the ball is not."""

    async def of_others(self, query: Query, denied: bool) -> str:
        reply = await Eyes._reply(self, query)
        return "no" if "yes" in (reply.text or "") else "yes"


class Drifts(Sees):
    """Sees what is asked for, and changes its answer where nothing that matters has changed."""

    name = "drifts"

    async def _reply(self, query: Query) -> Reply:
        reply = await super()._reply(query)
        if not query.id.startswith("control") or query.role != "intervened":
            return reply
        return Reply(text=query.phrased("no" if "yes" in (reply.text or "") else "yes"))
