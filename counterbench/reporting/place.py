"""Where a report goes: one file, or a folder with its pictures beside the page. Nothing else is written over."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import msgspec

from counterbench.errors import InputError
from counterbench.files import formats, own
from counterbench.reporting.figures import Plot
from counterbench.reporting.frame import MARK
from counterbench.reporting.svg import export
from counterbench.reporting.svg import refuse_taken as refuse_taken_plots

INDEX, PICTURES = "index.html", "pictures"
_PAGES = (".html", ".htm")
# What a report's pictures are called, in the folder that is theirs.
OURS = re.compile(r"\d{5,}(-(original|intervened))?\.(png|jpg)")
# Stands where the page will be while pictures are written, so that the same command again may go on.
_UNFINISHED = (
    b"<!DOCTYPE html>" + MARK + b"<title>A report</title>It was not finished: the same command again writes it."
)


class Place(msgspec.Struct, frozen=True):
    """Where the page goes, and with `pictures` the folder for its pictures; without, they go into the page.

    `plots`: where every plot goes as a file of its own, if anywhere.
    """

    page: Path
    pictures: Path | None
    plots: Path | None

    @contextlib.contextmanager
    def begun(self, shown: Sequence[Plot]) -> Iterator[None]:
        """Make the folders; within it pictures and page are written. InputError if a plot would go over a file."""
        if self.plots is not None:
            refuse_taken_plots(shown, self.plots)
        with formats.clear_os_errors(self.page, "writing"):
            for needed in (self.page.parent, self.plots):
                if needed is not None:
                    needed.mkdir(parents=True, exist_ok=True)
            if self.pictures is not None and not self.page.exists():
                formats.write_atomically(self.page, _UNFINISHED)
            yield

    def write(self, html: str, shown: Sequence[Plot]) -> tuple[int, list[str]]:
        """Write the page and the plots; the page's bytes and the plots' files."""
        data = html.encode()
        formats.write_atomically(self.page, data)
        files = [] if self.plots is None else [file for plot in shown for file in export(plot, self.plots)]
        return len(data), list(map(str, files))


def place(out: Path, folder: bool, plots: Path | None) -> Place:
    """A file that ends in .html, else or with `folder` a folder; InputError if something else lies there."""
    as_folder = folder or out.suffix.lower() not in _PAGES
    page = out / INDEX if as_folder else out
    _refuse_taken(out, as_folder, folder)
    if plots is not None and plots.resolve() == page.resolve():
        raise InputError(f"{plots}: is the page itself; --plots takes a folder")
    return Place(page, out / PICTURES if as_folder else None, plots)


def remove_others(folder: Path, written: Collection[str]) -> None:
    """Remove the pictures that an earlier report left in this folder; nothing if it is not there."""
    for path in folder.iterdir() if folder.is_dir() else ():
        if OURS.fullmatch(path.name) and path.name not in written:
            path.unlink()


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
