"""Commands about pairs: generate, verify, gallery."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from counterbench.cli import options
from counterbench.cli.app import CHECK_FAILED
from counterbench.cli.printing import command, print_json, progress, say, say_all, say_next, say_some
from counterbench.cli.work import then_merge
from counterbench.errors import InputError
from counterbench.text import counted

if TYPE_CHECKING:
    from counterbench.cli.grid import Table
    from counterbench.suites.suite import Suite
    from counterbench.verification.verify import VerifyReport

SHOWN = 50  # problems printed in full; more are counted


def generate(
    suite: str | None = typer.Argument(None, help="A shipped suite's name, or a suite file (a path with / or .toml)."),
    families: str = typer.Option("", metavar="A,B,…", help="These families instead of a suite."),
    count: int | None = typer.Option(None, help="--families: total number of pairs, split evenly (default: 100)."),
    out: Path | None = typer.Option(None, help="The folder to draw into (default: pairs/SUITE)."),
    workers: options.Workers = None,
    seed: options.SeedOption = None,
    limit: options.Limit = None,
    size: options.SizeOption = None,
    style: options.StyleOption = "flat",
    onto: options.Onto = None,
    shard: options.ShardOption = "",
    as_json: options.AsJson = False,
) -> None:
    """Draw a suite's pairs into a folder.

    Instead of a suite, --families names families. With --onto, pairs are stickers on pictures of your own. The folder
    appears when it is complete. With --shard K/N, N machines draw a part each, into a folder each.
    Example: counterbench generate counterbench-550 --out pairs

    or: counterbench generate --families spatial,counting --count 1000 --size 768 --seed 7
    """
    from counterbench.drawing.styles import STICKER
    from counterbench.suites import generation
    from counterbench.suites.folder import SUITE_FILE, default_folder
    from counterbench.suites.shards import read_shard
    from counterbench.suites.stickers import STICKERS
    from counterbench.suites.suite import load_suite, suite_of_families

    if suite is not None and families:
        raise InputError("name either a SUITE, or --families A,B,… (and --count), not both; see `counterbench list`")
    if suite is not None and count is not None:
        raise InputError("--count needs --families; to draw fewer pairs of a suite give --limit")
    if (suite is None) == (not families):
        raise InputError("name either a SUITE, or --families A,B,… (and --count); see `counterbench list`")
    part_of = read_shard(shard)
    if suite is not None:
        loaded = load_suite(suite, seed, size, style)
    else:
        loaded = suite_of_families(families.split(","), count, seed=seed or 0, size=size, style=style)
    if onto is not None or loaded.name == STICKERS:
        loaded, style = _onto(loaded, onto, limit, size, style), STICKER
    out = out or default_folder(loaded.name, part_of, style, seed=seed, limit=limit, size=size)
    was_drawn = (out / SUITE_FILE).is_file()
    with progress("drawing", quiet=as_json) as report:
        info = generation.generate(loaded, out, workers=workers, limit=limit, shard=part_of, on_progress=report)
    if as_json:
        print_json(info)
        return
    of_each = ", ".join(f"{name} {count}" for name, count in info.counts.items())
    drawn_suite = f"{info.name}, shard {part_of}" if part_of else info.name
    counts = f"{out}: {counted(info.pairs, 'pair')} of {drawn_suite} (seed {info.seed}, digest {info.digest})"
    say((f"{counts}: {of_each}" if of_each else counts) + ("; already drawn" if was_drawn else ""))
    if part_of:
        say_next(then_merge(part_of, out))
    else:
        say_next(command("verify", str(out) if "/" in str(out) else f"./{out}"))  # a bare name could be a suite's


def _onto(suite: Suite, onto: Path | None, limit: int | None, size: int | None, style: str) -> Suite:
    """The suite's pairs as stickers: its things drawn on the user's pictures, of the folder or table `onto`.

    InputError without `onto`, or with a size or style, which these pictures set.
    """
    from dataclasses import replace

    from counterbench.pictures.importing.places import pictures_of
    from counterbench.suites.stickers import drawn_grounds, sticker_suite

    if onto is None:
        raise InputError(f"{suite.name}: stickers need pictures to lie on: give --onto FOLDER or TABLE")
    if size is not None or style != "flat":
        raise InputError("leave out --size and --style: with --onto, your pictures set both")
    stickers = sticker_suite(suite, count=None if limit is None else min(limit, len(suite)))
    return replace(stickers, grounds=tuple(drawn_grounds(pictures_of(onto)[0], len(stickers), suite.seed)))


def verify(
    source: str = typer.Argument(
        metavar="SUITE|DIR|CERT.json", help="A shipped suite's name, a suite file, a folder, or a certificate."
    ),
    run: Path | None = typer.Option(None, help="CERT.json: its run, to derive it from again."),
    limit: options.Limit = None,
    as_json: options.AsJson = False,
) -> None:
    """Check the truth of every pair twice; or check a certificate.

    Pairs: programs against the pixel reader, changes, pictures, balance, laws. A certificate: its digests and, with
    --run, derive it again from its run. Exits with 1 and names each offending pair, law or part.
    Example: counterbench verify pairs
    """
    if Path(source).suffix == ".json" and not Path(source).is_dir():
        if limit is not None:
            raise InputError("--limit is for suites and folders")
        from counterbench.cli.certify import verify_certificate

        verify_certificate(Path(source), run, as_json)
        return
    if run is not None:
        raise InputError(f"--run is for a certificate, a file that ends in .json; {source!r} is none")
    from counterbench.cli.grid import show
    from counterbench.suites.sources import open_source
    from counterbench.verification.verify import verify as verify_source

    with progress("verifying", quiet=as_json) as report_progress:
        report = verify_source(open_source(source, limit=limit), on_progress=report_progress)
    if as_json:
        document = {name: getattr(report, name) for name in ("source", "digest", "holds", "pairs", "problems", "notes")}
        print_json(document | {"unchecked": sorted(report.unchecked)})
    else:
        show(_verify_table(report))
        say_all(f"note: {note}" for note in report.notes)
        problems = [f"{p.pair} ({p.family}): {p.check}: {p.message}" for p in report.problems]
        say_some(problems, SHOWN, all_are="--json has all")
        verdict = "every check holds" if report.holds else counted(len(report.problems), "problem")
        say(f"{counted(sum(report.pairs.values()), 'pair')}: {verdict}")
    if not report.holds:
        raise typer.Exit(CHECK_FAILED)


def _verify_table(report: VerifyReport) -> Table:
    """A row for each family: its pairs, and how many of them each check found wrong."""
    from counterbench.cli.grid import Table, cell

    table = Table(f"verify {report.source} ({report.digest})", ["family"], ["pairs"], ["wrong"])
    for name, wrong in report.table().items():
        counts = ", ".join(f"{check} {count}" for check, count in wrong.items() if count)
        wrong_cell = cell(counts, "red") if counts else cell("none", "green")
        table.add_row(name or "(folder)", str(report.pairs[name]), wrong_cell)
    return table


def gallery(
    source: str = typer.Argument(metavar="SUITE|DIR", help="As for generate, or a folder."),
    out: Path = typer.Option(help="The PNG file to write."),
    law: str | None = typer.Option(None, metavar="NAME", help="For a suite of laws: only this law."),
    style: options.StyleOption = "flat",
) -> None:
    """Draw a contact sheet of pairs or laws.

    Of pairs: two of every family, the original over the intervened picture. Of a suite of laws: a row for each law,
    with its start and its outcomes.
    Example: counterbench gallery certify --out sheet.png

    or: counterbench gallery laws --out laws.png
    """
    from counterbench.suites import sheets
    from counterbench.suites.sources import SuiteSource, open_source

    opened = open_source(source, style=style)
    laws = sheets.laws_of(opened.suite) if isinstance(opened, SuiteSource) else []
    if law and not laws:
        raise InputError(f"{source}: --law is for a suite of laws, such as laws")
    if laws:
        from counterbench.laws import law as find_law

        shown = sheets.law_sheet(out, [find_law(name, "--law") for name in ([law] if law else laws)], style)
        say(f"{out}: {counted(shown, 'law')}")
    else:
        say(f"{out}: {sheets.pair_sheet(opened, out)} of {counted(len(opened), 'pair')}")
