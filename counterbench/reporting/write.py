"""Writes a report: one file that holds everything, or a folder with the page and its pictures beside it."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from counterbench.drawing import reading
from counterbench.errors import InputError
from counterbench.files import formats, own
from counterbench.reporting.extra import require_extra
from counterbench.reporting.gather import ReportData, gather
from counterbench.reporting.page import MARK, Gallery, page
from counterbench.reporting.pairs import OUTCOMES, PairCard, pair_card
from counterbench.reporting.pictures import COLOURS, Found, Shown, draw, find_source
from counterbench.reporting.plots import all_plots
from counterbench.reporting.svg import export, inline_svg
from counterbench.reporting.svg import refuse_taken as refuse_taken_plots
from counterbench.scene.pairs import ROLES
from counterbench.scoring.rules import DEFAULT

INDEX, PICTURES = "index.html", "pictures"
_PAGES = (".html", ".htm")
# Above this a single file is slow to open and to send: the command says that a folder is the better form.
LARGE = 20_000_000
_OURS = re.compile(r"\d{5,}-(original|intervened)\.png")
_DATA = "data:image/png;base64,"
# Stands where the page will be while pictures are written, so that the same command again may go on.
_UNFINISHED = (
    b"<!DOCTYPE html>" + MARK + b"<title>A report</title>It was not finished: the same command again writes it."
)

OnProgress = Callable[[int, int], None]


class Written(msgspec.Struct, frozen=True, kw_only=True):
    """What was written: the page to open, its size, and what it shows. `note` says which pictures, or why none.

    `left_out`: how many pairs some of the runs were asked and others not. `unreadable`: which files in a run's folder
    should be certificates and are not, and why; the page says both too.
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
    as_folder = folder or out.suffix.lower() not in _PAGES
    target = out / INDEX if as_folder else out
    _refuse_taken(out, as_folder, folder)
    if plots is not None and plots.resolve() == target.resolve():
        raise InputError(f"{plots}: is the page itself; --plots takes a folder")
    data = gather(paths, scoring, certificates)
    first = data.runs[0].results
    found = find_source(first.info, [key for pair in first.pairs for key in pair.keys], pictures)
    shown = all_plots(data)
    if plots is not None:
        refuse_taken_plots(shown, plots)
    with formats.clear_os_errors(target, "writing"):
        for needed in (target.parent, plots):
            if needed is not None:
                needed.mkdir(parents=True, exist_ok=True)
        if as_folder and not target.exists():
            formats.write_atomically(target, _UNFINISHED)
        gallery, note = _gallery(data, found, out / PICTURES if as_folder else None, on_progress)
        html = page(data, {plot.name: inline_svg(plot) for plot in shown}, shown, gallery, note).encode()
        formats.write_atomically(target, html)
        files: list[Path] = []
        if plots is not None:
            files = [file for plot in shown for file in export(plot, plots)]
    return Written(
        page=str(target),
        bytes=len(html),
        runs=len(data.runs),
        pairs=len(gallery.pairs),
        pictures=sum(len(card.pictures) for card in gallery.pairs),
        note=note,
        plots=[str(file) for file in files],
        left_out=data.left_out,
        unreadable=data.unreadable,
    )


def _refuse_taken(out: Path, as_folder: bool, asked: bool) -> None:
    """InputError if `out` cannot be the report or is something else already; `asked`: --folder was said."""
    if not as_folder:
        if out.is_dir():
            raise InputError(f"{out}: is a folder; add --folder, or give --out a file that ends in .html")
        own.refuse_taken(out, "report", _is_report)
        return
    if out.exists() and not out.is_dir():
        raise InputError(f"{out}: is a file; --out takes a file that ends in .html, or a folder")
    if not out.is_dir():
        if out.suffix and not asked:
            raise InputError(
                f"{out}: a report's file ends in .html: name it {out.with_suffix('.html').name}, or add --folder for a "
                "folder of this name"
            )
        return
    with formats.clear_os_errors(out, "reading"):
        others = any(not formats.is_leftover(child) for child in out.iterdir())
    if others and not _is_report(out / INDEX):
        raise InputError(f"{out}: is not empty and holds no report; choose another --out")


def _is_report(page: Path) -> bool:
    return own.has_mark(page, MARK)


def _gallery(data: ReportData, found: Found, folder: Path | None, on_progress: OnProgress) -> tuple[Gallery, str]:
    """The gallery's data and what to say of its pictures, which are written to `folder`, or go into the data."""
    by_run = [{pair.key.group: pair for pair in run.results.pairs} for run in data.runs]
    replies = [run.replies for run in data.runs]
    cards: list[PairCard] = []
    size = (0, 0)
    written: set[str] = set()
    for shown in _shown(found, by_run[0], folder is not None, on_progress):
        id, pair, pictures = shown.pair.id, shown.pair, shown.pictures
        if pictures and size == (0, 0):
            size = reading.decode(pictures[0], id).size
        sources = tuple(_place(pictures, len(cards), folder))
        if folder is not None:
            written.update(sources)
        cards.append(pair_card(id, [pairs[id] for pairs in by_run], replies, pair, sources))
    if found.source is None:
        cards = [pair_card(id, [pairs[id] for pairs in by_run], replies) for id in by_run[0]]
    if folder is not None and folder.is_dir():
        _remove_others(folder, written)
    gallery = Gallery(
        pairs=cards,
        judges=[run.label for run in data.runs],
        outcomes=OUTCOMES,
        base=_DATA if folder is None else f"{PICTURES}/",
        width=size[0],
        height=size[1],
    )
    return gallery, _note(found, any(card.pictures for card in cards), size, folder is not None)


def _shown(found: Found, asked: Iterable[str], whole: bool, on_progress: OnProgress) -> Iterator[Shown]:
    """The source's pairs with their pictures; InputError if they are not those that the run was asked."""
    if found.source is None:
        return
    left = set(asked)
    for shown in draw(found.source, whole, on_progress):
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


def _remove_others(folder: Path, written: set[str]) -> None:
    """Remove the pictures that an earlier report left in this folder."""
    for path in folder.iterdir():
        if _OURS.fullmatch(path.name) and path.name not in written:
            path.unlink()


def _note(found: Found, any_pictures: bool, size: tuple[int, int], as_folder: bool) -> str:
    if found.source is None:
        return found.note
    if not any_pictures:
        return "The suite was imported without pictures."
    if as_folder:
        return "Its pictures are those that the judges were sent, in the folder beside this page."
    return f"Its pictures are embedded, reduced to {size[0]}×{size[1]} pixels and at most {COLOURS} colours."
