"""Imports somebody's own pairs: a CSV or JSONL file of pictures, a question and both answers; see docs/own-data.md."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageChops

from counterbench.drawing import png, reading
from counterbench.errors import InputError
from counterbench.files import foreign, formats
from counterbench.interop.data_warnings import Noted
from counterbench.interop.imported import Entry, Imported, folder_info, write_import
from counterbench.interop.pair_rows import FREE, Item, columns_of, pair_of, read_items
from counterbench.scene.pairs import Pair

Report = Callable[[int, int], None]

# A pixel differs if one of its channels differs by more than JPEG's noise. Pictures that differ in a larger share of
# their pixels differ in more than one thing.
_NOISE, _MOST = 32, 0.5


class Looked(NamedTuple):
    """A picture that was read."""

    image: Image.Image
    png: bytes  # the file that it is kept as
    digest: str  # of its pixels
    odd: tuple[str, ...]  # its warnings, in words


def import_pairs(file: Path, out: Path, on_progress: Report = lambda done, total: None) -> Imported:
    """Read the pairs in `file` and write them as the folder `out`, or nothing.

    A row that cannot be a pair is left out and named among the warnings. Raises InputError that names the line and the
    column, with nothing written, if the file is no file of pairs or a picture is on the net or outside its folder.
    `on_progress(done, total)` counts each row twice: when its pictures are first read, and when it is written.
    """
    items = list(read_items(file))
    if not items:
        raise InputError(f"{file}: has no rows")
    digest = hashlib.blake2b(digest_size=16)
    for done, item in enumerate(items, 1):
        digest.update(_content(item))
        on_progress(done, 2 * len(items))
    info = folder_info(out.resolve().name, digest.hexdigest(), file.name, f"imported from {file.name}")
    odd = Noted()
    return write_import(out, info, _entries(file, items, odd, on_progress), odd)


def _content(item: Item) -> bytes:
    """The digest of everything in one row that an import depends on, its pictures included."""
    row = item._replace(files=[])
    digest = hashlib.blake2b(formats.encode(row), digest_size=16)
    for path in () if item.why else item.files:
        try:
            digest.update(foreign.read_bytes(path, reading.MOST_BYTES))
        except InputError as error:
            digest.update(str(error).encode())
    return digest.digest()


def _entries(file: Path, items: Sequence[Item], odd: Noted, on_progress: Report) -> Iterator[Entry]:
    """Every row that makes a pair; after the last one `odd` is complete."""
    columns = columns_of(items)
    indices: Counter[str] = Counter()
    taken: list[Pair] = []
    seen: set[int] = set()
    for done, item in enumerate(items, len(items) + 1):
        looked = _looked(file, item, odd)
        if looked is not None:
            pair = pair_of(item, indices[item.family], columns)
            indices[pair.family] += 1
            _note(pair, looked, seen, odd)
            taken.append(pair)
            yield Entry(pair, [(one.png, one.digest) for one in looked], item.extra)
        on_progress(done, 2 * len(items))
    odd.add(
        "columns that are kept, but not tried as what errors go with: not numbers alone, nor few short words",
        *columns.others,
    )
    free = sum(pair.answer_type == FREE for pair in taken)
    odd.count("pairs whose answers are free text: replies must say the same words", free)
    odd.answers(taken)
    odd.relevance(taken)


def _looked(file: Path, item: Item, odd: Noted) -> tuple[Looked, Looked] | None:
    """The pictures of a row; None for a row that is left out, with the reason in `odd`."""
    if item.why:
        what, _, which = item.why.partition(": ")
        odd.add(f"left out, {what}", f"{item.label}{f': {which}' if which else ''}")
        return None
    looked = []
    for path in item.files:
        try:
            looked.append(look(path))
        except InputError as error:
            odd.add("left out, a picture cannot be read", f"{item.label}: {path.relative_to(file.parent)}: {error}")
            return None
    return looked[0], looked[1]


def _note(pair: Pair, looked: tuple[Looked, Looked], seen: set[int], odd: Noted) -> None:
    """Report the warnings of a pair; `seen`: the pairs further up."""
    original, intervened = looked
    for what in dict.fromkeys([*original.odd, *intervened.odd, *odd_together(original, intervened, pair.relevant)]):
        odd.add(what, pair.id)
    again = hash((pair.question, original.digest, intervened.digest))
    if again in seen:
        odd.add("the same pictures and question as a pair further up", pair.id)
    seen.add(again)


def look(path: Path) -> Looked:
    """The picture in a file; InputError with the reason if it cannot be read."""
    data = foreign.read_bytes(path, reading.MOST_BYTES)
    image = reading.decode(data)
    kept = data if png.is_plain(data) else reading.encoded(image)
    odd = [f"pictures that were converted: {change}" for change in reading.changes(data)]
    if image.getcolors(1) is not None:
        odd.append("blank pictures, all of one colour")
    return Looked(image, kept, png.pixel_digest(image), tuple(odd))


def odd_together(original: Looked, intervened: Looked, relevant: bool) -> Iterator[str]:
    """The warnings of two pictures as a pair whose answers differ (`relevant`), or do not."""
    if original.digest == intervened.digest:
        yield "identical pictures, yet two answers" if relevant else "identical pictures: nothing was changed"
    elif original.image.size != intervened.image.size:
        yield "two pictures of different sizes"
    elif _share(original.image, intervened.image) > _MOST:
        yield "pictures that differ in more than half of their pixels: in one thing alone?"


def _share(one: Image.Image, other: Image.Image) -> float:
    red, green, blue = ImageChops.difference(one, other).split()
    counts = ImageChops.lighter(ImageChops.lighter(red, green), blue).histogram()
    return sum(counts[_NOISE:]) / (one.width * one.height)
