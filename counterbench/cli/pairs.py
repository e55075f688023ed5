"""Commands about pairs: generate, verify, gallery."""

from __future__ import annotations

from pathlib import Path

import typer

from counterbench.cli import options
from counterbench.cli.app import CHECK_FAILED
from counterbench.cli.merge import then_merge
from counterbench.cli.printing import command, print_json, progress, say, say_next, say_some
from counterbench.errors import InputError
from counterbench.text import counted

SHOWN = 50  # problems printed in full; more are counted


def generate(
    suite: str = typer.Argument(help="A shipped suite's name, or a suite file (a path with / or .toml)."),
    out: Path = typer.Option(help="The folder to draw into."),
    workers: options.Workers = None,
    seed: options.Seed = None,
    limit: options.Limit = None,
    size: options.Size = None,
    style: options.Style = "flat",
    shard: options.Shard = "",
    as_json: options.AsJson = False,
    verbose: bool = typer.Option(False, "-v", "--verbose", help="Print every family's parameters and the versions."),
) -> None:
    """Draw a suite's pairs into a folder.

    The folder is there when it is whole. With --shard K/N, N machines draw a part each, into a folder each.
    Example: counterbench generate counterbench-550 --out pairs
    """
    from counterbench.cli.listing import parameters
    from counterbench.suites import generation
    from counterbench.suites.folder import SHARD_FILE, SUITE_FILE
    from counterbench.suites.shards import read_shard
    from counterbench.suites.suite import load_suite

    part_of = read_shard(shard)
    loaded = load_suite(suite, seed, size, style)
    there = any((out / file).is_file() for file in (SUITE_FILE, SHARD_FILE))
    with progress("drawing", quiet=as_json) as report:
        info = generation.generate(loaded, out, workers=workers, limit=limit, shard=part_of, on_progress=report)
    if as_json:
        print_json(info)
        return
    families = ", ".join(f"{name} {count}" for name, count in info.counts.items())
    of = f"{info.name}, shard {part_of}" if part_of else info.name
    counts = f"{out}: {counted(info.pairs, 'pair')} of {of} (seed {info.seed}, digest {info.digest})"
    say((f"{counts}: {families}" if families else counts) + ("; it was there already" if there else ""))
    if verbose:
        for part in loaded.parts:
            say(f"{part.family}: forms {', '.join(part.forms)}; {parameters(part.params)}")
        say(f"versions: {', '.join(f'{name} {version}' for name, version in info.versions.items())}")
    if part_of:
        say_next(then_merge(part_of, out))
    else:
        say_next(command("verify", str(out) if "/" in str(out) else f"./{out}"))  # a bare name could be a suite's


def verify(
    source: str = typer.Argument(
        metavar="SUITE|DIR|CERT.json", help="A shipped suite's name, a suite file, a folder, or a certificate."
    ),
    run: Path | None = typer.Option(None, help="CERT.json: the run to derive it from again."),
    workers: options.Workers = None,
    limit: options.Limit = None,
    as_json: options.AsJson = False,
    verbose: bool = typer.Option(False, "-v", "--verbose", help="Print every problem, however many."),
) -> None:
    """Check the truth of every pair twice; or check a certificate.

    Pairs: programs against the pixel reader, changes, pictures, balance. A certificate: check its digests and, with
    --run, derive it again from its run. Exits with 1 and names each offending pair, or part, if anything is wrong.
    Example: counterbench verify pairs
    """
    if Path(source).suffix == ".json" and not Path(source).is_dir():
        from counterbench.cli.certify import verify_certificate

        if workers is not None or limit is not None:
            raise InputError("--workers and --limit are for suites and folders, not for a certificate")
        verify_certificate(Path(source), run, as_json, verbose)
        return
    if run is not None:
        raise InputError(f"--run is for a certificate, a file that ends in .json; {source!r} is none")
    from counterbench.cli.grid import show
    from counterbench.cli.verify_table import verify_table
    from counterbench.suites.sources import open_source
    from counterbench.verification.verify import verify as verify_source

    with progress("verifying", quiet=as_json) as report_progress:
        opened = open_source(source, limit=limit)
        report = verify_source(opened, workers=workers, on_progress=report_progress)
    if as_json:
        print_json(
            {
                "source": report.source,
                "digest": report.digest,
                "holds": report.holds,
                "pairs": dict(report.pairs),
                "problems": report.problems,
                "notes": report.notes,
                "unchecked": sorted(report.unchecked),
            }
        )
    else:
        show(verify_table(report))
        for note in report.notes:
            say(f"note: {note}")
        say_some([f"{p.pair} ({p.family}): {p.check}: {p.message}" for p in report.problems], SHOWN, verbose)
        verdict = "every check holds" if report.holds else counted(len(report.problems), "problem")
        say(f"{counted(sum(report.pairs.values()), 'pair')}: {verdict}")
    if not report.holds:
        raise typer.Exit(CHECK_FAILED)
    if not as_json:
        say_next(command("probe", source, "--judge", "pixels"))


def gallery(
    source: str = typer.Argument(metavar="SUITE|DIR", help="As for generate, or a folder."),
    out: Path = typer.Option(help="The PNG file to write."),
    each: int = typer.Option(2, min=1, max=20, help="Pairs of each family."),
    by_law: bool = typer.Option(False, help="Of a suite of laws: a row for each law, with its start and outcomes."),
    law: str | None = typer.Option(None, metavar="NAME", help="As --by-law, of this law alone."),
    style: options.Style = "flat",
    verbose: bool = typer.Option(False, "-v", "--verbose", help="Name every pair with its question and answers."),
) -> None:
    """Draw a contact sheet of pairs or laws.

    Of pairs: every family, the original over the intervened picture; or every law's outcomes.
    Example: counterbench gallery certify --out sheet.png (or: counterbench gallery laws --by-law --out laws.png)
    """
    from counterbench.suites.gallery import contact_sheet
    from counterbench.suites.sources import open_source

    if by_law or law:
        _law_gallery(source, out, law, style)
        return
    opened = open_source(source, style=style)
    shown = contact_sheet(opened, out, each)
    say(f"{out}: {len(shown)} of {counted(len(opened), 'pair')}")
    if verbose:
        for pair in shown:
            say(f"{pair.id}: {pair.question} {pair.original_answer}, then {pair.intervened_answer}")


def _law_gallery(source: str, out: Path, law: str | None, style: str) -> None:
    from counterbench.drawing.styles import check_style
    from counterbench.laws import law as find_law
    from counterbench.suites.families.laws import LawParams, chosen
    from counterbench.suites.law_gallery import law_sheet
    from counterbench.suites.suite import load_suite

    params = [part.params for part in load_suite(source).parts if isinstance(part.params, LawParams)]
    if not params:
        raise InputError(f"{source}: --by-law and --law are for a suite of laws, such as laws")
    names = [law] if law else list(dict.fromkeys(name for p in params for name in chosen(p.laws)))
    shown = law_sheet(out, [find_law(name, "--law") for name in names], check_style(style))
    say(f"{out}: {shown} {'law' if shown == 1 else 'laws'}")
