"""Tar files for webdataset: for each pair ID.original.png, ID.intervened.png and ID.json, one after the other."""

import io
import tarfile
from itertools import islice
from pathlib import Path

from counterbench.bars import OnProgress
from counterbench.files import formats
from counterbench.interop.exports import Options
from counterbench.interop.exports.rows import rows
from counterbench.scene.pairs import ROLES
from counterbench.suites.sources import Source

PAIRS_PER_FILE = 2000  # pairs: some 20 MB of flat pictures, up to 2 GB of photographs


def export(source: Source, folder: Path, options: Options, /, on_progress: OnProgress) -> None:
    """Write the tar files; their names say how many there are, so that a part of them does not look whole."""
    remaining = rows(source, options, on_progress)
    count = -(-len(source) // PAIRS_PER_FILE)
    for number in range(count):
        # The oldest kind of tar, which every reader knows; it has no times, owners or paths of its own.
        path = folder / f"pairs-{number:05d}-of-{count:05d}.tar"
        with tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as tar:
            for row in islice(remaining, PAIRS_PER_FILE):
                pair = {name: value for name, value in row.pair.items() if name not in ROLES}
                record = pair | {name: row.questions[0][name] for name in ("prompt", "system", "answer_line")}
                parts = [(f"{role}.png", row.pair[role]["bytes"]) for role in ROLES]
                for ending, data in [*parts, ("json", formats.encode(record))]:
                    entry = tarfile.TarInfo(f"{row.name}.{ending}")
                    entry.size, entry.mtime, entry.mode = len(data), 0, 0o644
                    tar.addfile(entry, io.BytesIO(data))
