"""Commands about generated pictures: t2i judge, which only a tested judge passes, and t2i score."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import msgspec
import typer

from counterbench.cli import options
from counterbench.cli.app import CHECK_FAILED, UNFINISHED
from counterbench.cli.printing import command, looking, print_json, say, say_next, say_some
from counterbench.cli.work import already, goes_on, say_end, say_lasting, say_state, working
from counterbench.text import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from counterbench.asking.runner import Progress
    from counterbench.certificate import Certificate
    from counterbench.cli.grid import Table
    from counterbench.drawing.domain import Domain
    from counterbench.judges.base import Judge
    from counterbench.runs.queries import Key
    from counterbench.runs.wordings import Wording
    from counterbench.t2i.judging.drift import When
    from counterbench.t2i.judging.picture_queries import PictureQuestions
    from counterbench.t2i.prompts.prompt_set import PromptSet


def judge(
    images: Path = typer.Argument(metavar="IMAGES/GENERATOR", help="A generator's folder of pictures."),
    judge: str = typer.Option(help="As for probe: openai:MODEL, transformers:PATH, pixels, planted:NAME, a TOML file."),
    certificate: Path | None = typer.Option(None, help="What the judge was shown to see: a certificate's file."),
    prompts: str = typer.Option(
        "", metavar="SET|FILE", help="Ask what this prompt set asks (default: the prompts that the pictures carry)."
    ),
    protocol: str = typer.Option(
        "", help="What is asked and how it is scored (see: counterbench list protocols; default: as the prompts say)."
    ),
    out: Path | None = typer.Option(None, help="The run's folder (default: runs/PROMPTS--GENERATOR--JUDGE--PROTOCOL)."),
    name: options.Name = "",
    reuse: Path | None = typer.Option(
        None, metavar="RUN", help="Take over this run's replies to questions that are the same, of the same pictures."
    ),
    uncertified: bool = typer.Option(False, help="Go on without the gate; every table and file says so."),
    show_prompt: bool = typer.Option(False, help="Show the judge the prompts: measures how far it believes them."),
    scoring: str = typer.Option(
        "default", help="How it will be counted: what a soft one needs of the judge is checked before the first call."
    ),
    wording: str = typer.Option("", help="How the judge is asked: a wording's name or file (default: the protocol's)."),
    negated: float = typer.Option(
        0.0, min=0, max=1, metavar="SHARE", help="Ask this share of yes/no checks also denied: does it lean to yes?"
    ),
    votes: options.Votes = 1,
    canaries: options.Canaries = 0,
    base_url: options.BaseUrl = "",
    key_env: options.KeyEnv = "",
    price: options.Price = "",
    concurrency: options.Concurrency = None,
    max_calls: options.MaxCalls = None,
    max_cost: options.MaxCost = None,
    rpm: options.Rpm = None,
    tpm: options.Tpm = None,
    retries: options.Retries = 8,
    as_json: options.AsJson = False,
    verbose: bool = typer.Option(False, "-v", "--verbose", help="Every reason, and the run's identity."),
) -> None:
    """Have a certified judge answer the checks of every picture.

    The same command again resumes. Exits with 1 if the judge is not admitted to these checks, with 3 if it was stopped
    or questions failed.
    Example: counterbench t2i judge images/planted-literal --judge pixels --certificate pixels.json
    """
    from counterbench.asking.asker import Limits
    from counterbench.asking.probe import refuse_other
    from counterbench.certificate import Certificate, outdated, read_certificate
    from counterbench.cli.certify import drawn_size
    from counterbench.cli.t2i_coverage import admitting
    from counterbench.cli.t2i_drift import ask_again
    from counterbench.cli.tables import observation_lines
    from counterbench.errors import InputError
    from counterbench.judges import open_judge
    from counterbench.judges.base import JudgeExtras, called, extras
    from counterbench.runs.folder import default_path
    from counterbench.runs.usage import usage_of
    from counterbench.runs.wordings import load_wording, with_prompt
    from counterbench.t2i.images.manifest import read_manifest
    from counterbench.t2i.judging.drift import can_be_asked
    from counterbench.t2i.judging.gate import entry, refuted, untested
    from counterbench.t2i.judging.picture_queries import PictureQuestions, prompts_of
    from counterbench.t2i.judging.results import load_judged
    from counterbench.t2i.judging.reuse import Reuse
    from counterbench.t2i.judging.run import judge_pictures
    from counterbench.t2i.judging.sure import Sure
    from counterbench.t2i.prompts.files import not_used
    from counterbench.t2i.prompts.from_laws import disowned
    from counterbench.t2i.protocols import protocol as protocol_of
    from counterbench.t2i.run_scores import standing
    from counterbench.t2i.scores.document import ADMITTED, UNCERTIFIED, stamp
    from counterbench.t2i.scores.rules import DEFAULT
    from counterbench.t2i.scores.rules import scoring as scoring_of
    from counterbench.t2i.scores.soft import soft_counts
    from counterbench.t2i.words import admission, soft_line

    made = read_manifest(images)
    asked = prompts_of(made, prompts)
    by = protocol_of(protocol or asked.protocol)
    questions = PictureQuestions(made, asked, by, negated=negated)
    made, wording = questions.images, wording or by.wording
    if made.rows and all(row.status == "missing" for row in made.rows):
        raise InputError(f"{images}: no picture is drawn yet; the same `t2i generate` goes on")
    chosen = open_judge(judge, questions.keys, base_url=base_url, key_env=key_env, price=price)
    soft = scoring_of(scoring, by.scorings).soft
    if soft:
        _refuse_unsure(chosen, votes, questions.drawn)
    put = load_wording(wording)
    if show_prompt or by.shows_prompt:
        put = with_prompt(put)
    shown = read_certificate(certificate) if certificate is not None else None
    gate = entry(
        shown,
        questions.drawn,
        judge=chosen.name,
        wording_digest=put.digest,
        votes=votes,
        prompt_shown=put.shows_prompt,
    )
    way = options.wording_given(wording, protocol_of(asked.protocol).wording)
    way += options.given(votes=votes, base_url=base_url, key_env=key_env, price=price)
    aim = prompts or images
    if not gate.admitted and not uncertified:
        renewed = isinstance(shown, Certificate) and gate.objections == [outdated(shown)]
        admits = [] if put.shows_prompt or renewed else admitting(judge, aim, gate.left_out, way)
        what = "what would admit it"
        if isinstance(shown, Certificate) and refuted(
            shown, questions.drawn, judge=chosen.name, wording_digest=put.digest, votes=votes
        ):
            what = "it was shown not to see what is asked for; only a further attempt asks other pairs"
            further, size = (shown.attempt or 0) + 1, drawn_size(shown.suite, shown.domain)
            admits = admitting(judge, aim, gate.left_out, way, further, size)
        _turn_away(gate.objections, what, admits, as_json)
    ending = ("--prompt-shown" if show_prompt else "") + (f"--negated-{negated:g}" if negated else "")
    usual = default_path(questions.name, called(chosen, name), f"{ending}--{by.name}-{by.version}")
    earlier = default_path(questions.name, called(chosen, name), ending.removesuffix(f"--negated-{negated:g}"))
    path, before = _folder(out, usual, earlier, reuse, questions, chosen.name, put, votes)
    taken = Reuse(questions, before, chosen.name, put, votes) if before is not None else None
    limits = Limits(concurrency=concurrency, max_calls=max_calls, max_cost=max_cost, rpm=rpm, tpm=tpm, retries=retries)
    if not as_json and prompts:
        say_some(not_used(prompts), 1, verbose, err=True)
    if not as_json and not put.shows_prompt and (lost := disowned(questions.drawn)):
        say(
            f"{lost} checks are not asked so by the laws of this version: nothing is drawn for them, "
            "and no certificate covers them",
            err=True,
        )
    if not as_json and questions.elsewhere:
        of = f"{questions.elsewhere} of {counted(questions.elsewhere + len(made.rows), 'picture')}"
        say(f"{of} are of prompts that {questions.prompts.name} does not have: not asked", err=True)
    if not as_json and questions.reworded:
        say(
            f"{counted(questions.reworded, 'picture')} of words that {asked.name} has otherwise now: not asked",
            err=True,
        )
    if not as_json and (bare := sum(not questions.prompt(row).checks for row in made.rows)):
        say(f"{bare} of {counted(len(made.rows), 'picture')} are of prompts without a question: not asked", err=True)
    if not as_json and taken and before is not None and not path.exists():
        say(f"{counted(len(taken), 'reply', 'replies')} of {before} taken over, in {path}: the rest is asked", err=True)
    if not as_json and (missing := made.counts.get("missing")):
        later = "drawn later, they make another run: finish `t2i generate` first, or judge these alone"
        say(f"{missing} of {len(made.rows)} pictures are not drawn yet; {later}", err=True)

    if gate.admitted and isinstance(shown, Certificate) and not as_json:
        if gate.left_out:
            say(f"{admission(len(gate.laws), gate.left_out, gate.covered, verbose)}: asked, not scored", err=True)
        for reason in untested(shown, questions.drawn.without(gate.left_out), questions.domain):
            say(f"{ADMITTED}: {reason}", err=True)
        if size := _other_size(shown, questions.domain):
            (line,) = admitting(judge, aim, gate.laws, way, shown.attempt, size)[:1]
            say(f"pictures as large as these are tested by: {line}", err=True)

    def opened(known: Callable[[], Iterable[Key]]) -> Judge:
        return open_judge(judge, known, base_url=base_url, key_env=key_env, price=price)

    def still(when: When, limits: Limits) -> Limits:
        """The limits that are left once certified pairs were asked again, where that says anything."""
        if not isinstance(shown, Certificate) or not can_be_asked(shown):
            return limits
        if not gate.admitted or uncertified or not len(questions):
            return limits
        return ask_again(shown, opened, path, when, put, limits, votes, quiet=as_json)

    refuse_other(questions, chosen, path, wording=put, votes=votes, name=name)
    limits = still("start", limits)

    # Prompts of the same words share theirs.
    files = {row.path or row.id for row in made.rows if questions.prompt(row).checks}

    def begins(p: Progress) -> str:
        mark = "" if gate.admitted else f"{UNCERTIFIED}: "
        then = f" and, once they are answered, {p.ahead}" if p.ahead else ""
        asks = f"{counted(p.total - p.done, 'question')}{then} about {counted(len(files), 'picture')}"
        return f"{mark}{asks} to ask {chosen.name}{already(p, 'answered')}"

    def prices() -> str:
        return extras(chosen, JudgeExtras).prices

    with working(f"asking {chosen.name}", begins, "answered", prices, quiet=as_json) as work:
        end = judge_pictures(
            questions,
            Sure(chosen) if soft and votes == 1 else chosen,
            path,
            wording=put,
            certificate=shown,
            uncertified=not gate.admitted,
            votes=votes,
            limits=limits,
            canaries=canaries,
            name=name,
            reuse=taken,
            on_checked=looking(work.report),
            on_progress=work,
        )
    left = limits.less(end.calls, end.cost)
    if end.complete and left is not None:
        still("end", left)
    run = load_judged(path)
    found = standing(run)  # with what came back: lost replies, another model
    if as_json:
        print_json({"run": str(path), "complete": end.complete, **msgspec.structs.asdict(found), "progress": end})
    else:
        say_state(path, "questions", end)
        for line in observation_lines(called(chosen, name), usage_of(path)):
            say(line)
        if soft:
            say(soft_line(soft_counts(run.rows)))
        say_lasting(end, verbose)
        say_end(end, prices())
        say_some([f"{stamp(found)}: {reason}" for reason in found.reasons], 1, verbose)
        if verbose:
            say(f"pictures {questions.digest} · judge {chosen.name} · wording {put.digest}")
        more = "certified pairs are still to be asked again: the same command again resumes"
        given = ["--scoring", scoring] if scoring != DEFAULT else []
        say_next(more if end.complete and left is None else goes_on(end, command("t2i", "score", path, *given)))
    if not end.complete or left is None:
        raise typer.Exit(UNFINISHED)
    if not found.admitted and not uncertified:
        raise typer.Exit(CHECK_FAILED)


def _refuse_unsure(judge: Judge, votes: int, asked: PromptSet) -> None:
    """InputError if nothing that a judge replies will say how sure it is, or no question is one of yes or no."""
    from counterbench.errors import InputError
    from counterbench.judges.base import JudgeExtras, extras
    from counterbench.t2i.scores.soft import HOW_TOLD

    if not any(check.answer_type == "yes-no" for prompt in asked.prompts for check in prompt.checks):
        raise InputError(
            f"{asked.name!r} has no yes/no check, and a soft scoring counts how sure the judge is of those alone; "
            "grades and other answers count as they are: leave out --scoring"
        )
    if votes == 1 and not extras(judge, JudgeExtras).probabilities:
        raise InputError(
            f"{judge.name}: is not asked how likely yes and no are, which a soft scoring counts: use {HOW_TOLD}"
        )


def _folder(
    out: Path | None,
    usual: Path,
    earlier: Path,
    reuse: Path | None,
    questions: PictureQuestions,
    judge: str,
    wording: Wording,
    votes: int,
) -> tuple[Path, Path | None]:
    """The folder of the run, and the run whose replies are taken over, if any.

    Where the usual folder holds other questions about these pictures, as before a check was mended, the run stands
    beside it and takes over the replies to all that stay. InputError if --out does. `earlier`: the usual folder of the
    version before.
    """
    from counterbench.errors import InputError
    from counterbench.runs.folder import T2I_FILE
    from counterbench.t2i.judging.reuse import holds_other_questions

    if not holds_other_questions(out or usual, questions, judge, wording, votes):
        before = out is None and not usual.exists() and (earlier / T2I_FILE).is_file()
        return out or usual, reuse or (earlier if before else None)
    if out is not None:
        raise InputError(
            f"{out}: holds another run of {judge!r}, about other questions or pictures: choose another --out; with "
            f"--reuse {out} it takes over the replies to questions that are the same"
        )
    return usual.with_name(f"{usual.name}--{questions.digest[:8]}"), reuse or usual


def _other_size(shown: Certificate, met: Domain) -> int | None:
    """The --size at which the pairs of a certificate are as large as the pictures, if they are not and can be."""
    from counterbench.drawing.domain import size_of
    from counterbench.suites.suite import LARGEST, SMALLEST, load_suite

    side = met.side
    if shown.domain is None or shown.domain.size == met.size or side is None or not SMALLEST <= side <= LARGEST:
        return None
    return side if size_of(*load_suite(shown.suite, size=side).size) == met.size else None


def _turn_away(objections: list[str], what: str, admits: list[str], as_json: bool) -> NoReturn:
    """Say why a judge is not admitted, and with which commands it might be; then exit with 1."""
    for reason in objections:
        say(f"not admitted: {reason}", err=True)
    if admits:
        say(f"{what} (then this again, with the last one's file as --certificate):", err=True)
    for line in admits:
        say(f"  {line}", err=True)
    say("(--uncertified goes on without, and says so in every table and file)", err=True)
    if as_json:
        told = {"admitted": False, "certified": False, "reasons": objections}
        print_json({"run": None, "complete": False, **told, "progress": None})
    raise typer.Exit(CHECK_FAILED)


def score(
    runs: list[Path] = typer.Argument(metavar="RUN…", help="One run of t2i judge or several."),
    scoring: str = typer.Option("default", help="How it is counted; `list protocols` has each protocol's ways."),
    threshold: float | None = typer.Option(
        None, help="cf-eval's gate: L2 and L3 count where the group's S_L1 is at least this (0.5)."
    ),
    labels: Path | None = typer.Option(None, help="People's labels of some of the pictures, a CSV (of one run)."),
    fuse: str = typer.Option(
        "", metavar="all|majority|any", help="Also as one judge: what all say, most, or any, of runs on one folder."
    ),
    form: options.Format = options.Form.TABLE,
    as_json: options.AsJson = False,
    verbose: bool = typer.Option(
        False, "-v", "--verbose", help="By dimension, law and the like; the gate's thresholds; the reasons."
    ),
) -> None:
    """What generators score, with intervals.

    By their runs' protocol: of cf-eval S_L1 to S_L3, PRR and RRR, beside those of turkey, literal and starter, and the
    share of reversion; of checklist and r2i-score the mean, by dimension and category.
    Example: counterbench t2i score runs/mine runs/another
    """
    from counterbench.cli import t2i_lines as lines
    from counterbench.cli import t2i_slices as slices
    from counterbench.cli import t2i_tables as tables
    from counterbench.cli.grid import show, show_csv
    from counterbench.errors import InputError
    from counterbench.t2i import run_scores as scores
    from counterbench.t2i import words
    from counterbench.t2i.fusion import fused
    from counterbench.t2i.judging.results import load_judged
    from counterbench.t2i.scores.rules import DEFAULT

    form = options.Form.JSON if as_json else form
    if labels is not None and len(runs) != 1:
        raise InputError("--labels are of the pictures of one run; name one")
    judged = [load_judged(run) for run in runs]
    documents = [scores.score(run, scoring, threshold) for run in judged]
    together = fused(judged, documents, fuse, scoring, threshold) if fuse else []
    bands = [scores.corrected(run) for run in judged]
    by_people = scores.labelled(judged[0], labels) if labels is not None else {}
    if form is options.Form.CSV:
        show_csv(tables.score_rows([*documents, *together]))
        return
    every = words.told_apart([*documents, *together], brief=form is not options.Form.JSON)
    named = every[: len(runs)]
    differences, not_compared = scores.paired_differences(judged, named, scoring, threshold)
    if form is options.Form.JSON:
        plain = [scores.as_json(document) for document in documents]
        for entry, band in zip(plain, bands, strict=True):
            entry |= {"uncertified_because": entry["reasons"], "corrected": msgspec.to_builtins(band)}
        if labels is not None:
            plain[0]["labelled"] = msgspec.to_builtins(by_people)
        told = {"runs": plain, "differences": differences}
        print_json(told | ({"fused": [scores.as_json(document) for document in together]} if fuse else {}))
        return
    page: list[Table | str] = [*tables.headline_tables(every), *slices.across_tables(every, interval=verbose)]
    page += [] if verbose else slices.depth_tables(every)  # which has them with all their numbers
    page += tables.leaning_table(named)
    page += lines.legend_lines(every, differences, sliced=verbose)
    said = lines.notes_of_all(named, verbose)
    page += [f"all runs: {note}" for note in said]
    for document, band in zip(named, bands, strict=True):
        page += [lines.counts_line(document), *words.apart_lines(document), *words.rests_lines(document)]
        page += lines.note_lines(document, verbose, said)
        page += [tables.truth_table(document, by_people, band)] if band or by_people else []
        page += lines.label_lines(document.generator, by_people)
        page += [tables.bounds_table(document)] if words.has_losses(document) else []
        if verbose:
            page += slices.slice_tables(document, every)
    if verbose:
        page += tables.interval_tables(named)
        page += [*tables.point_table(named), tables.lost_table(named)]
    page += lines.fused_lines(together)
    if differences:
        page.append(tables.differences_table(differences, tables.worst_stamp(named)))
    page += not_compared
    show(*page, *lines.closing_lines(documents), *map(lines.signature_line, documents), form=form)
    if not verbose and form is options.Form.TABLE:
        given: list[object] = ["--scoring", scoring] if scoring != DEFAULT else []
        given += ["--threshold", threshold] if threshold is not None else []
        given += ["--labels", labels] if labels is not None else []
        given += ["--fuse", fuse] if fuse else []
        say_next(command("t2i", "score", *runs, *given, "-v"))
