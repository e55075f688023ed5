"""Makes a *board*: a web page with a table of judges, to filter by what is needed, and a card for each judge.

In go folders with judges' *cards* (`write_board`, for the command `site`); a card says what one judge was shown to see.
Out come these files:

    index.html, index.json       the table, and all cards as data
    NAME/                        the files of a card

Anybody may send a card. Only its `card.json` is used: the card's page is made anew, and nothing else in its folder is
published. If the runs of the card lie beside it, the card is derived from them again and compared (its *backing*). A
*ladder* is a series of questions that become harder step by step, for instance with smaller and smaller things; its
steps are *rungs*.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from counterbench.bars import OnProgress, unseen
from counterbench.errors import CounterbenchError, InputError
from counterbench.evidence.issue import differing_values, short
from counterbench.files import formats
from counterbench.files.installation import needed
from counterbench.pages.cards.card_page import (
    BADGE_FILE,
    CARD_FILE,
    PAGE_FILE,
    SCHEMA_FILE,
    card_page,
    shown_name,
    write_files,
)
from counterbench.pages.cards.derive import derive
from counterbench.pages.cards.document import CardDocument
from counterbench.pages.frame import Filter, Section, render
from counterbench.runs.folder import JOURNAL_FILE, RUN_FILE
from counterbench.suites.families.ladders import LADDERS
from counterbench.text import counted, slug

INDEX_FILE = "index.json"
_MIN_SHOWN = 0.01  # errors that no fault explains are shown if they cost at least this share of CCS
# The result of comparing a card with its runs: it follows from them; not all of them lie beside it; or it does not
# follow from them.
Backing = Literal["verified", "not there", "contradict it"]
# By backing: its band, a name for its colour on the page, and its words there.
_BACKINGS: dict[Backing, tuple[str, str]] = {
    "verified": ("high", "runs verify"),
    "not there": ("middle", "runs not beside it"),
    "contradict it": ("low", "runs contradict it"),
}
_SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,79}")


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """A judge of the index, with its card."""

    slug: str  # the name of the folder of its card
    card: CardDocument
    runs: Backing = "not there"  # how its runs back the card

    @property
    def name(self) -> str:
        """The judge's name for tables."""
        return shown_name(self.card)

    @property
    def rungs(self) -> dict[str, int]:
        """By ladder, the place (from 0) of the last rung that the judge was shown to pass; -1 if none.

        Ladders and rungs that this version does not know are left out.
        """
        places = {name: [None, *ladder.values] for name, ladder in LADDERS.items()}
        granted = {name: result.granted for name, result in (self.card.ladders or {}).items()}
        return {name: places[name].index(rung) - 1 for name, rung in granted.items() if rung in places.get(name, ())}

    @property
    def skills(self) -> list[str]:
        """The skills and laws that the judge was shown to see."""
        return [skill.name for skill in self.card.sees or () if skill.admitted]

    @property
    def faults(self) -> dict[str, float]:
        """The judge's faults, and its other errors, by name; each with the most CCS that it costs in any suite."""
        named = {fault.name: fault.cost for fault in sorted(self.card.faults or (), key=lambda fault: fault.cost)}
        other = max((self.card.unexplained or {}).values(), default=0.0)
        return named | ({"other errors": other} if other >= _MIN_SHOWN else {})

    @property
    def evidence(self) -> str:
        """The text of the badge on the kinds of pairs and the month: its last, or that before the judge's kind."""
        return self.card.badge[-2 if self.card.who.kind in ("planted", "imported") else -1]


class Index(msgspec.Struct, frozen=True, kw_only=True):
    """All cards of a board, as `index.json` has them."""

    format: Literal["counterbench.site/1"] = "counterbench.site/1"
    judges: list[Listed]
    left_out: int  # folders without a card that can be read


class Board(NamedTuple):
    """A board that was written."""

    page: Path
    content: Index
    refused: dict[str, str]  # by folder, the reason why its card is left out, or why its runs contradict it


def write_board(folders: Sequence[Path], out: Path, on_progress: OnProgress = unseen) -> Board:
    """Write the board of the cards in these folders into `out`; `on_progress(done, total)` counts the folders.

    A folder without a card that can be shown is left out and named in the result. A card that its runs contradict is
    shown as such, and named there too. InputError if no card is left, or if `out` holds something else.
    """
    needed("jinja2", "a board", "report")
    # 1. Read each card, and compare it with its runs.
    refused: dict[str, str] = {}
    judges: dict[str, Listed] = {}  # by slug
    for number, folder in enumerate(folders):
        on_progress(number, len(folders))
        try:
            card = _read_card(folder)
            if (name := _slug(card)) in judges:
                raise InputError(f"{folder}: another card is of the same replies; name one of them")
            runs = _runs_of(card, folder)
            contradiction = _contradiction(card, runs)
            backing: Backing = "contradict it" if contradiction else "verified" if runs else "not there"
            judges[name] = Listed(slug=name, card=card, runs=backing)
        except CounterbenchError as error:
            refused[str(folder)] = f"left out: {error}"
            continue
        if contradiction:
            refused[str(folder)] = f"{folder}: its runs do not show what it says: {contradiction}"
    if not judges:
        raise InputError(f"no card is left: {'; '.join(refused.values())}")
    # 2. Write the table and the cards.
    left_out = len(folders) - len(judges)
    index = Index(judges=sorted(judges.values(), key=lambda judge: judge.name), left_out=left_out)
    with formats.claim(out, "a board", [INDEX_FILE], lambda: None):
        _clear(out)
        for judge in index.judges:
            (out / judge.slug).mkdir(exist_ok=True)
            write_files(judge.card, out / judge.slug)
        formats.write_atomically(out / PAGE_FILE, board_page(index).encode())
        formats.write_json(out / INDEX_FILE, index)
    on_progress(len(folders), len(folders))
    return Board(out / PAGE_FILE, index, refused)


def _read_card(folder: Path) -> CardDocument:
    """The card in a folder; InputError if there is none, or if a page cannot show what is in it."""
    from jinja2 import TemplateError

    if not (folder / CARD_FILE).is_file():
        raise InputError(f"{folder}: holds no {CARD_FILE}; `counterbench card RUN… --out {folder}` writes one")
    card = formats.read_json(folder / CARD_FILE, CardDocument)
    try:
        board_page(Index(judges=[Listed(slug="", card=card, runs="not there")], left_out=0))
        card_page(card)
    except (ArithmeticError, LookupError, TypeError, ValueError, TemplateError) as error:
        raise InputError(f"{folder / CARD_FILE}: holds values that no card has: {error}") from None
    return card


def _runs_of(card: CardDocument, folder: Path) -> list[Path]:
    """The runs of a card in its order, from its folder or the folder around it; empty if any is not there."""
    files = (file for place in (folder, folder.resolve().parent) for file in sorted(place.glob(f"*/{RUN_FILE}")))
    journals = (file.with_name(JOURNAL_FILE) for file in files)
    by_digest = {formats.file_digest(journal): journal.parent for journal in journals if journal.is_file()}
    runs = [by_digest.get(run.journal_digest) for run in card.runs]
    return [run for run in runs if run is not None] if None not in runs else []


def _contradiction(card: CardDocument, runs: Sequence[Path]) -> str:
    """The first difference between a card and what its runs show, in words; empty if there is none, or no runs.

    Two things may differ: the version of counterbench, and whether the user's own suites and templates are named (so
    the card is derived both ways).
    """
    claims, differences = msgspec.to_builtins(card), list[str]()
    try:
        for include in (True, False) if runs else ():
            shown = msgspec.to_builtins(derive(runs, include)) | {"version": card.version}
            found = differing_values(claims, shown, "")
            differences = [f"{place[1:]} is {short(derived)}, not {short(claim)}" for place, claim, derived in found]
            if not differences:
                break
    except CounterbenchError as error:
        return str(error)
    return next(iter(differences), "")


def board_page(index: Index) -> str:
    """The index as one HTML document."""
    tested = {name: ladder for name, ladder in LADDERS.items() if any(name in judge.rungs for judge in index.judges)}
    ladders = {name: f"ladder-{number}" for number, name in enumerate(tested)}
    skills = sorted({name for judge in index.judges for name in judge.skills})
    kinds = sorted({judge.card.who.kind for judge in index.judges})
    # The keys by which the page's script sorts the table, by the heads of columns.
    sorts = {"judge": "judge", **ladders, "$": "usd", "seconds": "seconds"}
    needs: list[Filter] = []
    for name, key in ladders.items():
        rungs = [(str(place), str(value)) for place, value in enumerate(tested[name].values)]
        needs.append((key, tested[name].sentence.format("…"), "any", rungs, ""))
    needs += [
        ("skills", "sees", "any skill", [(name, name) for name in skills], ""),
        ("local", "runs", "anywhere", [("true", "local"), ("false", "behind an API")], ""),
        ("kind", "kind", "all kinds", [(name.replace(" ", "-"), name) for name in kinds], ""),
    ]
    values = {
        "entries": index.judges,
        "ladders": ladders,
        "needs": needs,
        "sorts": sorts,
        "heads": [*sorts, "sees", "faults", "evidence"],
        "backings": _BACKINGS,
        "left_out": index.left_out,
    }
    return render(
        "site",
        [Section("judges", "Judges", values), Section("about", "About these cards")],
        called="judge cards",
        script="site.js",
        title=f"What {counted(len(index.judges), 'judge')} can see",
        lede="Choose what you need: the table keeps the judges that were shown to have it.",
    )


def _slug(card: CardDocument) -> str:
    """The name of a card's folder: the judge, and a few characters of the digest of its replies."""
    digest = next((run.journal_digest for run in card.runs), "")
    return f"{slug(shown_name(card)) or 'judge'}-{slug(digest, 6)}"


def _clear(out: Path) -> None:
    """Remove the cards of an older board in `out`, which may have other judges."""
    file = out / INDEX_FILE
    judges: Any = formats.read_json(file, Index).judges if file.is_file() else ()
    for folder in (out / judge.slug for judge in judges if _SLUG.fullmatch(judge.slug)):
        for name in (CARD_FILE, SCHEMA_FILE, BADGE_FILE, PAGE_FILE):
            (folder / name).unlink(missing_ok=True)
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
