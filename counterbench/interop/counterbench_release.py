"""Imports the original CounterBench release: 550 pairs whose truth is the authors', and four models' replies.

data/benchmark.json          the pairs
data/images/                 the pictures, where somebody has drawn them with the release's script
results/*_results.json       replies, one file a model (other files there are summaries, not replies)
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec

from counterbench.answers import canonical
from counterbench.answers.outcomes import Failed
from counterbench.drawing.picture import Picture
from counterbench.drawing.reading import MOST_BYTES
from counterbench.errors import InputError
from counterbench.files import foreign, formats
from counterbench.interop.imported import Entry, Imported, Replies, folder_info, write_import
from counterbench.interop.oddities import RELEVANCE, Noted
from counterbench.interop.release_pictures import crosses_another, label_height, shapes_of_kind
from counterbench.runs.pair_queries import query_id
from counterbench.scene.pairs import ROLES, Pair
from counterbench.suites.folder import picture_name

T = TypeVar("T")

_ERROR = "ERROR:"  # the release's mark of a call that failed
_LEAST_LABEL = 10  # pixels: letters that are lower are hard to read in a picture of 512


class Item(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One pair of `benchmark.json`."""

    id: str
    category: str
    question: str
    original_answer: str
    intervened_answer: str
    should_flip: bool
    intervention: str
    original_image: str
    intervened_image: str
    subcategory: str = ""
    details: dict[str, Any] = {}


class Benchmark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`benchmark.json`."""

    name: str
    version: str
    total_pairs: int
    categories: dict[str, int]
    items: list[Item]


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One pair of a model's results."""

    id: str
    category: str
    question: str
    original_answer_gt: str
    intervened_answer_gt: str
    should_flip: bool
    orig_response: str
    int_response: str


class Results(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A model's `*_results.json`."""

    model: str
    model_id: str
    results: list[Row]


# (category, subcategory) to our family, category, skill and answer type.
_KINDS: dict[tuple[str, str], tuple[str, str, str, str]] = {
    ("spatial", ""): ("spatial", "spatial", "left-right", "yes-no"),
    ("attribute", ""): ("attribute", "attribute", "colour", "colour"),
    ("counting", ""): ("counting", "counting", "count", "integer"),
    ("containment", ""): ("containment", "containment", "inside", "yes-no"),
    ("causal", "arrow"): ("arrow", "causal", "arrow-target", "colour-shape"),
    ("causal", "occlusion"): ("occlusion", "causal", "visible-count", "integer"),
    ("causal", "compositional"): ("composition", "causal", "above-below", "yes-no"),
    ("negative_control", ""): ("control", "control", "colour", "colour"),
}


def import_release(
    release: Path, out: Path, on_progress: Callable[[int, int], None] = lambda done, total: None
) -> Imported:
    """Read the release in `release`, check all of it, then write folder and runs into `out`.

    Raises InputError that names the file, the place and the valid choices; nothing is written then.
    """
    benchmark_file = release / "data" / "benchmark.json"
    if not benchmark_file.is_file():
        raise InputError(f"{release}: not a CounterBench release, it has no data/benchmark.json")
    benchmark = _read(benchmark_file, Benchmark)
    items = benchmark.items
    pairs = list(_pairs(items, str(benchmark_file)))
    odd = Noted()
    _note_counts(benchmark, odd)
    files = {
        pair.id: [_picture(release, name, pair.id) for name in (item.original_image, item.intervened_image)]
        for pair, item in zip(pairs, items, strict=True)
    }
    pictures = {
        picture_name(pair, role): file
        for pair in pairs
        if _is_there(files[pair.id])
        for role, file in zip(ROLES, files[pair.id], strict=True)
    }
    _note_pictures(pairs, items, files, odd)
    odd.answers(pairs)
    odd.add(
        "pairs without their pictures (questions and replies are imported all the same)",
        *(pair.id for pair in pairs if not _is_there(files[pair.id])),
    )
    replies = _replies(list(_results(release / "results")), pairs, odd)
    digest = hashlib.blake2b(foreign.read_bytes(benchmark_file), digest_size=16)
    for file in sorted((release / "results").glob("*_results.json")):
        digest.update(foreign.read_bytes(file))
    for name in sorted(pictures):
        digest.update(name.encode() + foreign.read_bytes(pictures[name], MOST_BYTES))
    source = f"{benchmark.name} {benchmark.version}"
    info = folder_info("counterbench-released", digest.hexdigest(), source, "the original release, as published")
    return write_import(out, info, _entries(pairs, files, on_progress), odd, replies)


def _entries(
    pairs: Sequence[Pair], files: dict[str, list[Path]], on_progress: Callable[[int, int], None]
) -> Iterator[Entry]:
    """The pairs with the pixels of their pictures, where both are there."""
    for done, pair in enumerate(pairs, 1):
        shown = [Picture.from_file(file) for file in files[pair.id]] if _is_there(files[pair.id]) else []
        yield Entry(pair, [(picture.png, picture.digest) for picture in shown], {})
        on_progress(done, len(pairs))


def _is_there(files: Sequence[Path]) -> bool:
    return all(file.is_file() for file in files)


def _picture(release: Path, name: str, id: str) -> Path:
    """The file of a picture, there or not; InputError if it leads out of the release."""
    return foreign.inside(release, f"data/images/{name}", f"{release}, {id}")


def _read(path: Path, kind: type[T]) -> T:
    """A file of the release, typed; InputError that names the place and, for a wrong key, the valid ones."""
    content: object = formats.decode(foreign.read_bytes(path), object, str(path))
    return formats.convert(content, kind, str(path))


def _pairs(items: Sequence[Item], where: str) -> Iterator[Pair]:
    """The release's items as pairs with published truth."""
    indices: Counter[str] = Counter()
    seen: set[str] = set()
    for i, item in enumerate(items):
        place = f"{where}, items[{i}] ({item.id})"
        kind = _KINDS.get((item.category, item.subcategory))
        if kind is None:
            choices = ", ".join("/".join(filter(None, k)) for k in _KINDS)
            raise InputError(
                f"{place}: unknown category {item.category!r} with subcategory {item.subcategory!r}; "
                f"choose from: {choices}"
            )
        _check_name(item.id, f"{place}: id")
        for image in (item.original_image, item.intervened_image):
            _check_name(image, f"{place}: picture")
        if item.id in seen:
            raise InputError(f"{place}: the id is used twice")
        seen.add(item.id)
        family, category, skill, answer_type = kind
        if skill == "left-right" and item.details.get("relation") in ("above", "below"):
            skill = "above-below"
        answers = []
        for answer in (item.original_answer, item.intervened_answer):
            try:
                answers.append(canonical(answer, answer_type))
            except InputError as error:
                raise InputError(f"{place}: {error}") from None
        yield Pair(
            id=item.id,
            index=indices[family],
            family=family,
            category=category,
            skill=skill,
            stratum="published",
            form="yes-no" if answer_type == "yes-no" else "open",
            question=item.question,
            answer_type=answer_type,
            original_answer=answers[0],
            intervened_answer=answers[1],
            relevant=item.should_flip,
            truth="published",
            intervention=item.intervention,
            difficulty={k: v for k, v in item.details.items() if type(v) is int},
        )
        indices[family] += 1


def _check_name(name: str, where: str) -> None:
    """InputError unless a name from the release is safe as a file's name: it must not lead to another folder."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name):
        raise InputError(f"{where} {name!r} must be letters, digits, dots, dashes and underscores")


def _results(folder: Path) -> Iterator[tuple[Path, Results]]:
    """The models' replies: the files that hold a model's name and rows of results."""
    for path in sorted(folder.glob("*_results.json")):
        content = _read(path, Any)
        if isinstance(content, dict) and {"model", "results"} & content.keys():
            results = formats.convert(content, Results, str(path))
            _check_name(results.model, f"{path}: model")
            yield path, results


def _replies(all_results: Sequence[tuple[Path, Results]], pairs: Sequence[Pair], odd: Noted) -> list[Replies]:
    """Replies by query id, joined by the pair's id and never by row."""
    by_id = {pair.id: pair for pair in pairs}
    replies: list[Replies] = []
    for path, results in all_results:
        if any(reply.name == results.model for reply in replies):
            raise InputError(f"{path}: another results file is of model {results.model!r} already")
        said: dict[str, str | Failed] = {}
        errors, otherwise = [], []
        for row in results.results:
            pair = by_id.get(row.id)
            if pair is None:
                raise InputError(f"{path}: row {row.id!r} is of no pair in benchmark.json")
            if query_id(pair, ROLES[0]) in said:
                raise InputError(f"{path}: row {row.id!r} is there twice")
            if (row.question, row.original_answer_gt, row.intervened_answer_gt) != (pair.question, *pair.answers):
                otherwise.append(row.id)
            for role, text in zip(ROLES, (row.orig_response, row.int_response), strict=True):
                failed = text.startswith(_ERROR)
                said[query_id(pair, role)] = Failed("published-error", text) if failed else text
            if any(text.startswith(_ERROR) for text in (row.orig_response, row.int_response)):
                errors.append(row.id)
        absent = [pair.id for pair in pairs if query_id(pair, ROLES[0]) not in said]
        replies.append(Replies(results.model, results.model_id, said))
        odd.add(f"{results.model}: pairs with a failed call", *errors)
        odd.add(f"{results.model}: pairs without a reply", *absent)
        odd.add(f"{results.model}: rows whose question or truth is not the benchmark's", *otherwise)
    return replies


def _note_counts(benchmark: Benchmark, odd: Noted) -> None:
    items = benchmark.items
    there = dict(Counter(item.category for item in items))
    if benchmark.total_pairs != len(items) or benchmark.categories != there:
        said = f"{benchmark.total_pairs} in all, {benchmark.categories}"
        odd.count(f"there are {len(items)} items, {there}; the file says {said}", len(items))
    wrong = (i.id for i in items if i.should_flip != (i.original_answer != i.intervened_answer))
    odd.add(f"should_flip {RELEVANCE}", *wrong)


class _Look(NamedTuple):
    """A search for one defect in the pictures of one family's items."""

    family: str
    odd: str  # the defect, as the report names it
    unchecked: str  # the property that remains unchecked without pictures
    # True if the pictures (original, intervened) of an item have the defect.
    found: Callable[[Item, Sequence[Path]], bool]


_LOOKS = (
    _Look(
        "attribute",
        "attribute items in which more than one shape is of the kind asked about",
        "ambiguity",
        lambda item, files: shapes_of_kind(files[0], str(item.details.get("target_shape", ""))) > 1,
    ),
    _Look(
        "arrow",
        "arrow items with an arrow that crosses a shape which it does not point to",
        "crossed shapes",
        lambda item, files: any(
            crosses_another(file, answer.partition(" ")[0])
            for file, answer in zip(files, (item.original_answer, item.intervened_answer), strict=True)
        ),
    ),
    _Look(
        "spatial",
        f"spatial items with labels less than {_LEAST_LABEL} pixels high",
        "the size of labels",
        lambda item, files: 0 < label_height(files[0]) < _LEAST_LABEL,
    ),
)


def _note_pictures(pairs: Sequence[Pair], items: Sequence[Item], files: dict[str, list[Path]], odd: Noted) -> None:
    """Report the defects that only the pictures show, as far as the pictures are there."""
    for look in _LOOKS:
        asked = [item for pair, item in zip(pairs, items, strict=True) if pair.family == look.family]
        there = [item for item in asked if _is_there(files[item.id])]
        odd.add(look.odd, *(item.id for item in there if look.found(item, files[item.id])))
        unchecked = f"{look.family} items not checked for {look.unchecked}: their pictures are not there"
        odd.count(unchecked, len(asked) - len(there))
