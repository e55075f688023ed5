"""The main job on the embedded default: draw 550 pairs, verify them, tell judges with known faults apart by CCS."""

from __future__ import annotations

from pathlib import Path

import typer

from counterbench.cli.app import CHECK_FAILED, print_json, progress, say_next

SUITE = "counterbench-550"
# The pixel reader, and four judges with a fault each, built to have it.
JUDGES = ("pixels", "planted:sticky", "planted:off-by-one", "planted:arrow-blind", "planted:blind")


def demo(
    out: Path = typer.Option(Path("demo"), help="The folder for pictures, runs and scores."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
    verbose: bool = typer.Option(False, "-v", "--verbose", help="Every measure of every judge."),
) -> None:
    """Draw 550 pairs, read them back from their pixels, and tell judges with known faults apart by their CCS.

    No key, no download, no GPU. Example: counterbench demo --out demo
    """
    from counterbench import formats, generation, verification
    from counterbench.cli.tables import ccs_table, detail_table, show
    from counterbench.cli.verify_table import verify_table
    from counterbench.folder import Folder
    from counterbench.gallery import contact_sheet
    from counterbench.judges import open_judge
    from counterbench.probing import keys
    from counterbench.run import probe
    from counterbench.run_folder import default_path
    from counterbench.scores import score_runs
    from counterbench.sources import FolderSource
    from counterbench.suite import load_suite

    def say(text: str) -> None:
        if not as_json:
            typer.echo(text)

    folder = out / "pairs"
    say(f"1. Draw the pairs of {SUITE}: two pictures that differ in one declared way, and one question.")
    with progress("drawing", quiet=as_json) as report:
        generation.generate(load_suite(SUITE), folder, on_progress=report)
    source = FolderSource(Folder(folder))
    say("2. Verify them: programs against the pixel reader, declared changes, pictures, balance.")
    with progress("verifying", quiet=as_json) as report:
        verified = verification.verify(source, on_progress=report)
    if not as_json:
        show(verify_table(verified))
    if not verified.holds:
        typer.echo(f"{len(verified.problems)} problems: counterbench verify {folder} names them", err=True)
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
    if as_json:
        print_json({"pairs": str(folder), "verified": sum(verified.pairs.values()), "runs": documents})
        return
    show(ccs_table(documents))
    if verbose:
        for document in documents:
            show(detail_table(document))
    say("CCS: the share of pairs on which a judge is right about both pictures. Each fault shows in its column:")
    say("sticky repeats its first answer, off-by-one miscounts, arrow-blind ignores the arrow, blind never looks.")
    say(f"pictures {folder}/images · contact sheet {out}/contact-sheet.png · scores {out}/scores.json")
    say_next(f"counterbench score {out}/runs/{default_path(source.name, 'pixels').name} -v")
