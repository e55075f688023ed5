"""Judges as their runs show them: short names for tables and folders; counts of replies, model ids and spending."""

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
_MODELS = ("openai", "transformers", "diffusers", "replay", "folder", "inspect")


class Called(Protocol):
    """Anything with a judge and the judge's name: a run, or the provenance of its numbers."""

    @property
    def judge(self) -> str:
        """The judge as asked for, with its address and parameters."""
        ...

    @property
    def name(self) -> str:
        """The name that the user gave it; empty if none was given."""
        ...


def short_names(called: Sequence[Called], full: bool = False) -> list[str]:
    """A short name for each: the one that the user gave, else the model's, with as much as tells it from the others.

    The same judge has the same name wherever it stands in the list. Names longer than MAX_CHARACTERS are cut in the
    middle, unless two would become alike. `full`: True to shorten nothing, as in files for other programs.
    """
    tails = [f" ({_model_tail(run.judge)})" for run in called]
    if full:
        return distinct([run.name or run.judge for run in called], tails)
    unnamed = list(dict.fromkeys(run.judge for run in called if not run.name))
    forms = {judge: _names_from_short_to_long(judge, unnamed) for judge in unnamed}
    counts = [Counter(form) for form in zip(*forms.values(), strict=True)]
    short = {
        judge: next((form for form, n in zip(names, counts, strict=True) if n[form] == 1), judge)
        for judge, names in forms.items()
    }
    times = Counter(short.values())
    short = {judge: name if times[name] == 1 else judge for judge, name in short.items()}
    cut = {judge: _shortened(name) for judge, name in short.items()}
    if len(set(cut.values())) == len(cut):
        short = cut
    # One name for two judges tells nothing: each has its model beside it.
    return distinct([run.name or short[run.judge] for run in called], tails)


def distinct(names: Sequence[str], *additions: Sequence[str]) -> list[str]:
    """The names, where names that are the same get additions that tell them apart.

    `additions`: lists of one addition for each name; they are tried in this order.
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
    """The kind, the model and the options in a judge's full name; a name that is short already has no kind."""
    kind, colon, rest = judge.partition(":")
    if kind not in _MODELS or not colon:
        return "", judge, []  # pixels, planted judges and those of imported runs are short already
    model, _, options = rest.partition("?")
    return kind, model, options.split("&") if options else []


def _model_tail(judge: str) -> str:
    """The last part of the name of a judge's model: "b" of "openai:a/b?c"."""
    kind, model, _ = _split_name(judge)
    return model.rstrip("/").rpartition("/")[2] or model if kind else model


def _names_from_short_to_long(judge: str, others: Sequence[str]) -> list[str]:
    """The four names of a judge from short to long; the last has the options that not all judges of its model have.

    `others`: the full names of all judges, this one included.
    """
    (kind, model, options), tail = _split_name(judge), _model_tail(judge)
    option_lists = [_split_name(other)[2] for other in others if _split_name(other)[:2] == (kind, model)]
    telling = [option for option in options if not all(option in others_options for others_options in option_lists)]
    return [tail, model, f"{kind}:{model}" if kind else model, f"{tail}?{'&'.join(telling)}" if telling else tail]


def _shortened(name: str) -> str:
    """The name, with an ellipsis in its middle if it is longer than MAX_CHARACTERS."""
    if len(name) <= MAX_CHARACTERS:
        return name
    half = (MAX_CHARACTERS - 1) // 2
    return f"{name[: MAX_CHARACTERS - 1 - half]}…{name[-half:]}"


# The fields of `Usage` that are copied from `Figures`.
_SUMS = ("tokens_in", "tokens_out", "tokens_reasoning", "cost", "priced")
_EXAMPLE = 80  # characters of an example, which a server may make of any length


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """The counts and sums over all tries of one run; tokens and cost are null if no reply gives them."""

    outcomes: dict[str, int]  # tries by outcome, as read at the time
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
    """Gathers a run's `Usage` from the records of its journal as they are read.

    `probabilities`: True if any reply came with log-probabilities or candidates' likelihoods.
    """

    def __init__(self) -> None:
        """Begin with no record."""
        # Records differ little in these: outcome, failure's kind (None of a reply), model, finish, mode.
        self._alike: Counter[tuple[str, str | None, str, str, str]] = Counter()
        self._dropped: set[str] = set()
        self._examples: dict[str, Record] = {}  # by kind of failure, or outcome
        self._figures = Figures()
        self._first = self._last = ""
        self.probabilities = False

    def watch(self, records: Iterable[Record]) -> Iterator[Record]:
        """Yield the records unchanged, and count each as it passes."""
        for record in records:
            failure = None if record.failure is None else record.failure.kind
            self._alike[record.outcome, failure, record.model, record.finish, record.mode] += 1
            if failure is not None or record.outcome in ("unparsed", "refused"):
                self._examples.setdefault(failure or record.outcome, record)
            self._dropped.update(record.dropped)
            self.probabilities |= record.choices is not None or record.logprobs is not None
            self._figures.add(record)
            if record.final and record.time:
                self._first, self._last = min(self._first or record.time, record.time), max(self._last, record.time)
            yield record

    def observations(self, path: Path) -> Usage:
        """The usage so far; `path`: the run, whose keys tell how an example was to be read."""
        outcomes: Counter[str] = Counter()
        for (outcome, *_), count in self._alike.items():
            outcomes[outcome] += count

        def counts_by(field: int, failed: bool = False) -> dict[str, int]:
            """The number of replies, or of those that `failed`, by their value in a field; the most frequent first."""
            counts: Counter[str] = Counter()
            for alike, count in self._alike.items():
                if (alike[1] is not None) == failed and (name := alike[field]):
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
            **{name: getattr(self._figures, name) for name in _SUMS},
            first=self._first,
            last=self._last,
        )

    def _example_lines(self, path: Path) -> dict[str, str]:
        """The examples as lines, by kind of failure or outcome; a reply that is no answer comes with the reason."""
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
    """A reply that is no answer, the id of its question, and the reason as it is read now."""
    if key is None:
        return f"{_one_line(record.reply or '')} ({record.id})"
    outcome = read_reply(
        record.reply or "", key.answer_type, record.finish, labels=key.labels, answer_line=record.answer_line
    )
    why = "an answer by now"  # as this version's parser reads it
    if isinstance(outcome, Unparsed | Refused):
        why = outcome.reason if isinstance(outcome, Unparsed) else outcome.evidence
    return f"{_one_line(record.reply or '')} ({record.id}: {_one_line(why)})"


def _one_line(text: str) -> str:
    """A text in one line, cut at its end if it is long."""
    line = " ".join(text[: 10 * _EXAMPLE].split())
    return line if len(line) <= _EXAMPLE else f"{line[: _EXAMPLE - 2]} …"
