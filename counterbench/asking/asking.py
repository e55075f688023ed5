"""One run: a judge is asked questions under one or several templates, and a folder keeps the questions and replies.

`Asking` holds all that a run needs. `plan` forecasts calls and cost, `run` asks what has no final answer yet; the same
call again resumes. A template is the text around a question ("Answer yes or no"). Each template has a folder with
`run.json` (suite, judge, template), `keys.jsonl` (the right answers, for scoring) and `journal.jsonl` (every reply).
`_TemplateRun` asks under one template. It makes the questions, keeps count, and leaves retries, limits, budget and the
journal to a `Runner`. Every command and call that asks makes an `Asking`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from inspect import isawaitable
from itertools import chain, islice
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

import msgspec

from counterbench._version import __version__
from counterbench.answers import PARSER_VERSION
from counterbench.answers.choices import FORCED, PREFERENCE
from counterbench.asking.asker import Limits, PendingQuery, questions_at_once
from counterbench.asking.limits import Budget, Forecast, forecast
from counterbench.asking.runner import AdaptiveQuestions, Progress, Runner, refuse_unpriced, run_sync
from counterbench.bars import OnProgress, unseen
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.files.addresses import uploaded
from counterbench.judges.base import Judge, JudgeExtras, extras
from counterbench.judges.panel import PanelJudge
from counterbench.judges.planted import PlantedJudge
from counterbench.runs.folder import (
    IDENTIFYING,
    JOURNAL_FILE,
    KEYS_FILE,
    PLAN_FILE,
    RUN_FILE,
    Figures,
    Record,
    RunInfo,
    answered,
    given_name,
    identity_of,
    read_journal,
    template_path,
)
from counterbench.runs.pair_queries import Questions
from counterbench.runs.queries import PromptTemplate, load_template, on_one_sheet

# The number of stored pictures that are checked between two reports of progress; and the largest number of damaged ones
# that an error names.
_CHECKED_AT_ONCE, _MAX_SHOWN = 256, 3
# A folder with one of these files holds a run.
_FILES_OF_RUN = (RUN_FILE, KEYS_FILE, PLAN_FILE)


HOW_PRICED = (
    "--price IN,OUT, US dollars for a million tokens in and out (or as price_in and price_out in its options or file); "
    "--price 0,0 if it costs nothing, or the server itself says what a call costs, which comes first"
)


class AskedTemplate(NamedTuple):
    """The run under one template: its folder, the template, and the progress when asking ended."""

    path: Path
    template: PromptTemplate
    end: Progress


class Asking:
    """A run: `plan` forecasts it, `run` asks what has no final answer yet.

    `path`: the run's folder. `templates`: the ways in which each question is asked; the folder is that of the first,
    and has a folder within it for each of the others. `repeats`: how often each question is asked. `name`: the user's
    name for the judge. `budget`: the calls and money that several runs share; by default those of `limits`.

    `adaptive` chooses further questions by the replies so far, until there are no more: the run grows. `useless` gets
    the sums of the run so far, and returns a reason to stop, or "" while further replies are of use. `write_files`
    writes other files into the folder, before the first question. `upload`: an address to which the folder is copied
    every five minutes and at the end; "" for none.
    """

    def __init__(
        self,
        questions: Questions,
        judge: Judge,
        path: Path,
        *,
        templates: Sequence[PromptTemplate] = (),
        repeats: int = 1,
        limits: Limits | None = None,
        name: str = "",
        adaptive: AdaptiveQuestions | None = None,
        useless: Callable[[Figures], str] = lambda figures: "",
        budget: Budget | None = None,
        write_files: Callable[[Path], None] = lambda path: None,
        upload: str = "",
    ) -> None:
        """Keep the parts of the run and ask nothing; see the class for each of them.

        Without `templates`, each question is asked with the default one.
        """
        self.questions, self.judge, self.path = questions, judge, path
        self.templates = tuple(templates) or (load_template(),)
        self.repeats, self.limits, self.name, self.adaptive = repeats, limits or Limits(), name, adaptive
        self.useless, self._budget, self._write_files, self._upload = useless, budget, write_files, upload
        self.ends: list[AskedTemplate] = []  # of the last call of `run`
        self._extras = extras(judge, JudgeExtras)

    @property
    def complete(self) -> bool:
        """True if the last call of `run` left no question without a final answer, under any template."""
        return len(self.ends) == len(self.templates) and all(part.end.complete for part in self.ends)

    @property
    def figures(self) -> Figures:
        """The sums over all attempts of the run so far: tokens, money, time, outcomes."""
        return answered(self.path / JOURNAL_FILE).figures

    def plan(self, other_figures: Figures | None = None) -> Forecast:
        """Forecast calls, time and money of all questions that have no reply yet, and ask nothing.

        The forecast rests on `other_figures`, the sums of another run, or else on this run's own replies. InputError if
        money is limited and no price is known.
        """
        own = self.figures
        refuse_unpriced(self.limits, self._extras.unpriced, HOW_PRICED, lambda: own)
        min_further = self.adaptive.min_remaining if self.adaptive is not None else 0
        calls = len(self.templates) * self.repeats * (len(self.questions) + min_further)
        at_once = questions_at_once(self.judge, self.limits)
        return forecast(max(0, calls - own.replies), own if other_figures is None else other_figures, at_once)

    def check(self, on_checked: OnProgress = unseen) -> None:
        """Raise the errors of `run` about the judge, its folder and stored pictures, and ask nothing."""
        for template in self.templates:
            if isinstance(self.judge, PlantedJudge):
                self.judge.refuse_unplantable(template)
            if isinstance(self.judge, PanelJudge):
                self.judge.refuse_otherwise(self._run_info(template))
                self.judge.refuse_further(self.questions.name, self.adaptive)
        refuse_questions(self.judge, self.questions)
        refuse_unpriced(self.limits, self._extras.unpriced, HOW_PRICED, lambda: self.figures)
        refuse_damage(self.questions, self._extras.needs_images, on_checked)
        self.refuse_other_run()

    def refuse_other_run(self) -> None:
        """InputError if the folder holds another run: of another judge or template, or about other questions."""
        for template in self.templates:
            _refuse_other_run(self.folder(template), self._run_info(template), self.questions)

    def run(
        self, on_progress: Callable[[Progress], None] = lambda progress: None, on_checked: OnProgress = unseen
    ) -> list[AskedTemplate]:
        """Ask; returns how asking ended, for each template that was begun. The same call again resumes.

        `on_checked(done, total)` is called while stored pictures are checked, before the first question.
        Raises InputError if the folder holds another run or answers about other pictures, a picture is missing or not
        the recorded one, a planted judge's fault can show on none of these questions, the judge only compares pictures
        and the first question is no comparison, or money is limited and no price
        is known; JudgeError if the judge cannot be asked at all. Every other mistake of the judge is a `Failed` record.
        """
        self.check(on_checked)
        with uploaded(self.path, self._upload) if self._upload else nullcontext():
            run_sync(self.ask(on_progress))
        return self.ends

    async def ask(self, on_progress: Callable[[Progress], None] = lambda progress: None) -> None:
        """Ask as `run` does after `check`, within a running event loop, so that judges can be asked side by side."""
        ends: list[AskedTemplate] = []
        self.ends = ends
        budget = self._budget or self.limits.budget()
        try:
            for template in self.templates:
                if ends and (budget.spent or ends[-1].end.stopped):
                    break
                end = await self._ask(template, budget, on_progress)
                ends.append(AskedTemplate(self.folder(template), template, end))
        finally:
            await self.judge.close()

    async def _ask(self, template: PromptTemplate, budget: Budget, on_progress: Callable[[Progress], None]) -> Progress:
        """Ask all questions under one template, in its own folder, and return the progress at the end."""
        path, info = self.folder(template), self._run_info(template)
        with formats.claim(path, "a run", _FILES_OF_RUN, lambda: _refuse_other_run(path, info, self.questions)):
            start = _write_run_files(path, info, self.questions)
            if template is self.templates[0]:
                self._write_files(path)
            run = _TemplateRun(self, template, start, on_progress)
            await run.ask(budget)
        return run.progress

    def folder(self, template: PromptTemplate) -> Path:
        """The run's folder under one of its templates."""
        return self.path if template is self.templates[0] else template_path(self.path, template.name)

    def _run_info(self, template: PromptTemplate) -> RunInfo:
        """The content of `run.json`; InputError if the repeats or the name are not valid."""
        if self.repeats < 1:
            raise InputError(f"--repeats must be at least 1, not {self.repeats}")
        questions, declared = self.questions, self._extras
        return RunInfo(
            suite=questions.name,
            suite_digest=questions.digest,
            seed=questions.seed,
            judge=self.judge.name,
            name=given_name(self.name) or declared.short_name,
            template=template.name,
            template_digest=template.digest,
            repeats=self.repeats,
            queries=len(questions) * self.repeats,
            versions={"counterbench": __version__, "parser": PARSER_VERSION} | declared.versions,
            by_cells=self.adaptive is not None and self.adaptive.by_cells,
            shard=str(questions.shard or ""),
            members=declared.members or msgspec.UNSET,
            replies_from=declared.replies_from or msgspec.UNSET,
        )


class _TemplateRun:
    """The asking of one run under one template; of an adaptive run, of its further questions, too."""

    def __init__(
        self, run: Asking, template: PromptTemplate, info: RunInfo, on_progress: Callable[[Progress], None]
    ) -> None:
        """Read the run's journal and begin the progress with what it holds; `info`: the content of `run.json`.

        InputError if the journal holds replies of another judge or to other questions.
        """
        self._run, self._template, self._run_info, self._on_progress = run, template, info, on_progress
        self._path = run.folder(template)
        journal = self._path / JOURNAL_FILE
        self._known = answered(journal, info)
        earlier = read_journal(journal) if run._extras.recalls and journal.exists() else ()
        self._texts_to_recall = {record.identity: record.reply for record in earlier if record.final and record.reply}
        self.progress = Progress(
            total=len(run.questions) * info.repeats,
            template=template.name,
            done=len(self._known.identities),
            figures=self._known.figures,
        )
        if run.adaptive is not None:
            self.progress.min_remaining = run.adaptive.min_remaining * info.repeats
            self.progress.status = run.adaptive.status

    def _report(self, progress: Progress) -> None:
        """Report the progress. An adaptive run that waits for its next questions reports only when these are there."""
        if self._run.adaptive is None or not progress.tried:
            self._on_progress(progress)

    async def ask(self, budget: Budget) -> None:
        """Ask the questions that have no answer yet and, in an adaptive run, the next ones."""
        progress, known, journal = self.progress, self._known, self._path / JOURNAL_FILE
        runner, missing = Runner(self._run.limits, progress, self._report, budget), progress.total - progress.done
        asker = self._asker = runner.asker(self._run.judge)
        self._report(progress)
        if not progress.total:  # no questions (a model drew no picture): still a whole run, with a journal
            journal.touch()
        if missing:  # otherwise no picture need be drawn
            # Questions that failed before come last: a server may never take them, and the others must not wait.
            pending = self._pending(self._run.questions, known.failed)
            await runner.ask(
                asker, pending, journal, self._count, known.identities, calls=missing + progress.min_remaining
            )  # fmt: skip
        while (progress.complete if self._run_info.by_cells else progress.tried) and not asker.stopped:
            if (batch := await self._next_questions()) is None:
                break
            await runner.ask(asker, self._pending(batch), journal, self._count, known.identities)

    def _count(self, record: Record) -> bool:
        """Count a record in the progress, and stop a useless run; True if the record settles its question."""
        self.progress.done += record.final
        self.progress.figures.add(record)
        if why := self._run.useless(self.progress.figures):
            self._asker.stop(why, again="")
        return record.final

    async def _next_questions(self) -> Questions | None:
        """Write the keys of an adaptive run's further questions and return these; None if there are no more."""
        if self._run.adaptive is None:
            return None
        progress, following = self.progress, self._run.adaptive.next_batch()
        batch = await following if isawaitable(following) else following
        if batch is not None:
            keys = self._path / KEYS_FILE
            formats.write_atomically(keys, keys.read_bytes() + formats.in_lines(batch.keys()))
            kept = formats.read_json(self._path / RUN_FILE, RunInfo)
            progress.total = kept.queries + len(batch) * kept.repeats
            formats.write_json(self._path / RUN_FILE, msgspec.structs.replace(kept, queries=progress.total))
        progress.min_remaining = self._run.adaptive.min_remaining * self._run_info.repeats if batch is not None else 0
        progress.status = self._run.adaptive.status
        self._on_progress(progress)
        return batch

    def _pending(self, questions: Questions, last: Collection[str] = ()) -> Iterator[PendingQuery]:
        """Every question in the form in which the judge gets it; those whose ids are in `last` come last."""
        first = (query for query in questions.queries() if query.id not in last)
        others = (query for query in questions.queries() if query.id in last) if last else ()
        info, known = self._run_info, self._known
        for query in chain(first, others):
            posed = on_one_sheet(self._template.dress(query), self._run._extras.max_pictures)
            digest = posed.digest
            if not self._run._extras.needs_images:
                for picture in (*posed.pictures, *query.pictures):
                    picture.forget()
            for repeat in range(info.repeats):
                identity = identity_of(info.judge, info.template_digest, query.id, digest, repeat)
                if known.identity_by_repeat.get((query.id, repeat), identity) != identity:
                    raise InputError(
                        f"{self._path}: its records of {query.id!r} are about another picture than the one that is "
                        "there now (the file was changed, or another version of Pillow draws it); put it back, or "
                        "choose another --out"
                    )
                pending = msgspec.structs.replace(posed, repeat=repeat) if repeat else posed
                if identity in self._texts_to_recall:
                    self._run.judge.recall(pending, self._texts_to_recall[identity])  # type: ignore[attr-defined]
                yield PendingQuery(pending, identity, digest)


def _write_run_files(path: Path, info: RunInfo, questions: Questions) -> RunInfo:
    """Write the keys, then `run.json`, or bring those that are there up to date; returns the content of `run.json`.

    A run that is there may get a new name or more pairs; all else of its `run.json` stays.
    """
    written = info = msgspec.structs.replace(info, domain=questions.domain)
    if (path / RUN_FILE).is_file() and (path / KEYS_FILE).is_file():
        kept = formats.read_json(path / RUN_FILE, RunInfo)
        written = msgspec.structs.replace(
            kept,
            suite_digest=info.suite_digest,
            queries=info.queries,
            name=info.name or kept.name,
            domain=info.domain,
            by_cells=info.by_cells,
        )
        with (path / KEYS_FILE).open("rb") as file:
            queries = sum(1 for _ in file) * kept.repeats
        if written == kept and queries == kept.queries:
            return kept
    formats.write_lines(path / KEYS_FILE, questions.keys())
    formats.write_json(path / RUN_FILE, written)
    return written


def refuse_questions(judge: Judge, questions: Questions) -> None:
    """InputError if a judge that only compares two pictures, which may be equal, is asked anything else first."""
    if not extras(judge, JudgeExtras).only_compares:
        return
    keys = iter(questions.keys())
    asked_type = next((key.answer_type for key in keys), PREFERENCE)
    if asked_type == FORCED:
        raise InputError(f"{judge.name}: two pictures may have equal numbers, which is a tie: leave out --forced")
    if asked_type != PREFERENCE:
        raise InputError(
            f"{judge.name} compares two pictures and answers no question about one, such as these of "
            f"{questions.name!r} ({asked_type}): test it with `validate … --for pairwise`, and use it with "
            "`t2i judge IMAGES/A IMAGES/B --protocol pairwise`"
        )


def refuse_damage(questions: Questions, needs_images: bool, on_checked: OnProgress = unseen) -> None:
    """InputError if a stored picture cannot be read or is not the recorded one; several threads check them."""
    stored = questions.stored(needs_images)
    wrong: list[str] = []
    done = 0
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        while chunk := list(islice(stored.pictures, _CHECKED_AT_ONCE)):
            wrong += filter(None, threads.map(attrgetter("damage"), chunk))
            on_checked(done := done + len(chunk), stored.count)
    if wrong:
        others = f"; and {len(wrong) - _MAX_SHOWN} more" if len(wrong) > _MAX_SHOWN else ""
        raise InputError(
            f"{len(wrong)} of {stored.count} pictures cannot be asked about: {'; '.join(wrong[:_MAX_SHOWN])}{others}; "
            f"{stored.remedy}"
        )


def _refuse_other_run(path: Path, info: RunInfo, questions: Questions) -> None:
    """InputError if the folder holds another run than this one."""
    if not (path / RUN_FILE).is_file():
        return
    kept = formats.read_json(path / RUN_FILE, RunInfo)
    if kept.by_cells and not info.by_cells and kept.judge == info.judge:
        raise InputError(
            f"{path}: was asked cell by cell, {kept.queries} questions so far: `validate` goes on with it; to ask "
            "otherwise choose another --out"
        )
    if kept.suite_digest != info.suite_digest and questions.continues(kept.suite_digest, kept.queries // kept.repeats):
        if kept.queries > info.queries:
            raise InputError(
                f"{path}: holds more questions of this suite already, {kept.queries} and not {info.queries}: ask "
                "those (another --limit, or none), or choose another --out"
            )
        kept = msgspec.structs.replace(kept, suite_digest=info.suite_digest)
    for name in (*IDENTIFYING, "shard"):
        if getattr(kept, name) != getattr(info, name):
            values = f"its {name.replace('_', ' ')} is {getattr(kept, name)!r}, not {getattr(info, name)!r}"
            if name == "suite_digest":
                values = f"its questions, pictures or true answers were others: {values}"
            raise InputError(
                f"{path}: holds another run: {kept.judge!r} on {kept.suite!r}, {kept.queries} questions; {values}; "
                "choose another --out"
            )
    if kept.members != info.members:
        raise InputError(
            f"{path}: its panel has other members now, or they have other replies; choose another --out: a panel costs "
            "no call"
        )
