"""Runs, checked before a card is derived from them: nothing in a folder may contradict its replies.

The keys are drawn again, every reply must be to what `run.json` says was asked, and what lies in the folder besides
(certificates, ladders, what `watch` saw) is derived again and compared. Replies that are forged with all that follows
from them cannot be told from true ones.
"""

from collections.abc import Mapping
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from counterbench.errors import CounterbenchError, InputError
from counterbench.evidence import issue
from counterbench.evidence.climbing import SUITE as LADDER
from counterbench.evidence.climbing import Climbed, climbed, kept_climb
from counterbench.evidence.document import read_certificate
from counterbench.evidence.policies import load_policy
from counterbench.files import catalog, formats
from counterbench.pages.cards.hiding import RELEASE
from counterbench.pictures.comparing.watch import AGAIN, FIRST, WATCH_FILE, Watch, WatchDocument
from counterbench.results.results import RunReplies, RunResults, load_results, read_replies
from counterbench.results.swap import by_cell, compared, paired
from counterbench.runs.folder import JOURNAL_FILE, RUN_FILE, RunInfo, templates_in
from counterbench.runs.pair_queries import keys as keys_of
from counterbench.runs.queries import Key, load_template
from counterbench.stats.differences import together
from counterbench.suites.folder import PAIRS_FILE, SUITE_FILE, Folder
from counterbench.suites.sources import CellSource, FolderSource, attempt_of
from counterbench.suites.suite import is_shipped, load_suite

POLICY = "standard"


class CheckedRun(msgspec.Struct, frozen=True, kw_only=True):
    """A run in which nothing contradicts its replies."""

    results: RunResults
    truth_checked: bool
    attempt: int | None
    imported: bool  # its replies were not asked for by counterbench
    ladders: Climbed | None
    watch: WatchDocument | None

    @property
    def info(self) -> RunInfo:
        """The content of its `run.json`."""
        return self.results.info


def checked(path: Path, strict: bool = False, banked: bool = False) -> CheckedRun:
    """The run in `path`; InputError names what contradicts its replies.

    `strict`: also if its truth cannot be derived again. `banked`: a bank of `watch`, which is asked by cells once.
    """
    try:
        return _checked(path, strict, banked)
    except CounterbenchError as error:
        if str(path) in str(error):
            raise
        raise InputError(f"{path}: {error}") from None


def _checked(path: Path, strict: bool, banked: bool) -> CheckedRun:
    results = load_results(path)
    info, known = results.info, [key for pair in results.pairs for key in pair.keys]
    if results.missing:
        raise InputError(
            f"{path}: {results.missing} of its questions have no reply: it was not finished, which the same command "
            "does, or its journal was cut"
        )
    if sum(results.observed.models.values()) > info.queries:
        raise InputError(f"{path / JOURNAL_FILE}: has more replies than {RUN_FILE} has questions: one was added")
    _refuse_template(path, info)
    for time in (results.observed.first, results.observed.last):
        _date(time, f"{path / JOURNAL_FILE}: the time of a reply")
    unchecked, domain = issue.check_truth(path, info, known)
    if unchecked and is_shipped(info.suite):
        raise InputError(f"{path / RUN_FILE}: {unchecked}: its suite, seed, size or style was changed")
    if unchecked and _is_in_folder(path, info, known):
        unchecked = ""
    if unchecked and strict:
        raise InputError(f"{path}: its truth cannot be derived again: {unchecked}")
    if domain is not None and info.domain != domain:
        said = info.domain.text if info.domain is not None else "nothing"
        raise InputError(f"{path / RUN_FILE}: says of its pictures: {said}; those of the suite are {domain.text}")
    by_cells = not unchecked and isinstance(issue.drawn_again(info, known), CellSource)
    if domain is not None and info.by_cells != by_cells and not banked:
        raise InputError(f"{path / RUN_FILE}: by_cells is {info.by_cells}, and the pairs were not asked so")
    for file in sorted(path.glob("certificate*.json")):
        certificate = read_certificate(file)
        for problem in [*issue.problems(certificate), *issue.differences(certificate, path)]:
            raise InputError(f"{file}: {problem}; where the run went on, certify it again")
    for other in templates_in(path):
        checked(other, strict)
    attempt = attempt_of(load_suite(info.suite, info.seed)) if domain is not None else None
    return CheckedRun(
        results=results,
        truth_checked=not unchecked,
        attempt=attempt,
        imported=_is_imported(results),
        ladders=_ladders(path, info, attempt),
        watch=_watch(path, strict),
    )


def _refuse_template(path: Path, info: RunInfo) -> None:
    """InputError if a template has the name of a shipped one, or its words, and not both."""
    shipped = {name: load_template(name).digest for name in catalog.names("probes/templates")}
    if info.template in shipped and shipped[info.template] != info.template_digest:
        raise InputError(
            f"{path / RUN_FILE}: template_digest is not that of the template {info.template!r} in this version: it was "
            "changed, or another version asked"
        )
    for name, digest in shipped.items():
        if digest == info.template_digest != shipped.get(info.template):
            raise InputError(f"{path / RUN_FILE}: template is {info.template!r}, and its digest is that of {name!r}")


def _date(time: str | None, where: str) -> str:
    """The date of a time; empty if there is none."""
    try:
        return datetime.fromisoformat(time).date().isoformat() if time else ""
    except ValueError:
        raise InputError(f"{where} is {time!r}, and no time") from None


def _is_imported(run: RunResults) -> bool:
    # The prefix is part of what each reply is bound to; `source` is not.
    given = run.info.judge.startswith(("published:", "imported:"))
    return given or bool(run.info.source) or any(pair.key.truth == "published" for pair in run.pairs)


def _is_in_folder(path: Path, info: RunInfo, known: list[Key]) -> bool:
    """True if the folder of imported pairs around the run (FOLDER/runs/RUN) has its keys; InputError if others."""
    around = path.resolve().parent.parent
    if not (around / SUITE_FILE).is_file():
        return False
    folder = Folder(around)
    if formats.file_digest(around / PAIRS_FILE) != folder.info.pairs_digest:
        raise InputError(f"{around / PAIRS_FILE}: was changed after it was written")
    source = FolderSource(folder)
    if source.digest != info.suite_digest or source.name != info.suite:
        raise InputError(f"{path / RUN_FILE}: suite or suite_digest is not that of the pairs in {around}")
    true = {key.id: key for key in keys_of(source)}
    for key in known:
        if true.pop(key.id, None) != key:
            raise InputError(f"{path}: key {key.id!r} is not that of the pairs in {around}")
    if true:
        raise InputError(f"{path}: key {min(true)!r} is missing")
    return info.suite == RELEASE or folder.info.truth == "published"


def _ladders(path: Path, info: RunInfo, attempt: int | None) -> Climbed | None:
    kept = kept_climb(path)
    if info.suite != LADDER or attempt is None:
        if kept is not None:
            raise InputError(f"{path}: has ladders, and is no run of the suite {LADDER}")
        return None
    under = climbed(path, load_policy(POLICY if kept is None else kept.policy), attempt, keep=False)
    _compare(path, kept, under)
    return under if under.policy == POLICY else climbed(path, load_policy(POLICY), attempt, keep=False)


def _compare(path: Path, kept: Climbed | None, derived: Climbed) -> None:
    if kept is None:
        return
    for place, one, other in issue.unlike(_plain(kept), _plain(derived), "ladders.json"):
        raise InputError(f"{path}: {place}: {issue.short(one)} in the file, {issue.short(other)} by its replies")


def _plain(found: Climbed) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(found)
    del plain["run"]  # the folder may have been moved
    for of in plain["ladders"].values():
        del of["curve"]  # a card shows the one that is derived
    return plain


def _watch(path: Path, strict: bool) -> WatchDocument | None:
    """The findings of `watch` on a run's judge; InputError if its replies say otherwise."""
    folder = path / "watch"
    if not (folder / WATCH_FILE).is_file():
        return None
    kept = formats.read_json(folder / WATCH_FILE, WatchDocument)
    checked(folder / FIRST, strict, banked=True)
    checked(folder / AGAIN, strict)
    first, again = read_replies(folder / FIRST), read_replies(folder / AGAIN)
    pairs, rounds = list(paired(first, again)), Watch(path).rounds
    pairs = pairs[: len(rounds.pairs(0, rounds.whole(len(pairs))))]
    found, total = compared(by_cell(pairs), 0.05), together(by_cell(pairs).values())
    shown: Mapping[str, tuple[object, object]] = {
        "judge": (kept.judge, again.info.judge),
        "suite": (kept.suite, again.info.suite),
        "bank": (kept.bank, first.info.queries // first.info.votes // 2),
        "overall": ((kept.overall.pairs, kept.overall.difference.value), _of(found.overall)),
        "cells": ({name: (of.pairs, of.difference.value) for name, of in kept.cells.items()},
                  {name: _of(of) for name, of in found.cells.items()}),
        "looks": (kept.looks[-1].so_far if kept.looks else None, total),
    }  # fmt: skip
    for name, (said, true) in shown.items():
        if said != true:
            raise InputError(f"{folder / WATCH_FILE}: {name} is not what its replies show")
    _refuse_looks(folder / WATCH_FILE, kept, again)
    changed = kept.what == "judge" or any(of.verdict == "changed" for of in kept.cells.values())
    if (kept.verdict == "changed") != (changed or kept.what == "model"):
        raise InputError(f"{folder / WATCH_FILE}: verdict and what contradict each other")
    return kept


def _refuse_looks(file: Path, kept: WatchDocument, again: RunReplies) -> None:
    """InputError if looks were added, or if their dates or that of a change cannot be."""
    dates = [_date(look.at, f"{file}: the time of a look") for look in kept.looks]
    pairs = [look.so_far.pairs for look in kept.looks]
    if any(one >= other and other != kept.bank for one, other in pairwise(pairs)):
        raise InputError(f"{file}: looks: one compared no pair")
    asked = [_date(time, f"{again.path}: the time of a reply") for time in (again.observed.first, again.observed.last)]
    if dates and (dates != sorted(dates) or dates[0] < asked[0] or dates[-1] < asked[1]):
        raise InputError(f"{file}: looks: their times are not those of the replies")
    if kept.since is not None and (kept.verdict != "changed" or kept.since not in [look.at for look in kept.looks]):
        raise InputError(f"{file}: since is not the time of a look that found a change")


def _of(cell: Any) -> tuple[int, float | None]:
    return cell.pairs, cell.difference.value
