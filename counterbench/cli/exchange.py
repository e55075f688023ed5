"""Import and export: data of others read into folders and runs of our own; pairs written for other tools."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from counterbench.cli import options
from counterbench.cli.printing import command, print_json, progress, say, say_all, say_next
from counterbench.errors import InputError, unknown
from counterbench.text import counted

if TYPE_CHECKING:
    from counterbench.files.data_warnings import DataWarning


def import_(
    format_: str = typer.Argument(
        metavar="FORMAT", help="pairs, replies, prompts, cf-world, … (see: counterbench list imports)."
    ),
    path: Path = typer.Argument(
        metavar="PATH", help="A table of pairs, replies or prompts; an inspect log; a release's folder."
    ),
    out: Path = typer.Option(help="The folder or run to write; the folder for prompt files."),
    pairs: Path | None = typer.Option(
        None, metavar="DIR", help="replies, inspect-log: the folder of the pairs replied to."
    ),
    prompts: str = typer.Option(
        "", "--for", metavar="PROMPTS", help="replies about generated pictures: their prompts."
    ),
    judge: str = typer.Option("", metavar="NAME", help="replies, inspect-log: what to call the judge that replied."),
    columns: options.ColumnsOption = "",
    allow_outside: options.AllowOutside = False,
    as_json: options.AsJson = False,
) -> None:
    """Read pairs, replies or prompts that were made elsewhere.

    Writes a folder, a run or prompt files in our formats, and lists warnings.
    Example: counterbench import pairs data/pairs.csv --out mine

    or: counterbench import prompts questions.csv --columns prompt=Prompt,question=Q --out mine

    or: counterbench import replies said.csv --for prompts.csv --judge theirs --out runs/theirs
    """
    if allow_outside and format_ != "pairs":
        raise InputError(f"--allow-outside is for pairs, not for {format_!r}")
    if columns and format_ != "prompts" and not prompts:
        raise InputError(f"--columns is for prompts and for replies --for PROMPTS, not for {format_!r}")
    if format_ in ("replies", "inspect-log"):
        _import_run(format_, path, pairs, prompts, judge, columns, out, as_json)
        return
    if pairs is not None or judge or prompts:
        raise InputError(f"--pairs, --for and --judge are for replies and inspect-log, not for {format_!r}")
    from counterbench.interop import IMPORTS
    from counterbench.interop.counterbench_release import import_release
    from counterbench.interop.pairs import import_pairs
    from counterbench.prompts.imports import PROMPT_IMPORTS

    if format_ in PROMPT_IMPORTS:
        _import_prompts(format_, path, columns, out, as_json)
        return
    if format_ not in IMPORTS:
        raise unknown("import format", format_, [*IMPORTS, *PROMPT_IMPORTS])
    with progress("importing", quiet=as_json) as report:
        are_pairs = format_ == "pairs"
        imported = import_pairs(path, out, report, allow_outside) if are_pairs else import_release(path, out, report)
    info = imported.info
    if as_json:
        print_json(
            {"out": str(out), "info": info, "runs": list(map(str, imported.runs)), "warnings": imported.warnings}
        )
        return
    runs = f", truth as published, {counted(len(imported.runs), 'run')}" if imported.runs else ", truth as given there"
    then = f"{command('score', out / 'runs')}/* --scoring strict" if imported.runs else ""
    _say(f"{out}: {counted(info.pairs, 'pair')} of {info.source}{runs}", imported.warnings, then)


def _import_run(
    format_: str, path: Path, pairs: Path | None, prompts: str, judge: str, columns: str, out: Path, as_json: bool
) -> None:
    """Import replies about pairs or pictures, or an inspect log, as a run, and print what was read.

    The parameters are those of `import_`.
    """
    from counterbench.interop.inspect.log import import_inspect_log
    from counterbench.interop.replies import import_replies
    from counterbench.pictures.judging.imported_replies import import_picture_replies
    from counterbench.prompts.files import load_prompts
    from counterbench.prompts.items import columns_given

    with progress("importing", quiet=as_json) as report:
        if format_ == "inspect-log":
            imported = import_inspect_log(path, out, pairs, judge, report)
        elif prompts and judge and pairs is None:
            imported = import_picture_replies(path, load_prompts(prompts), judge, out, columns_given(columns))
        elif pairs is not None and judge and not prompts:
            imported = import_replies(path, pairs, judge, out, report)
        else:
            raise InputError(
                "import replies: give --judge NAME and, if they are about pairs, --pairs FOLDER, or if they are about "
                "generated pictures, --for PROMPTS"
            )
    if as_json:
        print_json({"run": str(out), "info": imported.info, "replies": imported.replies, "warnings": imported.warnings})
        return
    info = imported.info
    replies, questions = counted(imported.replies, "reply", "replies"), counted(info.queries, "question")
    summary = f"{out}: {replies} of {info.name or info.judge} to {questions} about {info.suite}"
    _say(summary, imported.warnings, command("score", out))


def _import_prompts(format_: str, path: Path, columns: str, out: Path, as_json: bool) -> None:
    """Import prompts as prompt files, and print what was read."""
    from counterbench.prompts.imports import prompt_importer
    from counterbench.prompts.imports.imported import read_table_of_prompts, write_imported
    from counterbench.prompts.items import columns_given

    imported = read_table_of_prompts(path, columns_given(columns)) if columns else prompt_importer(format_)(path)
    write_imported(imported, out)
    if as_json:
        print_json({"imports": [source.document(format_, out) for source in imported]})
        return
    for source in imported:
        prompts, groups = len(source.prompts.prompts), len(source.prompts.groups)
        in_groups = f" in {counted(groups, 'group')}" if groups != prompts else ""
        by_level = ", ".join(f"{level} {count}" for level, count in source.by_level.items())
        questions = counted(source.checks, "question") + f" (prompts with questions: {by_level})"
        questions = questions if source.checks else "no question"
        _say(f"{source.file(out)}: {counted(prompts, 'prompt')}{in_groups}, {questions}", source.warnings)
    if imported[0].checks:
        words = ("--generator", "planted:card", "--out", "images", "--limit", 5, "--samples", 1)
        say_next(command("t2i", "generate", imported[0].file(out), *words))


def _say(imported: str, warnings: Sequence[DataWarning], next_command: str = "") -> None:
    """Print the line `imported` on what was read, what is odd in it, and the next step."""
    say(imported)
    say_all(f"warning: {warning.line()}" for warning in warnings)
    say_next(next_command)


def export(
    source: str = typer.Argument(
        metavar="SUITE|DIR|RUN", help="A shipped suite's name, a suite file, a folder, or its address; or a run."
    ),
    format_: str = typer.Option(
        ..., "--format", metavar="FORMAT", help="hf, croissant, webdataset, … (see: counterbench list exports)."
    ),
    out: str = typer.Option(help="The folder to write, or an address such as s3://bucket/pairs."),
    template: options.TemplateOption = "default",
    limit: options.Limit = None,
) -> None:
    """Write pairs or scores in the format of another tool.

    export.json is written last and names every file with its digest: without it an export is incomplete.
    Example: counterbench export counterbench-550 --format hf --out hf
    """
    from counterbench.files.addresses import fetched
    from counterbench.interop.exports import EXPORTS, RUN_EXPORTS, Options, export_run, exporter
    from counterbench.interop.exports import export as write
    from counterbench.runs.queries import DEFAULT, load_template
    from counterbench.suites.sources import open_source

    if format_ in RUN_EXPORTS:
        if limit is not None or template != DEFAULT:
            raise InputError(f"--template and --limit are for pairs, and {format_} takes a run; leave them out")
        done = export_run(format_, fetched(source), out)
    else:
        exporter(format_)  # before anything is drawn
        chosen = Options(load_template(template))
        with progress("exporting") as report:
            done = write(format_, open_source(source, limit=limit), out, chosen, report)
    contents = f"{counted(len(done.files), 'file')}, {_size(sum(file.bytes for file in done.files.values()))}"
    what = "scores on " if format_ in RUN_EXPORTS else ""
    say(f"{out}: {what}{counted(done.pairs, 'pair')} of {done.suite} as {format_}, {contents}")
    if "://" not in out:  # what reads a folder does not read every store
        say_next((EXPORTS | RUN_EXPORTS)[format_].then.format(out=out))


def _size(length: int) -> str:
    """A number of bytes, rounded: "12 kB", "3.4 MB"."""
    return f"{length / 1e3:,.0f} kB" if length < 999_500 else f"{length / 1e6:,.1f} MB"
