"""A generator's folder of pictures on disk: its content, its reader, and the check of each picture that comes in.

A sample is one picture of a prompt, made with one seed; its state is an `ImageRow`. `read_manifest` gives a folder's
content as `Images`, which judging and scoring use; generation and import write the folder, with `kept_fields` for each
picture that comes in and names from `sample_id`, `plain_name` and `folder_names`.

images.json       the generator and its task
prompts.jsonl     the prompts that were asked for so far, with their checks at that time
manifest.jsonl    one line for each sample (of a shard: its own) with its state; written from the journal at a run's end
journal.jsonl     every attempt, as it came
GROUP/LEVEL/SAMPLE.png

A group is the prompts about one subject, one at each level of the set.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from counterbench.drawing.reading import changes, normalised
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.files.foreign import inside
from counterbench.files.formats import instead
from counterbench.prompts.files import read_prompt_set
from counterbench.prompts.prompt_set import Prompt, PromptSet
from counterbench.runs.folder import JOURNAL_FILE
from counterbench.text import quoted

IMAGES_FILE, MANIFEST_FILE, PROMPTS_FILE = "images.json", "manifest.jsonl", "prompts.jsonl"

ImageStatus = Literal["ok", "missing", "refused", "blank", "unreadable"]
STATUSES: tuple[ImageStatus, ...] = ("ok", "blank", "refused", "unreadable", "missing")
# Names that Windows reserves for devices, with any suffix.
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)", re.IGNORECASE)
_MAX_NAME = 80  # characters of a folder's name
MAX_SAMPLES = 1000  # of a prompt; nobody draws more


class ImagesInfo(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The prompts, generator and seed of a folder of pictures, as `images.json` holds them."""

    format: Literal["counterbench.images/2"] = "counterbench.images/2"
    prompts: str  # the set's name
    generator: str
    # The fingerprint of the generator's files, if it is a folder on this machine (its name does not tell its content).
    checkpoint: str = ""
    samples: Annotated[int, msgspec.Meta(ge=1, le=MAX_SAMPLES)]  # of each prompt
    seed: int
    versions: dict[str, str]
    shard: str = ""  # the part of the pictures in this folder, "0/4"; empty for all of them
    elsewhere: str = ""  # a digest of imported pictures that lie outside the folder (see the function `elsewhere`)


class ImageRow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The state of one sample: a line of `manifest.jsonl`."""

    format: Literal["counterbench.image/1"] = "counterbench.image/1"
    id: str  # "<group>/<level>/<sample>"
    group: str
    level: str
    sample: Annotated[int, msgspec.Meta(ge=0)]
    prompt: str  # the prompt set's text
    prompt_digest: str
    seed: int
    # "ok"; "blank" (one flat colour; the picture is there); "refused"; "unreadable" (the data are no picture and not
    # kept, and the next run tries again); "missing" (nothing came yet, or only failures).
    status: ImageStatus
    path: str = ""
    picture_digest: str = ""  # of the decoded pixels
    width: int = 0
    height: int = 0
    revised: str = ""  # the prompt as the generator says that it changed it
    model: str = ""  # the server's name for its model
    cost: float | None = None  # in US dollars
    # The reason why the status is not "ok", or a note on a picture: its prompt was cut, it is the first frame of an
    # animation, its transparent parts are white.
    message: str = ""
    generator: str = ""  # in a run about pictures: the name of its generator's folder

    @property
    def prompt_id(self) -> str:
        """The id of the sample's prompt."""
        return f"{self.group}/{self.level}"


# The shorter side, in pixels, of the smallest pictures that a judge is tested on; reports warn of smaller pictures.
MIN_TESTED_SIDE = 256


def smallest_side(rows: Iterable[ImageRow]) -> int | None:
    """The shorter side, in pixels, of the smallest picture that can be seen; None if there is none of a known size."""
    return min((min(row.width, row.height) for row in rows if row.status == "ok" and row.width), default=None)


def missing_row(prompt: Prompt, sample: int, seed: int, message: str) -> ImageRow:
    """The row of a sample that has no picture; `message`: the reason."""
    return ImageRow(
        id=sample_id(prompt.group, prompt.level, sample),
        group=prompt.group,
        level=prompt.level,
        sample=sample,
        prompt=prompt.text,
        prompt_digest=prompt.digest,
        seed=seed,
        status="missing",
        message=message,
    )


def file_of(folder: Path, row: ImageRow) -> Path:
    """The file of a sample's picture, from a row that a run keeps; InputError if the row has no digest.

    `folder`: the folder of pictures that the run names. Whoever shows the file compares its content with the digest; so
    a run that came from somebody else cannot make us show other files of this machine.
    """
    if not row.picture_digest:
        raise InputError(f"{folder}: {row.id!r} has a picture without its digest")
    return folder / row.path


class Images(msgspec.Struct, frozen=True):
    """The content of a generator's folder, without the pixels."""

    path: Path
    info: ImagesInfo
    rows: tuple[ImageRow, ...]
    prompts: PromptSet

    def file(self, row: ImageRow) -> Path:
        """The file of a sample's picture (status "ok" or "blank")."""
        return self.path / row.path

    @property
    def counts(self) -> dict[ImageStatus, int]:
        """The number of samples of each status; statuses without a sample are left out."""
        by_status = Counter(row.status for row in self.rows)
        return {status: by_status[status] for status in STATUSES if by_status[status]}


def read_manifest(path: Path) -> Images:
    """The folder at `path` (`IMAGES/<generator>`), checked.

    InputError if it is no such folder, or a picture's file, or the prompts' file, is missing. Pictures are not decoded
    here; their digests are checked when they are decoded.
    """
    if not path.is_dir():
        raise InputError(f"{path}: there is no such folder")
    if not (path / IMAGES_FILE).is_file():
        raise InputError(
            f"{path}: not a folder of generated pictures, it has no {IMAGES_FILE}"
            + (
                instead(path)
                or f"; pictures made elsewhere come in by: counterbench t2i import {quoted(path)} --out IMAGES"
            )
        )
    info = formats.read_json(path / IMAGES_FILE, ImagesInfo)
    if info.shard:
        raise InputError(
            f"{path}: is shard {info.shard} of the pictures of {info.prompts!r}: join all shards by counterbench merge "
            "SHARD… --out IMAGES/GENERATOR"
        )
    if not (path / MANIFEST_FILE).is_file():
        raise InputError(
            f"{path}: its generation was stopped before {MANIFEST_FILE} was written; the same `t2i generate` again "
            f"goes on from its {JOURNAL_FILE}"
        )
    prompts = prompts_in(path)
    rows = []
    for number, row in formats.numbered_lines(path / MANIFEST_FILE, ImageRow):
        where = f"{path / MANIFEST_FILE}, line {number}"
        if row.path and not row.picture_digest:
            raise InputError(f"{where}: {row.id!r} has a picture without its digest")
        if row.path and not Path(row.path).is_absolute():
            inside(path, row.path, where)
        if row.path and not (path / row.path).is_file():
            raise InputError(
                f"{where}: the file {row.path} of {row.id!r} is not there; the same `t2i generate` again draws it anew"
            )
        rows.append(row)
    refuse_strangers(rows, prompts, path / MANIFEST_FILE)
    outside = next((row.path for row in rows if Path(row.path).is_absolute()), "")
    if outside and info.elsewhere != elsewhere(path, rows):
        raise InputError(
            f"{path / MANIFEST_FILE}: the path {outside!r} leads outside {path}, and is not as `t2i import` wrote it "
            "into this folder on this machine; the same `t2i import` again writes it anew"
        )
    return Images(path, info, tuple(rows), prompts)


def elsewhere(path: Path, rows: Iterable[ImageRow]) -> str:
    """A digest of the paths and digests of the pictures, and of the inode number of the folder at `path`.

    It guards pictures that lie elsewhere: `t2i import` writes it if pictures stay outside the folder. A manifest that
    was copied from another machine has another digest, so it cannot name files of this one.
    """
    parts = [str(path.stat().st_ino), *(f"{row.path} {row.picture_digest}" for row in rows if row.path)]
    return hashlib.blake2b("\n".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def prompts_in(path: Path) -> PromptSet:
    """The prompts that the folder at `path` was asked for; InputError with a remedy if they cannot be read."""
    try:
        return read_prompt_set(path / PROMPTS_FILE)
    except InputError as error:
        raise InputError(f"{error}; delete it, and the same `t2i generate` again writes it anew") from None


def refuse_strangers(rows: Iterable[ImageRow], prompts: PromptSet, file: Path) -> None:
    """InputError if a row of `file` has another id than its group, level and sample give, or is of no prompt."""
    for row in rows:
        if row.id != sample_id(row.group, row.level, row.sample) or row.prompt_id not in prompts.by_id:
            raise InputError(f"{file}: {row.id!r} is a sample of no prompt there; put back the file as it was")


def kept_fields(data: bytes, path: str, word: str, folder: Path | None) -> dict[str, Any]:
    """The fields of an `ImageRow` about a picture that came as the bytes `data`.

    The picture is written, as PNG, to `path` in `folder`; if `folder` is None, it is not written. Data that are no
    picture are never written: they may be anything that a server could reach. A change to the picture is noted in
    `message`, after the `word` (but not that a WebP file became a PNG file).
    """
    try:
        kept = normalised(data)
    except InputError as error:
        return {"status": "unreadable", "message": str(error)}
    if folder is not None:
        with formats.clear_os_errors(folder / path, "writing"):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            formats.write_atomically(folder / path, kept.png)
    notes = [f"{word}: {change}" for change in changes(data) if change != "WebP"]
    return {
        "status": "blank" if kept.blank else "ok",
        "path": path,
        "picture_digest": kept.digest,
        "width": kept.width,
        "height": kept.height,
        "message": "; ".join(["one flat colour", *notes] if kept.blank else notes),
    }


def sample_id(group: str, level: str, sample: int) -> str:
    """The id of a sample: "<group>/<level>/<sample>"."""
    return f"{group}/{level}/{sample}"


def plain_name(text: str) -> str:
    """The text as a file name that any file system takes; different texts may get the same name."""
    name = re.sub(r"[^A-Za-z0-9._=-]+", "-", text).strip(".-")
    if len(name) > _MAX_NAME:
        name = f"{name[: _MAX_NAME - 9].strip('.-')}-{_short_digest(text)}"
    return f"_{name}" if not name or _DEVICES.match(name) else name


def folder_names(texts: Iterable[str]) -> dict[str, str]:
    """A folder's name for each text, by text; no two names are the same, whatever the case of their letters.

    The name is the text itself if any file system takes it; else letters are replaced, and a digest of the text added.
    """
    unique_texts = list(dict.fromkeys(texts))
    uses = Counter(plain_name(text).lower() for text in unique_texts)
    return {
        text: name if name == text and uses[name.lower()] == 1 else f"{name}-{_short_digest(text)}"
        for text, name in ((text, plain_name(text)) for text in unique_texts)
    }


def _short_digest(text: str) -> str:
    """A digest of a text, 8 hexadecimal digits."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
