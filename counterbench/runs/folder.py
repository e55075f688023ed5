"""A run on disk: `run.json` (what is asked of whom), `keys.jsonl` (the truth) and `journal.jsonl` (what came back)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from counterbench.drawing.domain import Domain
from counterbench.drawing.styles import FLAT
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.files.kinds import instead
from counterbench.runs.queries import Key
from counterbench.suites.shards import Shard

RUN_FORMAT: Literal["counterbench.run/1"] = "counterbench.run/1"
RUN_FILE, KEYS_FILE, JOURNAL_FILE = "run.json", "keys.jsonl", "journal.jsonl"
# In a run about generated pictures alone.
T2I_FILE = "t2i.json"
# In a run's folder, the runs of the same questions under further wordings, each in a folder of its wording's name.
WORDINGS_FOLDER = "wordings"


# What makes it another run, of what `run.json` says.
SIGNED = ("suite_digest", "judge", "wording_digest", "votes")


class RunInfo(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a run asks of whom: `run.json`. `queries` counts every vote; `source` says where an imported run is from.

    `name`: what the user calls the judge; no part of what is asked of whom.
    `domain`: what its pictures are like; None where nobody says.
    `by_cells`: it asks cell by cell until each is decided, and so more about what is unclear.
    `shard`: which part of the run it is, "0/4", until `merge` joins them; empty of a whole run.
    """

    format: Literal["counterbench.run/1"] = RUN_FORMAT
    suite: str
    suite_digest: str
    seed: int | None
    judge: str
    name: str = ""
    wording: str
    wording_digest: str
    votes: Annotated[int, msgspec.Meta(ge=1)]
    queries: Annotated[int, msgspec.Meta(ge=0)]
    versions: dict[str, str]
    source: str = ""
    domain: Domain | None = None
    by_cells: bool = False
    shard: str = ""

    @property
    def side(self) -> int | None:
        """The shorter side of its pictures in pixels, if that is known and the same for all."""
        return self.domain.side if self.domain is not None else None

    @property
    def style(self) -> str:
        """The style of its pictures, where they are ours."""
        return self.domain.our_style if self.domain is not None else FLAT


def default_path(
    suite: str, judge: str, ending: str = "", style: str = FLAT, shard: Shard | None = None, **others: int | None
) -> Path:
    """`runs/<suite>--<judge><ending>`, with nothing in the name that a file system might refuse.

    `others` (seed, limit, size, attempt) that are given make another run, and another name; attempt 1 is no other. So
    does a style that is not flat, and a shard.
    """
    others = {name: value for name, value in others.items() if (name, value) != ("attempt", 1)}
    other = ending + "".join(f"--{name}-{value}" for name, value in others.items() if value is not None)
    other += f"--style-{style}" if style != FLAT else ""
    other += shard.ending if shard is not None else ""
    safe = re.sub(r"[^A-Za-z0-9._=-]+", "-", f"{suite}--{judge}")
    return Path("runs") / (safe[: 150 - len(other)].strip(".-") + other)


def wording_path(run: Path, wording: str) -> Path:
    """Where the run in `run` keeps its questions under a further wording."""
    return run / WORDINGS_FOLDER / re.sub(r"[^A-Za-z0-9._-]+", "-", wording).lstrip(".")


def wordings_in(run: Path) -> list[Path]:
    """The runs of its questions under further wordings."""
    folder = run / WORDINGS_FOLDER
    return [path for path in sorted(folder.iterdir()) if (path / RUN_FILE).is_file()] if folder.is_dir() else []


def refuse_repeats(paths: Iterable[Path]) -> None:
    """InputError if a run is named twice, by whatever path."""
    seen: set[Path] = set()
    for path in paths:
        if path.resolve() in seen:
            raise InputError(f"{path}: this run was named twice; name each run once")
        seen.add(path.resolve())


def read_run_info(path: Path) -> RunInfo:
    """A run's `run.json`; InputError if the folder is not a run."""
    if not path.exists():
        raise InputError(f"{path}: there is no such run folder")
    if not (path / RUN_FILE).is_file():
        raise InputError(f"{path}: not a run, it has no {RUN_FILE}{instead(path)}")
    return formats.read_json(path / RUN_FILE, RunInfo)


def refuse_shard(path: Path, info: RunInfo) -> None:
    """InputError if a run is a shard: its numbers are of its part alone."""
    if info.shard:
        raise InputError(
            f"{path}: is shard {info.shard} of a run on {info.suite!r}, whose numbers are of all shards: join them by "
            "counterbench merge SHARD… --out RUN"
        )


def uncounted(info: RunInfo, keys: int) -> int:
    """How many questions, of one vote each, a run has in its `run.json` alone, or in so many keys alone: it was cut."""
    return -(-abs(keys * info.votes - info.queries) // info.votes)


def read_keys(path: Path) -> Iterator[Key]:
    """The keys of the run in `path`."""
    return formats.read_lines(path / KEYS_FILE, Key)


def write_keys(path: Path, keys: Iterable[Key]) -> None:
    """Write a run's keys, atomically and without holding them all."""
    with formats.written_whole(path / KEYS_FILE) as file:
        for key in keys:
            file.write(formats.encode(key) + b"\n")
