"""A run as a pandas DataFrame: every judged query with its truth, its answer and its costs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from counterbench.answers.outcomes import Failed, outcome_name
from counterbench.results.results import settled_replies
from counterbench.results.rules import DEFAULT, Judged, scoring
from counterbench.runs.folder import Record, read_keys, read_run_info, records_of

if TYPE_CHECKING:
    import pandas as pd

# The dtypes are the same for every run. All have missing values; those of float64 are NaN.
TEXT, FLAG, COUNT, NUMBER = "string", "boolean", "Int64", "float64"
# The most important columns come first, so that a head of the table shows them.
_ANSWER = {"id": TEXT, "answer": TEXT, "right": FLAG, "expected": TEXT, "outcome": TEXT, "relevant": FLAG}
_KEY = dict.fromkeys(("group", "role", "family", "category", "skill", "form", "answer_type"), TEXT)
REPLY_COLUMNS = {
    "judge": TEXT,
    "reply": TEXT,
    "finish": TEXT,
    "model": TEXT,
    "repeats": COUNT,
    "attempts": COUNT,
    "seconds": NUMBER,
    "tokens_in": COUNT,
    "tokens_out": COUNT,
    "cost": NUMBER,
}
PAIR_COLUMNS = _ANSWER | _KEY | REPLY_COLUMNS


def pair_frame(path: Path, scoring_name: str = DEFAULT) -> pd.DataFrame:
    """A row for each query of the run in `path`, in the order of its keys: the columns and dtypes of `PAIR_COLUMNS`.

    `group` is the pair's id. `outcome`: answer, unparsed, refused, failed or, if nothing was asked yet, missing.
    `answer`: as the parser read it; `right`: True if it is the expected one, missing without a reply. For the other
    columns see `with_replies`. InputError if it is not a run, or is damaged.
    """
    info, keys = read_run_info(path), list(read_keys(path))
    settled = settled_replies(keys, records_of(path, info), scoring_name, info.repeats, str(path))
    names = [name for name in (_ANSWER | _KEY) if name not in ("outcome", "answer", "right")]
    rows = [{name: getattr(key, name) for name in names} | _judged_cells(settled[key.id]) for key in keys]
    return with_replies(rows, _ANSWER | _KEY, path, scoring_name)


def with_replies(
    rows: Sequence[Mapping[str, Any]], columns: Mapping[str, str], path: Path, scoring_name: str = DEFAULT
) -> pd.DataFrame:
    """The rows as a DataFrame, with the `REPLY_COLUMNS` of the run in `path` added.

    `rows`: each has a query's `id` and its `answer`. `columns`: the dtypes of their columns by name. Of the added
    columns, `reply`, `finish` and `model` are those of the first repeat whose reply is read as the `answer`; `repeats`
    is the number of repeats with a reply, `attempts` that of all times that the query was asked; `seconds`,
    `tokens_in`, `tokens_out` and `cost` (US dollars) are sums over all attempts, missing if unknown.
    """
    import pandas as pd

    info, keys, rule = read_run_info(path), {key.id: key for key in read_keys(path)}, scoring(scoring_name)
    answers = {row["id"]: row.get("answer") or "" for row in rows}
    records: defaultdict[str, list[Record]] = defaultdict(list)
    for record in records_of(path, info):
        records[record.id].append(record)
    reply_rows = []
    for id, key in keys.items():
        repeats = {record.repeat: record for record in records[id] if record.final}
        final = [repeats[repeat] for repeat in sorted(repeats)]
        if len(final) > 1:
            final.sort(key=lambda r: rule(r.reply or "", key, r.finish, r.answer_line).value != answers.get(id))
        texts = {name: getattr(final[0], name) if final else None for name in ("reply", "finish", "model")}
        sums = {name: _sum_of(records[id], name) for name in ("seconds", "tokens_in", "tokens_out", "cost")}
        reply_rows.append({"id": id, "repeats": len(final), "attempts": len(records[id])} | texts | sums)
    replies = pd.DataFrame(reply_rows, columns=["id", *REPLY_COLUMNS]).assign(judge=info.judge)
    table = pd.DataFrame(rows, columns=[*columns]).merge(replies, on="id", how="left", validate="many_to_one")
    return table.astype({**columns, **REPLY_COLUMNS})


def _judged_cells(judged: Judged | Failed | None) -> dict[str, Any]:
    """The cells `outcome`, `answer` and `right` of a query, from its reply as it was read; None if it was not asked."""
    if isinstance(judged, Judged):
        return {"outcome": outcome_name(judged.outcome), "answer": judged.value, "right": judged.right}
    return {"outcome": "missing" if judged is None else "failed"}


def _sum_of(records: list[Record], name: str) -> float | None:
    """The sum of a field of all records; None if no record has it."""
    values = [value for record in records if (value := getattr(record, name)) is not None]
    return sum(values) if values else None
