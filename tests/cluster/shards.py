"""What tests of merging share: folders and journals to compare, and sets of shards of which one does not belong."""

import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from pictures.drawn import files

import counterbench as cb
from counterbench.cluster.merge import Merged
from counterbench.drawing import reading
from counterbench.errors import InputError
from counterbench.runs.folder import Record, read_journal

# Makes the shard at the second path in place of the one at the first, the second of three.
Other = Callable[[Path, Path], object]


def contents(folder: Path, *but: str) -> dict[str, bytes]:
    """Every file's bytes; of a picture its pixels, as how they are compressed is nobody's promise."""
    paths = {name: folder / name for name in files(folder) - {*but}}
    return {
        name: reading.read(path).tobytes() if path.suffix == ".png" else path.read_bytes()
        for name, path in paths.items()
    }


def records(run: Path) -> list[Record]:
    """The records of a run without when they came, in no order of their own."""
    found = read_journal(run / "journal.jsonl")
    plain = (msgspec.structs.replace(record, time="", seconds=None) for record in found)
    return sorted(plain, key=lambda record: (record.id, record.repeat, record.attempts))


def merged(shards: list[Path], out: Path) -> Merged:
    """What the shards merge to, in another order; they are only read."""
    before = [contents(shard) for shard in shards]
    made = cb.merge(shards[::-1], out)
    assert [contents(shard) for shard in shards] == before
    return made


def edit_shard(name: str, change: Callable[[bytes], bytes]) -> Other:
    """A copy of the shard with another content of a file."""

    def make(part: Path, new: Path) -> None:
        shutil.copytree(part, new)
        (new / name).write_bytes(change((new / name).read_bytes()))

    return make


def shard_without(pattern: str) -> Other:
    """A copy of the shard without a file."""

    def make(part: Path, new: Path) -> None:
        shutil.copytree(part, new)
        next(new.rglob(pattern)).unlink()

    return make


def assert_refused(parts: list[Path], other: Other, message: str, folder: Path) -> None:
    """Assert that the merge is refused, in these words, if the second of three shards is another, `folder`/new."""
    other(parts[1], folder / "new")
    with pytest.raises(InputError, match=message):
        cb.merge([parts[0], folder / "new", parts[2]], folder / "merged")
    assert not (folder / "merged").exists()
