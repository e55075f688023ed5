"""A generated folder on disk: its files, reading them, and the pictures of a pair.

suite.json       the description of the folder
pairs.jsonl      one pair in each line
metadata.jsonl   the same for Hugging Face's imagefolder loader
README.md        a card with which `datasets.load_dataset` finds them
images/FAMILY/INDEX-original.png, INDEX-intervened.png
grounds/DIGEST.*     of stickers, the pictures below them

The `suite.json` of a shard says so: it is no folder of pairs until `merge` has joined all shards.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, overload
from urllib.parse import quote

import msgspec
import PIL
from PIL import Image

from counterbench._version import __version__
from counterbench.drawing.picture import Picture
from counterbench.drawing.render import RENDERER_VERSION
from counterbench.drawing.styles import FLAT
from counterbench.errors import InputError
from counterbench.files import foreign, formats
from counterbench.files.formats import instead
from counterbench.scene.pairs import ROLES, Pair
from counterbench.suites.shards import Shard
from counterbench.text import brief, counted

FOLDER_FORMAT: Literal["counterbench.folder/1"] = "counterbench.folder/1"
SUITE_FILE, PAIRS_FILE, METADATA_FILE = "suite.json", "pairs.jsonl", "metadata.jsonl"
CARD_FILE = "README.md"
GROUNDS = "grounds"
_NONE = "none"  # stands for a digest, and is that of no picture
_IN_METADATA = ("id", "family", "category", "skill", "question", "answer_type", "original_answer", "intervened_answer")


class FolderInfo(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The name, digest, seed and numbers of pairs of a folder of pairs, as `suite.json` holds them."""

    format: Literal["counterbench.folder/1"] = FOLDER_FORMAT
    name: str
    description: str = ""
    digest: str
    seed: int | None
    truth: Literal["computed", "published"] = "computed"
    limit: int | None = None
    shard: str = ""  # "0/4": the next two are of this part alone; empty for a whole folder
    pairs: int
    counts: dict[str, int]
    definition: dict[str, Any] | None = None  # of the suite; null for an imported data set
    source: str = ""  # of an imported data set
    pairs_digest: str = ""  # of `pairs.jsonl`
    versions: dict[str, str]

    @property
    def style(self) -> str:
        """The style of its pictures; empty for imported pairs."""
        return "" if self.truth == "published" else str((self.definition or {}).get("style", FLAT))

    def __repr__(self) -> str:
        families = counted(len(self.counts), "family", "families")
        return brief(self, f"{self.name}: {counted(self.pairs, 'pair')} of {families}, truth {self.truth}")


def default_folder(suite: str, shard: Shard | None = None, style: str = FLAT, **others: int | None) -> Path:
    """`pairs/<suite>`, with each of `others` (seed, limit, size) that is given, the shard, and a style but flat."""
    endings = [f"--{name}-{value}" for name, value in others.items() if value is not None]
    endings += [f"--style-{style}"] if style != FLAT else []
    return Path("pairs") / "".join((suite.replace(",", "-"), *endings, shard.ending if shard else ""))


def versions() -> dict[str, str]:
    """The versions that a folder's pairs and pixels depend on."""
    return {"counterbench": __version__, "pillow": PIL.__version__, "renderer": str(RENDERER_VERSION)}


def picture_name(pair: Pair, role: str) -> str:
    """The place of a pair's picture in its folder. An imported pair is named by its id, ours by family and index."""
    if pair.truth == "published":
        return f"images/{_as_file_name(pair.family)}/{_as_file_name(pair.id)}-{role}.png"
    return f"images/{pair.family}/{pair.index:06d}-{role}.png"


def _as_file_name(words: str) -> str:
    """A foreign name as a part of a path: letters and digits stay, others and a dot in front become %XX."""
    name = quote(words, safe="")
    return f"%2E{name[1:]}" if name.startswith(".") else name


def metadata(pair: Pair) -> dict[str, Any]:
    """A pair's line of `metadata.jsonl`."""
    files = {f"{role}_file_name": picture_name(pair, role) for role in ROLES}
    return files | {field: getattr(pair, field) for field in (*_IN_METADATA, "relevant")}


def card(info: FolderInfo) -> str:
    """The card of a generated folder; its head defines a data set with the one split `test`."""
    return f"""---
configs:
- config_name: default
  data_files:
  - split: test
    path:
    - {METADATA_FILE}
    - images/**
---

# {info.name}

{counted(info.pairs, "counterfactual pair")} drawn by counterbench: two pictures that differ in one declared way, and
one question asked of both. Suite digest `{info.digest}`, seed {info.seed}.

```python
from datasets import load_dataset
pairs = load_dataset(".", split="test")
```
"""


class Folder:
    """A complete folder, or with `part` also a shard, opened for reading. Pairs are read as they are iterated over."""

    def __init__(self, path: Path, part: bool = False) -> None:
        """Read `suite.json`, and no pair; `part`: True if the folder may be a shard.

        InputError if there is no such folder, if it has no `suite.json`, if it is a shard and `part` is False, or if
        its counts do not add up to its pairs.
        """
        self.path = path
        if not path.is_dir():
            raise InputError(f"{path}: there is no such folder")
        if not (path / SUITE_FILE).is_file():
            raise InputError(f"{path}: not a suite folder, it has no {SUITE_FILE}{instead(path)}")
        self.info = formats.read_json(path / SUITE_FILE, FolderInfo)
        if self.info.shard and not part:
            whole = "counterbench merge SHARD… --out DIR"
            raise InputError(f"{path}: is shard {self.info.shard} of a folder of pairs; join all: {whole}")
        if sum(self.info.counts.values()) != self.info.pairs or min(self.info.counts.values(), default=0) < 0:
            raise InputError(f"{path / SUITE_FILE}: counts {self.info.counts} do not sum up to {self.info.pairs} pairs")

    def __len__(self) -> int:
        return self.info.pairs

    @overload
    def __getitem__(self, index: int) -> Pair: ...
    @overload
    def __getitem__(self, index: slice) -> list[Pair]: ...
    def __getitem__(self, index: int | slice) -> Pair | list[Pair]:
        """A pair, or some; reads the whole file."""
        return list(self)[index]

    def __fspath__(self) -> str:
        return str(self.path)

    def __repr__(self) -> str:
        return brief(self, f"{self.path}: {counted(len(self), 'pair')} of {self.info.name}")

    def __iter__(self) -> Iterator[Pair]:
        """The pairs in order; FormatError names a damaged line, InputError says if there are too many or too few."""
        count = 0
        for count, pair in enumerate(self.read_pairs(), 1):  # noqa: B007
            yield pair
        if count != self.info.pairs:
            raise InputError(f"{self.path / PAIRS_FILE}: {count} pairs, but {SUITE_FILE} says {self.info.pairs}")

    def read_pairs(self) -> Iterator[Pair]:
        """All pairs in the file, without a check of their number."""
        return formats.read_lines(self.path / PAIRS_FILE, Pair)

    def refuse_edited(self) -> None:
        """InputError if `pairs.jsonl` was changed after it was written: its questions and truths may be wrong then."""
        if self.info.pairs_digest != formats.file_digest(self.path / PAIRS_FILE):
            raise InputError(
                f"{self.path / PAIRS_FILE}: was changed since it was written (`counterbench verify` says where); put "
                "back what was there, or write it anew into another --out"
            )

    def picture(self, pair: Pair, role: str) -> Path:
        """The path of one of a pair's pictures, which may not exist; InputError if it leads out of the folder."""
        return foreign.inside(self.path, picture_name(pair, role), f"{self.path / PAIRS_FILE}, pair {pair.id!r}")

    def ground(self, pair: Pair) -> Image.Image | None:
        """The user's picture under a pair of stickers, else None; InputError if its file is missing or changed."""
        if not pair.ground:
            return None
        files = [*(self.path / GROUNDS).glob(f"{pair.ground}.*")]
        return Picture.from_file(files[0] if files else self.path / GROUNDS / f"{pair.ground}.png", pair.ground).image()

    def pictures(self, pair: Pair, even_if_missing: bool = False) -> tuple[Picture, ...]:
        """A pair's pictures with their recorded digests; empty for an imported pair without pictures.

        `even_if_missing`: give them for such a pair too, although reading them raises InputError.
        """
        files = [self.picture(pair, role) for role in ROLES]
        digests = pair.digests
        recorded = ("", "") if digests is None else (digests.original_pixels, digests.intervened_pixels)
        packed = ("", "") if digests is None else (digests.original_file, digests.intervened_file)
        if pair.truth == "computed":  # drawn by us with a digest: without one, no picture is accepted
            recorded = (recorded[0] or _NONE, recorded[1] or _NONE)
        came_without = pair.truth == "published" and digests is None and not all(file.is_file() for file in files)
        if came_without and not even_if_missing:
            return ()
        return tuple(map(Picture.from_file, files, recorded, packed))
