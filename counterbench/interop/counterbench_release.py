"""Imports the original CounterBench release: 550 pairs whose truth is the authors', and four models' replies.

data/benchmark.json          the pairs
data/images/                 the pictures, where somebody has drawn them with the release's script
results/*_results.json       replies, one file a model (other files there are summaries, not replies)
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from counterbench.answers import canonical
from counterbench.answers.outcomes import Failed
from counterbench.bars import OnProgress, unseen
from counterbench.drawing.picture import Picture
from counterbench.errors import InputError, errors_at
from counterbench.files import foreign, formats
from counterbench.files.data_warnings import Warnings
from counterbench.interop.imported import (
    Entry,
    Imported,
    ImportedReplies,
    folder_info,
    imported_pair,
    note_answers,
    write_import,
)
from counterbench.runs.pair_queries import query_id
from counterbench.scene.pairs import ROLES, Pair

_ERROR = "ERROR:"  # the beginning of a reply in the release that stands for a failed call


class ReleaseItem(msgspec.Struct, frozen=True):
    """One pair of `benchmark.json`, as far as it is read."""

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


class Benchmark(msgspec.Struct, frozen=True):
    """All pairs of the release, as its `benchmark.json` holds them."""

    name: str
    version: str
    items: list[ReleaseItem]


class ReleaseRow(msgspec.Struct, frozen=True):
    """A model's replies to the two questions of one pair, with the true answers."""

    id: str
    question: str
    original_answer_gt: str
    intervened_answer_gt: str
    orig_response: str
    int_response: str


class Results(msgspec.Struct, frozen=True):
    """One model's replies to the pairs of the release, as a file `*_results.json` holds them."""

    model: str
    model_id: str
    results: list[ReleaseRow]


# From the release's (category, subcategory) to our family, category, skill and answer type.
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


def import_release(release: Path, out: Path, on_progress: OnProgress = unseen) -> Imported:
    """Read the release in `release`, check all of it, then write folder and runs into `out`.

    Raises InputError that names the file, the place and the valid choices; nothing is written then.
    """
    benchmark_file = release / "data" / "benchmark.json"
    if not benchmark_file.is_file():
        raise InputError(f"{release}: not a CounterBench release, it has no data/benchmark.json")
    benchmark = formats.read_json(benchmark_file, Benchmark)
    pairs = list(_pairs(benchmark.items, str(benchmark_file)))
    files = {
        item.id: [
            foreign.inside(release, f"data/images/{name}", f"{release}, {item.id}")
            for name in (item.original_image, item.intervened_image)
        ]
        for item in benchmark.items
    }
    without_pictures = {id for id, pictures in files.items() if not all(picture.is_file() for picture in pictures)}
    notes = Warnings()
    notes.add(
        "should_flip does not match the answers", *(p.id for p in pairs if p.relevant != (p.answers[0] != p.answers[1]))
    )
    note_answers(notes, pairs)
    words = "pairs without their pictures (questions and replies are imported all the same)"
    notes.add(words, *(pair.id for pair in pairs if pair.id in without_pictures))
    result_files = sorted((release / "results").glob("*_results.json"))
    replies = _replies(result_files, pairs, notes)
    source = f"{benchmark.name} {benchmark.version}"
    info = folder_info("counterbench-released", source, "the original release, as published")

    def entries() -> Iterator[Entry]:
        """The pairs with their pictures, one at a time."""
        for done, pair in enumerate(pairs, 1):
            pictures = [] if pair.id in without_pictures else [Picture.from_file(file) for file in files[pair.id]]
            yield Entry(pair, [(picture.png, picture.digest) for picture in pictures], {})
            on_progress(done, len(pairs))

    return write_import(out, info, entries(), notes, replies)


def _pairs(items: Sequence[ReleaseItem], where: str) -> Iterator[Pair]:
    """The release's items as pairs with published truth; InputError, at `where`, for an item that makes none."""
    ids: set[str] = set()
    for i, item in enumerate(items):
        place = f"{where}, items[{i}] ({item.id})"
        kind = _KINDS.get((item.category, item.subcategory))
        if kind is None:
            choices = ", ".join("/".join(filter(None, k)) for k in _KINDS)
            raise InputError(
                f"{place}: unknown category {item.category!r} with subcategory {item.subcategory!r}; "
                f"choose from: {choices}"
            )
        if item.id in ids:
            raise InputError(f"{place}: the id is used twice")
        ids.add(item.id)
        family, category, skill, answer_type = kind
        if skill == "left-right" and item.details.get("relation") in ("above", "below"):
            skill = "above-below"
        with errors_at(place):
            answers = [canonical(answer, answer_type) for answer in (item.original_answer, item.intervened_answer)]
        yield imported_pair(
            item.id,
            family,
            category,
            skill,
            item.question,
            answer_type,
            answers,
            relevant=item.should_flip,
            intervention=item.intervention,
            difficulty={k: v for k, v in item.details.items() if type(v) is int},
        )


def _replies(files: Sequence[Path], pairs: Sequence[Pair], notes: Warnings) -> list[ImportedReplies]:
    """Each model's replies, from its file of results; a reply is joined to its pair by id, never by row.

    What is odd is added to `notes`. Files without results are skipped.
    """
    by_id = {pair.id: pair for pair in pairs}
    replies: list[ImportedReplies] = []
    for path in files:
        content = formats.read_json(path, object)
        if not isinstance(content, dict) or not {"model", "results"} & content.keys():
            continue
        results = formats.read_json(path, Results)
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", results.model):  # a folder is named after it
            raise InputError(f"{path}: model {results.model!r} must be letters, digits, dots, dashes and underscores")
        if any(reply.name == results.model for reply in replies):
            raise InputError(f"{path}: another results file is of model {results.model!r} already")
        texts: dict[str, str | Failed] = {}
        errors, changed = [], []
        for row in results.results:
            pair = by_id.get(row.id)
            if pair is None:
                raise InputError(f"{path}: row {row.id!r} is of no pair in benchmark.json")
            if query_id(pair, ROLES[0]) in texts:
                raise InputError(f"{path}: row {row.id!r} is there twice")
            if (row.question, row.original_answer_gt, row.intervened_answer_gt) != (pair.question, *pair.answers):
                changed.append(row.id)
            for role, text in zip(ROLES, (row.orig_response, row.int_response), strict=True):
                failed = text.startswith(_ERROR)
                texts[query_id(pair, role)] = Failed("published-error", text) if failed else text
                errors += [row.id] if failed else []
        absent = [pair.id for pair in pairs if query_id(pair, ROLES[0]) not in texts]
        replies.append(ImportedReplies(results.model, results.model_id, texts))
        notes.add(f"{results.model}: pairs with a failed call", *errors)
        notes.add(f"{results.model}: pairs without a reply", *absent)
        notes.add(f"{results.model}: rows whose question or truth is not the benchmark's", *changed)
    return replies
