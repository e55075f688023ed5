"""What a folder records against the suite that it says it was drawn from: pair by pair, and as a whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import PIL

from counterbench.drawing.render import RENDERER_VERSION
from counterbench.errors import CounterbenchError, FormatError, InputError
from counterbench.files import formats
from counterbench.scene.pairs import ROLES, Pair
from counterbench.suites.families import family
from counterbench.suites.families.base import Canvas, check_forms, read_params
from counterbench.suites.folder import METADATA_FILE, SUITE_FILE, Folder, metadata
from counterbench.suites.sources import selection_digest
from counterbench.suites.suite import Part, Suite
from counterbench.verification.checks import Problem

# What a problem of the whole folder is listed under, in place of a pair's id.
WHOLE = "(all)"


class Origin(msgspec.Struct):
    """Where a folder's pairs come from: the suite, if it can be drawn again, and what verifying must know."""

    suite: Suite | None = None
    same_renderer: bool = False
    notes: list[str] = []
    problems: list[Problem] = []
    unchecked: frozenset[str] = frozenset()


def origin(folder: Folder) -> Origin:
    """The suite that `suite.json` defines, checked against what else it says; InputError if it is damaged."""
    info, found = folder.info, Origin()
    if info.truth == "published":
        found.unchecked = frozenset({"truth", "change", "layout", "mask", "reader", "record"})
        if not any((folder.path / "images").rglob("*.png")):
            found.unchecked |= {"picture"}
        found.notes.append(f"truth is published, scenes are unknown; not checked: {', '.join(sorted(found.unchecked))}")
        if info.definition is not None:
            found.problems.append(_whole("truth is published, but there is a definition to draw pairs from"))
        return found
    renderer = str(info.versions.get("renderer"))
    found.same_renderer = info.versions.get("pillow") == PIL.__version__ and renderer == str(RENDERER_VERSION)
    if not found.same_renderer:
        found.notes.append(
            f"drawn with Pillow {info.versions.get('pillow')} and renderer {renderer}, these are {PIL.__version__} and "
            f"{RENDERER_VERSION}: pictures are compared with their recorded digests, not drawn again"
        )
    suite = _suite_of(info.definition, str(folder.path / SUITE_FILE))
    if suite is None:
        found.notes.append("drawn by another version of its families: items are not drawn again")
        return found
    found.suite = suite
    if found.same_renderer and _plain(info.definition) != _plain(suite.definition):
        found.problems.append(_whole(f"the definition in {SUITE_FILE} is not that of the suite it defines"))
    for name, said, true in (
        ("digest", info.digest, selection_digest(suite, info.limit)),
        ("name", info.name, suite.name),
        ("seed", info.seed, suite.seed),
    ):
        if said != true and (name != "digest" or found.same_renderer):
            found.problems.append(_whole(f"{name} is {said!r} in {SUITE_FILE}, but {true!r} by its definition"))
    return found


def _plain(definition: dict[str, Any] | None) -> bytes:
    return msgspec.json.encode(definition, order="sorted")


def _whole(message: str) -> Problem:
    return Problem(WHOLE, "", "record", message)


def _suite_of(definition: dict[str, Any] | None, where: str) -> Suite | None:
    """The suite of a recorded definition; None if a family has another version now."""
    try:
        if definition is None:
            raise KeyError("definition")
        canvas = msgspec.convert(definition["canvas"], Canvas)
        parts = []
        for entry in definition["families"]:
            kind = family(entry["name"], where)
            if kind.version != entry["version"]:
                return None
            check_forms(entry["forms"], where)
            params = read_params(kind, entry["params"], where)
            parts.append(Part(kind.name, msgspec.convert(entry["count"], int), tuple(entry["forms"]), params))
        return Suite(msgspec.convert(definition["name"], str), msgspec.convert(definition["seed"], int), canvas, parts)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(f"{where}: its definition is damaged: {error!r}") from None


def differences(pair: Pair, suite: Suite) -> Iterator[Problem]:
    """The recorded pair is the one that the suite draws, field by field."""
    part = next((p for p in suite.parts if p.family == pair.family), None)
    if part is None or not 0 <= pair.index < part.count:
        yield Problem(pair.id, pair.family, "record", "the suite has no such item")
        return
    try:
        drawn = suite.sample(part, pair.index)
    except CounterbenchError as error:
        yield Problem(pair.id, pair.family, "record", f"cannot be drawn again: {error}")
        return
    names = [name for name in pair.__struct_fields__ if name != "digests"]
    differing = [name for name in names if getattr(pair, name) != getattr(drawn, name)]
    if differing:
        yield Problem(pair.id, pair.family, "record", f"not as the suite draws it: {', '.join(differing)}")
    elif pair.digests is None or not all(msgspec.structs.astuple(pair.digests)):
        yield Problem(pair.id, pair.family, "record", "digests are missing")


def missing_pairs(ids: Sequence[str], suite: Suite, limit: int | None) -> Iterator[Problem]:
    """The folder has every pair of the suite (or of its first `limit`), once, in the suite's order."""
    expected = {}
    for position in suite.positions(limit):
        part, index = suite.locate(position)
        expected[f"{part.family}-{index:06d}"] = part.family
    there = set(ids)
    for id, name in expected.items():
        if id not in there:
            yield Problem(id, name, "record", "is not in the folder")
    for id, due in zip((id for id in ids if id in expected), (id for id in expected if id in there), strict=False):
        if id != due:
            yield Problem(id, expected[id], "record", f"stands where {due} is due: the order is not the suite's")
            return


def count_problems(folder: Folder, counts: Counter[str]) -> Iterator[Problem]:
    """`suite.json` counts the pairs that are there."""
    if counts != Counter(folder.info.counts):
        yield _whole(f"{SUITE_FILE} counts {folder.info.counts}, there are {dict(counts)}")


def stray_pictures(folder: Folder) -> Iterator[Problem]:
    """Every picture under `images/` is one of a pair's."""
    known = {folder.picture(pair, role) for pair in folder.read_pairs() for role in ROLES}
    for path in sorted((folder.path / "images").rglob("*")):
        if path.is_file() and path not in known:
            yield Problem(WHOLE, "", "picture", f"{path.relative_to(folder.path)} belongs to no pair")


def metadata_problems(folder: Folder) -> Iterator[Problem]:
    """`metadata.jsonl` says of every pair what `pairs.jsonl` says."""
    said: dict[object, dict[str, Any]] = {}
    try:
        for line in formats.read_lines(folder.path / METADATA_FILE, dict[str, Any]):
            if line.get("id") in said:
                yield _whole(f"{METADATA_FILE} has two lines of {line.get('id')!r}")
            said[line.get("id")] = line
    except FormatError:
        raise
    except InputError as error:
        yield _whole(str(error))
        return
    for pair in folder.read_pairs():
        if said.pop(pair.id, None) != metadata(pair):
            yield Problem(pair.id, pair.family, "record", f"its line of {METADATA_FILE} does not match it")
    for id in said:
        yield _whole(f"{METADATA_FILE} has a line of no pair, {id!r}")
