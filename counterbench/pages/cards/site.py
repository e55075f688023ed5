"""The index over cards: a table to filter by what is needed, and a card for each judge in a folder beside it.

index.html, index.json       the table, and all cards as data
NAME/                        the files of a card
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from counterbench.bars import OnProgress, unseen
from counterbench.errors import CounterbenchError, InputError
from counterbench.files import formats
from counterbench.files.installation import needed
from counterbench.pages import words
from counterbench.pages.cards.checks import CheckedRun, checked
from counterbench.pages.cards.derive import derive_checked, questions_of
from counterbench.pages.cards.document import CardDocument
from counterbench.pages.cards.page import (
    BADGE_FILE,
    CARD_FILE,
    PAGE_FILE,
    SCHEMA_FILE,
    dollars,
    shown_name,
    write_files,
)
from counterbench.pages.frame import render
from counterbench.runs.folder import refuse_repeats
from counterbench.suites.families.ladders import LADDERS
from counterbench.text import counted

INDEX_FILE = "index.json"
_SHOWN = 0.01  # of CCS: so much must be lost to errors that no fault explains to be shown
_SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,79}")


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """A judge of the index."""

    slug: str  # the folder of its card
    card: CardDocument

    @property
    def name(self) -> str:
        """The judge in a line."""
        return shown_name(self.card)

    @property
    def rungs(self) -> dict[str, int]:
        """The place of the last rung that was shown, by ladder; -1 if the first was not."""
        found = {name: of for name, of in (self.card.ladders or {}).items() if name in LADDERS}
        return {
            name: -1 if of.granted is None else LADDERS[name].levels.index(of.granted) for name, of in found.items()
        }

    @property
    def skills(self) -> list[str]:
        """The skills and laws that it was shown to see."""
        return [of.name for of in self.card.sees or () if of.admitted]

    @property
    def faults(self) -> dict[str, float]:
        """Its faults and its other errors, each with the most that they cost in any suite."""
        named = {fault.name: fault.cost for fault in sorted(self.card.faults or (), key=lambda fault: fault.cost)}
        other = max((self.card.unexplained or {}).values(), default=0.0)
        return named | ({"other errors": other} if other >= _SHOWN else {})

    @property
    def usd(self) -> float | None:
        """The price of a thousand right answers."""
        return self.card.rates.usd if self.card.rates is not None else None

    @property
    def seconds(self) -> float | None:
        """The time of a thousand right answers."""
        return self.card.rates.seconds if self.card.rates is not None else None


class Index(msgspec.Struct, frozen=True, kw_only=True):
    """`index.json`."""

    format: Literal["counterbench.site/1"] = "counterbench.site/1"
    judges: list[Listed]
    left_out: int  # runs that were refused


class Site(NamedTuple):
    """A site that was written."""

    page: Path
    content: Index
    refused: dict[str, str]  # the reason by run


class _Column(NamedTuple):
    name: str
    key: str  # in attributes
    asks: str
    labels: list[str]


def write_site(paths: Sequence[Path], out: Path, on_progress: OnProgress = unseen) -> Site:
    """Derive the card of each judge of these runs, and write the index over them into `out`.

    A run that contradicts its replies is left out and named in the result. InputError if none is left, or if `out`
    holds something else.
    """
    needed("jinja2", "a site", "report")
    refuse_repeats(paths)
    refused: dict[str, str] = {}
    groups: dict[tuple[object, ...], list[CheckedRun]] = {}
    for number, path in enumerate(paths):
        on_progress(number, len(paths))
        try:
            run = checked(path, strict=True)
            same = groups.setdefault(
                (run.info.judge, run.info.template, run.info.template_digest, run.info.votes, run.imported), []
            )
            if twin := next((of for of in same if questions_of(of) == questions_of(run)), None):
                raise InputError(f"{path}: is about the same pairs or suite as {twin.results.path}")
            same.append(run)
        except CounterbenchError as error:
            refused[str(path)] = str(error)
    judges = []
    for group in filter(None, groups.values()):
        try:
            card = derive_checked(group)
            judges.append(Listed(slug=_slug(card), card=card))
        except CounterbenchError as error:
            refused |= {str(run.results.path): str(error) for run in group}
    if not judges:
        raise InputError(f"no run is left: {'; '.join(refused.values())}")
    index = Index(judges=sorted(judges, key=lambda of: of.name), left_out=len(refused))
    with formats.claim(out, "a site", [INDEX_FILE], lambda: None):
        _clear(out)
        for one in index.judges:
            (out / one.slug).mkdir(exist_ok=True)
            write_files(one.card, out / one.slug)
        formats.write_atomically(out / PAGE_FILE, site_page(index).encode())
        formats.write_json(out / INDEX_FILE, index)
    on_progress(len(paths), len(paths))
    return Site(out / PAGE_FILE, index, refused)


def site_page(index: Index) -> str:
    """The index as one HTML document."""
    columns = [
        _Column(name, f"ladder-{number}", of.says.format("…"), list(map(str, of.levels)))
        for number, (name, of) in enumerate(LADDERS.items())
        if any(name in one.rungs for one in index.judges)
    ]
    return render(
        "site",
        {"dollars": dollars, "points": words.points},
        called="judge cards",
        script="site.js",
        contents={"judges": "Judges", "about": "About these cards"},
        title=f"What {counted(len(index.judges), 'judge')} can see",
        lede="Say what you need, and the table keeps the judges that were shown to have it.",
        stamp=[],
        entries=index.judges,
        ladders=columns,
        skills=sorted({name for one in index.judges for name in one.skills}),
        kinds=sorted({one.card.who.kind for one in index.judges}),
        left_out=index.left_out,
    )


def _slug(card: CardDocument) -> str:
    """A folder's name: the judge, and a few signs that tell it from others of the same name."""
    safe = re.sub(r"[^a-z0-9]+", "-", shown_name(card).lower()).strip("-")[:60].strip("-")
    return f"{safe or 'judge'}-{card.runs[0].journal_digest[:6]}"


def _clear(out: Path) -> None:
    """Remove the cards of an older index, which may have other judges."""
    file = out / INDEX_FILE
    known: Any = formats.read_json(file, Index).judges if file.is_file() else ()
    for folder in (out / one.slug for one in known if _SLUG.fullmatch(one.slug)):
        for name in (CARD_FILE, SCHEMA_FILE, BADGE_FILE, PAGE_FILE):
            (folder / name).unlink(missing_ok=True)
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
