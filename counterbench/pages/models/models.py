"""The report on text-to-image models: the judged runs, the pictures of every group, and the page about them."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from counterbench.drawing import reading
from counterbench.drawing.picture import Picture
from counterbench.drawing.render import render
from counterbench.errors import CounterbenchError, InputError
from counterbench.pages.models.cards import Sources, Wanted, group_cards
from counterbench.pages.models.evidence import evidence
from counterbench.pages.models.gather_models import ModelData
from counterbench.pages.models.models_page import model_page
from counterbench.pages.pictures import NO_PICTURES, Encoded, PageDraft, PlacedPictures, thumbnail
from counterbench.prompts.manifest import IMAGES_FILE, file_of
from counterbench.scene.scene import Scene
from counterbench.text import counted

_NOT_AT_HAND = "not at hand"


def draft_of_models(data: ModelData, pictures: str | None = None) -> PageDraft:
    """The draft of a report on runs of `t2i judge`; InputError if `pictures` is not the folder of a run's pictures.

    `pictures`: None for the folders that the runs name, `NO_PICTURES` for a page without pictures, or one run's folder.
    """
    folders = _folders(data, pictures)
    sources = Sources()
    groups = list(group_cards(data, sources))
    findings = evidence(data, sources)

    def notes(placed: PlacedPictures) -> list[str]:
        """Sentences about the pictures on the page."""
        if pictures == NO_PICTURES:
            return ["This report was made without pictures."]
        problems = [problem for problem in placed.problems if problem != _NOT_AT_HAND]
        lost = [f"{counted(len(problems), 'picture')} could not be read: {problems[0]}"] if problems else []
        return [*_missing(data, folders), *([placed.note()] if placed.count else []), *lost]

    return PageDraft(
        to_encode=[] if pictures == NO_PICTURES else sources.wanted,
        encode=partial(encoded, folders),
        fill=lambda placed: model_page(data, groups, findings, placed, notes(placed)),
        counts={"groups": len(groups)},
        notes=notes,
    )


def encoded(folders: Sequence[Path | None], wanted: list[Wanted]) -> list[list[Encoded]]:
    """Each wanted picture, read or drawn, as a list of one. `folders`: that of each run, None if it is not there."""
    return [[_encoded(folders, picture)] for picture in wanted]


def _encoded(folders: Sequence[Path | None], picture: Wanted) -> Encoded:
    """One wanted picture, read or drawn; with the reason in its place if that is impossible."""
    if isinstance(picture, Scene):
        return thumbnail(render(picture))
    try:
        if isinstance(picture, Path):
            return thumbnail(reading.read(picture))
        number, row = picture
        folder = folders[number]
        if folder is None:
            return Encoded(problem=_NOT_AT_HAND)
        return thumbnail(Picture.from_file(file_of(folder, row), row.picture_digest).image())
    except CounterbenchError as error:
        return Encoded(problem=str(error))


def _folders(data: ModelData, pictures: str | None) -> list[Path | None]:
    """The folder of each run's pictures, None if it is not there; InputError if `pictures` is no such folder."""
    if pictures is not None and pictures != NO_PICTURES:
        if len(data.runs) > 1:
            raise InputError("--pictures names the pictures of one run; for several runs leave it out, or give none")
        if not (Path(pictures) / IMAGES_FILE).is_file():
            raise InputError(
                f"--pictures {pictures}: has no {IMAGES_FILE}; give the folder IMAGES/GENERATOR of the run's pictures"
            )
        return [Path(pictures)]
    folders = [Path(run.run.kept.model.images) for run in data.runs]
    return [folder if folder.is_dir() else None for folder in folders]


def _missing(data: ModelData, folders: Sequence[Path | None]) -> list[str]:
    """A sentence for each folder of pictures that is not there."""
    missing = [run.run.kept.model.images for run, folder in zip(data.runs, folders, strict=True) if folder is None]
    return [
        f"No pictures found in {folder}: make the report in the folder in which they were judged, or name their place "
        "with --pictures, for one run."
        for folder in missing
    ]
