"""The command `label`: people's answers about a run's pictures, on a local page, or from and to other tools' files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from counterbench.cli import options
from counterbench.cli.printing import command, print_json, say, say_next
from counterbench.errors import InputError
from counterbench.text import counted, quoted

if TYPE_CHECKING:
    from counterbench.reporting.labelling.questions import Labelling
    from counterbench.t2i.judging.results import JudgedRun
    from counterbench.t2i.labelling.exchange import Imported
    from counterbench.t2i.labelling.units import Unit


def label(
    runs: list[Path] = typer.Argument(
        metavar="RUN…", help="A run of evaluate or t2i judge; after it, runs of other judges about the same pictures."
    ),
    rater: str = typer.Option("", metavar="NAME", help="The name that the page proposes; several may label at once."),
    pairs: bool = typer.Option(False, "--pairs", help="Ask which of two models' pictures of a prompt is better."),
    host: str = typer.Option("127.0.0.1", help="Serve other machines too, at this address (0.0.0.0: all), by a token."),
    port: int = typer.Option(8765, help="The port of the page; 0: any free one."),
    export: Path | None = typer.Option(None, metavar="FILE.csv", help="Write the answers as a table, and stop."),
    raters: bool = typer.Option(False, "--raters", help="With --export: the raters' names (else numbers)."),
    import_: Path | None = typer.Option(
        None,
        "--import",
        metavar="FILE",
        help="Take in a table (.csv), or what Label Studio exported (.json), and stop.",
    ),
    plan: bool = typer.Option(False, "--plan", help="Say how many labels a decision is likely to take, and stop."),
    as_json: options.AsJson = False,
) -> None:
    """Have people label a run's pictures, on a local page.

    One picture, one question: y, n, space for "cannot tell", u takes back. Nobody sees whose picture it is, or what the
    judge said. Every answer is in RUN/labels before the next question; Ctrl-C stops, the same command goes on.
    Example: counterbench label runs/table--gpt-4o-mini
    """
    run, *others = runs
    if sum([plan, export is not None, import_ is not None]) > 1:
        raise InputError("--plan, --export and --import each do one thing: give one of them")
    if plan:
        from counterbench.t2i.labelling.forecast import forecast_labels

        forecast = forecast_labels(run)
        if as_json:
            print_json(forecast)
        for line in forecast.lines if not as_json else ():
            say(line)
        return
    from counterbench.t2i.judging.results import load_models

    models = load_models(run)
    sample = [] if pairs else _sample(run, models, others)
    if import_ is not None:
        _say_imported(_take(import_, run, models, sample), run, pairs, as_json)
    elif export is not None:
        _write(export, run, models, sample, raters, as_json)
    else:
        _serve(_labelling(run, models, sample), run, rater, host, port, as_json)


def _sample(run: Path, models: Sequence[JudgedRun], others: Sequence[Path]) -> list[Unit]:
    from counterbench.t2i.judging.results import load_models
    from counterbench.t2i.labelling.sample import open_sample
    from counterbench.t2i.labelling.units import ModelChecks

    known = {of.kept.model.name: of.kept.model.images_digest for of in models}
    beside = [of for path in others for of in load_models(path)]
    for of in beside:
        if known.get(of.kept.model.name) != of.kept.model.images_digest:
            raise InputError(f"{of.kept.path}: is about other pictures than {run}")
    return open_sample(run, [ModelChecks(of) for of in models], [ModelChecks(of) for of in beside])


def _labelling(run: Path, models: Sequence[JudgedRun], sample: Sequence[Unit]) -> Labelling:
    """The questions of the sample; of pairs if it is empty."""
    from counterbench.reporting.labelling.questions import check_labelling, pair_labelling

    return check_labelling(run, models, sample) if sample else pair_labelling(run, models)


def _serve(of: Labelling, run: Path, rater: str, host: str, port: int, as_json: bool) -> None:
    from counterbench.files.installation import needed

    for module in ("starlette", "uvicorn", "jinja2"):
        needed(module, "labelling", "label")
    from counterbench.reporting.labelling.server import LabelServer

    server = LabelServer(of, rater=rater, host=host, port=port)
    if as_json:
        print_json({"address": server.address, "token": server.access.token, "questions": len(of.questions)})
    else:
        say(f"{counted(len(of.questions), 'question')}; the answers go to {quoted(run / 'labels')}")
        token = server.access.token and f"?token={server.access.token}"
        say(f"open {server.address}{token}", whole=True, ours=True)
        say("Ctrl-C stops; every answer is kept")
        if token:
            say("whoever has this address can answer, and what is sent is not encrypted: use it in a network you trust")
    server.serve()


def _take(file: Path, run: Path, models: Sequence[JudgedRun], sample: Sequence[Unit]) -> Imported:
    from counterbench.t2i.labelling import exchange
    from counterbench.t2i.labelling.answers import RaterFile
    from counterbench.t2i.labelling.pairs import FILES, model_pairs

    if sample:
        questions = [question for unit in sample for question in unit.questions]
        return exchange.take(exchange.labels_told(file, models, questions), lambda name: RaterFile(run, name))
    pairs = model_pairs(models)
    return exchange.take(exchange.preferences_told(file, pairs), lambda name: RaterFile(run, name, FILES))


def _say_imported(counts: Imported, run: Path, pairs: bool, as_json: bool) -> None:
    if as_json:
        print_json(counts)
        return
    say(
        f"{counted(counts.read, 'answer')} read, of {counted(len(counts.raters), 'rater')}; {counts.unknown} of "
        f"questions that the run does not have, {counts.unchanged} unchanged"
    )
    say_next("" if pairs else command("t2i", "score", run))


def _write(
    out: Path, run: Path, models: Sequence[JudgedRun], sample: Sequence[Unit], named: bool, as_json: bool
) -> None:
    from counterbench.files import formats
    from counterbench.t2i.labelling import exchange
    from counterbench.t2i.labelling.answers import rater_files
    from counterbench.t2i.labelling.pairs import FILES, model_pairs

    if out.suffix.lower() != ".csv":
        raise InputError(f"{out}: --export takes a file that ends in .csv")
    if sample:
        questions = {question.id: question for unit in sample for question in unit.questions}
        data = exchange.label_table(rater_files(run), questions, named)
    else:
        data = exchange.preference_table(rater_files(run, FILES), model_pairs(models), named)
    with formats.clear_os_errors(out, "writing"):
        formats.write_atomically(out, data)
    count = data.count(b"\n") - 1
    if as_json:
        print_json({"file": str(out), "answers": count})
        return
    say(f"{out}: {counted(count, 'answer')}")
    say_next(command("t2i", "score", run, "--labels", out) if sample else command("t2i", "align", out, run))
