"""Tests a judge by *stickers*: drawn things, of which the truth is known, put onto the user's own pictures.

In go a judge and files of pictures; out comes a `StickerResult`, written into the run's folder as `stickers.json`. It
says more of these pictures than pairs drawn from nothing, and less than people's labels. `validate --for stickers` and
`evaluate` use the class `StickerTest`, which takes the steps of every `Job`: `plan`, `askings`, `conclude`.

The test has two runs. First the judge is asked about the bare pictures, the *grounds*: one on which it does not say
that there is no sticker is left out. Then *pairs* are drawn onto the others: two pictures on one ground with a question
whose answer changes, or stays the same. *CCS* is the share of pairs with both answers right. A *cell* is the pairs that
are counted together: all, or those of one family.
"""

import hashlib
import math
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import structs

from counterbench.asking.asker import Limits, questions_at_once
from counterbench.asking.asking import Asking
from counterbench.asking.job import Job
from counterbench.asking.limits import NOTHING, Forecast, forecast
from counterbench.bars import OnProgress, unseen
from counterbench.drawing import domain
from counterbench.drawing.domain import Domain
from counterbench.drawing.picture import Picture
from counterbench.errors import InputError
from counterbench.evidence.cells import PairCount, cell_result, needed_e_value
from counterbench.evidence.document import FAIL, NOT_ENOUGH, PASS, CellResult, CellVerdict
from counterbench.evidence.findings import counts, without_declined
from counterbench.evidence.policies import Policy, load_policy
from counterbench.evidence.shown import Finding
from counterbench.files import formats
from counterbench.files.addresses import PathLike
from counterbench.judges.base import Judge
from counterbench.results.results import load_results, read_replies
from counterbench.results.rules import Judged
from counterbench.runs.folder import JOURNAL_FILE, Figures, answered
from counterbench.runs.pair_queries import PairQuestions, Stored, keys
from counterbench.runs.queries import STRUCTURED, Key, PromptTemplate, Query, load_template
from counterbench.scene.pairs import ROLES
from counterbench.stats.betting import adjusted
from counterbench.stats.intervals import Estimate
from counterbench.suites import generation
from counterbench.suites.folder import Folder
from counterbench.suites.shards import Shard
from counterbench.suites.sources import FolderSource, SuiteSource
from counterbench.suites.stickers import STICKERS, StickerSuite, digest_of, drawn_grounds, sticker_suite
from counterbench.suites.suite import load_suite
from counterbench.text import counted

RESULT_FILE = "stickers.json"
PAIRS = 60  # of a cell; it passes with at most two wrong, under the policy `standard`
# The largest share of pictures without stickers on which a judge may not say that there is none.
MAX_LEFT_OUT = 0.1
PAIRS_FOLDER, RUN_FOLDER = "pairs", "run"  # the drawn pairs, and the run about them
_GROUNDS = "pictures"  # the folder of the run about the pictures alone
_IS_THERE_A_STICKER = (
    "Is there a sticker in this picture: a plain circle, square, triangle, diamond, frame or word with a white edge?"
)


class StickerResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a test by stickers: `stickers.json`, and what `validate --for stickers --json` prints."""

    format: Literal["counterbench.stickers/1"] = "counterbench.stickers/1"
    judge: str
    template_digest: str
    grounds_digest: str  # of the pictures that were asked about
    run: str  # the folder of the run about the pairs
    verdict: CellVerdict
    reason: str  # why it does not pass; empty if it does
    pictures: int  # from which the grounds were drawn at random
    grounds: int  # drawn, of which some are the same picture; the judge was asked about each without stickers
    left_out: int  # of these, the grounds on which it did not say that there is no sticker
    bound: float  # of the policy: CCS must be shown to be above it
    threshold: float  # the evidence (e-value) that decides on a cell, adjusted for their number
    cells: dict[str, CellResult]  # by name; their verdicts, pass and fail, are adjusted for their number
    families: dict[str, Finding]  # CCS by family, for reading only
    declined: dict[str, int] = {}  # by treatment, pairs that do not count, since it gives almost no answers with it

    @property
    def objections(self) -> list[str]:
        """The reason why the judge may not score these pictures; empty unless it fails."""
        return [f"stickers on these pictures: {self.reason}"] if self.verdict == FAIL else []

    @property
    def right(self) -> int:
        """The pairs with two right answers."""
        return sum(cell.ccs.hits for cell in self.cells.values())

    @property
    def finding(self) -> Finding:
        """All pairs together, as evidence."""
        total = sum(cell.ccs.of for cell in self.cells.values())
        return _finding(PairCount(self.right, total - self.right), self.verdict == PASS)


@dataclass(frozen=True)
class StickerTest(Job):
    """One test by stickers; its parts are opened at first use.

    `files`: the pictures, from which grounds are drawn at random; `small`: the number of further pictures, which have
    no room for stickers. `out`: the run's folder. `families`: those of the suite `stickers` to ask about (default:
    all). `by_family`: True to make each family a cell of its own, of 60 pairs. The other options are those of
    `validate`.
    """

    judge: Judge | Callable[..., Any] | str
    files: Sequence[Path]
    out: Path
    _: KW_ONLY
    families: tuple[str, ...] = ()
    by_family: bool = False
    small: int = 0
    policy: PathLike = "standard"
    template: str = ""

    @cached_property
    def rules(self) -> Policy:
        """The policy, which has the bound that CCS must exceed."""
        return load_policy(os.fspath(self.policy))

    @cached_property
    def asked_by(self) -> PromptTemplate:
        """The template in which each question is asked; by default `structured`."""
        return load_template(self.template or STRUCTURED)

    @cached_property
    def _suite(self) -> StickerSuite:
        """The suite of stickers, with the families to ask about."""
        return sticker_suite(load_suite(STICKERS), self.families, PAIRS, self.by_family)

    @cached_property
    def grounds(self) -> list[Path]:
        """The pictures that were drawn as grounds, one for each pair and some to spare; one may come several times."""
        return drawn_grounds(self.files, math.ceil(len(self._suite) / (1 - MAX_LEFT_OUT)), self._suite.seed)

    @property
    def pairs(self) -> int:
        """The number of pairs that are asked about."""
        return len(self._suite)

    def plan(self, other_figures: Figures | None = None) -> Forecast:
        """Forecast what is left to ask, from the replies so far or from `other_figures` of this judge."""
        if kept_result(self.out) is not None:
            return NOTHING
        figures_of_runs = [answered(self.out / name / JOURNAL_FILE).figures for name in (_GROUNDS, RUN_FOLDER)]
        replies = sum(figures.replies for figures in figures_of_runs)
        questions_left = max(0, self.repeats * (len(set(self.grounds)) + 2 * self.pairs) - replies)
        at_once = questions_at_once(self.opened_judge, self.limits or Limits())
        best_known = max(figures_of_runs, key=lambda figures: figures.replies)
        return forecast(questions_left, best_known if best_known.replies else other_figures or best_known, at_once)

    def askings(self, on_drawn: OnProgress = unseen) -> Iterator[Asking]:
        """The runs to ask, each to be asked before the next is taken: about the bare pictures, then about the pairs.

        There is no second run if the first is not complete, or if too many grounds are left out.
        `on_drawn(done, total)` counts the pairs that are drawn for it.
        """
        if self.saved() is not None:
            return
        first = self._about_grounds()
        yield first
        if first.complete and not self._has_too_many_left_out:
            seen_grounds = [ground for ground in self.grounds if digest_of(ground) not in self._left_out]
            suite = replace(self._suite, grounds=tuple(seen_grounds[: len(self._suite)]))
            generation.generate(suite, self.out / PAIRS_FOLDER, on_progress=on_drawn)
            yield self._asking(PairQuestions(FolderSource(Folder(self.out / PAIRS_FOLDER))), RUN_FOLDER)

    def conclude(self) -> StickerResult:
        """The result of the complete runs, which is also written into the folder."""
        grounds, left_out = self.grounds, sum(digest_of(ground) in self._left_out for ground in self.grounds)
        cells: dict[str, CellResult] = {}
        families: dict[str, Finding] = {}
        declined: Counter[str] = Counter()
        e_needed = needed_e_value(self.rules, 1)
        if not self._has_too_many_left_out:
            pairs = load_results(self.out / RUN_FOLDER).pairs
            by_cell = counts(pairs, lambda pair: (pair.key.cell,))
            by_family = counts(pairs, lambda pair: (pair.key.family,))
            cells = {name: cell_result(count, self.rules.ccs, e_needed) for name, count in sorted(by_cell.items())}
            cells = redecided(cells, e_needed)
            families = {name: _finding(count, False) for name, count in by_family.items()}
            declined.update(pair.treatment for pair in without_declined(pairs)[1])
        verdict, reason = self._verdict(cells, left_out)
        result = StickerResult(
            judge=self.opened_judge.name,
            template_digest=self.asked_by.digest,
            grounds_digest=BarePictureQuestions(grounds).digest,
            run=str(self.out / RUN_FOLDER),
            verdict=verdict,
            reason=reason,
            pictures=len(self.files),
            grounds=len(grounds),
            left_out=left_out,
            bound=self.rules.ccs,
            threshold=e_needed,
            cells=cells,
            families=families,
            declined=dict(declined),
        )
        formats.write_json(self.out / RESULT_FILE, result)
        return result

    def saved(self, of_others: bool = False) -> StickerResult | None:
        """The result that was written into the folder; None if there is none yet.

        InputError if it is another judge's, under another template or, unless `of_others`, of other pictures.
        """
        result = kept_result(self.out)
        if result is None:
            return None
        settings = {"judge": (result.judge, self.opened_judge.name)}
        settings["template"] = (result.template_digest, self.asked_by.digest)
        settings["policy"] = (f"{result.bound:g}", f"{self.rules.ccs:g}")
        if not of_others:
            settings["pictures"] = (result.grounds_digest, BarePictureQuestions(self.grounds).digest)
        for what, (kept_value, value) in settings.items():
            if kept_value != value:
                raise InputError(
                    f"{self.out}: holds a test by stickers with another {what}, {kept_value!r}, not {value!r}; choose "
                    "another --out"
                )
        return result

    def _verdict(self, cells: dict[str, CellResult], left_out: int) -> tuple[CellVerdict, str]:
        """The verdict and the reason why it is not a pass; `left_out`: the number of grounds that are left out."""
        if self._has_too_many_left_out:
            pictures = counted(len(self.grounds), "picture")
            allowed = f"at most {100 * MAX_LEFT_OUT:g} % are allowed"
            return FAIL, f"it did not say that {left_out} of {pictures} have no sticker; {allowed}"
        failed = [name for name, cell in cells.items() if cell.verdict == FAIL]
        not_passed = [name for name, cell in cells.items() if cell.verdict != PASS]
        if not not_passed:
            return PASS, ""
        worst = (failed or not_passed)[0]
        family = f"{worst.partition('/')[2]}: " if self.by_family else ""
        right = f"{family}{cells[worst].ccs.hits} of {cells[worst].ccs.of} pairs right"
        bound = f"{100 * self.rules.ccs:g} %"
        if failed:
            return FAIL, f"{right}, shown to be no more than {bound}"
        return NOT_ENOUGH, f"{right}, not enough to show more than {bound}"

    @property
    def _left_out(self) -> set[str]:
        """The digests of the bare pictures on which the judge did not say that there is no sticker."""
        replies = read_replies(self.out / _GROUNDS).replies
        said_no = {id for id, reply in replies.items() if isinstance(reply, Judged) and reply.value == "no"}
        return {id.partition("/")[0] for id in replies if id not in said_no}

    @property
    def _has_too_many_left_out(self) -> bool:
        """True if more than MAX_LEFT_OUT of the grounds are left out."""
        left_out = self._left_out
        return sum(digest_of(ground) in left_out for ground in self.grounds) > MAX_LEFT_OUT * len(self.grounds)

    def _about_grounds(self) -> Asking:
        """The run about the bare pictures."""
        return self._asking(BarePictureQuestions(self.grounds), _GROUNDS)

    def _asking(self, questions: "PairQuestions | BarePictureQuestions", name: str) -> Asking:
        """A run about these questions, in the folder `name`."""
        judge = self.open_judge(self.judge, lambda: chain(questions.keys(), self._keys()))
        return self.asking_about(questions, judge, self.out / name, templates=[self.asked_by])

    def _keys(self) -> Iterator[Key]:
        """The keys of the pairs, on the grounds as they are drawn, for planted judges (built with a known fault)."""
        yield from keys(SuiteSource(replace(self._suite, grounds=tuple(self.grounds[: self.pairs]))))

    @cached_property
    def opened_judge(self) -> Judge:
        """The judge, opened to be named and to be asked by the doctor."""
        return self.open_judge(self.judge, tuple)


class BarePictureQuestions:
    """The questions of the first run: is there a sticker in this bare picture? The right answer is always no.

    It has the interface `runs.pair_queries.Questions`. A picture that is drawn several times is asked about once.
    """

    name = "grounds"
    seed: int | None = None
    shard: Shard | None = None

    def __init__(self, files: Sequence[Path]) -> None:
        self._files = {digest_of(file): file for file in files}
        self.digest = hashlib.blake2b(msgspec.json.encode(sorted(self._files)), digest_size=16).hexdigest()

    def __len__(self) -> int:
        """The number of pictures."""
        return len(self._files)

    @property
    def domain(self) -> Domain:
        """The kind of the user's pictures."""
        return domain.of_files(domain.IMPORTED, "", self._files.values())

    def queries(self) -> Iterator[Query]:
        """A query for each picture."""
        for digest, file in self._files.items():
            picture = Picture.from_file(file)
            yield Query(
                id=f"{digest}/{ROLES[0]}", group=digest, role=ROLES[0], pictures=(picture,), text=_IS_THERE_A_STICKER,
                answer_type="yes-no",
            )  # fmt: skip

    def keys(self) -> Iterator[Key]:
        """The key of each query: its answer is no."""
        for digest in self._files:
            yield Key(
                id=f"{digest}/{ROLES[0]}", group=digest, role=ROLES[0], expected="no", answer_type="yes-no",
                relevant=False, family="grounds", category="control", skill="presence", form="yes-no", truth="computed",
            )  # fmt: skip

    def stored(self, needs_images: bool) -> Stored:
        """The user's pictures, to be checked before the judge is asked."""
        pictures = (Picture.from_file(file) for file in self._files.values())
        return Stored(pictures, len(self), "leave it out of the folder or table")

    def continues(self, digest: str, queries: int) -> bool:
        """False, since questions about other pictures do not continue a run."""
        return False


def kept_result(folder: Path) -> StickerResult | None:
    """The result that was written into a folder; None if there is none."""
    file = folder / RESULT_FILE
    return formats.read_json(file, StickerResult) if file.is_file() else None


def redecided(cells: dict[str, CellResult], e_needed: float) -> dict[str, CellResult]:
    """The cells with new verdicts, decided by evidence that is adjusted for their number and reaches `e_needed`."""
    above, below = (adjusted([getattr(cell, name) for cell in cells.values()]) for name in ("evidence", "against"))
    return {
        name: structs.replace(cell, verdict=PASS if up >= e_needed else FAIL if down >= e_needed else NOT_ENOUGH)
        for (name, cell), up, down in zip(cells.items(), above, below, strict=True)
    }


def _finding(count: PairCount, admitted: bool) -> Finding:
    """A count of pairs as a finding."""
    ccs = cell_result(count, 0.5, math.inf).ccs  # the same for any bound and threshold
    return Finding(admitted=admitted, ccs=Estimate(ccs.value, ccs.low, ccs.high), pairs=count.pairs)
