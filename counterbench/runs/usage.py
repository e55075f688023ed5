"""Gives judges short names that tell them apart, and sums up what a run used: replies, models, tokens and money.

The first half makes names. A judge's full name has a kind, a model and options ("openai:org/model?temperature=0");
`short_names` gives the shortest names for tables and folders that are different for different judges.

The second half makes a `Usage` from a run's *journal*, which has a record for each try to ask a question (`usage_of`,
or a `UsageCounter` that counts records while others read them): numbers of replies by outcome and by model id, failures
with examples, tokens and cost. Scores and reports show it.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Protocol

import msgspec

from counterbench.answers import Refused, Unparsed, read_reply
from counterbench.runs.folder import JOURNAL_FILE, MAX_CHARACTERS, Figures, Record, read_journal, read_keys
from counterbench.runs.queries import Key
from counterbench.text import counted

# The kinds of judges whose model is named by a path or an address, of which the last part says most.
_KINDS_WITH_MODEL = ("openai", "transformers", "diffusers", "replay", "folder", "inspect")


class Called(Protocol):
    """The interface of anything with a judge and the judge's name: a run, or the provenance of its numbers."""

    @property
    def judge(self) -> str:
        """The judge's full name, as it was asked for, with its address and options."""
        ...

    @property
    def name(self) -> str:
        """The name that the user gave the judge; empty if none was given."""
        ...


def short_names(called: Sequence[Called], full: bool = False) -> list[str]:
    """A short name for each of `called`, in order: the user's own, or the model's and as much as tells judges apart.

    The same judge has the same name wherever it stands in the list. Names longer than MAX_CHARACTERS are cut in the
    middle, unless two would become equal. `full`: True to shorten nothing, as in files for other programs.
    """
    tails = [f" ({_model_tail(run.judge)})" for run in called]
    if full:
        return distinct([run.name or run.judge for run in called], tails)
    # 1. For each judge without a user's name, the shortest of its names that no other judge has, else its full name.
    unnamed = list(dict.fromkeys(run.judge for run in called if not run.name))
    forms = {judge: _names_from_short_to_long(judge, unnamed) for judge in unnamed}
    counts = [Counter(form) for form in zip(*forms.values(), strict=True)]  # of equal names, from short to long
    short = {
        judge: next((form for form, n in zip(names, counts, strict=True) if n[form] == 1), judge)
        for judge, names in forms.items()
    }
    # 2. The full name where two are the same even so; then names are cut, if they stay different.
    times = Counter(short.values())
    short = {judge: name if times[name] == 1 else judge for judge, name in short.items()}
    cut = {judge: _shortened(name) for judge, name in short.items()}
    if len(set(cut.values())) == len(cut):
        short = cut
    # Where a user gave two judges the same name, each has its model beside it.
    return distinct([run.name or short[run.judge] for run in called], tails)


def distinct(names: Sequence[str], *additions: Sequence[str]) -> list[str]:
    """The names; those that are the same get additions that tell them apart, if there are different ones.

    `additions`: lists with an addition for each name, in the order in which they are added: with the second list, names
    that are still the same are told apart. ["a", "a"] with [" (x)", " (y)"] gives "a (x)" and "a (y)".
    """
    distinct_names = list(names)
    for added in additions:
        additions_by_name: defaultdict[str, set[str]] = defaultdict(set)
        for name, addition in zip(distinct_names, added, strict=True):
            additions_by_name[name].add(addition)
        distinct_names = [
            name + addition if len(additions_by_name[name]) > 1 else name
            for name, addition in zip(distinct_names, added, strict=True)
        ]
    return distinct_names


def _split_name(judge: str) -> tuple[str, str, list[str]]:
    """The kind, model and options in a judge's full name; all of "pixels" and the like is the model."""
    kind, colon, rest = judge.partition(":")
    if kind not in _KINDS_WITH_MODEL or not colon:
        return "", judge, []  # pixels, planted judges and those of imported runs are short already
    model, _, options = rest.partition("?")
    return kind, model, options.split("&") if options else []


def _model_tail(judge: str) -> str:
    """The last part of the name of a judge's model: "b" of "openai:a/b?c"."""
    kind, model, _ = _split_name(judge)
    return model.rstrip("/").rpartition("/")[2] or model if kind else model


def _names_from_short_to_long(judge: str, others: Sequence[str]) -> list[str]:
    """Four names of a judge to choose from: last part, model, kind and model, last part with options.

    The options are those that not all judges of the same model have. `others`: the full names of all judges, this one
    included.
    """
    (kind, model, options), tail = _split_name(judge), _model_tail(judge)
    option_lists = [_split_name(other)[2] for other in others if _split_name(other)[:2] == (kind, model)]
    telling = [option for option in options if not all(option in its_options for its_options in option_lists)]
    return [tail, model, f"{kind}:{model}" if kind else model, f"{tail}?{'&'.join(telling)}" if telling else tail]


def _shortened(name: str) -> str:
    """The name, with an ellipsis in its middle if it is longer than MAX_CHARACTERS."""
    if len(name) <= MAX_CHARACTERS:
        return name
    half = (MAX_CHARACTERS - 1) // 2
    return f"{name[: MAX_CHARACTERS - 1 - half]}…{name[-half:]}"


# The fields of `Usage` that are copied from `Figures`.
_COPIED_FIELDS = ("tokens_in", "tokens_out", "tokens_reasoning", "cost", "priced")
_MAX_EXAMPLE = 80  # characters of an example, which a server may make of any length


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """The counts and sums over all tries of one run; tokens and cost are null if no reply gives them."""

    outcomes: dict[str, int]  # tries by outcome ("answer", "unparsed", "failed", …), as the reply was read at the time
    models: dict[str, int]  # replies by model id, as the server returned it; several: the model changed midway
    finishes: dict[str, int]  # replies by the reason for which they ended
    modes: dict[str, int]  # replies by the way in which they were made
    dropped: list[str]  # parameters that the server refused
    attempts: int  # tries, failed ones included
    failed_attempts: dict[str, int]  # by kind of failure
    # The first message of each kind of failure; the first unparsed and the first refused reply, with the question's id
    # and the reason.
    examples: dict[str, str] = {}
    tokens_in: int | None
    tokens_out: int | None
    tokens_reasoning: int | None = None  # part of tokens_out
    cost: float | None  # US dollars
    priced: int = 0  # replies that give their cost
    first: str = ""  # time of the first reply, UTC in ISO 8601; empty if no record has one
    last: str = ""  # time of the last reply


def answered_as(models: Mapping[str, int], in_words: Callable[[int, str, str], str] = counted) -> str:
    """The models that answered, each with its number of replies in the words of `in_words`."""
    return ", ".join(f"{name} ({in_words(replies, 'reply', 'replies')})" for name, replies in models.items())


class UsageCounter:
    """A counter of a run's `Usage`: it counts the records of the journal while another function reads them.

    `probabilities`: True if any reply came with log-probabilities or likelihoods of the choices.
    """

    def __init__(self) -> None:
        """Begin with no record."""
        # The number of records by (outcome, kind of failure or None, model, finish, mode): few values are different.
        self._counts: Counter[tuple[str, str | None, str, str, str]] = Counter()
        self._dropped: set[str] = set()
        self._examples: dict[str, Record] = {}  # the first record by kind of failure, or by outcome
        self._figures = Figures()
        self._first = self._last = ""
        self.probabilities = False

    def watch(self, records: Iterable[Record]) -> Iterator[Record]:
        """Yield the records unchanged, and count each as it passes."""
        for record in records:
            failure = None if record.failure is None else record.failure.kind
            self._counts[record.outcome, failure, record.model, record.finish, record.mode] += 1
            if failure is not None or record.outcome in ("unparsed", "refused"):
                self._examples.setdefault(failure or record.outcome, record)
            self._dropped.update(record.dropped)
            self.probabilities |= record.choices is not None or record.logprobs is not None
            self._figures.add(record)
            if record.final and record.time:
                self._first, self._last = min(self._first or record.time, record.time), max(self._last, record.time)
            yield record

    def observations(self, path: Path) -> Usage:
        """The usage so far; `path`: the run's folder, whose keys are needed to read the examples."""
        outcomes: Counter[str] = Counter()
        for (outcome, *_), count in self._counts.items():
            outcomes[outcome] += count

        def counts_by(field: int, failed: bool = False) -> dict[str, int]:
            """The number of replies, or of failures, by the value at an index of `_counts`; the most frequent first."""
            counts: Counter[str] = Counter()
            for values, count in self._counts.items():
                if (values[1] is not None) == failed and (name := values[field]):
                    counts[name] += count
            return dict(counts.most_common())

        return Usage(
            outcomes=dict(outcomes),
            models=counts_by(2),
            finishes=counts_by(3),
            modes=counts_by(4),
            dropped=sorted(self._dropped),
            attempts=outcomes.total(),
            failed_attempts=counts_by(1, failed=True),
            examples=self._example_lines(path),
            **{name: getattr(self._figures, name) for name in _COPIED_FIELDS},
            first=self._first,
            last=self._last,
        )

    def _example_lines(self, path: Path) -> dict[str, str]:
        """The examples as lines, by kind of failure or outcome; a reply without an answer has the reason beside it."""
        ids = {record.id for record in self._examples.values() if record.failure is None}
        needed = (key for key in (read_keys(path) if ids else ()) if key.id in ids)
        keys = {key.id: key for key in islice(needed, len(ids))}
        return {
            kind: _one_line(r.failure.message) if r.failure else _unread_example(r, keys.get(r.id))
            for kind, r in self._examples.items()
        }


def usage_of(path: Path) -> Usage:
    """The usage of the run in `path`, read from its journal."""
    observer = UsageCounter()
    for _ in observer.watch(read_journal(path / JOURNAL_FILE)):
        pass
    return observer.observations(path)


def _unread_example(record: Record, key: Key | None) -> str:
    """The line on a reply without an answer: its text, the id of its question, and the reason why none is read."""
    if key is None:
        return f"{_one_line(record.reply or '')} ({record.id})"
    outcome = read_reply(
        record.reply or "", key.answer_type, record.finish, labels=key.labels, answer_line=record.answer_line
    )
    why = "an answer by now"  # since this version's parser reads one
    if isinstance(outcome, Unparsed | Refused):
        why = outcome.reason if isinstance(outcome, Unparsed) else outcome.evidence
    text, reason = _one_line(record.reply or ""), f"{record.id}: {_one_line(why)}"
    return f"{text} ({reason})" if text else reason


def _one_line(text: str) -> str:
    """A text in one line, cut at its end if it is long."""
    line = " ".join(text[: 10 * _MAX_EXAMPLE].split())
    return line if len(line) <= _MAX_EXAMPLE else f"{line[: _MAX_EXAMPLE - 2]} …"
