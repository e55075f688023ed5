"""One run: the questions, the judge, the way to ask it, and the folder. Every command and call that asks makes one.

A run's folder holds `run.json` (suite, judge, template), `keys.jsonl` (the truth, for scoring) and `journal.jsonl`. The
runner alone owns retries, limits, budgets and the journal; a judge only answers.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import msgspec

from counterbench.asking import folder
from counterbench.asking.asker import DEFAULT_CONCURRENCY, Limits, PendingQuery
from counterbench.asking.forecast import Forecast, forecast
from counterbench.asking.limits import Budget
from counterbench.asking.runner import Progress, Runner, refuse_unpriced, run_sync
from counterbench.errors import InputError
from counterbench.files.claim import claim
from counterbench.files.remote import uploaded
from counterbench.judges.base import Judge, JudgeExtras, extras
from counterbench.judges.functions import opened
from counterbench.judges.planted import PlantedJudge
from counterbench.runs.folder import JOURNAL_FILE, KEYS_FILE, PLAN_FILE, RUN_FILE, RunInfo, template_path
from counterbench.runs.journal import Figures, Record, answered, figures_of, identity_of
from counterbench.runs.pair_queries import Questions
from counterbench.runs.queries import Key
from counterbench.runs.templates import PromptTemplate, load_template


@dataclass(frozen=True, kw_only=True)
class AskOptions:
    """The base of `Probe`, `Session` and `Validation`, which make a run.

    `base_url`, `key_env` and `price` are of an `openai:` judge; `votes`: how often each question is asked; `name`: the
    user's name for the judge.
    """

    base_url: str = ""
    key_env: str = ""
    price: str = ""
    votes: int = 1
    limits: Limits | None = None
    name: str = ""

    def open_judge(self, judge: Judge | Callable[..., Any] | str, keys: Callable[[], Iterable[Key]]) -> Judge:
        """The judge itself, or the one that a name or a function stands for; `keys`: the truth, for planted judges."""
        return opened(judge, keys, base_url=self.base_url, key_env=self.key_env, price=self.price)

    @property
    def of_asking(self) -> dict[str, Any]:
        """The options that `Asking` takes."""
        return {"votes": self.votes, "limits": self.limits, "name": self.name}


class AdaptiveQuestions(Protocol):
    """Questions that depend on replies: further ones follow once every question so far has a reply."""

    # True if further questions depend on the counts of cells, as `run.json` then says; such a run does not go on past a
    # question that failed.
    by_cells: bool

    def next_batch(self) -> Questions | None:
        """The questions that come next; None if there are no more."""
        ...

    @property
    def min_remaining(self) -> int:
        """Least number of questions after those that are asked now."""
        ...

    @property
    def status(self) -> str:
        """The state of the run, in a few words."""
        ...


HOW_PRICED = (
    "--price IN,OUT, US dollars for a million tokens in and out (or as price_in and price_out in its options or file); "
    "--price 0,0 if it costs nothing, or the server itself says what a call costs, which comes first"
)


class Asked(NamedTuple):
    """A run under one template, and how asking ended."""

    path: Path
    template: PromptTemplate
    end: Progress


class Asking:
    """All that a run needs: `plan` forecasts it, `run` asks what has no final answer yet.

    `path`: the run's folder. `templates`: the ways in which each question is asked; the run is under the first, and
    runs under the others lie in its folder. `votes`: how often each question is asked. `name`: the user's name for the
    judge. `adaptive` gives further questions, until there are no more. `useless`: the reason why further replies could
    not be used, given the sums of the run so far, at which it stops; empty while they can. `budget`: the
    calls and money that several runs share; by default those of `limits`. `write_files` writes other files into the
    folder, before the first question. `upload`: an address to which the run is brought every five minutes and at the
    end.
    """

    def __init__(
        self,
        questions: Questions,
        judge: Judge,
        path: Path,
        *,
        templates: Sequence[PromptTemplate] = (),
        votes: int = 1,
        limits: Limits | None = None,
        name: str = "",
        adaptive: AdaptiveQuestions | None = None,
        useless: Callable[[Figures], str] = lambda figures: "",
        budget: Budget | None = None,
        write_files: Callable[[Path], None] = lambda path: None,
        upload: str = "",
    ) -> None:
        self.questions, self.judge, self.path = questions, judge, path
        self.templates = tuple(templates) or (load_template(),)
        self.votes, self.limits, self.name, self.adaptive = votes, limits or Limits(), name, adaptive
        self.useless, self._budget, self._write_files, self._upload = useless, budget, write_files, upload
        self.ends: list[Asked] = []  # of the last call of `run`
        self._extras = extras(judge, JudgeExtras)

    @property
    def complete(self) -> bool:
        """True if the last call of `run` left no question without a final answer, under any template."""
        return len(self.ends) == len(self.templates) and all(each.end.complete for each in self.ends)

    @property
    def seen(self) -> Figures:
        """The sums of the run so far."""
        return figures_of(self.path / JOURNAL_FILE)

    def plan(self, seen: Figures | None = None) -> Forecast:
        """Forecast the questions without a reply from `seen`, by default the run's own replies; asks nothing.

        InputError if money is limited and no price is known.
        """
        of, own = self.judge, self.seen
        refuse_unpriced(self.limits, self._extras.unpriced, HOW_PRICED, lambda: own)
        ahead = self.adaptive.min_remaining if self.adaptive is not None else 0
        calls = len(self.templates) * self.votes * (len(self.questions) + ahead)
        at_once = min(self.limits.concurrency or DEFAULT_CONCURRENCY, of.max_in_flight) * of.max_batch
        return forecast(max(0, calls - own.replies), own if seen is None else seen, at_once)

    def check(self, on_checked: Callable[[int, int], None] = lambda done, total: None) -> None:
        """Raise the errors of `run` about its folder and about stored pictures, and ask nothing."""
        for template in self.templates:
            if isinstance(self.judge, PlantedJudge):
                self.judge.refuse_unplantable(template)
        refuse_unpriced(self.limits, self._extras.unpriced, HOW_PRICED, lambda: self.seen)
        folder.refuse_damage(self.questions, self._extras.needs_images, on_checked)
        for template in self.templates:
            folder.refuse_other_run(self._path(template), self._info(template), self.questions)

    def run(
        self,
        on_progress: Callable[[Progress], None] = lambda progress: None,
        on_checked: Callable[[int, int], None] = lambda done, total: None,
    ) -> list[Asked]:
        """Ask; returns how asking ended, for each template that was begun. The same call again resumes.

        `on_checked(done, total)` is called while stored pictures are checked, before the first question.
        Raises InputError if the folder holds another run or answers about other pictures, a picture is missing or not
        the recorded one, a planted judge's fault can show on none of these questions, or money is limited and no price
        is known; JudgeError if the judge cannot be asked at all. Every other mistake of the judge is a `Failed` record.
        """
        ends: list[Asked] = []
        self.ends = ends

        async def ask() -> None:
            left = self._budget or Budget(self.limits.max_calls, self.limits.max_cost)
            try:
                for template in self.templates:
                    if left.spent or (ends and ends[-1].end.stopped):
                        break
                    end = await self._ask(template, left, on_progress)
                    ends.append(Asked(self._path(template), template, end))
            finally:
                await self.judge.close()

        self.check(on_checked)
        with uploaded(self.path, self._upload):
            run_sync(ask())
        return ends

    async def _ask(self, template: PromptTemplate, budget: Budget, on_progress: Callable[[Progress], None]) -> Progress:
        path, info = self._path(template), self._info(template)
        with claim(path, "a run", (RUN_FILE, KEYS_FILE, PLAN_FILE), lambda: folder.refuse_other_run(path, info, self.questions)):
            start = folder.begin(path, info, self.questions)
            if template is self.templates[0]:
                self._write_files(path)
            run = _Run(self, path, start, template, budget, on_progress)
            await run.ask()
        return run.progress

    def _path(self, template: PromptTemplate) -> Path:
        return self.path if template is self.templates[0] else template_path(self.path, template.name)

    def _info(self, template: PromptTemplate) -> RunInfo:
        by_cells = self.adaptive is not None and self.adaptive.by_cells
        return folder.run_info(self.questions, self.judge, template, self.votes, self.name, by_cells)


class _Run:
    """A run under one template, at work: its questions, its journal so far and, if it grows, further questions."""

    def __init__(
        self,
        asking: Asking,
        path: Path,
        info: RunInfo,
        template: PromptTemplate,
        budget: Budget,
        on_progress: Callable[[Progress], None],
    ) -> None:
        self._asking, self._path, self._info, self._template = asking, path, info, template
        self._adaptive, self._on_progress = asking.adaptive, on_progress
        self._known = answered(path / JOURNAL_FILE, info)
        self.progress = Progress(
            total=len(asking.questions) * info.votes,
            template=template.name,
            done=len(self._known.identities),
            figures=self._known.figures,
        )
        self._runner = Runner(asking.limits, self.progress, self._report, budget)
        if adaptive := self._adaptive:
            self.progress.min_remaining, self.progress.status = adaptive.min_remaining * info.votes, adaptive.status

    def _report(self, progress: Progress) -> None:
        """Report the progress; a run that grows reports its last answer together with the questions that follow."""
        if self._adaptive is None or not progress.tried:
            self._on_progress(progress)

    async def ask(self) -> None:
        """Ask the questions that have no answer yet and, of a run that grows, the next ones."""
        progress, known, journal = self.progress, self._known, self._path / JOURNAL_FILE
        asker = self._asker = self._runner.asker(self._asking.judge)
        left = progress.total - progress.done
        self._report(progress)
        if not progress.total:  # a model that drew nothing: still a whole run, with a journal
            journal.touch()
        if left:  # otherwise no picture need be drawn
            # Questions that failed before come last: a server may never take them, and the others must not wait.
            pending = self._pending(self._asking.questions, known.failed)
            await self._runner.ask(
                asker, pending, journal, self._count, known.identities,
                calls=left + progress.min_remaining, before=known.figures,
            )  # fmt: skip
        while (progress.complete if self._info.by_cells else progress.tried) and not asker.stopped:
            if (batch := self._grow()) is None:
                break
            await self._runner.ask(asker, self._pending(batch), journal, self._count, known.identities)

    def _count(self, record: Record) -> bool:
        self.progress.done += record.final
        self.progress.figures.add(record)
        if why := self._asking.useless(self.progress.figures):
            self._asker.stop(why, again="")
        return record.final

    def _grow(self) -> Questions | None:
        """Write the keys of an adaptive run's further questions and return these; None if there are no more."""
        if self._adaptive is None:
            return None
        progress, batch = self.progress, self._adaptive.next_batch()
        if batch is not None:
            progress.total = folder.grow(self._path, batch)
        progress.min_remaining = self._adaptive.min_remaining * self._info.votes if batch is not None else 0
        progress.status = self._adaptive.status
        self._on_progress(progress)
        return batch

    def _pending(self, questions: Questions, last: Collection[str] = ()) -> Iterator[PendingQuery]:
        """Every question as it is put to the judge, those whose ids are in `last` after the others."""
        first = (query for query in questions.queries() if query.id not in last)
        others = (query for query in questions.queries() if query.id in last) if last else ()
        info, known = self._info, self._known
        for query in chain(first, others):
            text = self._template.dress(query)
            asked = text.digest
            for vote in range(info.votes):
                identity = identity_of(info.judge, info.template_digest, query.id, asked, vote)
                if known.asked.get((query.id, vote), identity) != identity:
                    raise InputError(
                        f"{self._path}: its records of {query.id!r} are about another picture than the one that is "
                        "there now (the file was changed, or another version of Pillow draws it); put it back, or "
                        "choose another --out"
                    )
                yield PendingQuery(msgspec.structs.replace(text, vote=vote) if vote else text, identity, asked)
