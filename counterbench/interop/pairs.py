"""Imports somebody's own pairs: a CSV or JSONL file of pictures, a question and both answers; see docs/own-data.md."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from counterbench.drawing.reading import MOST_BYTES
from counterbench.errors import InputError
from counterbench.files import foreign, formats
from counterbench.interop.imported import Entry, Imported, folder_info, write_import
from counterbench.interop.oddities import Noted
from counterbench.interop.own_pictures import Looked, look, odd_together, unnamed
from counterbench.interop.pair_answers import FREE
from counterbench.interop.pair_rows import Item, read_items, with_columns
from counterbench.scene.pairs import Pair

Report = Callable[[int, int], None]


def import_pairs(file: Path, out: Path, on_progress: Report = lambda done, total: None) -> Imported:
    """Read the pairs in `file` and write them as the folder `out`; the same import again changes nothing.

    A row that cannot be a pair is left out and named among the oddities. Raises InputError that names the line and the
    column, with nothing written, if the file is no file of pairs or a picture is on the net or outside its folder.
    `on_progress(done, total)` counts each row twice: when its pictures are first read, and when it is written.
    """
    items, others = with_columns(list(read_items(file)))
    if not items:
        raise InputError(f"{file}: has no rows")
    digest = hashlib.blake2b(digest_size=16)
    for done, item in enumerate(items, 1):
        digest.update(_content(item))
        on_progress(done, 2 * len(items))
    info = folder_info(out.resolve().name, digest.hexdigest(), file.name, f"imported from {file.name}")
    odd = Noted()
    return write_import(out, info, _entries(file, items, others, odd, on_progress), odd)


def _content(item: Item) -> bytes:
    """The digest of everything in one row that an import depends on, its pictures included."""
    digest = hashlib.blake2b(formats.encode([item.line, item.pair, item.beside, item.why, item.odd]), digest_size=16)
    for path in () if item.why else item.files:
        try:
            digest.update(foreign.read_bytes(path, MOST_BYTES))
        except InputError as error:
            digest.update(str(error).encode())
    return digest.digest()


def _entries(
    file: Path, items: Sequence[Item], others: Sequence[str], odd: Noted, on_progress: Report
) -> Iterator[Entry]:
    """Every row that makes a pair; after the last one `odd` is complete."""
    indices: Counter[str] = Counter()
    taken: list[Pair] = []
    seen: set[int] = set()
    for done, item in enumerate(items, len(items) + 1):
        looked = _looked(file, item, odd)
        if looked is not None:
            pair = msgspec.structs.replace(item.pair, index=indices[item.pair.family])
            indices[pair.family] += 1
            _note(pair, item.odd, looked, seen, odd)
            taken.append(pair)
            yield Entry(pair, [(one.png, one.digest) for one in looked], item.beside)
        on_progress(done, 2 * len(items))
    named = {str(path) for item in items for path in item.files}
    folders = {path.parent for item in items for path in item.files if path != file.parent}
    unread = (str(Path(name).relative_to(file.parent)) for name in unnamed(folders, named))
    odd.add("picture files beside them that no row names", *unread)
    odd.add(
        "columns that are kept, but not tried as what errors go with: not numbers alone, nor few short words", *others
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


def _note(pair: Pair, said: str, looked: tuple[Looked, Looked], seen: set[int], odd: Noted) -> None:
    """Report the oddities of a pair; `said`: that of its row, `seen`: the pairs further up."""
    original, intervened = looked
    oddities = [*original.odd, *intervened.odd, *odd_together(original, intervened, pair.relevant)]
    if said:
        oddities.append(said)
    again = hash((pair.question, original.digest, intervened.digest))
    if again in seen:
        oddities.append("the same pictures and question as a pair further up")
    seen.add(again)
    for what in dict.fromkeys(oddities):
        odd.add(what, pair.id)
