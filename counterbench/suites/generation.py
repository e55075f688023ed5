"""Draws a suite into a folder, which is drawn beside its place and renamed once it is complete."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
from PIL import Image

from counterbench.bars import OnProgress, unseen
from counterbench.drawing import png, reading
from counterbench.drawing.styles import STICKER, draw
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.files.formats import whole_folder
from counterbench.scene.pairs import ROLES, Digests
from counterbench.suites.comparisons import style_of
from counterbench.suites.folder import (
    CARD_FILE,
    GROUNDS,
    METADATA_FILE,
    PAIRS_FILE,
    SUITE_FILE,
    Folder,
    FolderInfo,
    card,
    metadata,
    picture_name,
    versions,
)
from counterbench.suites.shards import Shard
from counterbench.suites.sources import selection_digest
from counterbench.suites.suite import Suite, shares
from counterbench.suites.workers import in_chunks, worker_count

_CHUNK = 20  # pairs in a task: few enough to show progress, and enough to keep the cost of each task low

Lines = tuple[bytes, bytes]  # a pair's lines of pairs.jsonl and metadata.jsonl


def generate(
    suite: Suite,
    out: Path,
    *,
    workers: int | None = None,
    limit: int | None = None,
    shard: Shard | None = None,
    on_progress: OnProgress = unseen,
) -> FolderInfo:
    """Draw `suite` (or the first `limit` items, families in turn) into the folder `out`, unless it is there.

    `shard`: draw only that part, whose info is returned; `merge` joins all parts to the folder that is drawn without
    shards. `workers` processes draw (default: one for each core); the result does not depend on it.
    `on_progress(done, total)` is called as pairs are written. Raises InputError if `out` holds something else,
    NoRoomError if a family has no room for its parameters. After any end, `out` is complete or missing.
    """
    processes = worker_count(workers)
    all_positions = suite.positions(limit)
    positions = all_positions if shard is None else shard.part_of(all_positions)
    info = to_draw(suite, limit)
    if existing := already_drawn(out, info, shard):
        return existing
    for part in suite.parts:
        suite.sample(part, 0)  # a suite that cannot be drawn is an error before anything is written
    with whole_folder(out) as folder:
        _draw_all(suite, folder, positions, processes, on_progress)
        counts = _counts(suite, positions)
        info = msgspec.structs.replace(
            info,
            shard=str(shard or ""),
            pairs=len(positions),
            counts=counts,
            pairs_digest=formats.file_digest(folder / PAIRS_FILE),
        )
        write_info(folder, info)
    return info


def already_drawn(out: Path, info: FolderInfo, shard: Shard | None) -> FolderInfo | None:
    """The info of the folder `out` if it holds these pairs, None if it holds none; InputError if it holds others."""
    if not (out / SUITE_FILE).is_file():
        return None
    folder = Folder(out, part=True)
    existing, wanted = folder.info, msgspec.structs.replace(info, shard=str(shard or ""))
    for field in ("digest", "shard", "versions"):
        if (holds := getattr(existing, field)) != (needs := getattr(wanted, field)):
            raise InputError(
                f"{out}: holds suite {existing.name!r} (seed {existing.seed}, {existing.pairs} pairs), whose {field} "
                f"is {holds!r}, not {needs!r}; choose another --out, or delete the folder"
            )
    folder.refuse_edited()
    return existing


def _draw_all(suite: Suite, folder: Path, positions: Sequence[int], workers: int, on_progress: OnProgress) -> None:
    """Draw all pictures, and write the lines of their pairs."""
    for family in _counts(suite, positions):
        (folder / "images" / family).mkdir(parents=True)
    if suite.style == STICKER:
        (folder / GROUNDS).mkdir()
    with (folder / PAIRS_FILE).open("wb") as pairs_file, (folder / METADATA_FILE).open("wb") as metadata_file:
        drawn = in_chunks(_Draw(suite, folder), positions, workers=workers, chunk=_CHUNK, total=len(positions))
        for done, (pair_line, metadata_line) in enumerate(drawn, 1):
            pairs_file.write(pair_line)
            metadata_file.write(metadata_line)
            on_progress(done, len(positions))


def write_info(folder: Path, info: FolderInfo) -> None:
    """Write the files that describe a folder: the card, unless it is a shard, and `suite.json`."""
    if not info.shard:
        (folder / CARD_FILE).write_text(card(info), encoding="utf-8")
    formats.write_json(folder / SUITE_FILE, info)


def _counts(suite: Suite, positions: Sequence[int]) -> dict[str, int]:
    """By family, the number of its pairs at these positions of the suite."""
    return dict(Counter(suite.locate(position)[0].family for position in positions))


def to_draw(suite: Suite, limit: int | None) -> FolderInfo:
    """The content of `suite.json` for the suite's pairs, without the digest of their lines."""
    counts = {name: share for name, share in shares(suite.counts, limit).items() if share}
    return FolderInfo(
        name=suite.name,
        description=suite.description,
        digest=selection_digest(suite, limit),
        seed=suite.seed,
        limit=limit if limit is not None and limit < len(suite) else None,
        pairs=sum(counts.values()),
        counts=counts,
        definition=suite.definition,
        versions=versions(),
    )


@dataclass(frozen=True)
class _Draw:
    """The workers' task: draw pairs, write their pictures, and return their lines for the main process to write."""

    suite: Suite
    out: Path

    def __call__(self, positions: list[int]) -> list[Lines]:
        """Draw these pairs into the folder; their lines of `pairs.jsonl` and of the metadata."""
        lines = []
        for position in positions:
            pair, pixels, files = self.suite[position], [], []
            ground = self.suite.ground(pair)
            for role, scene in zip(ROLES, pair.scenes, strict=True):
                style = style_of(pair, role, self.suite.style)
                image = draw(scene, self.suite.side_of(scene), style, pair.scenes[0], ground)
                data, digest = _packed(image, ground is not None)
                pixels.append(digest)
                files.append(png.file_digest(data))
                with (self.out / picture_name(pair, role)).open("wb", buffering=0) as file:
                    file.write(data)
            self.suite.keep_ground(pair, self.out / GROUNDS)
            digests = Digests(*(scene.digest for scene in pair.scenes), *pixels, *files)
            pair = msgspec.structs.replace(pair, digests=digests)
            lines.append((formats.encode(pair) + b"\n", formats.encode(metadata(pair)) + b"\n"))
        return lines


def _packed(image: Image.Image, photographed: bool) -> tuple[bytes, str]:
    """The PNG and the pixel digest of a picture.

    `photographed`: True if a photograph is below the things; PNG's line filters make its file a third smaller.
    """
    return (reading.encoded(image), png.pixel_digest(image)) if photographed else png.encode_and_digest(image)
