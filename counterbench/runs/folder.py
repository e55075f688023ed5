"""A run on disk: `run.json` (suite, judge, template), `keys.jsonl` (the truth) and `journal.jsonl` (the replies)."""

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
# In a run about generated pictures alone; of `evaluate`, the plan lies there before the run begins.
T2I_FILE, PLAN_FILE = "t2i.json", "plan.json"
# In a run's folder, the runs of the same questions under further templates, each in a folder of its template's name.
TEMPLATES_FOLDER = "templates"


# Fields of `run.json` that identify a run: a run with another value is another run.
SIGNED = ("suite_digest", "judge", "template_digest", "votes")


class RunInfo(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The content of `run.json`: a run's suite, judge and template."""

    format: Literal["counterbench.run/1"] = RUN_FORMAT
    suite: str
    suite_digest: str
    seed: int | None
    judge: str
    name: str = ""  # the user's name for the judge; not part of the run's identity
    template: str
    template_digest: str
    votes: Annotated[int, msgspec.Meta(ge=1)]
    queries: Annotated[int, msgspec.Meta(ge=0)]  # every vote counted
    versions: dict[str, str]
    source: str = ""  # the origin of an imported run
    domain: Domain | None = None  # the kind of its pictures; None if unknown
    by_cells: bool = False  # asks each cell until it is decided, so more questions about unclear cells
    shard: str = ""  # the part of a run, such as "0/4", until `merge` joins the parts; empty for a whole run

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

    Each of `others` (seed, limit, size, attempt) that is given is part of the name, except attempt 1. So are a style
    other than flat, and a shard.
    """
    others = {name: value for name, value in others.items() if (name, value) != ("attempt", 1)}
    other = ending + "".join(f"--{name}-{value}" for name, value in others.items() if value is not None)
    other += f"--style-{style}" if style != FLAT else ""
    other += shard.ending if shard is not None else ""
    safe = re.sub(r"[^A-Za-z0-9._=-]+", "-", f"{suite}--{judge}")
    return Path("runs") / (safe[: 150 - len(other)].strip(".-") + other)


def template_path(run: Path, template: str) -> Path:
    """The folder of the same run under a further template, inside the folder `run`."""
    return run / TEMPLATES_FOLDER / re.sub(r"[^A-Za-z0-9._-]+", "-", template).lstrip(".")


def templates_in(run: Path) -> list[Path]:
    """The runs of its questions under further templates."""
    folder = run / TEMPLATES_FOLDER
    return [path for path in sorted(folder.iterdir()) if (path / RUN_FILE).is_file()] if folder.is_dir() else []


def refuse_repeats(paths: Iterable[Path]) -> None:
    """InputError if a run is named twice, also by different paths."""
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
    """Number of questions by which `run.json` and the number of keys differ; more than 0 if a file was cut."""
    return -(-abs(keys * info.votes - info.queries) // info.votes)


def read_keys(path: Path) -> Iterator[Key]:
    """The keys of the run in `path`."""
    return formats.read_lines(path / KEYS_FILE, Key)


def write_keys(path: Path, keys: Iterable[Key]) -> None:
    """Write a run's keys, atomically and without holding them all."""
    with formats.written_whole(path / KEYS_FILE) as file:
        for key in keys:
            file.write(formats.encode(key) + b"\n")
