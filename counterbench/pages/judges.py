"""The report on judges: the pairs that they were asked, found again and drawn, and the page about them."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

from counterbench.drawing.styles import draw as draw_scene
from counterbench.errors import InputError
from counterbench.evidence.issue import drawn_again
from counterbench.pages.gather import ReportData, gather
from counterbench.pages.page import PairCard, page, pair_card
from counterbench.pages.pictures import NO_PICTURES, Encoded, PageDraft, PlacedPictures, drawing
from counterbench.runs.folder import RunInfo
from counterbench.runs.queries import Key
from counterbench.scene.pairs import Pair
from counterbench.suites.sources import FolderSource, Source, SuiteSource, as_drawn, open_source
from counterbench.text import counted


def draft_of_judges(paths: Sequence[Path], scoring: str, pictures: str | None) -> PageDraft:
    """The draft of a report on runs of `probe`; InputError if `pictures` holds other pairs than they were asked."""
    data = gather(paths, scoring)
    first = data.runs[0].results
    source = find_source(first.info, [key for pair in first.pairs for key in pair.keys], pictures)
    asked_ids = {pair.key.group for pair in first.pairs}  # fewer than the source's where a run was cut or adaptive
    pairs = [pair for pair in source if pair.id in asked_ids] if source is not None else []

    def pictures_note(placed: PlacedPictures) -> str:
        """A sentence about the pictures on the page, or why there are none."""
        if pictures == NO_PICTURES:
            return "This report was made without pictures, and so without the words of the questions."
        if placed.count:
            return placed.note()
        if source is not None:
            return "The suite was imported without pictures."
        return (
            f"Pictures and the words of questions are missing: suite {first.info.suite} (digest "
            f"{first.info.suite_digest}) is not one that this version ships. Name the suite file or folder that was "
            "probed with --pictures."
        )

    return PageDraft(
        to_encode=pairs,
        encode=partial(_encode_pairs, source),
        fill=lambda placed: page(data, _cards(data, pairs, placed), placed, pictures_note(placed)),
        counts={"pairs": len(first.pairs)},
        notes=lambda placed: _notes(data, placed, pictures_note(placed)),
    )


def _encode_pairs(source: Source | None, pairs: list[Pair]) -> list[list[Encoded]]:
    """The two pictures of each pair, encoded for a page; none without a source."""
    if isinstance(source, SuiteSource):  # drawn directly, without encoding in between: this halves the time
        return [
            [drawing(draw_scene(scene, style=source.style, first=pair.scenes[0])) for scene in pair.scenes]
            for pair in pairs
        ]
    return [[drawing(picture.image()) for picture in source.pictures(pair)] if source else [] for pair in pairs]


def find_source(info: RunInfo, keys: Iterable[Key], pictures: str | None) -> Source | None:
    """The source of a run with these keys: `pictures` (SUITE|DIR), or the shipped suite that the run names, if any."""
    if pictures == NO_PICTURES:
        return None
    shipped = drawn_again(info, keys) if pictures in (None, info.suite) else None
    if shipped is not None or pictures is None:
        return shipped
    for source in _selections(pictures, info):
        if source.digest == info.suite_digest:
            return source
    raise InputError(
        f"--pictures {pictures}: does not hold the pairs of suite {info.suite!r} with digest {info.suite_digest}; "
        f"give the suite or folder that was probed, or --pictures {NO_PICTURES}"
    )


def _selections(pictures: str, info: RunInfo) -> Iterator[Source]:
    """The sources that `pictures` (SUITE|DIR) may mean; that with the run's digest is the right one.

    First all of it; then of a folder as many first pairs as the run was asked; of a suite, the suite as the run says it
    was drawn (seed, size, style), whole and its first pairs.
    """
    pairs = info.queries // (2 * info.repeats)
    source = open_source(pictures)
    yield source
    if isinstance(source, FolderSource) and pairs:
        yield FolderSource(source.folder, pairs)
    elif isinstance(source, SuiteSource) and info.seed is not None and pairs:
        suite = source.suite.reseeded(info.seed)
        suite = suite if info.domain is None else as_drawn(suite, info.domain)
        yield SuiteSource(suite)
        yield SuiteSource(suite, pairs)


def _cards(data: ReportData, pairs: Sequence[Pair], placed: PlacedPictures) -> list[PairCard]:
    """The cards of the gallery, one for each pair."""
    by_run = [{pair.key.group: pair for pair in run.results.pairs} for run in data.runs]
    replies = [run.replies for run in data.runs]
    pictures_by_pair = {pair.id: (pair, sources) for pair, sources in zip(pairs, placed.sources, strict=True)}
    return [
        pair_card(id, [results[id] for results in by_run], replies, *pictures_by_pair.get(id, (None, ())))
        for id in pictures_by_pair or by_run[0]
    ]


def _notes(data: ReportData, placed: PlacedPictures, about_pictures: str) -> list[str]:
    """Warnings about the report: runs that are not complete, files that cannot be read, pairs that are left out.

    `about_pictures`, a sentence, is added if there are no pictures, or if they are in a folder of their own.
    """
    notes = [f"{run.label}: INCOMPLETE, {run.document.unfinished}" for run in data.runs if not run.document.complete]
    notes += data.unreadable
    if data.left_out:
        notes.append(f"left out: {counted(data.left_out, 'pair')} that not all of these runs were asked")
    return notes if placed.count and placed.folder_written is None else [*notes, about_pictures]
