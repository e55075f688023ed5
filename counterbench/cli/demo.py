"""The main job on the embedded default: draw pairs, verify, find judges' faults, certify; then score planted models."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from counterbench.cli import printing
from counterbench.cli.app import CHECK_FAILED
from counterbench.cli.options import AsJson
from counterbench.cli.printing import command, print_json, progress, say_next
from counterbench.text import counted

if TYPE_CHECKING:
    from counterbench.certificate import Certificate
    from counterbench.certificate.policies import Policy
    from counterbench.diagnosis.document import DiagnosisDocument
    from counterbench.scoring.scores import Document
    from counterbench.suites.sources import FolderSource

SUITE = "counterbench-550"
# The pixel reader, and four judges with a fault each, built to have it.
POLICY = "standard"
JUDGES = ("pixels", "planted:sticky", "planted:off-by-one", "planted:arrow-blind", "planted:blind")
WIDE = 21  # of the longest name of these


def demo(
    out: Path = typer.Option(Path("demo"), help="The folder for pictures, runs and scores."),
    as_json: AsJson = False,
) -> None:
    """All of it on planted judges and models, in about a minute.

    Draws 550 pairs, names the faults of five judges, certifies those that see, and lets one score three models. No
    key, no download, no GPU. The same command again goes on, or shows it all again.
    Example: counterbench demo --out demo
    """
    from counterbench.certificate.policies import load_policy
    from counterbench.cli.demo_t2i import t2i_half
    from counterbench.cli.grid import show
    from counterbench.cli.tables import ccs_table
    from counterbench.diagnosis.diagnose import diagnose_runs
    from counterbench.files import formats
    from counterbench.scoring.results import load_results
    from counterbench.scoring.scores import score_runs

    def say(text: str = "") -> None:
        if not as_json:
            printing.say(text)

    say("Drawn, asked and scored on this machine: no key, no network, about a minute.")
    source = _drawn(out / "pairs", quiet=as_json)
    say(f"1 Drawn: {len(source)} pairs of pictures that differ in one declared thing.")
    verified = _verified(source, out, quiet=as_json)
    say("2 Verified: every truth by programs, and again from the pixels.")
    runs = [_asked(spec, source, out, quiet=as_json) for spec in JUDGES]
    say("3 Asked: five judges. pixels looks; four were built with a known fault.")
    documents, policy = score_runs(runs), load_policy(POLICY)
    diagnosis = diagnose_runs([load_results(run) for run in runs])
    formats.write_json(out / "scores.json", {"runs": documents})
    formats.write_json(out / "diagnosis.json", diagnosis)
    certificates = [certified(run, policy) for run in runs]
    if not as_json:
        printing.say("")
        show(ccs_table(documents))
    _say_judges(say, diagnosis, certificates, policy)
    half = t2i_half(out, say, quiet=as_json)
    if as_json:
        found = {"pairs": str(out / "pairs"), "verified": verified, "runs": documents, "diagnosis": diagnosis}
        print_json(found | {"certificates": certificates, "t2i": half})
        return
    _say_end(say, documents[1], out)
    say_next(command("report", half["judged"][1], "--out", out / "judged.html"))


def _drawn(folder: Path, quiet: bool) -> FolderSource:
    from counterbench.suites import generation
    from counterbench.suites.folder import Folder
    from counterbench.suites.gallery import contact_sheet
    from counterbench.suites.sources import FolderSource
    from counterbench.suites.suite import load_suite

    with progress("1 drawing pairs", quiet, brief=True) as report:
        generation.generate(load_suite(SUITE), folder, on_progress=report)
    source, sheet = FolderSource(Folder(folder)), folder.parent / "contact-sheet.png"
    if not sheet.is_file():
        contact_sheet(source, sheet)
    return source


def _verified(source: FolderSource, out: Path, quiet: bool) -> int:
    """Number of pairs that were verified, now or by an earlier call about the same digests."""
    from counterbench._version import __version__
    from counterbench.files import formats
    from counterbench.verification.verify import verify

    record = {"pairs": len(source), "pairs_digest": source.folder.info.pairs_digest, "counterbench": __version__}
    kept = out / "verified.json"
    if kept.is_file() and formats.read_json(kept, dict[str, Any]) == record:
        return len(source)
    with progress("2 verifying every truth twice", quiet, brief=True) as report:
        found = verify(source, on_progress=report)
    if not found.holds:
        named = command("verify", source.folder.path)
        printing.say(f"{counted(len(found.problems), 'problem')}: {named} names them", err=True)
        raise typer.Exit(CHECK_FAILED)
    formats.write_json(kept, record)
    return len(source)


def _asked(spec: str, source: FolderSource, out: Path, quiet: bool) -> Path:
    from counterbench.asking.probe import probe
    from counterbench.judges import open_judge
    from counterbench.runs.folder import default_path
    from counterbench.runs.pair_queries import keys

    judge = open_judge(spec, lambda: keys(source))
    run = out / default_path(source.name, judge.name)
    with progress(f"3 asking {spec}", quiet, brief=True) as report:
        probe(source, judge, run, on_progress=lambda p: report(p.done, p.total))
    return run


def certified(run: Path, policy: Policy) -> Certificate:
    """The run's certificate: the one in its folder if it is of the same replies, else a new one."""
    from counterbench.answers import PARSER_VERSION
    from counterbench.certificate import kept_in, problems, read_certificate
    from counterbench.files import formats
    from counterbench.runs.folder import JOURNAL_FILE, KEYS_FILE

    if (kept := kept_in(run, policy.name)).is_file():
        found = read_certificate(kept)
        files = [formats.file_digest(run / name) for name in (KEYS_FILE, JOURNAL_FILE)]
        held = (found.policy_digest, found.parser)
        same = [found.keys_digest, found.journal_digest] == files and held == (policy.digest, PARSER_VERSION)
        if same and not problems(found):
            return found
    return _issued(run, policy)


def _issued(run: Path, policy: Policy) -> Certificate:
    from counterbench.certificate import certify, keep_certificate

    certificate = certify(run, policy)
    keep_certificate(run, certificate)
    return certificate


def _say_judges(
    say: Callable[[str], None], diagnosis: DiagnosisDocument, certificates: list[Certificate], policy: Policy
) -> None:
    say("4 Diagnosed, from the replies alone (counterbench diagnose shows the evidence):")
    for found in diagnosis.runs:
        faults = [f"{fault.name}, costs {100 * fault.effect:.1f} points of CCS" for fault in found.faults]
        say(f"    {found.judge:<{WIDE}}{'; '.join(faults) or 'no fault'}")
    say(
        f"5 Certified, by policy {policy.name}: who is shown to exceed a CCS of {100 * policy.ccs:.0f} % in every cell?"
    )
    for certificate in certificates:
        say(f"    {certificate.judge:<{WIDE}}{_verdict(certificate)}")


def _verdict(certificate: Certificate) -> str:
    """A verdict in a few words, with the reason why the judge does not pass."""
    if certificate.verdict == "pass":
        return f"PASS: admitted to all {len(certificate.laws)} families"
    if certificate.control.verdict == "fail":
        return "FAIL: changes answers that must stay"
    worst = [name for name, law in certificate.laws.items() if law.verdict == certificate.verdict]
    more = f" and {len(worst) - 2} more" if len(worst) > 2 else ""
    return f"{certificate.verdict.upper()}: {', '.join(worst[:2])}{more}"


def _say_end(say: Callable[[str], None], sticky: Document, out: Path) -> None:
    right, both = sticky.overall.acc_original.value or 0, sticky.overall.ccs.value or 0
    say("")
    said = f"{sticky.signature.judge} is right on {100 * right:.0f} % of originals"
    say(f"What you saw: {said}, {100 * both:.0f} % of pairs.")
    say("Its fault was named from its replies. Only a judge that sees may score models.")
    say(f"Look at {out}/contact-sheet.png, {out}/pairs, {out}/runs, {out}/images.")
    say(f"Your own judge, in place of JUDGE: {command('validate')} JUDGE --for laws-few --plan")
