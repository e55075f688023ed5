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
    from counterbench.cli.grid import Table
    from counterbench.pictures.judging.judged_run import JudgedRun
    from counterbench.pictures.labelling.forecast import LabelForecast
    from counterbench.pictures.labelling.pairs import QuestionsById


def label(
    runs: list[Path] = typer.Argument(
        metavar="RUN…", help="A run of evaluate or t2i judge; after it, runs of other judges about the same pictures."
    ),
    rater: str = typer.Option("", metavar="NAME", help="The name that the page proposes; several may label at once."),
    pairs: bool = typer.Option(False, "--pairs", help="Ask which of two models' pictures of a prompt is better."),
    host: str = typer.Option("127.0.0.1", help="Serve other machines too, by a token, at this address (0.0.0.0: all)."),
    port: int = typer.Option(8765, min=0, max=65535, help="The port of the page; 0: any free one."),
    export: Path | None = typer.Option(None, metavar="FILE.csv", help="Write the answers as a table, and stop."),
    raters: bool = typer.Option(False, "--raters", help="With --export: the raters' names (else numbers)."),
    import_: Path | None = typer.Option(None, "--import", metavar="FILE.csv", help="Take in such a table, and stop."),
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
        raise InputError("give only one of --plan, --export and --import")
    if plan and pairs:
        raise InputError("--plan forecasts labels, not comparisons: leave out --pairs")
    if plan:
        from counterbench.cli.grid import show
        from counterbench.pictures.labelling.forecast import forecast_labels

        forecast = forecast_labels(run)
        if as_json:
            print_json(forecast)
        else:
            show(*forecast.lines, *_certifying(forecast))
        return
    from counterbench.pictures.judging.judged_run import load_models
    from counterbench.pictures.labelling.pairs import model_pairs

    models = load_models(run)
    questions = model_pairs(models) if pairs else _questions_in_order(run, models, others)
    if import_ is not None:
        _import(import_, run, models, questions, pairs, as_json)
    elif export is not None:
        _export(export, run, questions, pairs, raters, as_json)
    else:
        _serve(run, models, questions, pairs, rater, host, port, as_json)


def _certifying(forecast: LabelForecast) -> tuple[Table | str, ...]:
    """The labels that certify the judge: a table with its legend, or a sentence where none do."""
    if any(row.at_best is not None for row in forecast.to_certify):
        certified = f"certified: both shares are shown to exceed {forecast.bound:.2f}, for every skill"
        return _label_table(forecast), certified
    return (
        "No further labels can certify the judge: of each skill and model there are too few",
        "yes/no questions, or too many of its answers are wrong. They correct the scores.",
    )


def _label_table(forecast: LabelForecast) -> Table:
    """A table of the labels that would certify the judge, by model and skill."""
    from counterbench.cli.grid import Table
    from counterbench.results.measures import plain

    table = Table("Labels that certify the judge: yes + no (still to give)", keys=2)
    table.add_column("generator", "skill")
    table.add_numbers("sensitivity", "specificity", "if always right", "if wrong once in each", "if wrong as so far")
    for row in forecast.to_certify:
        needed = (row.at_best, row.one_error, row.as_so_far)
        cells = (f"{n.yes} + {n.no} ({n.more})" if n is not None else "impossible" for n in needed)
        table.add_row(row.model, row.skill, plain(row.sensitivity), plain(row.specificity), *cells)
    return table


def _questions_in_order(run: Path, models: Sequence[JudgedRun], others: Sequence[Path]) -> QuestionsById:
    """The questions about the models' pictures by id, in the order in which people are asked.

    `others`: runs of other judges about the same pictures; they count only when the order is first made.
    """
    from counterbench.pictures.judging.judged_run import load_models
    from counterbench.pictures.labelling.sample import open_sample, sample_file
    from counterbench.pictures.labelling.units import ModelChecks

    digests = {model.kept.model.name: model.kept.model.images_digest for model in models}
    other_models = [model for path in others for model in load_models(path)]
    for model in other_models:
        if digests.get(model.kept.model.name) != model.kept.model.images_digest:
            raise InputError(f"{model.kept.path}: is about other pictures than {run}")
    if other_models and sample_file(run).is_file():
        say("the order of the questions is already fixed: judges named now do not change it", err=True)
    units = open_sample(run, [ModelChecks(model) for model in models], [ModelChecks(model) for model in other_models])
    return {question.id: question for unit in units for question in unit.questions}


def _import(
    file: Path, run: Path, models: Sequence[JudgedRun], questions: QuestionsById, pairs: bool, as_json: bool
) -> None:
    """Take in a table of people's answers, and print how many were read; `pairs`: they compare two models' pictures."""
    from counterbench.pictures.labelling.answers import one_writer
    from counterbench.pictures.labelling.exchange import import_answers

    with one_writer(run, pairs):
        counts = import_answers(file, run, models, questions, pairs)
    if as_json:
        print_json(counts)
        return
    read = f"{counted(counts.read, 'answer')} read, of {counted(len(counts.raters), 'rater')}"
    say(f"{read}; {counts.unknown} about questions that the run does not have")
    say_next("" if pairs else command("score", run))


def _export(out: Path, run: Path, questions: QuestionsById, pairs: bool, named: bool, as_json: bool) -> None:
    """Write people's answers as a CSV file. `pairs`: they compare two pictures; `named`: with the raters' names."""
    from counterbench.files import formats
    from counterbench.pictures.labelling.exchange import answer_table

    if out.suffix.lower() != ".csv":
        raise InputError(f"{out}: --export takes a file that ends in .csv")
    data = answer_table(run, questions, pairs, named)
    with formats.clear_os_errors(out, "writing"):
        formats.write_atomically(out, data)
    count = data.count(b"\n") - 1
    if as_json:
        print_json({"file": str(out), "answers": count})
        return
    say(f"{out}: {counted(count, 'answer')}")
    if count:
        say_next(command("align", out, run) if pairs else command("score", run))


def _serve(
    run: Path,
    models: list[JudgedRun],
    questions: QuestionsById,
    pairs: bool,
    rater: str,
    host: str,
    port: int,
    as_json: bool,
) -> None:
    """Serve the page for labelling until the user stops it.

    `pairs`: people compare two models' pictures; `rater`: the name that the page proposes.
    """
    from counterbench.files.installation import needed

    for module in ("starlette", "uvicorn", "jinja2"):
        needed(module, "labelling", "label")
    from counterbench.pages.labelling.app import LabelPage
    from counterbench.pages.labelling.questions import labelling
    from counterbench.pages.labelling.server import EVERYWHERE, Guard, listening, serve
    from counterbench.pictures.labelling.answers import one_writer

    guard = Guard(host)
    page = LabelPage(labelling(run, models, questions, pairs), guard, rater)
    with one_writer(run, pairs), listening(host, port) as listener:
        address = f"http://{host}:{listener.getsockname()[1]}/"
        if as_json:
            print_json({"address": address, "token": guard.token, "questions": len(questions)})
        else:
            say(f"{counted(len(questions), 'question')}; the answers go to {quoted(run / 'labels')}")
            say(f"open {address}{guard.token and f'?token={guard.token}'}", whole=True, ours=True)
            if host == EVERYWHERE:
                say(f"from other machines, use this machine's address in place of {host}")
            if guard.token:
                say("whoever has this address can answer, and nothing is encrypted: use it in a network you trust")
            say("Ctrl-C stops; every answer is kept")
        serve(page.app, listener)
