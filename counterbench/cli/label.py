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
    from counterbench.pages.labelling.questions import Labelling
    from counterbench.pictures.judging.judged_run import JudgedRun
    from counterbench.pictures.labelling.forecast import LabelForecast
    from counterbench.pictures.labelling.pairs import QuestionsById
    from counterbench.runs.folder import RunInfo


def label(
    runs: list[Path] = typer.Argument(
        metavar="RUN…",
        help="A run of evaluate or t2i judge, then runs of other judges about the same pictures; or one about pairs.",
    ),
    rater: str = typer.Option("", metavar="NAME", help="The name that the page proposes; several may label at once."),
    pairs: bool = typer.Option(False, "--pairs", help="Ask which of two models' pictures of a prompt is better."),
    host: str = typer.Option("127.0.0.1", help="Serve other machines too, by a token, at this address (0.0.0.0: all)."),
    port: int = typer.Option(8765, min=0, max=65535, help="The port of the page; 0: any free one."),
    export: Path | None = typer.Option(None, metavar="FILE.csv", help="Write the answers as a table, and stop."),
    raters: bool = typer.Option(False, "--raters", help="With --export: the raters' names (else numbers)."),
    import_: Path | None = typer.Option(None, "--import", metavar="FILE.csv", help="Take in such a table, and stop."),
    plan: bool = typer.Option(False, "--plan", help="Say how many labels a decision is likely to take, and stop."),
    pictures: str | None = typer.Option(
        None, metavar="SUITE|DIR", help="The pairs that RUN is about, if they are of no shipped suite."
    ),
    as_json: options.AsJson = False,
) -> None:
    """Have people label a run's pictures or pairs, on a local page.

    One picture, one question: y, n, space for "cannot tell", u takes back. Nobody sees whose picture it is, or what the
    judge said. Every answer is in RUN/labels before the next question; Ctrl-C stops, the same command goes on. Of a run
    about pairs, RUN/people/NAME is a run by that person, which `score RUN` sets beside the judge.
    Example: counterbench label runs/table--gpt-4o-mini
    """
    run, *others = runs
    if sum([plan, export is not None, import_ is not None]) > 1:
        raise InputError("give only one of --plan, --export and --import")
    if not (plan or export or import_):
        from counterbench.files.installation import needed

        for module in ("starlette", "uvicorn", "jinja2"):
            needed(module, "labelling", "label")
    from counterbench.runs.folder import PERSON, about_pictures, read_run_info

    if not about_pictures(runs):
        info = read_run_info(run)
        if info.judge.startswith(PERSON):
            raise InputError(f"{run}: has a person's answers; name the judge's run, {run.parent.parent}")
        if others:
            raise InputError(f"{others[0]}: people answer the pairs of one run at a time; name only {run}")
        for name, value in {"pairs": pairs, "export": export, "import": import_}.items():
            if value:
                raise InputError(
                    f"--{name} is for a run about pictures, and {run} is about pairs: a person's answers are a run, "
                    f"{run / 'people' / 'NAME'}, that score, compare and diagnose read; leave it out"
                )
        _label_pairs(run, info, pictures, plan, rater, host, port, as_json)
        return
    if pictures is not None:
        raise InputError("--pictures is for a run about pairs, and this one is about pictures; leave it out")
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
        from counterbench.pages.labelling.questions import labelling
        from counterbench.pictures.labelling.answers import one_writer
        from counterbench.pictures.labelling.sample import LABELS_FOLDER

        content = labelling(run, models, questions, pairs)
        with one_writer(run, pairs):
            _serve(content, run / LABELS_FOLDER, rater, host, port, as_json)


def _label_pairs(
    run: Path, info: RunInfo, pictures: str | None, plan: bool, rater: str, host: str, port: int, as_json: bool
) -> None:
    """Serve the questions of a run about pairs to people, or print how many there are (`plan`)."""
    from counterbench.runs.folder import PEOPLE_FOLDER, read_keys, refuse_shard

    refuse_shard(run, info)
    keys = list(read_keys(run))
    if plan:
        families = len({key.family for key in keys})
        if as_json:
            print_json({"families": families, "questions_a_pass": 2 * families, "questions": len(keys)})
            return
        say(f"one pair of each of {counted(families, 'family', 'families')}: {counted(2 * families, 'question')}")
        say(f"all {counted(len(keys) // 2, 'pair')}: {counted(len(keys), 'question')}")
        say_next(command("label", run))
        return
    from counterbench.pages.judges import find_source
    from counterbench.pages.labelling.questions import labelling_of_pairs
    from counterbench.pictures.labelling.answers import locked_folder
    from counterbench.pictures.labelling.people import people_questions

    source = find_source(info, keys, pictures)
    if source is None:
        raise InputError(f"{run}: its pairs are of no shipped suite; give the suite or folder by --pictures SUITE|DIR")
    content = labelling_of_pairs(people_questions(run, info, keys, source))
    with locked_folder(run / PEOPLE_FOLDER):
        _serve(content, run / PEOPLE_FOLDER, rater, host, port, as_json)


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

    numbers = ["sensitivity", "specificity", "if always right", "if wrong once in each", "if wrong as so far"]
    title = "Labels that certify the judge: yes + no (still to give)"
    table = Table(title, ["generator", "skill"], numbers, keys=2)
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


def _serve(page_content: Labelling, folder: Path, rater: str, host: str, port: int, as_json: bool) -> None:
    """Serve the page for labelling until the user stops it.

    `folder`: where the answers go; `rater`: the name that the page proposes.
    """
    from counterbench.pages.labelling.app import LabelPage
    from counterbench.pages.labelling.server import EVERYWHERE, Guard, listening, serve

    guard, count = Guard(host), len(page_content.questions)
    page = LabelPage(page_content, guard, rater)
    with listening(host, port) as listener:
        address = f"http://{host}:{listener.getsockname()[1]}/"
        if as_json:
            print_json({"address": address, "token": guard.token, "questions": count})
        else:
            say(f"{counted(count, 'question')}; the answers go to {quoted(folder)}")
            say(f"open {address}{guard.token and f'?token={guard.token}'}", whole=True, ours=True)
            if host == EVERYWHERE:
                say(f"from other machines, use this machine's address in place of {host}")
            if guard.token:
                say("whoever has this address can answer, and nothing is encrypted: use it in a network you trust")
            say("Ctrl-C stops; every answer is kept")
        serve(page.app, listener)
