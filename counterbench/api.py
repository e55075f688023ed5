"""Functions for the steps with pairs of pictures: draw, ask, score, certify, report. `counterbench` re-exports them.

Each function does what the command of the same name does. A *suite* is a recipe for pairs; a *pair* is two pictures,
drawn from data, with a question about each. A *judge* answers the questions. A *run* is the folder with its replies:
`probe` and `validate` make one, the functions after them read it. Each function takes the place of its inputs (a name,
a path or a `Run`) and returns an object; heavy modules are imported only when it is called.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import msgspec

from counterbench.asking.asker import Limits
from counterbench.asking.asking import Asking
from counterbench.asking.options import ProbeOptions, takes
from counterbench.asking.probe import Probe, open_pairs
from counterbench.asking.runner import Progress
from counterbench.bars import OnProgress, bar
from counterbench.drawing.styles import FLAT
from counterbench.errors import InputError, flags_as_parameters
from counterbench.evidence.options import SwapOptions, ValidateOptions, WatchCall
from counterbench.files.addresses import PathLike, fetched, written
from counterbench.judges.base import Judge
from counterbench.results import scores
from counterbench.results.rules import DEFAULT
from counterbench.runs.folder import T2I_FILE
from counterbench.runs.queries import DEFAULT as DEFAULT_TEMPLATE
from counterbench.runs.queries import load_templates
from counterbench.scene.seeds import check_seed
from counterbench.suites import generation
from counterbench.suites import suite as suites
from counterbench.suites.folder import Folder, default_folder
from counterbench.suites.shards import read_shard
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import Suite, suite_of_families
from counterbench.text import brief

if TYPE_CHECKING:
    import pandas as pd

    from counterbench.asking.doctor import Checkup
    from counterbench.diagnosis.document import DiagnosisDocument
    from counterbench.evidence.document import Certificate
    from counterbench.evidence.ladders import LadderResults
    from counterbench.evidence.looks import WatchDocument
    from counterbench.evidence.validation import ValidationPlan
    from counterbench.pages import Written
    from counterbench.pages.cards import Card
    from counterbench.pictures.comparing.swap import SwapDocument
    from counterbench.pictures.scores.document import ModelDocument as T2IDocument
    from counterbench.results.comparison import Comparison
    from counterbench.verification.verify import VerifyReport


class Run(os.PathLike[str]):
    """A run's folder, as functions that ask a judge return it; all other functions take it in place of a path.

    `progress`: the counts at the end of the call; if several templates were asked, of the last one.
    """

    def __init__(self, path: Path, progress: Progress, complete: bool) -> None:
        self.path, self.progress = path, progress
        self.complete = complete  # True if every question has a final answer, under every template

    def __fspath__(self) -> str:
        return str(self.path)

    def __repr__(self) -> str:
        return brief(self, f"{self.path}: {self.progress}")

    def score(self, scoring: str = DEFAULT) -> scores.Document | T2IDocument:
        """The scores of this run: those of `score` or, for generated pictures, of `t2i_score`."""
        if (self.path / T2I_FILE).is_file():
            from counterbench.pictures.judging.judged_run import load_judged
            from counterbench.pictures.run_scores import score as score_pictures

            return score_pictures(load_judged(self.path), scoring)
        return score(self, scoring=scoring)

    def frame(self, scoring: str = DEFAULT) -> pd.DataFrame:
        """The replies of this run as a table."""
        return frame(self, scoring=scoring)

    def diagnose(self, scoring: str = DEFAULT) -> DiagnosisDocument:
        """The faults that the judge of this run shows."""
        return diagnose(self, scoring=scoring)

    def certify(self, policy: PathLike = "standard", *, out: PathLike | None = None) -> Certificate:
        """The certificate of this run."""
        return certify(self, policy, out=out)

    def report(self, out: PathLike) -> Written:
        """A page about this run, written to `out`."""
        return report(self, out=out)


class Validated(NamedTuple):
    """The results of `validate`. Certificate, diagnosis and ladders are None if questions are left."""

    plan: ValidationPlan
    run: Run | None = None  # None if nothing was asked
    certificate: Certificate | None = None
    diagnosis: DiagnosisDocument | None = None
    ladders: LadderResults | None = None  # of the suite `ladder`, which gives no certificate

    def __repr__(self) -> str:
        done = next(filter(None, (self.certificate, self.ladders, self.run, self.plan)))
        return brief(self, repr(done).strip("<>"))


def counting(doing: str, on_progress: OnProgress | None) -> AbstractContextManager[OnProgress]:
    """A context that gives the user's callback or, without one, that of a progress bar with the text `doing`."""
    return bar(doing) if on_progress is None else nullcontext(on_progress)


def run_asking(asking: Asking, on_progress: Callable[[Progress], None] | None) -> Run:
    """Ask all questions of a run that have no reply yet; returns the run's folder.

    Without a callback, a progress bar is shown.
    """
    if on_progress is not None:
        ends = asking.run(on_progress)
    else:
        with bar(f"asking {asking.judge.name}") as shown:
            ends = asking.run(lambda p: shown(p.done + p.failed, p.total + p.min_remaining))
    return Run(asking.path, ends[-1].end, asking.complete)


@overload
def load_suite(name: str, seed: int | None = None, size: int | None = None, style: str = FLAT) -> Suite: ...
@overload
def load_suite(
    name: os.PathLike[str], seed: int | None = None, size: int | None = None, style: str = FLAT
) -> Suite | Folder: ...
@flags_as_parameters
def load_suite(name: PathLike, seed: int | None = None, size: int | None = None, style: str = FLAT) -> Any:
    """The shipped suite of that name, the suite in a file, or a `Folder` of pairs; iterate over it for its pairs.

    Another `seed` gives a suite other pairs; `size` (the pictures' shorter side in pixels) and `style` draw the same
    pairs in another way. InputError names the valid choices. (For a type checker a text names a suite, and a Path may
    name a folder.)
    """
    opened = open_pairs(name, seed, None, size, style)
    return opened.suite if isinstance(opened, SuiteSource) else Folder(fetched(name))


@flags_as_parameters
def generate(
    suite: Suite | PathLike = "",
    out: PathLike | None = None,
    *,
    families: Sequence[str] = (),
    count: int | None = None,
    size: int | None = None,
    seed: int | None = None,
    workers: int | None = None,
    limit: int | None = None,
    shard: str = "",
    on_progress: OnProgress | None = None,
) -> Folder:
    """Draw a suite, or the shipped suite of that name, into a folder (`pairs/<suite>`), unless it is there already.

    Instead of a suite: `count` pairs of some `families`, such as ["spatial", "counting"] (default: 100 in all).
    `size`: the pictures' shorter side in pixels; `seed`: another one gives other pairs; `limit`: only the first so many
    pairs, families in turn; `workers`: the number of processes that draw (default: one a core).
    `shard`: "0/4" draws the first of four parts, for `merge` to join. Returns the folder: iterate over its pairs.
    With more than one worker (the default), a script on macOS or Windows calls this under
    `if __name__ == "__main__":`, as with any multiprocessing.
    """
    if bool(suite) == bool(families) or (suite and count is not None):
        raise InputError("name either a suite, or families (and a count)")
    families = [families] if isinstance(families, str) else families
    named = suite_of_families(families, count) if families else suite
    drawn = named if isinstance(named, Suite) else suites.load_suite(named if isinstance(named, str) else Path(named))
    drawn = drawn.sized(size) if seed is None else drawn.sized(size).reseeded(check_seed(seed))
    part = read_shard(shard)
    usual = default_folder(drawn.name, part, drawn.style, seed=seed, limit=limit, size=size)
    folder = written(out) if out is not None else usual
    with counting(f"drawing {drawn.name}", on_progress) as report_progress:
        generation.generate(drawn, folder, workers=workers, limit=limit, shard=part, on_progress=report_progress)
    return Folder(folder, part=bool(shard))


@flags_as_parameters
def verify(
    source: Suite | PathLike, *, workers: int | None = None, on_progress: OnProgress | None = None
) -> VerifyReport:
    """Check the true answers of a suite or folder in two ways; `holds` of the result is True if nothing is wrong.

    `source`: a suite, a shipped suite's name, or a file or folder; `workers`: the number of processes that check.
    """
    from counterbench.verification.verify import verify as check  # imports scikit-image

    with counting("verifying", on_progress) as report_progress:
        return check(open_pairs(source), workers=workers, on_progress=report_progress)


@takes(ProbeOptions)
def probe(options: ProbeOptions) -> Run:
    """Ask a judge every question of a suite or folder; the same call again resumes.

    `judge`: a name, an object, or a function of an image (None if a question has none) and a question that returns the
    reply's text, which may be async. The run goes to the folder `out`, by default the one where `counterbench probe`
    puts it; `name` is what to call the judge there and in tables.
    `limit`: ask about the first so many pairs, families in turn. `template`: the words around each question; if there
    are several, the run is the one under the first, and those under the others lie in its folder. `attempt`: ask the
    pairs of that attempt (a fresh sample of the suite), for a certificate.
    `shard`: "0/4" asks the first of four parts, for `merge` to join; its calls and money are that part of `limits`.
    `upload`: an address to which the run is brought every five minutes and at the end. `resume_from`: an address from
    which it is fetched first.
    """
    return run_asking(Probe.from_options(options).asking(), options.on_progress)


@takes(ValidateOptions)
def validate(options: ValidateOptions) -> Validated:
    """Test if a judge may score the `target`: a prompt set, a generator's folder of pictures, or a suite.

    It asks pairs of each cell (questions of one kind) until the verdict on the cell is clear, diagnoses the judge's
    faults and certifies. The same call again resumes. `plan`: True to forecast the calls and ask nothing.
    `ladders`: for the suite `ladder` (series of pairs of rising difficulty), the names of the ladders to test, or a
    prompt set that needs them (default: all).
    """
    from counterbench.evidence.validation import Certified, Validation

    validation = Validation.from_options(options)
    planned = validation.plan()
    if options.plan or not planned.able:
        return Validated(planned)
    run = run_asking(validation.asking(), options.on_progress)
    if not run.complete:
        return Validated(planned, run)
    found = validation.conclude()
    if isinstance(found, Certified):
        return Validated(planned, run, found.certificate, found.diagnosis)
    return Validated(planned, run, ladders=found)


@takes(SwapOptions)
def swap(options: SwapOptions) -> SwapDocument:
    """Test if a new judge may take the old one's place: both answer the same pairs until the verdict is clear.

    `old` may be a run of `probe`, of which nothing is asked. `target`: as of `validate`; by default the suite
    "certify", or that of the run. `delta`: a difference of CCS below this does not matter (0.05: 5 points).
    The same call again resumes.
    """
    from counterbench.pictures.comparing.swap import Swap

    work = Swap.from_options(options)
    with counting("asking both judges", options.on_progress) as report_progress:
        return work.conclude(report_progress)


@takes(WatchCall)
def watch(options: WatchCall) -> WatchDocument | None:
    """Test if a judge still answers as it did: it is asked some pairs again, and each is compared with its first reply.

    The *bank* is the judge's first replies to a number of pairs; a *look* is a call that asks some of these again.
    `run`: the judge's run or certificate; `later`: a later run of the same prompts, whose scores moved; `start`: True
    to ask for the bank, once, and return None. `judge`: by default opened by the name that the run has. `pairs`: the
    number of pairs of the bank (by default 600), or of a look (20). `by_look`: True to count a look, not a pair, as one
    observation, for a judge whose errors come in groups.
    """
    from counterbench.pictures.comparing.watch import Watch

    work = Watch.from_options(options)
    with counting("asking the judge", options.on_progress) as report_progress:
        if not options.start:
            return work.look(report_progress)
        work.start(report_progress)
    return None


@flags_as_parameters
def doctor(
    judge: Judge | Callable[..., Any] | str,
    *,
    template: str = DEFAULT_TEMPLATE,
    limits: Limits | None = None,
    on_progress: OnProgress | None = None,
) -> Checkup:
    """Ask a judge 24 questions before a long run: does it answer, see, and give the same answers when asked again?

    Some are asked one by one and together, some twice. The result also forecasts what 1,000 questions would take.
    `template`: the words around each question: a shipped template's name or a file.
    """
    from counterbench.asking.doctor import check_up

    with counting("the doctor asks", on_progress) as report_progress:
        return check_up(judge, load_templates(template)[0], limits, report_progress)


@overload
def score(runs: PathLike, *, scoring: str = DEFAULT) -> scores.Document: ...
@overload
def score(runs: list[Any], *, scoring: str = DEFAULT) -> list[scores.Document]: ...
@flags_as_parameters
def score(runs: PathLike | list[Any], *, scoring: str = DEFAULT) -> scores.Document | list[scores.Document]:
    """Accuracy, CCS, gap, stability and outcomes of one run, or of each of a list of runs (then a list).

    CCS is the share of pairs with a right answer to both pictures. `scoring`: the rule by which an answer is right:
    "default", "strict" (no synonyms) or "as-released" (the paper's code).
    """
    if isinstance(runs, str | os.PathLike):
        return scores.score_runs([fetched(runs)], scoring)[0]
    return scores.score_runs([fetched(path) for path in runs], scoring)


@flags_as_parameters
def frame(run: PathLike, *, scoring: str = DEFAULT) -> pd.DataFrame:
    """A run as a pandas DataFrame: a row for each query with its truth, answer, reply, time, tokens and cost.

    A run about generated pictures has a row for each check of every picture. docs/pairs.md lists the columns.
    """
    path = fetched(run)
    if (path / T2I_FILE).is_file():
        from counterbench.pictures.run_scores import frame as check_frame

        return check_frame(path)
    from counterbench.results.frame import pair_frame

    return pair_frame(path, scoring)


@flags_as_parameters
def diagnose(run: PathLike, *others: PathLike, scoring: str = DEFAULT) -> DiagnosisDocument:
    """The faults that each run's judge shows; several runs of one suite also show the items that look broken.

    `scoring`: the rule by which an answer is right, as of `score`.
    """
    from counterbench.diagnosis.diagnose import diagnose as find

    return find([fetched(path) for path in (run, *others)], scoring)


@flags_as_parameters
def compare(
    run: PathLike, other: PathLike, *others: PathLike, scoring: str = DEFAULT, anyway: bool = False
) -> Comparison:
    """A comparison of judges on the same pairs: paired differences, exact tests, ranks.

    Raises InputError for runs on different suites, templates or repeats, unless `anyway`.
    """
    from counterbench.pages.gather import compare_judges

    return compare_judges([fetched(path) for path in (run, other, *others)], scoring, anyway)[0]


@flags_as_parameters
def certify(run: PathLike, policy: PathLike = "standard", *, out: PathLike | None = None) -> Certificate:
    """The certificate of a run: its verdict under a policy, which has the bounds that a judge must exceed.

    `policy`: a shipped one's name or a file.
    With `out` it is written, whatever the verdict: there and, for `report`, in the run's folder. Without `out` nothing
    is written.
    """
    from counterbench.evidence.document import keep_certificate
    from counterbench.evidence.issue import certify as issue
    from counterbench.evidence.policies import load_policy

    path, target = fetched(run), written(out) if out is not None else None
    certificate = issue(path, load_policy(os.fspath(policy)))
    if target is not None:
        keep_certificate(path, certificate, target)
    return certificate


@flags_as_parameters
def report(
    run: PathLike,
    *others: PathLike,
    out: PathLike,
    scoring: str = DEFAULT,
    labels: PathLike | None = None,
    pictures: str | None = None,
) -> Written:
    """Write a report of runs: one HTML file that needs no network.

    A report of runs on pairs has the certificates in their folders; one of runs of `t2i judge` has people's `labels` (a
    CSV). `pictures`: the suite or folder of the pairs, if it is no shipped suite, or the present folder of a model's
    pictures; "none" leaves them out. `scoring`: as of `score`. The result names the page and counts its contents.
    """
    from counterbench.pages import write_report

    return write_report(
        [fetched(path) for path in (run, *others)],
        written(out),
        scoring=scoring,
        labels=fetched(labels) if labels is not None else None,
        pictures=pictures,
    )


@flags_as_parameters
def card(run: PathLike, *others: PathLike, out: PathLike | None = None, include_pictures: bool = False) -> Card:
    """The card of a judge, a page on what its runs show; a notebook displays it. With `out` it is written there.

    `out`: a folder. `include_pictures`: True if pictures, prompts and names of your own may stand on it, too.
    """
    from counterbench.pages.cards import Card, derive, write_card

    paths = [fetched(path) for path in (run, *others)]
    found = derive(paths, include_pictures) if out is None else write_card(paths, written(out), include_pictures)
    return Card(**msgspec.structs.asdict(found))
