"""That a protocol's numbers are there as declared, whatever order rows come in and whatever is lost of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import msgspec

from counterbench.scene.seeds import Stream
from counterbench.t2i.judging.conformance.asking import SAMPLES, true_rows
from counterbench.t2i.judging.conformance.pure import pure
from counterbench.t2i.prompts.prompt_set import PromptSet
from counterbench.t2i.protocols.base import Protocol
from counterbench.t2i.protocols.numbers import document
from counterbench.t2i.scores.document import Document, Signature
from counterbench.t2i.scores.measure import measure
from counterbench.t2i.scores.results import JUDGE_OUTCOMES, PICTURE_STATUSES, CheckResult
from counterbench.t2i.scores.rules import Scoring
from counterbench.t2i.scores.scores import Part, Scores

_SIGNATURE = Signature(
    prompts="sample",
    prompts_digest="",
    generator="planted:card",
    samples=SAMPLES,
    generator_seed=0,
    judge="planted:oracle",
    wording="",
    wording_digest="",
    prompt_shown=False,
    parser="",
    certificate="",
    version="",
)


def check_numbers(protocol: Protocol, prompts: PromptSet) -> None:
    """What all scorings make of cards, whose truth is known."""
    right, some, wrong = (true_rows(protocol, prompts, rate) for rate in (1, 0.6, 0))
    where = f"{protocol.name}, {prompts.name!r}"
    for row in right:
        assert row.credit == 1, f"{where}: {row.where}: a right answer ({row.answer}) has credit {row.credit}, not 1"
    for row in wrong:
        assert row.credit is not None, f"{where}: {row.where}: a wrong answer ({row.answer}) has no credit"
        assert row.credit < 1, f"{where}: {row.where}: a wrong answer ({row.answer}) has credit {row.credit}"
    for name, how in protocol.scorings.items():
        of = f"{where}, scoring {name!r}"
        best, found, worst = (_numbers(protocol, prompts, rows, how, of) for rows in (right, some, wrong))
        _check_headline(best, worst, of)
        for column, bounds in found.bounds.items():
            ends = [bounds.worst, found.columns[column].value, bounds.best]
            assert len({None if end is None else round(end, 9) for end in ends}) == 1, (
                f"{of}: nothing is lost, and worst, value and best of {column!r} are {ends}"
            )
        again = _numbers(protocol, prompts, Stream("order").shuffled(some), how, of)
        assert again == found, f"{of}: {_differ(found, again)} with the rows in another order"
        for lost in _lossy(some):
            _check_within(_numbers(protocol, prompts, lost, how, of), found, of)


def check_references(protocol: Protocol, prompts: PromptSet) -> None:
    """What planted models would get is numbers."""
    where = f"{protocol.name}, {prompts.name!r}: references"
    for name, numbers in pure(where, protocol.references, prompts).items():
        for column, value in numbers.items():
            assert value is None or math.isfinite(value), f"{where}: {column!r} of {name!r} is {value}"


def _check_headline(best: Document, worst: Document, where: str) -> None:
    """Right answers do not come to less than wrong ones."""
    for name in best.headline:
        high, low = best.columns[name].value, worst.columns[name].value if name in worst.columns else None
        assert high is None or low is None or high >= low, (
            f"{where}: {name!r} is {high} where every answer is right, and {low} where every one is wrong"
        )


def _check_within(lossy: Document, found: Document, where: str) -> None:
    """What a number is with nothing lost lies between the worst and the best that were told of it with losses."""
    for column, bounds in lossy.bounds.items():
        told = [bounds.worst, found.columns[column].value, bounds.best]
        for low, high in pairwise([end for end in told if end is not None]):
            assert low <= high + 1e-9, (
                f"{where}: {column!r} is {told[1]}, and with losses was told to be in {told[::2]}"
            )


def _numbers(protocol: Protocol, prompts: PromptSet, rows: list[CheckResult], how: Scoring, where: str) -> Document:
    """What is told of the rows; its columns are those that are declared."""
    weights = prompts.category_weights
    scores = pure(f"{where}: score", protocol.score, rows, prompts.levels, how, weights)
    slices = pure(f"{where}: slices", protocol.slices, rows, prompts.levels, how)
    ends = pure(f"{where}: ends", protocol.ends, rows, prompts.levels, how)
    whole = _measured(scores.whole, scores, f"{where}: score")
    assert scores.headline, f"{where}: score has no headline"
    for what in ("headline", "beside", "bounded"):
        _declared(getattr(scores, what), whole, f"{where}: {what}")
    _declared(ends, scores.bounded, f"{where}: ends")
    for name, formula in scores.formulas.items():
        _declared(formula.of, scores.whole.columns, f"{where}: formula {name!r}")
    for what, parts in slices.items():
        for name, part in parts.items():
            _declared(_measured(part, scores, f"{where}: slice {what} {name!r}"), whole, f"{where}: slice {what}")
    try:
        return document(protocol, rows, levels=prompts.levels, signature=_SIGNATURE, how=how, category_weights=weights)
    except Exception as error:
        raise AssertionError(f"{where}: its numbers cannot be told: {error!r}") from error


def _measured(part: Part, scores: Scores, where: str) -> set[str]:
    """The names of a part's numbers."""
    names = [unit.name for unit in part.units]
    assert len(set(names)) == len(names), f"{where}: two units have the same name"
    for name, column in {**part.columns, "complete": part.complete}.items():
        assert len(column) == len(names), f"{where}: {name!r} has {len(column)} values for {len(names)} units"
        for value in column:
            assert value is None or math.isfinite(value), f"{where}: {name!r} has a value of {value}; undefined is None"
    return set(pure(where, measure, part, scores.formulas).columns)


def _declared(names: Iterable[str], there: Iterable[str], where: str) -> None:
    unknown = sorted({*names} - {*there})
    assert not unknown, f"{where}: no column {', '.join(map(repr, unknown))}; there are: {', '.join(sorted(there))}"


def _lossy(rows: Sequence[CheckResult]) -> Iterator[list[CheckResult]]:
    """The rows with some of them lost, up to all: pictures in every way, and replies in every way."""
    losses: list[tuple[str, str]] = [("picture", status) for status in PICTURE_STATUSES[1:]]
    losses += [("outcome", outcome) for outcome in JUDGE_OUTCOMES[1:]]
    for share in (0.2, 0.6, 1.0):
        found = []
        for row in rows:
            stream = Stream("lost", str(share), row.sample_id)
            what, how = stream.choice(losses)
            if what == "outcome":
                stream = stream.child(row.check)
            if stream.chance(share):
                lost = {"credit": None, "answer": None, "outcome": "unasked", what: how}
                row = msgspec.structs.replace(row, **lost)
            found.append(row)
        yield found


def _differ(first: Document, second: Document) -> str:
    """Which parts of two documents are not the same."""
    names = [field.name for field in msgspec.structs.fields(Document)]
    return ", ".join(name for name in names if getattr(first, name) != getattr(second, name))
