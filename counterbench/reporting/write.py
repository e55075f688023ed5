"""Writes a report: one file that holds everything, or a folder with the page and its pictures beside it."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from counterbench.drawing import reading
from counterbench.errors import InputError
from counterbench.reporting.extra import require_extra
from counterbench.reporting.gather import ReportData, gather
from counterbench.reporting.page import Gallery, page
from counterbench.reporting.pairs import OUTCOMES, PairCard, pair_card
from counterbench.reporting.pictures import COLOURS, Found, Shown, draw, find_source
from counterbench.reporting.place import PICTURES, place, remove_others
from counterbench.reporting.plots import all_plots
from counterbench.reporting.svg import inline_svg
from counterbench.scene.pairs import ROLES
from counterbench.scoring.rules import DEFAULT

# Above this a single file is slow to open and to send: the command says that a folder is the better form.
LARGE = 20_000_000
_DATA = "data:image/png;base64,"

OnProgress = Callable[[int, int], None]


class Written(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What was written: the page to open, its size, and what it shows. `note` says which pictures, or why none.

    `left_out`: how many pairs some of the runs were asked and others not. `unreadable`: which files in a run's folder
    should be certificates and are not, and why. `incomplete`: what runs lack, by their names. The page says these too.
    """

    page: str
    bytes: int
    runs: int
    pairs: int
    pictures: int
    note: str
    plots: list[str]
    left_out: int
    unreadable: list[str]
    incomplete: dict[str, str] = {}

    @property
    def large(self) -> bool:
        """Whether a folder would serve better than this one file."""
        return self.bytes > LARGE


def write_report(
    paths: Sequence[Path],
    out: Path,
    *,
    folder: bool = False,
    scoring: str = DEFAULT,
    certificates: Sequence[Path] = (),
    pictures: str | None = None,
    plots: Path | None = None,
    on_progress: OnProgress = lambda done, total: None,
) -> Written:
    """Write the report of these runs to `out`: a file that ends in .html or, without suffix or with `folder`, a folder.

    `pictures` names the SUITE|DIR that was probed, where it is not a shipped suite; "none" for a page without. `plots`:
    a folder for every plot as SVG and PNG. Raises InputError if an argument or a run is at fault, if something that is
    no report would be written over, if the runs are of several suites, or if the extra `report` is not installed.
    """
    require_extra()
    target = place(out, folder, plots)
    data = gather(paths, scoring, certificates)
    first = data.runs[0].results
    found = find_source(first.info, [key for pair in first.pairs for key in pair.keys], pictures)
    shown = all_plots(data)
    with target.begun(shown):
        gallery, note = _gallery(data, found, target.pictures, on_progress)
        html = page(data, {plot.name: inline_svg(plot) for plot in shown}, shown, gallery, note)
        size, files = target.write(html, shown)
    return Written(
        page=str(target.page),
        bytes=size,
        runs=len(data.runs),
        pairs=len(gallery.pairs),
        pictures=sum(len(card.pictures) for card in gallery.pairs),
        note=note,
        plots=files,
        left_out=data.left_out,
        unreadable=data.unreadable,
        incomplete={run.label: run.document.unfinished for run in data.runs if not run.document.complete},
    )


def _gallery(data: ReportData, found: Found, folder: Path | None, on_progress: OnProgress) -> tuple[Gallery, str]:
    """The gallery's data and what to say of its pictures, which are written to `folder`, or go into the data."""
    by_run = [{pair.key.group: pair for pair in run.results.pairs} for run in data.runs]
    replies = [run.replies for run in data.runs]
    cards: list[PairCard] = []
    size = (0, 0)
    written: set[str] = set()
    cut = bool(data.runs[0].results.uncounted)
    for shown in _shown(found, by_run[0], cut, folder is not None, on_progress):
        id, pair, pictures = shown.pair.id, shown.pair, shown.pictures
        if pictures and size == (0, 0):
            size = reading.decode(pictures[0], id).size
        sources = tuple(_place(pictures, len(cards), folder))
        if folder is not None:
            written.update(sources)
        cards.append(pair_card(id, [pairs[id] for pairs in by_run], replies, pair, sources))
    if found.source is None:
        cards = [pair_card(id, [pairs[id] for pairs in by_run], replies) for id in by_run[0]]
    if folder is not None:
        remove_others(folder, written)
    gallery = Gallery(
        pairs=cards,
        judges=[run.label for run in data.runs],
        outcomes=OUTCOMES,
        base=_DATA if folder is None else f"{PICTURES}/",
        width=size[0],
        height=size[1],
    )
    return gallery, _note(found, any(card.pictures for card in cards), size, folder is not None)


def _shown(found: Found, asked: Iterable[str], cut: bool, whole: bool, on_progress: OnProgress) -> Iterator[Shown]:
    """The source's pairs with their pictures; InputError if they are not those that the run was asked.

    A run that was cut has lost some, which are not shown.
    """
    if found.source is None:
        return
    left = set(asked)
    for shown in draw(found.source, whole, on_progress):
        if shown.pair.id not in left and cut:
            continue
        if shown.pair.id not in left:
            raise InputError(f"{found.source.name}: holds a pair {shown.pair.id!r} that the run's keys do not have")
        left.remove(shown.pair.id)
        yield shown
    if left:
        raise InputError(f"{found.source.name}: lacks the pair {min(left)!r}, which the run's keys have")


def _place(pictures: Sequence[bytes], number: int, folder: Path | None) -> Iterator[str]:
    """The source of each picture: a file that is written now, or the picture itself."""
    for role, data in zip(ROLES, pictures, strict=False):
        if folder is None:
            yield base64.b64encode(data).decode()
            continue
        folder.mkdir(exist_ok=True)
        name = f"{number:05d}-{role}.png"
        (folder / name).write_bytes(data)
        yield name


def _note(found: Found, any_pictures: bool, size: tuple[int, int], as_folder: bool) -> str:
    if found.source is None:
        return found.note
    if not any_pictures:
        return "The suite was imported without pictures."
    if as_folder:
        return "Its pictures are those that the judges were sent, in the folder beside this page."
    return f"Its pictures are embedded, reduced to {size[0]}×{size[1]} pixels and at most {COLOURS} colours."
