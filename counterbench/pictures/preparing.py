"""Has a language model, the author, write something about every prompt of a set, once, into a file.

`prepare`, the main function, takes a prompt set, a task (`AuthorTask`: what the author is asked, and the prompts that
its replies give) and the author; `t2i prepare` and `evaluate` call it. A protocol is a task: its checks are written. A
`rewriting.Rewriting` is another: the prompts themselves are written anew. The run that asks the author
(`PromptQuestions`) lies beside the file. A person may edit the file: it is written whole when the author can give no
more, and never over an edited one.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from counterbench.answers.outcomes import Answer, Refused
from counterbench.answers.parsing import TRUNCATED
from counterbench.asking.asker import Limits
from counterbench.asking.asking import Asking
from counterbench.asking.runner import Progress
from counterbench.drawing.domain import Domain
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.files.foreign import read_bytes
from counterbench.judges.base import Judge
from counterbench.pictures.protocols import PROTOCOLS
from counterbench.pictures.protocols.asks import Ask, CheckReply
from counterbench.pictures.protocols.authors import settling
from counterbench.pictures.protocols.base import Protocol
from counterbench.pictures.protocols.replies import Following, no_reply, question_key
from counterbench.pictures.rewriting import Rewriting
from counterbench.prompts.files import set_lines
from counterbench.prompts.prompt_set import Prompt, PromptSet
from counterbench.runs.folder import RUN_FILE
from counterbench.runs.pair_queries import Stored
from counterbench.runs.queries import TEMPLATE_FORMAT, Key, PromptTemplate

AUTHOR = ".author"  # the end of the name of the run's folder
_BARE_TEMPLATE = PromptTemplate(TEMPLATE_FORMAT, "author")  # without words: an author gets only those of the protocol


# A task of an author: something to write about each prompt of a set.
AuthorTask = Protocol | Rewriting


class WrittenPrompts(msgspec.Struct, frozen=True):
    """The result for one prompt of having an author write about it."""

    prompt: Prompt | None  # with what was written; None if nothing was
    was_asked: bool  # False for a prompt that has checks already and is kept as it is
    # The reason why nothing was ("malformed", "refused", "cut off", "failed"), by the last reply; if there were
    # several questions, by the reply to the first one without an answer.
    reason: str
    fault: str  # the last message to the author about the fault of a reply; empty if there was none


class PromptQuestions(Following[Prompt]):
    """The questions of a task to an author about every prompt of a set, given the replies so far."""

    def __init__(self, prompts: PromptSet, task: AuthorTask) -> None:
        """Identify the run by the prompts and by the first questions about each."""
        super().__init__()
        self.prompts, self._task, self.things = prompts, task, prompts.prompts
        task_name = f"{task.name}-{task.version}"
        self.name = f"{prompts.name}--{task_name}"
        self.seed = prompts.seed
        # Other words to an author make another run.
        first_asks = (self.all_asks(prompt, no_reply) for prompt in prompts.prompts)
        questions = [[(ask.text, ask.system, ask.answer_type) for ask in asks] for asks in first_asks]
        parts = msgspec.json.encode([prompts.digest, task_name, questions])
        self.digest = hashlib.blake2b(parts, digest_size=16).hexdigest()

    def next_about(self, thing: Prompt, replies: dict[str, CheckReply]) -> Sequence[Ask]:
        """The next questions to the author about a prompt, as the task has them."""
        return self._task.prepare(thing, replies)

    @property
    def min_remaining(self) -> int:
        """The largest number of questions that may follow from the replies to the first ones."""
        first_questions = (
            self.all_asks(prompt, no_reply) for prompt in self.things if not self.waves_of(prompt).replies
        )
        return sum(self._task.prepared - len(asks) for asks in first_questions if asks)

    @property
    def domain(self) -> Domain:
        """An empty domain (the kind of pictures of a run): an author sees no pictures."""
        return Domain(renderer="", style="", size="", file_format="")

    def stored(self, needs_images: bool) -> Stored:
        """No stored pictures: an author sees none."""
        return Stored(iter(()), 0, "")

    def written(self) -> dict[str, WrittenPrompts]:
        """The result for each prompt by its id, from the replies so far."""
        return {prompt.id: self._written(prompt) for prompt in self.things}

    def _written(self, prompt: Prompt) -> WrittenPrompts:
        """The result for one prompt: the prompt that the author's replies give, or why there is none."""
        dialogue = self.waves_of(prompt)
        last = [dialogue.replies[id].outcome if id in dialogue.replies else None for id in settling(dialogue.asks)]
        lost = next((outcome for outcome in last if not isinstance(outcome, Answer)), last[-1] if last else None)
        faults = [ask.fault for ask in dialogue.asks.values() if ask.fault]
        reason = "malformed"
        if lost is None or isinstance(lost, Refused):
            reason = "failed" if lost is None else "refused"
        elif lost == TRUNCATED:
            reason = "cut off"
        prompt_written = self._task.written(prompt, dialogue.replies)
        return WrittenPrompts(prompt_written, bool(last), reason, faults[-1] if faults else "")

    def keys(self) -> Iterator[Key]:
        """The keys, in the same order, without truth: no text is the only right one."""
        for prompt in self.things:
            for ask in self.asks(prompt):
                yield question_key(prompt.id, prompt, ask)


class Prepared(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a call of `prepare`."""

    run: Path
    progress: Progress
    prompts: PromptSet | None  # the content of the file; None while it is not written
    asked_ids: list[str]  # ids of the prompts that the author is asked about
    kept_count: int  # the number of other prompts
    # Ids of prompts about which nothing can be used, by reason: "malformed", "refused", "cut off", "failed". After a
    # stopped call, prompts that were not asked about are not among them.
    without: dict[str, list[str]]
    examples: dict[str, str]  # by reason, the first id with a message to the author about the fault of its reply


def prepare(
    prompts: PromptSet,
    task: AuthorTask,
    author: Judge,
    out: Path,
    *,
    limits: Limits | None = None,
    on_progress: Callable[[Progress], None] = lambda progress: None,
) -> Prepared:
    """Have `author` do the task, into the prompt file `out`; the same call again resumes.

    The file is written once every prompt has its replies, or a failure that would repeat. Raises the errors of
    `Asking.run`, and InputError if a protocol asks no author, `out` is another file or was edited, or no reply could be
    read.
    """
    if isinstance(task, Protocol) and not _asks_author(task):
        raise InputError(
            f"the protocol {task.name!r} has nothing to prepare: it asks the checks that prompts have; an author "
            f"writes for: {', '.join(name for name, kind in PROTOCOLS.items() if _asks_author(kind))} (--protocol NAME)"
        )
    if out.suffix != ".jsonl":
        raise InputError(f"{out}: --out must end in .jsonl: a prompt a line")
    run = out.with_name(out.name + AUTHOR)
    if out.exists() and not (run / RUN_FILE).is_file():
        raise InputError(f"{out}: is there, and `t2i prepare` did not write it; choose another --out")
    questions = PromptQuestions(prompts, task)

    def file_content() -> bytes:
        """The bytes of the file, by the replies so far; empty if nothing was written about any prompt."""
        whole = _whole(prompts, task, questions.written())
        origin = f"{task.writes} by {author.name}"
        return formats.in_lines(set_lines(whole, origin)) if whole is not None else b""

    if run.exists():
        Asking(questions, author, run, templates=[_BARE_TEMPLATE]).check()
    questions.follow(run)
    _refuse_edited(out, run, file_content())
    asking = Asking(questions, author, run, templates=[_BARE_TEMPLATE], limits=limits, adaptive=questions)
    end = asking.run(on_progress)[0].end
    questions.follow(run)
    written = questions.written()
    without: dict[str, list[str]] = {}
    examples: dict[str, str] = {}
    for id, record in written.items():
        if record.was_asked and record.prompt is None and not (end.stopped and record.reason == "failed"):
            without.setdefault(record.reason, []).append(id)
            if record.fault:
                examples.setdefault(record.reason, f"{id}: {record.fault}")
    whole = None
    if end.complete or (not end.stopped and len(end.lasting) == end.total - end.done):
        whole = _whole(prompts, task, written)
        if whole is None:
            example_texts = {why: f", such as {example}" for why, example in examples.items()}
            lost = "; ".join(f"{len(ids)} {why}{example_texts.get(why, '')}" for why, ids in without.items())
            raise InputError(
                f"{author.name}: nothing that it wrote can be used ({lost}), and {out} is not written; its replies are "
                f"in {run}; choose another --author, and another --out"
            )
        with formats.clear_os_errors(out, "writing"):
            _refuse_edited(out, run, file_content())
            formats.write_atomically(out, file_content())
    ids = [id for id, record in written.items() if record.was_asked]
    kept_count = len(written) - len(ids)
    return Prepared(
        run=run, progress=end, prompts=whole, asked_ids=ids, kept_count=kept_count, without=without, examples=examples
    )


def _asks_author(protocol: Protocol) -> bool:
    """True if a protocol has an author write checks."""
    return type(protocol).prepare is not Protocol.prepare


def _whole(prompts: PromptSet, task: AuthorTask, written: Mapping[str, WrittenPrompts]) -> PromptSet | None:
    """The set with what the author wrote; None if it wrote nothing."""
    by_id = {id: record.prompt for id, record in written.items() if record.prompt is not None}
    return task.set_of(prompts, by_id) if by_id else None


def _refuse_edited(out: Path, run: Path, content: bytes) -> None:
    """InputError if the file `out` was edited: it differs from `content`, which the replies so far give."""
    if out.exists() and read_bytes(out) != content:
        raise InputError(
            f"{out}: was edited since `t2i prepare` wrote it, and is not written over; use it as it is, or move it "
            f"away, and the same command again writes it anew from {run}"
        )
