"""Writes the report on models: one file with small pictures, or a folder with whole ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from counterbench.errors import InputError
from counterbench.reporting.extra import require_extra
from counterbench.reporting.pictures import NO_PICTURES, SIDE
from counterbench.reporting.place import Place, place
from counterbench.reporting.svg import inline_svg
from counterbench.reporting.t2i.cards import OUTCOMES, SHOWS, Sources, group_cards
from counterbench.reporting.t2i.gather import ModelData, gather_models
from counterbench.reporting.t2i.page import ModelGallery, model_page
from counterbench.reporting.t2i.plots import model_plots
from counterbench.reporting.t2i.thumbnails import MOST, Placed, place_pictures
from counterbench.runs.folder import T2I_FILE
from counterbench.scoring.rules import DEFAULT
from counterbench.t2i.images.manifest import IMAGES_FILE
from counterbench.text import counted


class WrittenModels(msgspec.Struct, frozen=True, kw_only=True):
    """What was written: the page to open, its size, and what it shows.

    `beside`: the folder of its pictures, empty where they are in the page. `notes`: which pictures, and why some are
    not there; the page says it too.
    """

    page: str
    bytes: int
    runs: int
    groups: int
    pictures: int
    beside: str
    notes: list[str]
    plots: list[str]


def is_about_pictures(paths: Sequence[Path]) -> bool:
    """Whether runs are about generated pictures; InputError if some are and others not."""
    found = [(path / T2I_FILE).is_file() for path in paths]
    if any(found) and not all(found):
        one, other = paths[found.index(True)], paths[found.index(False)]
        raise InputError(f"{one} is about generated pictures and {other} is not; make a report of each kind")
    return all(found)


def write_model_report(
    paths: Sequence[Path],
    out: Path,
    *,
    folder: bool = False,
    scoring: str = DEFAULT,
    labels: Path | None = None,
    pictures: str | None = None,
    plots: Path | None = None,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> WrittenModels:
    """Write the report of these runs of `t2i judge` to `out`, as `write_report` does.

    `pictures` names the folder IMAGES/GENERATOR of one run, where its pictures no longer are where they were judged;
    "none" for a page without. `labels`: people's. Raises InputError as `write_report` does.
    """
    require_extra()
    target = place(out, folder, plots)
    data = gather_models(paths, scoring, labels)
    folders = _folders(data, pictures)
    shown = model_plots(data)
    with target.begun(shown):
        sources = Sources()
        groups = list(group_cards(data, sources))
        wanted = [] if pictures == NO_PICTURES else sources.wanted
        found = place_pictures(wanted, folders, target.page, target.pictures, on_progress)
        notes = [*_missing(data, folders, pictures), *_said(found, target)]
        gallery = ModelGallery(
            groups=groups,
            runs=[run.label for run in data.runs],
            outcomes=OUTCOMES,
            shows=SHOWS,
            pictures=found.sources,
            base=found.base,
        )
        html = model_page(data, {plot.name: inline_svg(plot) for plot in shown}, shown, gallery, notes)
        size, files = target.write(html, shown)
    return WrittenModels(
        page=str(target.page),
        bytes=size,
        runs=len(data.runs),
        groups=len(groups),
        pictures=sum(map(bool, found.sources)),
        beside="" if found.beside is None else str(found.beside),
        notes=notes,
        plots=files,
    )


def _folders(data: ModelData, asked: str | None) -> list[Path | None]:
    """Where each run's pictures are, None where they are not; InputError if `asked` is no such folder."""
    if asked is not None and asked != NO_PICTURES:
        if len(data.runs) > 1:
            raise InputError("--pictures names the pictures of one run; of several runs leave it out, or give none")
        if not (Path(asked) / IMAGES_FILE).is_file():
            raise InputError(
                f"--pictures {asked}: has no {IMAGES_FILE}; give the folder IMAGES/GENERATOR of the run's pictures"
            )
        return [Path(asked)]
    folders = [Path(run.run.kept.info.images) for run in data.runs]
    return [folder if folder.is_dir() else None for folder in folders]


def _missing(data: ModelData, folders: Sequence[Path | None], asked: str | None) -> list[str]:
    if asked == NO_PICTURES:
        return ["This report was asked for without pictures."]
    gone = [run.run.kept.info.images for run, folder in zip(data.runs, folders, strict=True) if folder is None]
    return [
        f"The pictures in {folder} are not there: make the report in the folder in which they were judged, or of one "
        "run name their place with --pictures."
        for folder in gone
    ]


def _said(found: Placed, target: Place) -> list[str]:
    there = sum(map(bool, found.sources))
    if not there:
        return []
    problems = [problem for problem in found.problems if problem != "not at hand"]
    lost = [f"{counted(len(problems), 'picture')} could not be read: {problems[0]}"] if problems else []
    small = f"reduced to {SIDE} pixels at most"
    if target.pictures is not None:
        return [f"Pictures are as they were judged, in the folder {target.pictures.name} beside this page.", *lost]
    if found.beside is not None:
        return [
            f"Pictures are {small}, and in the folder {found.beside.name} beside this page, which goes with it: they "
            f"are more than the {MOST / 1e6:.0f} MB that one file holds.",
            *lost,
        ]
    return [f"Pictures are embedded, {small}.", *lost]
