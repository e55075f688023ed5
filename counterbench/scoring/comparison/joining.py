"""Runs joined pair by pair by id, and the reasons not to compare them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from counterbench.errors import InputError
from counterbench.runs.folder import refuse_repeats
from counterbench.scoring.results import PairResult, RunResults


class Side:
    """One judge's label, and its pairs by id: all, or those of one category."""

    def __init__(self, label: str, run: RunResults, category: str | None = None) -> None:
        self.label = label
        self.run = run
        self.pairs = {pair.key.group: pair for pair in run.pairs if category in (None, pair.key.category)}

    def only(self, category: str) -> Side:
        """The same judge on one category."""
        return Side(self.label, self.run, category)


def sides(runs: Sequence[RunResults]) -> list[Side]:
    """The runs with labels: the user's name or the judge, or the run's path if several have the same name."""
    names = [run.info.name or run.info.judge for run in runs]
    return [Side(str(run.path) if names.count(name) > 1 else name, run) for name, run in zip(names, runs, strict=True)]


def common(judges: Sequence[Side]) -> list[str]:
    """The ids of the pairs that all have, with the same truth and with both replies."""
    first, *others = (side.pairs for side in judges)
    return [
        id
        for id, pair in first.items()
        if pair.consistent is not None
        and all(id in pairs and pairs[id].consistent is not None and _same_keys(pair, pairs[id]) for pairs in others)
    ]


def refuse_unfit(paths: Sequence[Path]) -> None:
    """InputError if there are not two runs, or one is named twice."""
    if len(paths) < 2:
        raise InputError("one run cannot be compared; name two or more: counterbench compare RUN RUN…")
    refuse_repeats(paths)


def answered(runs: Sequence[RunResults]) -> tuple[list[RunResults], list[RunResults]]:
    """The runs with both replies to a pair or more, and those with none; InputError if fewer than two have any."""
    silent = [run for run in runs if all(pair.both is None for pair in run.pairs)]
    others = [run for run in runs if run not in silent]
    if len(others) < 2:
        raise InputError(
            f"{len(others)} of {len(runs)} runs can be compared, two or more are needed: no pair has both its replies "
            f"in {listed(str(run.path) for run in silent)}; resume what is unfinished, or name other runs"
        )
    return others, silent


def refuse_strangers(one: Side, other: Side) -> None:
    """InputError if two judges have no pair to be compared on."""
    if not common([one, other]):
        shared = len(one.pairs.keys() & other.pairs.keys())
        raise InputError(
            f"{one.run.path} and {other.run.path} cannot be compared: they share {shared} pairs by id, and none with "
            "the same truth to which both have both replies; probe both with one suite, resume what is unfinished, or "
            "leave one out"
        )


def differences(runs: Sequence[RunResults]) -> list[str]:
    """The differences between the runs besides their judge, in words that name the runs; all have the same scoring."""
    texts = []
    for part in ("suites", "wordings", "votes"):
        named: dict[str, str] = {}
        for run in runs:
            identity, name = _part(run, part)
            named.setdefault(identity, f"{name} in {run.path}")
        if len(named) > 1:
            texts.append(f"{part} differ: {listed(named.values())}")
    first = {pair.key.group: pair for pair in runs[0].pairs}
    for run in runs[1:]:
        shared = [pair for pair in run.pairs if pair.key.group in first]
        other = sum(not _same_keys(first[pair.key.group], pair) for pair in shared)
        if other:
            texts.append(f"keys differ: {other} of {len(shared)} shared ids in {runs[0].path} and {run.path}")
    return texts


def listed(names: Iterable[str]) -> str:
    """Names in a sentence: "a, b and c"."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def _part(run: RunResults, part: str) -> tuple[str, str]:
    """A run's suite, wording or votes: the value that is compared, and its name in a message."""
    info = run.info
    if part == "suites":
        seed = "" if info.seed is None else f", seed {info.seed}"
        pairs = f", {len(run.pairs)} pairs"  # with --limit or --times it is another selection, of another digest
        return info.suite_digest, f"{info.suite} {info.suite_digest[:8]}{seed}{pairs}"
    if part == "wordings":
        return info.wording_digest, f"{info.wording} {info.wording_digest[:8]}"
    return str(info.votes), str(info.votes)


def _same_keys(one: PairResult, other: PairResult) -> bool:
    return all(
        (a.id, a.expected, a.answer_type, a.relevant, a.family, a.category)
        == (b.id, b.expected, b.answer_type, b.relevant, b.family, b.category)
        for a, b in zip(one.keys, other.keys, strict=True)
    )
