"""Imports somebody's own pairs: a CSV or JSONL file of pictures, a question and both answers; see docs/own-data.md."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from counterbench.drawing.reading import MOST_BYTES
from counterbench.errors import InputError
from counterbench.files import foreign, formats
from counterbench.interop.imported import Entry, Imported, folder_info, write_import
from counterbench.interop.oddities import Answers, Noted, Oddity
from counterbench.interop.own_pictures import Looked, look, odd_together, unnamed
from counterbench.interop.pair_answers import FREE
from counterbench.interop.pair_rows import Columns, Item, read_columns, read_items
from counterbench.scene.pairs import Pair

Report = Callable[[int, int], None]
_OTHERS = "picture files beside them that no row names"


def import_pairs(file: Path, out: Path, on_progress: Report = lambda done, total: None) -> Imported:
    """Read the pairs in `file` and write them as the folder `out`; the same import again changes nothing.

    A row that cannot be a pair is left out and named among the oddities. Raises InputError, with nothing written, that
    names the line and the column for what makes the file no file of pairs, and for pictures on the net or outside its
    folder. `on_progress(done, total)` counts each row twice: when its pictures are first read, and when it is written.
    """
    columns = read_columns(file)
    total = 2 * columns.rows
    if not total:
        raise InputError(f"{file}: has no rows")
    digest = hashlib.blake2b(digest_size=16)
    for done, item in enumerate(map(columns.tried, read_items(file)), 1):
        digest.update(_content(item))
        on_progress(done, total)
    work = _Work(file, columns, on_progress)
    name = out.resolve().name
    info = folder_info(name, digest.hexdigest(), file.name, f"imported from {file.name}")
    return write_import(out, info, work.entries(), work.oddities)


def _content(item: Item) -> bytes:
    """All that an import depends on in one row, its pictures included, as a digest."""
    digest = hashlib.blake2b(formats.encode([item.line, item.pair, item.beside, item.why, item.odd]), digest_size=16)
    for path in () if item.why else item.files:
        try:
            digest.update(foreign.read_bytes(path, MOST_BYTES))
        except InputError as error:
            digest.update(str(error).encode())
    return digest.digest()


class _Work:
    """The rows of a file made into entries, one at a time, and what is odd in them."""

    def __init__(self, file: Path, columns: Columns, on_progress: Report) -> None:
        self._file, self._columns, self._on_progress = file, columns, on_progress
        self._answers, self._left_out, self._odd = Answers(), Noted(), Noted()
        self._named: set[str] = set()
        self._folders: set[Path] = set()
        self._shown: set[int] = set()
        self._free = 0

    def entries(self) -> Iterator[Entry]:
        """Every row that makes a pair."""
        indices: Counter[str] = Counter()
        rows = self._columns.rows
        for done, item in enumerate(map(self._columns.tried, read_items(self._file)), rows + 1):
            entry = self._entry(item)
            if entry is not None:
                pair = entry.pair
                yield entry._replace(pair=msgspec.structs.replace(pair, index=indices[pair.family]))
                indices[pair.family] += 1
            self._on_progress(done, 2 * rows)

    def oddities(self) -> list[Oddity]:
        """What is odd in all of them: first what is missing here."""
        found = [*self._left_out.all()]
        if others := tuple(name for name in unnamed(self._folders, self._named)):
            found.append(Oddity(_OTHERS, len(others), tuple(_short(name, self._file) for name in others)))
        if others := self._columns.others:
            what = "columns that are kept, but not tried as what errors go with: not numbers alone, nor few short words"
            found.append(Oddity(what, len(others), others))
        if self._free:
            found.append(Oddity("pairs whose answers are free text: replies must say the same words", self._free))
        return [*found, *self._odd.all(), *self._answers.unbalanced(), *self._answers.one_sided()]

    def _entry(self, item: Item) -> Entry | None:
        self._named.update(map(str, item.files))
        self._folders.update(path.parent for path in item.files if path != self._file.parent)
        if item.why:
            what, _, which = item.why.partition(": ")
            self._left_out.add(f"left out, {what}", f"{item.label}{f': {which}' if which else ''}")
            return None
        looked = []
        for path in item.files:
            try:
                looked.append(look(path))
            except InputError as error:
                why = f"{item.label}: {_short(str(path), self._file)}: {error}"
                self._left_out.add("left out, a picture cannot be read", why)
                return None
        self._note(item.pair, item.odd, looked[0], looked[1])
        return Entry(item.pair, [(one.png, one.digest) for one in looked], item.beside)

    def _note(self, pair: Pair, odd: str, original: Looked, intervened: Looked) -> None:
        self._answers.add(pair)
        self._free += pair.answer_type == FREE
        again = hash((pair.question, original.digest, intervened.digest))
        found = [*original.odd, *intervened.odd, *odd_together(original, intervened, pair.relevant)]
        if odd:
            found.append(odd)
        if again in self._shown:
            found.append("the same pictures and question as a pair further up")
        self._shown.add(again)
        for what in dict.fromkeys(found):
            self._odd.add(what, pair.id)


def _short(name: str, file: Path) -> str:
    """A path as it is named from the folder of `file`."""
    return str(Path(name).relative_to(file.parent))
