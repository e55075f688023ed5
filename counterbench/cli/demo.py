"""The main job on the embedded default: draw pairs, verify, find judges' faults, certify; then score planted models."""

from __future__ import annotations

from pathlib import Path

import typer

from counterbench.cli import printing
from counterbench.cli.app import CHECK_FAILED
from counterbench.cli.options import AsJson
from counterbench.cli.printing import command, print_json, progress, say_next
from counterbench.text import counted

SUITE = "counterbench-550"
# The pixel reader, and four judges with a fault each, built to have it.
POLICY = "standard"
JUDGES = ("pixels", "planted:sticky", "planted:off-by-one", "planted:arrow-blind", "planted:blind")


def demo(
    out: Path = typer.Option(Path("demo"), help="The folder for pictures, runs and scores."),
    as_json: AsJson = False,
    verbose: bool = typer.Option(False, "-v", "--verbose", help="Every measure of every judge."),
) -> None:
    """All of it on planted judges and models, in about a minute.

    Draws 550 pairs, names the faults of five judges, certifies those that see, and lets one score three models. No
    key, no download, no GPU.
    Example: counterbench demo --out demo
    """
    from counterbench.asking.probe import probe
    from counterbench.certificate import certify, keep_certificate
    from counterbench.certificate.policies import load_policy
    from counterbench.cli.certificate_table import reasons
    from counterbench.cli.demo_t2i import t2i_half
    from counterbench.cli.diagnose import diagnosis_lines
    from counterbench.cli.grid import show
    from counterbench.cli.tables import ccs_table, detail_table
    from counterbench.cli.verify_table import verify_table
    from counterbench.diagnosis.diagnose import diagnose_runs
    from counterbench.files import formats
    from counterbench.judges import open_judge
    from counterbench.runs.folder import default_path
    from counterbench.runs.pair_queries import keys
    from counterbench.scoring.results import load_results
    from counterbench.scoring.scores import score_runs
    from counterbench.suites import generation
    from counterbench.suites.folder import Folder
    from counterbench.suites.gallery import contact_sheet
    from counterbench.suites.sources import FolderSource
    from counterbench.suites.suite import load_suite
    from counterbench.verification.verify import verify

    def say(text: str) -> None:
        if not as_json:
            printing.say(text)

    folder = out / "pairs"
    say(f"1. Draw the pairs of {SUITE}: two pictures that differ in one declared way, and one question.")
    with progress("drawing", quiet=as_json) as report:
        generation.generate(load_suite(SUITE), folder, on_progress=report)
    source = FolderSource(Folder(folder))
    say("2. Verify them: programs against the pixel reader, declared changes, pictures, balance.")
    with progress("verifying", quiet=as_json) as report:
        verified = verify(source, on_progress=report)
    if not as_json:
        show(verify_table(verified))
    if not verified.holds:
        printing.say(f"{counted(len(verified.problems), 'problem')}: {command('verify', folder)} names them", err=True)
        raise typer.Exit(CHECK_FAILED)
    contact_sheet(source, out / "contact-sheet.png")
    say("3. Ask five judges: the pixel reader, and four that were built with a known fault.")
    runs = []
    for spec in JUDGES:
        judge = open_judge(spec, lambda: keys(source))
        runs.append(out / default_path(source.name, judge.name))
        with progress(f"asking {spec}", quiet=as_json) as report:
            probe(source, judge, runs[-1], on_progress=lambda p, report=report: report(p.done, p.total))  # type: ignore[misc]
    documents = score_runs(runs)
    formats.write_json(out / "scores.json", {"runs": documents})
    diagnosis = diagnose_runs([load_results(run) for run in runs])
    formats.write_json(out / "diagnosis.json", diagnosis)
    policy = load_policy(POLICY)
    certificates = []
    for run in runs:
        certificates.append(certify(run, policy))
        keep_certificate(run, certificates[-1])
    if as_json:
        print_json(
            {
                "pairs": str(folder),
                "verified": sum(verified.pairs.values()),
                "runs": documents,
                "diagnosis": diagnosis,
                "certificates": certificates,
                "t2i": t2i_half(out, say, quiet=True),
            }
        )
        return
    show(ccs_table(documents))
    if verbose:
        for document in documents:
            show(detail_table(document, document.signature.judge, everything=True))
    say("CCS: the share of pairs on which a judge is right about both pictures.")
    say("4. Diagnose them: which fault explains what each judge gets wrong, and what does it cost?")
    for found in diagnosis.runs:
        for line in diagnosis_lines(found.judge, found):
            say(line)
    say(f"5. Certify them: may they score text-to-image models? Policy {POLICY}: {policy.description}.")
    for certificate in certificates:
        why = reasons(certificate)
        more = f" (and {len(why) - 1} more)" if len(why) > 1 else ""
        say(f"{certificate.verdict.upper()}: {certificate.judge}{': ' + why[0] + more if why else ''}")
    t2i_half(out, say, quiet=False)
    say(f"pictures {folder}/images · contact sheet {out}/contact-sheet.png · scores {out}/scores.json")
    say(f"certificates {out}/runs/*/certificate-{POLICY}.json · generated pictures {out}/images")
    say_next(command("diagnose", out / default_path(source.name, JUDGES[2]), "-v"))
