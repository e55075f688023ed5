"""The command `certify` (what was a judge shown to see?), and `verify` for a certificate's file.

`certify` takes runs of one judge and a policy, writes a certificate into each run's folder, and prints it with
`say_certificate`; `verify_certificate` checks a certificate again. Both exit with 1 if something does not hold.

A *certificate* has a verdict on each *law* (a rule of a small world; in suites of shapes, a family of pairs of
pictures) and on each *cell* of it (questions of one kind). An *attempt* is a numbered fresh sample of a suite's pairs.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from counterbench.cli.app import CHECK_FAILED
from counterbench.cli.options import command_words
from counterbench.cli.printing import command, print_json, say, say_all, say_next, say_some
from counterbench.errors import InputError
from counterbench.evidence.verdict import NOT_SUPPORTED, verdict_line
from counterbench.text import counted

if TYPE_CHECKING:
    from counterbench.drawing.domain import Domain
    from counterbench.evidence.document import Certificate

MAX_LINES = 12  # differences that are printed; of more the number is printed
_OF_LAWS = "prompts about these laws"


def certify(
    runs: list[Path] = typer.Argument(
        metavar="RUN…", help="A run folder, best of the suite certify; or several of one judge in different styles."
    ),
    policy: str = typer.Option("standard", help="What must be shown: a shipped policy's name, or a file."),
    out: Path | None = typer.Option(None, help="Also write the certificate here (one run only)."),
    as_json: bool = typer.Option(False, "--json", help="Print the certificate."),
    verbose: bool = typer.Option(False, "-v", "--verbose", help="Every cell, every reason, and the digests."),
) -> None:
    """Say what a judge was shown to see, law by law.

    Writes a certificate into the run's folder, whether the judge passes or not; report finds it there. Several runs of
    one judge in different styles get one each, and a table shows the skills by style, and the worst style.
    Exits with 1 unless everything passes.
    Example: counterbench certify runs/certify--pixels --out pixels.json
    """
    from counterbench.cli.certificate_table import by_style_table
    from counterbench.cli.grid import show
    from counterbench.evidence import document, issue
    from counterbench.evidence.policies import load_policy

    chosen = load_policy(policy)
    if out is not None and len(runs) > 1:
        raise InputError(f"leave out --out: the certificates of {len(runs)} runs are kept in their folders")
    paths = {run: out or document.kept_in(run, chosen.name) for run in runs}
    for path in paths.values():
        document.refuse_taken(path)
    issued = {run: issue.certify(run, chosen) for run in runs}
    by_style = issue.by_style(list(issued.values())) if len(runs) > 1 else None
    for run, certificate in issued.items():
        if reason := document.keep_certificate(run, certificate, out):
            say(f"note: {reason}", err=True)
        if not as_json:
            say_certificate(certificate, paths[run], verbose)
    if by_style is not None and as_json:
        print_json({"certificates": list(issued.values()), "by_style": by_style})
    elif by_style is not None:
        show(by_style_table(by_style))
    elif as_json:
        print_json(issued[runs[0]])
    else:
        say_next(next_command(issued[runs[0]], runs[0], paths[runs[0]]))
    if any(certificate.verdict != "pass" for certificate in issued.values()):
        raise typer.Exit(CHECK_FAILED)


def say_certificate(c: Certificate, path: Path, verbose: bool) -> None:
    """Print a certificate: laws, verdict, the evidence, and the pictures that its judge may score.

    `path`: the file in which it is; `verbose`: also each cell, each reason and the digests.
    """
    from counterbench.cli import certificate_table as tables
    from counterbench.cli.grid import show
    from counterbench.evidence.admission import COMPARISONS, certificate_verdict

    verdict, because = certificate_verdict(c)
    scores_nothing = verdict != NOT_SUPPORTED and c.suite != COMPARISONS and not _scorable(c)
    say(f"Tested on {c.suite} alone: {because}." if scores_nothing else verdict_line(verdict, because))
    rows = tables.shown_laws(c, verbose)
    show(tables.certificate_table(c, verbose), *tables.legend(c))
    hidden = sum(law.verdict != "pass" for name, law in c.laws.items() if name not in rows)
    if hidden:
        say(f"… and {hidden} more that do not pass (-v prints all)")
    if verbose:
        treatments = [tables.treatments_table(c)] if c.treatments else []
        kinds = [tables.kinds_table(c)] if c.kinds else []
        show(tables.cells_table(c), tables.e_value_line(c), *treatments, *kinds)
    say_all([*tables.run_lines(c), *tables.kind_lines(c), *(tables.provenance_lines(c) if verbose else ())])
    result = "PASS" if c.verdict == "pass" else c.verdict
    terms = c.policy.name + (f", attempt {c.attempt}" if c.attempt else ", of no attempt")
    say(f"{path}: {result}: {c.judge}, {terms}")
    say(tables.evidence_line(c, named=len(rows) < len(c.laws)))
    say_all(_scoring_lines(c))


def _scoring_lines(c: Certificate) -> Iterator[str]:
    """Lines on the pictures that the certificate's judge may score and may not, or the reason why it may score none."""
    from counterbench.evidence.admission import COMPARISONS, RULES, SUITE, barred, is_of_ratings, not_basic

    if why := barred(c):
        yield f"The judge may not score pictures: {why[0]}"
        return
    if c.suite == COMPARISONS:
        may = "may" if len(c.admitted) == len(c.laws) else "may not"
        yield f"The judge {may} compare pictures (t2i judge IMAGES/A IMAGES/B --protocol pairwise)"
        if may == "may" and is_of_ratings(c) and c.judge.endswith("scale=1-5"):  # the scale of that protocol
            yield "Its ratings of single pictures may rank models (--protocol direct); of their level nothing is shown"
        return
    if allowed := _scorable(c):
        yield f"The judge may score pictures of {' and of '.join(allowed)}"
        yield "Evidence on other kinds of pictures: none yet; human labels give it (counterbench label)"
    elif c.suite in (SUITE, RULES):
        yield "The judge may not score pictures: no law passed"
    else:
        yield f"The judge may not score pictures: {not_basic(c)[0]}"
    if c.admitted and _OF_LAWS not in allowed and c.suite not in (SUITE, RULES) and (to_pass := _validate(c, SUITE)):
        yield f"To score pictures of laws, the judge must pass this: {to_pass}"


def _scorable(c: Certificate) -> list[str]:
    """The kinds of prompts, in words, whose pictures the judge may score, if the certificate admits to anything."""
    from counterbench.evidence.admission import not_basic
    from counterbench.evidence.cells import unit

    laws = [_OF_LAWS] if c.admitted and unit(c.cells) == "law" else []
    return laws if not_basic(c) else [*laws, "prompts of your own"]


def next_command(c: Certificate, run: Path, path: Path) -> str:
    """The next command for the user: check the certificate against its run, ask until all is decided, or diagnose.

    `run`: the run's folder; `path`: the certificate's file.
    """
    if c.verdict == "pass":
        return command("verify", path, "--run", run)
    undecided = c.verdict == "not-enough-evidence" and c.attempt is not None
    # The runs of a swap lie in one folder: only `swap` asks more of them.
    of_swap = {entry.name for entry in run.resolve().parent.iterdir()} <= {"old", "new", "pictures"}
    return (undecided and _validate(c, c.suite, None if of_swap else run, named=True)) or command("diagnose", run)


def _validate(c: Certificate, suite: str, out: Path | None = None, named: bool = False) -> str:
    """The command that asks the certificate's judge about a suite in the same way, until every cell is decided.

    Empty if no command can. `out`: the run's folder. `named`: True to give a command also for a judge that cannot be
    opened by its name; it has the word JUDGE in place of the name.
    """
    from counterbench.files import catalog

    # A Python object has no name, a replay no further replies, and the place of a policy's or template's file is not
    # recorded.
    shipped = c.policy.name in catalog.names("probes/policies") and c.template in catalog.names("probes/templates")
    opened = is_opened_by_name(c.judge)
    if not shipped or not (opened or named):
        return ""
    style = c.domain.our_style if c.domain is not None else None
    settings = command_words(template=c.template, repeats=c.repeats, policy=c.policy.name)
    pairs = command_words(attempt=c.attempt, size=drawn_size(c.suite, c.domain), style=style, out=out)
    asks = command("validate", c.judge if opened else "JUDGE", "--for", suite, *settings, *pairs, "--plan")
    return asks if opened else f"put your judge in place of JUDGE: {asks}"


def is_opened_by_name(judge: str) -> bool:
    """True if a command can open this judge by the name that its run has recorded."""
    from counterbench.judges.specs import FILE_KINDS

    inner = judge.removeprefix("rater:")
    return inner.partition(":")[0] in ("pixels", "planted", "scorer", *FILE_KINDS)


def drawn_size(suite: str, domain: Domain | None) -> int | None:
    """The value of --size that draws pictures as in `domain`; None for the suite's own size, or an unknown one."""
    from counterbench.suites.suite import load_suite

    side = domain.side if domain is not None else None
    return None if side == min(load_suite(suite).size) else side


def verify_certificate(path: Path, run: Path | None, as_json: bool) -> None:
    """Check a certificate's digests and, given its run, everything in it; exits with 1 and names each difference."""
    from counterbench.evidence import issue
    from counterbench.evidence.document import read_certificate
    from counterbench.runs.folder import RUN_FILE

    certificate = read_certificate(path)
    problems = issue.problems(certificate)
    if run is not None:
        problems += issue.differences(certificate, run)
    notice = issue.outdated(certificate, "RUN" if run is None else run)
    if as_json:
        document = {
            "certificate": str(path),
            "run": None if run is None else str(run),
            "holds": not problems,
            "verdict": certificate.verdict,
            "problems": problems,
            "outdated": notice or None,
        }
        print_json(document)
    else:
        if not problems:
            say(f"{path}: {certificate.verdict}: {certificate.judge} on {certificate.suite}, {certificate.time}")
        say_some(problems, MAX_LINES, all_are="--json has all")
        if notice:
            say(notice)
        checked = "unchanged since it was written" if run is None else f"the same as derived from {run}"
        say(f"{path}: {counted(len(problems), 'difference') if problems else checked}")
    if problems:
        raise typer.Exit(CHECK_FAILED)
    if not as_json and run is None:
        if (path.parent / RUN_FILE).is_file():
            say_next(command("verify", path, "--run", path.parent))
        else:
            say("to derive every number in it again, add --run and the folder of its run")
