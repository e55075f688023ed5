"""Has an author write about every prompt of a set, once, and makes a prompt file, which a person may edit.

The run lies beside the file. The file is written whole when the author can give no more, and never over an edited file.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from counterbench.answers.outcomes import Outcome, Refused
from counterbench.answers.parsing import TRUNCATED
from counterbench.asking.asker import Limits
from counterbench.asking.probe import ask, refuse_other
from counterbench.asking.runner import Progress
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.files.foreign import read_bytes
from counterbench.judges.base import Judge
from counterbench.runs.folder import RUN_FILE
from counterbench.runs.wordings import WORDING_FORMAT, Wording
from counterbench.t2i.preparing.prompt_queries import PromptQuestions, Written
from counterbench.t2i.preparing.writing import Writing
from counterbench.t2i.prompts.lines import set_lines
from counterbench.t2i.prompts.prompt_set import PromptSet

AUTHOR = ".author"
WRITTEN_FILE = "written.txt"  # in the run: the digest of the file as it was written last
# An author gets only the words of a writing.
_BARE = Wording(WORDING_FORMAT, "author")


class Prepared(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a call of `prepare`."""

    run: Path
    progress: Progress
    prompts: PromptSet | None  # the content of the file; None while it is not written
    asked: list[str]  # ids of the prompts that the author is asked about
    kept: int  # the number of other prompts
    # Ids of prompts without a text that can be used, by reason: "malformed", "refused", "cut off", "failed". After a
    # stopped call, prompts that were not asked about are not among them.
    without: dict[str, list[str]]
    examples: dict[str, str]  # by reason, the first id with a message to the author about the fault of its reply


def prepare(
    prompts: PromptSet,
    writing: Writing,
    author: Judge,
    out: Path,
    *,
    limits: Limits | None = None,
    on_progress: Callable[[Progress], None] = lambda progress: None,
) -> Prepared:
    """Have `author` write about `prompts` and make the prompt file `out` from it; the same call again resumes.

    The file is written once every prompt has its replies, or a failure that would repeat. Raises the errors of
    `asking.probe.ask`, and InputError if `out` is another file or was edited, or no reply could be read.
    """
    if out.suffix != ".jsonl":
        raise InputError(f"{out}: --out must end in .jsonl: a prompt a line")
    run = out.with_name(out.name + AUTHOR)
    if out.exists() and not (run / RUN_FILE).is_file():
        raise InputError(f"{out}: is there, and `t2i prepare` did not write it; choose another --out")
    questions = PromptQuestions(prompts, writing)
    if run.exists():
        refuse_other(questions, author, run, wording=_BARE)
    by = f"{writing.what} by {author.name}"
    questions.follow(run)
    _refuse_edited(out, run, _lines(_whole(prompts, writing, questions.written()), by))
    end = ask(questions, author, run, wording=_BARE, limits=limits, growing=questions, on_progress=on_progress)
    questions.follow(run)
    written = questions.written()
    without: dict[str, list[str]] = {}
    examples: dict[str, str] = {}
    for id, one in written.items():
        if one.asked and one.made is None and not (end.stopped and one.last is None):
            why = _why(one.last)
            without.setdefault(why, []).append(id)
            if one.fault:
                examples.setdefault(why, f"{id}: {one.fault}")
    whole = None
    if end.complete or (not end.stopped and len(end.lasting) == end.total - end.done):
        whole = _whole(prompts, writing, written)
        if whole is None:
            such = {why: f", such as {example}" for why, example in examples.items()}
            lost = "; ".join(f"{len(ids)} {why}{such.get(why, '')}" for why, ids in without.items())
            raise InputError(
                f"{author.name}: nothing that it wrote can be used ({lost}), and {out} is not written; its replies are "
                f"in {run}; choose another --author, and another --out"
            )
        _write(out, run, _lines(whole, by))
    asked = [id for id, one in written.items() if one.asked]
    kept = len(written) - len(asked)
    return Prepared(run=run, progress=end, prompts=whole, asked=asked, kept=kept, without=without, examples=examples)


def _why(last: Outcome | None) -> str:
    """The reason why a prompt has no text, by the last reply about it."""
    if last is None:
        return "failed"
    if isinstance(last, Refused):
        return "refused"
    return "cut off" if last == TRUNCATED else "malformed"


def _whole(prompts: PromptSet, writing: Writing, found: dict[str, Written]) -> PromptSet | None:
    """The set of written prompts; None if there is none."""
    by_id = {id: one.made for id, one in found.items()}
    return writing.whole(prompts, by_id) if any(by_id.values()) else None


def _lines(prompts: PromptSet | None, by: str) -> bytes:
    """The bytes of a set's file."""
    return b"".join(formats.encode(line) + b"\n" for line in set_lines(prompts, by)) if prompts is not None else b""


def _refuse_edited(out: Path, run: Path, lines: bytes) -> None:
    """InputError if a file was edited: it is neither as last written nor, after a killed call, as it would be now."""
    if not out.exists():
        return
    there, last = formats.file_digest(out), run / WRITTEN_FILE
    if last.is_file() and last.read_text().strip() == there:
        return
    if read_bytes(out) != lines:
        raise InputError(
            f"{out}: was edited since `t2i prepare` wrote it, and is not written over; use it as it is, or move it "
            f"away, and the same command again writes it anew from {run}"
        )
    formats.write_atomically(last, f"{there}\n".encode())


def _write(out: Path, run: Path, lines: bytes) -> None:
    with formats.clear_os_errors(out, "writing"):
        _refuse_edited(out, run, lines)
        formats.write_atomically(out, lines)
        formats.write_atomically(run / WRITTEN_FILE, f"{formats.file_digest(out)}\n".encode())
