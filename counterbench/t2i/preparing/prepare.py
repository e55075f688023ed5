"""Has an author write the questions about every prompt of a set, once, into a prompt file that a person may edit.

The run lies beside the file. The file is written whole when the author can give no more, and never over an edited file.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from counterbench.answers.outcomes import Outcome, Refused
from counterbench.answers.parsing import TRUNCATED
from counterbench.asking.asker import Limits
from counterbench.asking.asking import Asking
from counterbench.asking.runner import Progress
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.files.foreign import read_bytes
from counterbench.judges.base import Judge
from counterbench.runs.folder import RUN_FILE
from counterbench.runs.templates import TEMPLATE_FORMAT, PromptTemplate
from counterbench.t2i.preparing.prompt_queries import PromptQuestions, Written
from counterbench.t2i.prompts.lines import set_lines
from counterbench.t2i.prompts.prompt_set import PromptSet
from counterbench.t2i.protocols import PROTOCOLS
from counterbench.t2i.protocols.base import Protocol

AUTHOR = ".author"
WRITTEN_FILE = "written.txt"  # in the run: the digest of the file as it was written last
# An author gets only the words of the protocol.
_BARE = PromptTemplate(TEMPLATE_FORMAT, "author")


class Prepared(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a call of `prepare`."""

    run: Path
    progress: Progress
    prompts: PromptSet | None  # the content of the file; None while it is not written
    asked: list[str]  # ids of the prompts that the author is asked about
    kept: int  # the number of other prompts
    # Ids of prompts without questions that can be used, by reason: "malformed", "refused", "cut off", "failed". After a
    # stopped call, prompts that were not asked about are not among them.
    without: dict[str, list[str]]
    examples: dict[str, str]  # by reason, the first id with a message to the author about the fault of its reply


def prepare(
    prompts: PromptSet,
    protocol: Protocol,
    author: Judge,
    out: Path,
    *,
    limits: Limits | None = None,
    on_progress: Callable[[Progress], None] = lambda progress: None,
) -> Prepared:
    """Have `author` write the questions of `protocol` into the prompt file `out`; the same call again resumes.

    The file is written once every prompt has its replies, or a failure that would repeat. Raises the errors of
    `Asking.run`, and InputError if the protocol asks no author, `out` is another file or was edited, or no reply
    could be read.
    """
    if not _writes(protocol):
        raise InputError(
            f"the protocol {protocol.name!r} has nothing to prepare: it asks the checks that prompts have; an author "
            f"writes for: {', '.join(name for name, each in PROTOCOLS.items() if _writes(each))} (--protocol NAME)"
        )
    if out.suffix != ".jsonl":
        raise InputError(f"{out}: --out must end in .jsonl: a prompt a line")
    run = out.with_name(out.name + AUTHOR)
    if out.exists() and not (run / RUN_FILE).is_file():
        raise InputError(f"{out}: is there, and `t2i prepare` did not write it; choose another --out")
    questions = PromptQuestions(prompts, protocol)

    def lines() -> bytes:
        """The bytes of the file, by the replies so far; none if no prompt has questions."""
        whole = _whole(prompts, protocol, questions.written())
        by = f"questions by {author.name}"
        return formats.in_lines(set_lines(whole, by)) if whole is not None else b""

    if run.exists():
        Asking(questions, author, run, templates=[_BARE]).check()
    questions.follow(run)
    _refuse_edited(out, run, lines())
    asking = Asking(questions, author, run, templates=[_BARE], limits=limits, adaptive=questions)
    end = asking.run(on_progress)[0].end
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
        whole = _whole(prompts, protocol, written)
        if whole is None:
            such = {why: f", such as {example}" for why, example in examples.items()}
            lost = "; ".join(f"{len(ids)} {why}{such.get(why, '')}" for why, ids in without.items())
            raise InputError(
                f"{author.name}: nothing that it wrote can be used ({lost}), and {out} is not written; its replies are "
                f"in {run}; choose another --author, and another --out"
            )
        with formats.clear_os_errors(out, "writing"):
            _refuse_edited(out, run, lines())
            formats.write_atomically(out, lines())
            _keep_digest(out, run)
    asked = [id for id, one in written.items() if one.asked]
    kept = len(written) - len(asked)
    return Prepared(run=run, progress=end, prompts=whole, asked=asked, kept=kept, without=without, examples=examples)


def _writes(protocol: Protocol) -> bool:
    """True if a protocol has an author write."""
    return type(protocol).prepare is not Protocol.prepare


def _why(last: Outcome | None) -> str:
    """The reason why a prompt has no questions, by the last reply about it."""
    if last is None:
        return "failed"
    if isinstance(last, Refused):
        return "refused"
    return "cut off" if last == TRUNCATED else "malformed"


def _whole(prompts: PromptSet, protocol: Protocol, written: dict[str, Written]) -> PromptSet | None:
    """All prompts, to be judged by the protocol; None if no prompt has checks."""
    if not any(one.made for one in written.values()):
        return None
    every = [written[prompt.id].made or prompt for prompt in prompts.prompts]
    return PromptSet(prompts.name, prompts.levels, every, prompts.seed, protocol.name)


def _refuse_edited(out: Path, run: Path, lines: bytes) -> None:
    """InputError if a file was edited: it is neither as last written nor, after a killed call, as it would be now."""
    if not out.exists():
        return
    last = run / WRITTEN_FILE
    if last.is_file() and last.read_text().strip() == formats.file_digest(out):
        return
    if read_bytes(out) != lines:
        raise InputError(
            f"{out}: was edited since `t2i prepare` wrote it, and is not written over; use it as it is, or move it "
            f"away, and the same command again writes it anew from {run}"
        )
    _keep_digest(out, run)


def _keep_digest(out: Path, run: Path) -> None:
    formats.write_atomically(run / WRITTEN_FILE, f"{formats.file_digest(out)}\n".encode())
