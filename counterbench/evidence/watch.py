"""Does a judge still answer pairs as it did? Its replies are compared with its own first replies.

A pair is two drawn scenes with one question. The bank is the pairs that were asked first, once (`PairWatch.start`). A
look (`PairWatch.look`) is a later call: it asks some of them again, each pair of the bank in one look only, and gives a
`WatchDocument` about all looks so far. Once the bank is used up, looks ask fresh pairs, whose answers are compared with
the bound of the judge's certificate (the result of its test). A cell is a kind of pairs, such as one family's form.
The command `watch` is `pictures.comparing.watch.Watch`, which also judges a run's pictures again.

RUN/watch/first         the bank: a run of a fixed number of pairs, asked once
RUN/watch/again         further replies to these pairs, a few at each look; once the bank is used up, fresh pairs
RUN/watch/watch.json    the evidence so far
RUN/watch/pictures-…    the pictures of RUN judged again, to tell a judge that changed from a model that did
"""

import math
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from msgspec.structs import replace

from counterbench.asking.asking import Asking
from counterbench.asking.job import Job
from counterbench.asking.probe import open_pairs
from counterbench.asking.runner import Progress
from counterbench.asking.side_by_side import BATCH, JointQuestions
from counterbench.bars import OnProgress, unseen
from counterbench.errors import InputError
from counterbench.evidence.admission import FLOOR
from counterbench.evidence.document import CERTIFICATE_FILE, Certificate, kept_in, read_certificate
from counterbench.evidence.looks import (
    WATCH_FILE,
    ChangedThing,
    Fresh,
    Look,
    WatchDocument,
    WatchVerdict,
    new_at_each_look,
)
from counterbench.evidence.options import WatchOptions
from counterbench.evidence.policies import Policy
from counterbench.files import formats
from counterbench.judges.base import Judge
from counterbench.judges.opening import judge_of_run
from counterbench.results.judge_changes import OVERALL, Moved, by_cell, compared, paired
from counterbench.results.results import RunReplies, read_replies
from counterbench.runs.folder import JOURNAL_FILE, RUN_FILE, RunInfo, answered, read_keys, read_run_info
from counterbench.runs.pair_queries import PairQuestions
from counterbench.runs.queries import PromptTemplate, cell_of, load_template
from counterbench.stats.betting import log_evidence
from counterbench.stats.differences import as_one, changed_since, mean, together
from counterbench.suites.rounds import Rounds
from counterbench.suites.sources import names_folder
from counterbench.text import counted

FIRST, AGAIN, PICTURES = "first", "again", "pictures"
BANK = 600  # pairs
_DELTA = 0.05  # the margin within which a cell is called equivalent; a shown change counts however small it is
# The chances of two errors by fresh pairs: a judge above the certificate's bound is called below it, and the reverse.
_BELOW, _ABOVE = 0.01, 0.05


@dataclass(frozen=True)
class PairWatch(WatchOptions, Job):
    """`start` asks the bank; `look` asks once more, and compares the replies with the first ones."""

    @cached_property
    def origin(self) -> Path:
        """`run` as a path: the folder of the watched run, or the file of its certificate."""
        return Path(self.run)

    @cached_property
    def info(self) -> RunInfo | Certificate:
        """The questions and the judge, of the run or the certificate."""
        return read_certificate(self.origin) if self.origin.is_file() else read_run_info(self.origin)

    @cached_property
    def path(self) -> Path:
        """The folder of the bank and of the looks."""
        if not self.origin.is_file():
            return self.origin / "watch"
        parent = self.origin.parent
        return parent / "watch" if (parent / RUN_FILE).is_file() else self.origin.with_suffix(".watch")

    @cached_property
    def rounds(self) -> Rounds:
        """The pairs of the watched run, in rounds (of each cell the same number)."""
        info = self.info
        laws = list(info.laws) if isinstance(info, Certificate) else {
            cell_of(key).rpartition("/")[0] for key in read_keys(self.origin)
        }  # fmt: skip
        pair_options: tuple[Any, ...] = ()
        if not names_folder(info.suite) and info.domain is not None:
            pair_options = (info.seed, None, max(info.domain.sides, default=None), info.domain.our_style)
        return Rounds(open_pairs(info.suite, *pair_options), laws)

    @cached_property
    def asked_by(self) -> PromptTemplate:
        """The template of the run or certificate; InputError if it has changed since."""
        template = load_template(self.info.template)
        if template.digest != self.info.template_digest:
            raise InputError(f"{self.origin}: the template {template.name!r} has changed since; put back what it was")
        return template

    @property
    def cost_in_words(self) -> str:
        """The number of calls that this look takes, in words; InputError in the cases of `look`."""
        self.judge_to_open  # noqa: B018  what cannot be asked has no price
        return f"takes: {counted(2 * self.info.repeats * self._pairs_after_look - self._answered_questions, 'call')}"

    @cached_property
    def bank(self) -> Asking:
        """The questions that `start` asks, once; InputError if there is another bank already."""
        if self.later is not None:
            raise InputError(
                f"--start takes no later run; afterwards run `counterbench watch {self.origin} {self.later}`"
            )
        rounds = -(-(self.pairs or BANK) // self.rounds.longest)
        if (self.path / FIRST / RUN_FILE).is_file():
            kept_rounds = self.rounds.whole(self._bank_size)
            if self.pairs is not None and rounds != kept_rounds:
                raise InputError(
                    f"{self.path / FIRST}: the bank has {self._bank_size} pairs and is asked once; leave --pairs out"
                )
            rounds = kept_rounds
        questions = PairQuestions(self.rounds.pairs(0, rounds))
        judge = self.open_judge(self.judge_to_open, questions.keys)
        return self.asking_about(
            questions, judge, self.path / FIRST, templates=[self.asked_by], repeats=self.info.repeats
        )

    def start(self, on_progress: OnProgress = unseen) -> Asking:
        """Ask the bank; the same call again resumes."""
        bank = self.bank
        bank.run(lambda progress: on_progress(progress.done + progress.failed, progress.total))
        return bank

    def look(self, on_progress: OnProgress = unseen) -> WatchDocument:
        """Ask some further pairs, and compare; the same call after a stop goes on with the same pairs.

        InputError if there is no bank, or the bank lacks answers.
        """
        earlier = self._kept_document  # a mistake in it comes before the first question
        asking = self.asking_about(
            self._joint.questions, self.open_judge(self.judge_to_open, self._joint.keys), self.path / AGAIN,
            templates=[self.asked_by], adaptive=self._joint, repeats=self.info.repeats,
        )  # fmt: skip
        before = self._answered_questions
        end = self._joint.run([asking], lambda done, total: on_progress(done - before, total - before))
        models = list[Moved]()
        if end is None:
            models, end = self.explain_models(on_progress)
        document = self._document(earlier, models, end)
        formats.write_json(self.path / WATCH_FILE, document)
        return document

    def explain_models(self, on_progress: OnProgress) -> tuple[list[Moved], Progress | None]:
        """The models whose scores moved, with the cause, and the state of a run that stopped early; here none."""
        return [], None

    @property
    def judge_to_open(self) -> Judge | Callable[..., Any] | str:
        """The judge to open; InputError if it is not the one that is watched, or has no name to open it by."""
        name = self.info.judge
        if self.judge and (today := self.open_judge(self.judge).name) != name:
            raise InputError(
                f"{today}: is not the judge of {self.origin}, which is {name}; to compare two judges: "
                "`counterbench swap OLD NEW`"
            )
        return judge_of_run(self.origin, name, self.judge)

    @cached_property
    def first_replies(self) -> RunReplies:
        """The first replies; InputError if they are not complete."""
        if not (self.path / FIRST / RUN_FILE).is_file():
            raise InputError(
                f"{self.origin}: has no bank of first replies; run `counterbench watch {self.origin} --start` first: "
                "changes are seen from then on"
            )
        bank = read_replies(self.path / FIRST)
        if any(pair.consistent is None for pair in bank.pairs):
            raise InputError(f"{bank.path}: is incomplete; `counterbench watch {self.origin} --start` resumes it")
        return bank

    @property
    def _bank_size(self) -> int:
        """The number of pairs in the bank."""
        info = read_run_info(self.path / FIRST)
        return info.queries // info.repeats // 2

    @cached_property
    def _joint(self) -> JointQuestions:
        """The questions of this look and of earlier ones, asked round by round until there are enough pairs."""
        path, enough = self.path / AGAIN, self._pairs_after_look
        batch = max(1, enough - self._earlier_pairs)
        return JointQuestions(self.rounds, [path], lambda: len(_both_right(read_replies(path))) < enough, batch)

    @property
    def _answered_questions(self) -> int:
        """The number of questions about pairs that were answered so far, over all looks."""
        return len(answered(self.path / AGAIN / JOURNAL_FILE).identities)

    @cached_property
    def _earlier_pairs(self) -> int:
        """The number of pairs of earlier looks, answered or not."""
        path = self.path / AGAIN
        return sum(1 for _ in read_keys(path)) // 2 if (path / RUN_FILE).is_file() else 0

    @cached_property
    def _pairs_after_look(self) -> int:
        """The number of pairs of all looks once this look ends.

        A look that was stopped is ended first. A new look adds whole rounds; beyond the bank only if there is a policy,
        whose bound fresh pairs can be compared with.
        """
        self.first_replies  # noqa: B018  it comes first
        longest = self.rounds.longest
        stopped = self.later is not None and self._kept_document is not None and self._kept_document.stopped
        if self._earlier_pairs and (stopped or len(_both_right(read_replies(self.path / AGAIN))) < self._earlier_pairs):
            return self._earlier_pairs
        until = self._earlier_pairs + max(1, (self.pairs or BATCH) // longest) * longest
        return until if self._policy is not None else max(self._earlier_pairs, min(until, self._bank_size))

    @property
    def _kept_document(self) -> WatchDocument | None:
        """The result of the last look; None before the first. InputError if the file is damaged."""
        file = self.path / WATCH_FILE
        try:
            return formats.read_json(file, WatchDocument) if file.is_file() else None
        except InputError as error:
            raise InputError(
                f"{error}; put back what was there, or delete it: the replies are kept, the dates of looks are lost"
            ) from None

    @cached_property
    def _policy(self) -> Policy | None:
        """The policy of the watched certificate, or of one in the folder of the watched run; None without any."""
        if isinstance(self.info, Certificate):
            return self.info.policy
        files = (self.origin / CERTIFICATE_FILE, kept_in(self.origin, FLOOR))
        return next((read_certificate(file).policy for file in files if file.is_file()), None)

    def _document(self, earlier: WatchDocument | None, models: list[Moved], end: Progress | None) -> WatchDocument:
        """The result of a look, from the replies so far and the `earlier` result.

        `models`: those whose scores moved. `end`: the state in which the run stopped early; None if it did not.
        """
        replies = read_replies(self.path / AGAIN)
        pairs = list(paired(self.first_replies, replies))
        pairs = pairs[: len(self.rounds.pairs(0, self.rounds.whole(len(pairs))))]
        alpha = OVERALL - (_BELOW if self._policy is not None else 0)
        # `changed_since` gives half of the money to bets from the first look on. So with half of alpha, an interval
        # over all pairs that is without 0 is a change by `changed_since`, too.
        compared_now, fresh = compared(by_cell(pairs), _DELTA, alpha / 2), self._fresh(replies)
        causes, asked_folders = {model.what for model in models}, [self.path / AGAIN, *self.path.glob(f"{PICTURES}-*")]
        cells = compared_now.cells
        if earlier is not None:  # a change that was shown stays one
            known = {name for name, cell in earlier.cells.items() if cell.verdict == "changed"}
            cells = {name: replace(cell, verdict="changed") if name in known else cell for name, cell in cells.items()}
            if fresh is not None and earlier.fresh is not None and earlier.fresh.verdict == "below":
                fresh = replace(fresh, verdict="below")
        looks = earlier.looks if earlier is not None else []
        total = together(by_cell(pairs).values())
        looks.append(Look(at=datetime.now(UTC).isoformat(timespec="seconds"), so_far=total))
        look_pairs = new_at_each_look(looks)
        overall = compared_now.overall
        if self.by_look:  # errors come in groups, so pairs alone show nothing: each look counts as one pair
            unknown = replace(overall.difference, low=-1.0, high=1.0)
            overall = replace(overall, difference=unknown, verdict="undecided")
            cells = {name: replace(cell, verdict="undecided") for name, cell in cells.items()}
        first_changed = changed_since([as_one(look) for look in look_pairs] if self.by_look else look_pairs, alpha)
        if earlier is not None and earlier.since is not None:
            first_changed = [look.at for look in looks].index(earlier.since)
        in_cells = any(cell.verdict == "changed" for cell in cells.values())
        if first_changed is not None or in_cells or (fresh is not None and fresh.verdict == "below"):
            causes.add("judge")
        changed_thing: ChangedThing = "judge" if "judge" in causes else "model" if "model" in causes else ""
        verdict: WatchVerdict = "changed" if changed_thing else "unchanged"
        return WatchDocument(
            verdict=verdict,
            what=changed_thing,
            judge=self.info.judge,
            suite=replies.info.suite,
            overall=overall,
            cells=cells,
            bank=self._bank_size,
            fresh=fresh,
            looks=looks,
            since=None if first_changed is None else looks[first_changed].at,
            change=None if first_changed is None else mean(together(look_pairs[first_changed:]), alpha).value,
            models=models,
            calls=sum(answered(folder / JOURNAL_FILE).figures.replies for folder in asked_folders),
            run=str(self.path),
            stopped="" if end is None else end.reason,
            again="" if end is None else end.again,
        )

    def _fresh(self, replies: RunReplies) -> Fresh | None:
        """The result on the pairs beyond the bank: is the judge above or below the policy's bound on the CCS?

        The CCS is the share of pairs with both answers right. None before the bank is used up, or without a policy.
        """
        both_right = _both_right(replies)
        fresh = both_right[self._bank_size :]
        if len(both_right) < self._bank_size or self._policy is None:
            return None
        bound, right = self._policy.ccs, sum(fresh)
        wrong = len(fresh) - right
        verdict: Literal["above", "below", "undecided"] = "undecided"
        if log_evidence(wrong, right, 1 - bound) >= -math.log(_BELOW):
            verdict = "below"
        elif log_evidence(right, wrong, bound) >= -math.log(_ABOVE):
            verdict = "above"
        return Fresh(pairs=len(fresh), right=right, bound=bound, verdict=verdict)


def watched(certificate: object) -> Path | None:
    """The path of a certificate whose judge is watched, which means that a bank lies beside the file; else None."""
    path = Path(certificate) if isinstance(certificate, str | os.PathLike) else None
    return path if path is not None and path.is_file() and (PairWatch(path).path / FIRST / RUN_FILE).is_file() else None


@contextmanager
def unchanged(certificate: object, judge: Judge | Callable[..., Any] | str, job: Job, asking: Asking) -> Iterator[None]:
    """Take a look at a watched judge before and after it is asked; InputError if it has changed.

    `judge`: as the user gave it. `job`: the call that asks it. `asking`: the run of this job; there is no look if
    nothing is left to ask.
    """
    path = watched(certificate) if asking.plan().calls else None

    def look() -> None:
        """Look at the judge once more, if it is watched; InputError if it has changed."""
        if path is None:
            return
        result = PairWatch(path, judge=judge, budget=job.spending, **job.of_judge).look()
        if result.verdict == "changed":
            raise InputError(
                f"{result.judge}: has changed since its test (`counterbench watch {path}` shows how); validate it again"
            )

    look()
    yield
    if asking.complete:
        look()


def _both_right(replies: RunReplies) -> list[bool]:
    """For each pair with two answers, True if both are right."""
    return [pair.consistent for pair in replies.pairs if pair.consistent is not None]
