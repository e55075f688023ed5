"""The same three steps from Python: pairs, CCS, and a look at any single pair. Re-exported by `counterbench`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, overload

from counterbench import judges
from counterbench.asking.asker import Limits
from counterbench.asking.probe import probe as run_probe
from counterbench.asking.probe import under_each
from counterbench.asking.runner import Progress
from counterbench.drawing.styles import FLAT
from counterbench.errors import InputError
from counterbench.files.addresses import PathLike, address_of
from counterbench.files.remote import fetched, resume, uploaded, written
from counterbench.judges.base import Judge, called
from counterbench.runs.folder import T2I_FILE, default_path, wording_path
from counterbench.runs.pair_queries import keys
from counterbench.runs.wordings import DEFAULT as DEFAULT_WORDING
from counterbench.runs.wordings import Wording, load_wording
from counterbench.scoring import scores
from counterbench.scoring.rules import DEFAULT
from counterbench.suites import generation
from counterbench.suites.attempts import attempted
from counterbench.suites.folder import Folder, FolderInfo
from counterbench.suites.shards import read_shard
from counterbench.suites.sources import FolderSource, Source, SuiteSource, open_source
from counterbench.suites.suite import Suite, load_suite

if TYPE_CHECKING:
    import pandas as pd

    from counterbench.certificate import Certificate
    from counterbench.diagnosis.document import DiagnosisDocument
    from counterbench.reporting import Written
    from counterbench.scoring.comparison.document import Comparison
    from counterbench.verification.verify import VerifyReport


def generate(
    suite: Suite | str, out: PathLike, *, workers: int | None = None, limit: int | None = None, shard: str = ""
) -> FolderInfo:
    """Draw a suite, or the shipped suite of that name, into a folder, unless it is there already.

    `shard`: "0/4" draws the first of four parts, for `merge` to join; the result describes that part.
    With more than one worker (the default), a script on macOS or Windows calls this under
    `if __name__ == "__main__":`, as with any multiprocessing.
    """
    drawn = load_suite(suite) if isinstance(suite, str) else suite
    return generation.generate(drawn, written(out), workers=workers, limit=limit, shard=read_shard(shard))


def verify(source: Suite | PathLike, *, workers: int | None = None) -> VerifyReport:
    """Check the truth of a suite or folder twice; `report.holds` says whether nothing is wrong."""
    from counterbench.verification.verify import verify as check  # imports scikit-image

    return check(_source(source), workers=workers)


def probe(
    source: Suite | PathLike,
    judge: Judge | str,
    out: PathLike | None = None,
    *,
    wording: str | Sequence[str] = DEFAULT_WORDING,
    votes: int = 1,
    limits: Limits | None = None,
    limit: int | None = None,
    attempt: int | None = None,
    name: str = "",
    shard: str = "",
    upload: str = "",
    resume_from: str = "",
) -> Progress:
    """Ask a judge, or the judge of that name, every question of a suite or folder; the same call again resumes.

    The run goes to the folder `out`, by default `runs/<suite>--<judge>`; `name` is what to call the judge
    there and in tables.
    `limit`: ask about the first so many pairs, families in turn; the default `out` then ends in `--limit-<limit>`.
    `wording`: of several, the run is under the first, and those under the others lie in its folder, each with a judge
    opened anew, so give the name of the judge. The result is that of the wording that was asked last.
    `attempt`: ask the pairs of that attempt at a shipped suite, for a certificate.
    `shard`: "0/4" asks the first of four parts, for `merge` to join; `limits` are for that part alone.
    `upload`: an address to which the run is brought every five minutes and at the end. `resume_from`: an address from
    which it is fetched first.
    """
    part = read_shard(shard)
    asked = attempted(_source(source, limit), attempt, limit)
    worded = [load_wording(one) for one in ([wording] if isinstance(wording, str) else wording)]
    if len(worded) > 1 and not isinstance(judge, str):
        raise InputError("each wording is asked of a judge of its own: give the judge's name, and no object")

    def opened() -> Judge:
        return judges.open_judge(judge, lambda: keys(asked)) if isinstance(judge, str) else judge

    def ask(wording: Wording, left: Limits) -> Progress:
        own = wording is worded[0]
        return run_probe(
            asked.sharded(part), chosen if own else opened(), path if own else wording_path(path, wording.name),
            wording=wording, votes=votes, limits=left, name=name,
        )  # fmt: skip

    chosen = opened()
    side = asked.suite.side if isinstance(asked, SuiteSource) else None
    style = asked.suite.style if isinstance(asked, SuiteSource) else FLAT
    usual = default_path(
        asked.name, called(chosen, name), style=style, shard=part, limit=limit, size=side, attempt=attempt
    )
    path = written(out) if out is not None else usual
    resume(path, resume_from, upload)
    with uploaded(path, upload):
        return under_each(worded, limits or Limits(), ask)


@overload
def score(run: PathLike, *, scoring: str = DEFAULT) -> scores.Document: ...
@overload
def score(run: PathLike, *more: PathLike, scoring: str = DEFAULT) -> scores.Document | list[scores.Document]: ...
def score(run: PathLike, *more: PathLike, scoring: str = DEFAULT) -> scores.Document | list[scores.Document]:
    """Accuracy, CCS, gap, stability and outcomes of one run, or of several (a list)."""
    documents = scores.score_runs([fetched(path) for path in (run, *more)], scoring)
    return documents if more else documents[0]


def frame(run: PathLike, *, scoring: str = DEFAULT) -> pd.DataFrame:
    """A run as a pandas DataFrame: a row for each query with its truth, answer, reply, time, tokens and cost.

    Of a run about generated pictures a row for each check of every picture. docs/pairs.md lists the columns.
    """
    path = fetched(run)
    if (path / T2I_FILE).is_file():
        from counterbench.t2i.run_scores import frame as check_frame

        return check_frame(path)
    from counterbench.scoring.frame import pair_frame

    return pair_frame(path, scoring)


def diagnose(run: PathLike, *more: PathLike, scoring: str = DEFAULT) -> DiagnosisDocument:
    """The faults that each run's judge shows; from several runs of one suite also the items that look broken."""
    from counterbench.diagnosis.diagnose import diagnose as find

    return find([fetched(path) for path in (run, *more)], scoring)


def compare(
    run: PathLike, other: PathLike, *more: PathLike, scoring: str = DEFAULT, anyway: bool = False
) -> Comparison:
    """Judges side by side on the same pairs: paired differences, exact tests, ranks.

    Raises InputError for runs on different suites, wordings or votes, unless `anyway`.
    """
    from counterbench.scoring.comparison.compare import compare as set_side_by_side

    return set_side_by_side([fetched(path) for path in (run, other, *more)], scoring, anyway)


def certify(
    run: PathLike, policy: PathLike = "standard", *, out: PathLike | None = None, scoring: str = DEFAULT
) -> Certificate:
    """Hold a run against a shipped policy or a policy file: the certificate, whose `verdict` is "pass" or not.

    With `out` it is written, whatever the verdict: there and, for `report`, in the run's folder; without, nothing is.
    """
    from counterbench.certificate import certify as issue
    from counterbench.certificate import keep_certificate
    from counterbench.certificate.policies import load_policy

    path, target = fetched(run), written(out) if out is not None else None
    certificate = issue(path, load_policy(os.fspath(policy)), scoring)
    if target is not None:
        keep_certificate(path, certificate, target)
    return certificate


def report(
    run: PathLike,
    *more: PathLike,
    out: PathLike,
    scoring: str = DEFAULT,
    certificates: Sequence[PathLike] = (),
    labels: PathLike | None = None,
    pictures: str | None = None,
) -> Written:
    """Write a report of runs: one HTML file that needs no network.

    Of runs on pairs with `certificates` beside those in their folders; of runs of `t2i judge`, with people's `labels`.
    """
    from counterbench.reporting import write_report

    return write_report(
        [fetched(path) for path in (run, *more)],
        written(out),
        scoring=scoring,
        certificates=[fetched(path) for path in certificates],
        labels=fetched(labels) if labels is not None else None,
        pictures=pictures,
    )


def _source(source: Suite | PathLike, limit: int | None = None) -> Source:
    if isinstance(source, Suite):
        return SuiteSource(source, limit)
    if isinstance(source, str):
        return open_source(str(fetched(source)) if address_of(source) else source, limit=limit)
    path = fetched(source)
    return FolderSource(Folder(path), limit) if path.is_dir() else SuiteSource(load_suite(path), limit)
