"""Writes a report on judges or on models: one HTML file that loads nothing from outside."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from counterbench.bars import OnProgress, unseen
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.files.installation import needed
from counterbench.pages.frame import MARK
from counterbench.pages.pictures import PageDraft, place_pictures
from counterbench.results.rules import DEFAULT
from counterbench.runs.folder import about_pictures

if TYPE_CHECKING:
    from counterbench.pictures.answer import Evaluated


class Written(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A report that was written."""

    page: str  # the file to open
    bytes: int
    runs: int
    pairs: int | None = None  # of a report on judges
    groups: int | None = None  # of a report on models
    pictures: int
    folder: str | None = None  # the folder of its pictures, if they are not in the page
    notes: list[str]  # on incomplete runs and on pictures that are not there; the page has them too


def write_report(
    paths: Sequence[Path],
    out: Path,
    *,
    scoring: str = DEFAULT,
    labels: Path | None = None,
    pictures: str | None = None,
    on_progress: OnProgress = unseen,
) -> Written:
    """Write the report of these runs to `out`, a file that ends in .html.

    The runs are of `probe` on one suite; or of `t2i judge` on the same prompts, with people's `labels`. `pictures`
    names the SUITE|DIR that was probed, if it is not a shipped suite, or the folder IMAGES/GENERATOR of one run; "none"
    for a page without pictures. Raises InputError if an argument or a run is wrong, if a file that is no report would
    be overwritten, or if the extra `report` is not installed.
    """
    _refuse_place(out)
    return _write_draft(_draft(paths, scoring, labels, pictures), len(paths), out, on_progress)


def write_answer(run: Path, out: Path, on_progress: OnProgress = unseen) -> Evaluated:
    """Write the report of a run of `evaluate` to `out`; return the run's answer, which names the report."""
    from counterbench.pages.models.gather_models import gather_models
    from counterbench.pages.models.models import draft_of_models

    _refuse_place(out)
    data = gather_models([run])
    assert data.answer is not None
    return msgspec.structs.replace(data.answer, report=_write_draft(draft_of_models(data), 1, out, on_progress).page)


def _refuse_place(out: Path) -> None:
    """Raise InputError unless a report can be written to `out`."""
    needed("jinja2", "a report", "report")
    if out.suffix.lower() not in (".html", ".htm") or out.is_dir():
        raise InputError(f"{out}: --out takes a file that ends in .html")
    formats.refuse_taken(out, "report", MARK)


def _write_draft(draft: PageDraft, runs: int, out: Path, on_progress: OnProgress) -> Written:
    """Make a draft's pictures and write its page to `out`; `runs`: the number of runs that it is about."""
    with formats.clear_os_errors(out, "writing"):
        out.parent.mkdir(parents=True, exist_ok=True)
        placed = place_pictures(draft.to_encode, draft.encode, out, on_progress)
        data = draft.fill(placed).encode()
        formats.write_atomically(out, data)
    return Written(
        page=str(out),
        bytes=len(data),
        runs=runs,
        **draft.counts,
        pictures=placed.count,
        folder=str(placed.folder_written) if placed.folder_written is not None else None,
        notes=draft.notes(placed),
    )


def _draft(paths: Sequence[Path], scoring: str, labels: Path | None, pictures: str | None) -> PageDraft:
    """The draft of a report, on judges or on models by the kind of the runs."""
    from counterbench.pages.judges import draft_of_judges
    from counterbench.pages.models.gather_models import gather_models
    from counterbench.pages.models.models import draft_of_models

    if about_pictures(paths):
        return draft_of_models(gather_models(paths, scoring, labels), pictures)
    if labels is not None:
        raise InputError("labels are of generated pictures, and these runs are on pairs; leave them out")
    return draft_of_judges(paths, scoring, pictures)
