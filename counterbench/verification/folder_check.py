"""What a folder records against the suite that it says it was drawn from: pair by pair, and as a whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import PIL

from counterbench.drawing.render import RENDERER_VERSION
from counterbench.drawing.styles import FLAT
from counterbench.drawing.things import GLYPHS_VERSION
from counterbench.errors import CounterbenchError, FormatError, InputError
from counterbench.files import formats
from counterbench.scene.pairs import ROLES, Pair
from counterbench.suites.families import family
from counterbench.suites.folder import METADATA_FILE, PAIRS_FILE, SUITE_FILE, Folder, metadata
from counterbench.suites.sources import FolderSource, Source, SuiteSource, selection_digest
from counterbench.suites.suite import SUITE_FORMAT, Suite, parse_suite
from counterbench.verification.checks import Problem

# What a problem of the whole folder is listed under, in place of a pair's id.
WHOLE = "(all)"
# So many pairs beyond those that are there are looked for: a folder may say that it has millions.
_MISSING = 1000


class Origin(msgspec.Struct):
    """Where pairs come from, and what verifying must know of that: the suite, if it can be drawn (again).

    `folder`: what its pairs are recorded in; `whole`: the same, if all of its pairs are looked at.
    """

    suite: Suite | None = None
    folder: Folder | None = None
    whole: Folder | None = None
    same_renderer: bool = False
    notes: list[str] = []
    problems: list[Problem] = []
    unchecked: frozenset[str] = frozenset()


def origin(source: Source) -> Origin:
    """The suite that `source` is, or that its `suite.json` defines and agrees with; InputError if that is damaged."""
    if isinstance(source, SuiteSource):
        return Origin(source.suite, same_renderer=True)
    if not isinstance(source, FolderSource):
        return Origin()
    folder, info = source.folder, source.folder.info
    found = Origin(folder=folder, whole=folder if source.limit is None else None)
    if info.truth == "published":
        found.unchecked = frozenset({"truth", "change", "layout", "mask", "reader", "record"})
        if not any((folder.path / "images").rglob("*.png")):
            found.unchecked |= {"picture"}
        found.notes.append(f"truth is published, scenes are unknown; not checked: {', '.join(sorted(found.unchecked))}")
        if info.pairs_digest != formats.file_digest(folder.path / PAIRS_FILE):
            found.problems.append(_whole(f"{PAIRS_FILE} is not as it was imported"))
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
    glyphs = _glyphs(info.definition)
    if glyphs not in (None, GLYPHS_VERSION):
        found.same_renderer = False
        found.notes.append(
            f"drawn with version {glyphs} of the glyphs of things, these are version {GLYPHS_VERSION}: neither items "
            "nor pictures are drawn again"
        )
        return found
    suite = found.suite = _suite_of(info.definition, str(folder.path / SUITE_FILE))
    if suite is None:
        found.notes.append("drawn by another version of its families: items are not drawn again")
        return found
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


def _glyphs(definition: dict[str, Any] | None) -> object:
    """The version of the glyphs that a recorded definition names; None of a suite without things."""
    try:
        return next((e["basis"]["glyphs"] for e in (definition or {})["families"] if "glyphs" in e["basis"]), None)
    except (KeyError, TypeError):
        return None


def _plain(definition: dict[str, Any] | None) -> bytes:
    return msgspec.json.encode(definition, order="sorted")


def _whole(message: str) -> Problem:
    return Problem(WHOLE, "", "record", message)


def _suite_of(definition: dict[str, Any] | None, where: str) -> Suite | None:
    """The suite of a recorded definition, read as a suite file; None if a family has another version now."""
    try:
        if definition is None:
            raise KeyError("definition")
        families = definition["families"]
        if any(_versions(entry) != family(entry["name"], where).versions(entry["forms"]) for entry in families):
            return None
        entries = [{key: entry[key] for key in ("name", "count", "forms", "params")} for entry in families]
        named = {"format": SUITE_FORMAT, "name": definition["name"], "seed": definition["seed"], "family": entries}
        suite = parse_suite(named | {"diamonds": "square"} | definition["canvas"], where)
        return suite.sized(definition.get("size")).styled(definition.get("style", FLAT))
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{where}: its definition is damaged: {error!r}") from None


def _versions(entry: dict[str, Any]) -> dict[str, int]:
    return {name: value for name, value in entry.items() if name.endswith("version")}


def record_problems(pair: Pair, found: Origin) -> Iterator[Problem]:
    """The pair as its folder records it is one of that folder, and the one that the suite draws, field by field."""

    def problem(message: str) -> Problem:
        return Problem(pair.id, pair.family, "record", message)

    if found.folder is not None and pair.truth != found.folder.info.truth:
        yield problem(f"its truth is {pair.truth}, the folder's is not")
    if found.folder is None or found.suite is None:
        return
    part = next((p for p in found.suite.parts if p.family == pair.family), None)
    if part is None or not 0 <= pair.index < part.count:
        yield problem("the suite has no such item")
        return
    try:
        drawn = found.suite.sample(part, pair.index)
    except CounterbenchError as error:
        yield problem(f"cannot be drawn again: {error}")
        return
    names = [name for name in pair.__struct_fields__ if name != "digests"]
    differing = [name for name in names if getattr(pair, name) != getattr(drawn, name)]
    if differing:
        yield problem(f"not as the suite draws it: {', '.join(differing)}")
    elif pair.digests is None or not all(msgspec.structs.astuple(pair.digests)):
        yield problem("digests are missing")


def folder_problems(folder: Folder, suite: Suite | None, ids: Sequence[str], counts: Counter[str]) -> Iterator[Problem]:
    """What is wrong with a folder as a whole, given the ids and counts by family of the pairs that it holds."""
    if counts != Counter(folder.info.counts):
        yield _whole(f"{SUITE_FILE} counts {folder.info.counts}, there are {dict(counts)}")
    yield from _metadata(folder)
    known = {folder.picture(pair, role) for pair in folder.read_pairs() for role in ROLES}
    for path in sorted((folder.path / "images").rglob("*")):
        if path.is_file() and path not in known:
            yield Problem(WHOLE, "", "picture", f"{path.relative_to(folder.path)} belongs to no pair")
    if suite is not None:
        yield from _missing(ids, suite, folder.info.limit)


def _missing(ids: Sequence[str], suite: Suite, limit: int | None) -> Iterator[Problem]:
    """The folder has every pair of the suite (or of its first `limit`), once, in the suite's order."""
    expected = {}
    for position in suite.positions(limit)[: len(ids) + _MISSING]:
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


def _metadata(folder: Folder) -> Iterator[Problem]:
    """`metadata.jsonl` says of every pair what `pairs.jsonl` says; of an imported one it may say more."""
    said: dict[str, dict[str, Any]] = {}
    try:
        for line in formats.read_lines(folder.path / METADATA_FILE, dict[str, Any]):
            id = str(line.get("id"))
            if id in said:
                yield _whole(f"{METADATA_FILE} has two lines of {id!r}")
            said[id] = line
    except FormatError:
        raise
    except InputError as error:
        yield _whole(str(error))
        return
    for pair in folder.read_pairs():
        line, ours = said.pop(pair.id, {}), metadata(pair)
        if pair.truth == "published":
            line = {name: value for name, value in line.items() if name in ours}
        if line != ours:
            yield Problem(pair.id, pair.family, "record", f"its line of {METADATA_FILE} does not match it")
    for id in said:
        yield _whole(f"{METADATA_FILE} has a line of no pair, {id!r}")
