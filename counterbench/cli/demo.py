"""The command `demo`: the whole work of the package on what it ships, with a few words at each of eight steps.

The first half (`_pairs_half`) draws pairs of pictures, asks five judges about them, names the judges' faults and
certifies the judges that see. The second half (`_models_half`) certifies a judge for a prompt set and has it score
three text-to-image models; then `_surprise` shows how a judge that nobody tested reverses a ranking. All files go into
one folder; the same command again asks nothing twice.

A *planted* judge or model is one of ours with a known fault, so the truth about it is known. The judge "pixels" reads
the drawn pictures by a program.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from counterbench.cli.app import CHECK_FAILED
from counterbench.cli.printing import command, progress, say, say_next
from counterbench.text import counted, points, some

if TYPE_CHECKING:
    from counterbench.asking.asking import Asking
    from counterbench.asking.runner import Progress
    from counterbench.cli.grid import Table
    from counterbench.evidence.document import Certificate
    from counterbench.pictures.scores.document import ModelDocument
    from counterbench.results import scores

SUITE, POLICY = "counterbench-550", "standard"
# The judges of the first half: the pixel reader, and four planted judges with one fault each.
JUDGES = ("pixels", "planted:sticky", "planted:off-by-one", "planted:arrow-blind", "planted:blind")
# The second half: the prompt set, the judges that are tested for it (the first is admitted, the second is not), and the
# models that the first one scores.
PROMPTS, JUDGES_OF_LAWS = "laws-few", ("pixels", "planted:prior-bound")
MODELS = ("planted:reasoner", "planted:literal", "planted:noisy?l1=0.9&l2=0.6&l3=0.4")
# The surprise: a judge that nobody tested and that obeys painted words, and a model that paints them.
UNTESTED, VANDAL = "planted:text-led", "planted:vandal"
NUMBERS = {"s_l1": "S_L1", "s_l2": "S_L2", "s_l3": "S_L3", "prr": "PRR", "rrr": "RRR"}
NAME_WIDTH = 21  # characters of the longest name of these judges


def demo(out: Path = typer.Option(Path("demo"), help="The folder for pictures, runs and scores.")) -> None:
    """The whole workflow on planted judges, in about a minute.

    Draws 550 pairs, names the faults of five judges, certifies those that see, and lets one score three models; then an
    untested judge reverses their ranking. No key, no download, no GPU. The same command again asks nothing twice, and
    prints everything again.
    Example: counterbench demo --out demo
    """
    say("Drawn, asked and scored on this machine: no key, no network, about a minute.")
    sticky = _pairs_half(out)[1]
    judged = _models_half(out)
    right, both = sticky.overall.acc_original.value or 0, sticky.overall.ccs.value or 0
    finding = f"{sticky.provenance.judge} is right on {100 * right:.0f} % of originals"
    say("")
    say(f"What you saw: {finding}, {100 * both:.0f} % of pairs.")
    say("Its fault was named from its replies. Only a judge that sees may score models.")
    say(f"Look at {out}/contact-sheet.png, {out}/pairs, {out}/runs, {out}/images.")
    say(f"With your own judge in place of JUDGE: {command('validate')} JUDGE --for {PROMPTS} --plan")
    report = command("report", judged[1], "--out", out / "judged.html")
    say_next(report if find_spec("jinja2") is not None else command("score", judged[1], "-v"))


def _pairs_half(out: Path) -> list[scores.Document]:
    """Take the steps 1 to 5: draw and verify pairs, ask judges, name their faults, certify them; returns the scores."""
    from counterbench import api
    from counterbench.asking.probe import Probe
    from counterbench.cli.grid import show
    from counterbench.cli.tables import ccs_table
    from counterbench.evidence.document import kept_in
    from counterbench.files import formats
    from counterbench.runs.folder import default_path
    from counterbench.suites.sheets import pair_sheet
    from counterbench.suites.sources import FolderSource

    pairs = out / "pairs"
    with progress("1 drawing pairs", brief=True) as report:
        source = FolderSource(api.generate(SUITE, pairs, on_progress=report))
    if not (out / "contact-sheet.png").is_file():
        pair_sheet(source, out / "contact-sheet.png")
    say(f"1 Drawn: {len(source)} pairs of pictures that differ in one declared thing.")
    with progress("2 verifying every truth twice", brief=True) as report:
        verified = api.verify(pairs, on_progress=report)
    if not verified.holds:
        named = command("verify", pairs)
        say(f"{counted(len(verified.problems), 'problem')}: {named} names them", err=True)
        raise typer.Exit(CHECK_FAILED)
    say("2 Verified: every truth by programs, and again from the pixels.")
    runs = [out / default_path(SUITE, spec) for spec in JUDGES]
    for spec, run in zip(JUDGES, runs, strict=True):
        _ask(Probe(pairs, spec, run).asking(), f"3 asking {spec}")
    say("3 Asked: five judges. pixels looks; four were built with a known fault.")
    documents, diagnosis = api.score(runs), api.diagnose(*runs)
    formats.write_json(out / "scores.json", {"runs": documents})
    formats.write_json(out / "diagnosis.json", diagnosis)
    certificates = [api.certify(run, POLICY, out=kept_in(run, POLICY)) for run in runs]
    say("")
    show(ccs_table(documents))
    say("4 Diagnosed, from the replies alone (counterbench diagnose shows the evidence):")
    for diagnosed in diagnosis.runs:
        faults = [f"{fault.name}, costs {points(fault.effect)} of CCS" for fault in diagnosed.faults]
        say(f"    {diagnosed.judge:<{NAME_WIDTH}}{'; '.join(faults) or 'no fault'}")
    ccs = f"{100 * certificates[0].policy.ccs:.0f} %"
    say(f"5 Certified, by policy {POLICY}: passes if shown to exceed a CCS of {ccs} in every cell.")
    for certificate in certificates:
        say(f"    {certificate.judge:<{NAME_WIDTH}}{_verdict_words(certificate)}")
    return documents


def _ask(asking: Asking, doing: str) -> None:
    """Ask the questions of a run, with a progress bar that has the text `doing`."""
    with _progress_bar(doing) as show:
        asking.run(show)


@contextlib.contextmanager
def _progress_bar(doing: str) -> Iterator[Callable[[Progress], None]]:
    """A progress bar for questions or pictures, as a callback that takes their progress."""
    with progress(doing, brief=True) as report:
        yield lambda p: report(p.done, p.total + p.min_remaining)


def _verdict_words(certificate: Certificate) -> str:
    """A verdict in a few words, with the reason why the judge does not pass."""
    if certificate.verdict == "pass":
        return f"PASS: admitted to all {len(certificate.laws)} families"
    if certificate.control.verdict == "fail":
        return "FAIL: changes answers that must stay"
    worst = [name for name, law in certificate.laws.items() if law.verdict == certificate.verdict]
    return f"{certificate.verdict.upper()}: {some(worst, 2)}"


def _models_half(out: Path) -> list[Path]:
    """Take the steps 6 to 8: certify two judges for laws, have one score three models; returns the runs about these."""
    from counterbench.cli.grid import show
    from counterbench.evidence.admission import admission_of
    from counterbench.evidence.issue import WayOfAsking
    from counterbench.evidence.validation import Certified, Validation
    from counterbench.files import formats
    from counterbench.pictures.run_scores import as_json
    from counterbench.prompts.files import load_prompts
    from counterbench.runs.folder import default_path

    certificates, prompts = [], load_prompts(PROMPTS)
    for spec in JUDGES_OF_LAWS:
        validation = Validation(spec, PROMPTS, policy=POLICY, out=out / default_path("laws", spec))
        _ask(validation.asking(), f"6 asking {spec}")
        result = validation.conclude()
        assert isinstance(result, Certified)
        certificates.append(result.certificate)
    laws = validation.use.laws
    say(f"6 Tested for scoring models: {len(laws)} laws, each cell asked until it is decided.")
    say(f"    {', '.join(laws)}")
    for c in certificates:
        granted = admission_of(c, prompts, WayOfAsking(c.judge, c.template_digest, c.repeats))
        words = f"admitted to {len(granted.laws)} of {len(laws)} laws in {c.questions:,} calls"
        say(f"    {c.judge:<{NAME_WIDTH}}{'MAY SCORE' if granted.admitted else 'MAY NOT'}: {words}")
    scored = [_score(spec, out, certificates[0]) for spec in MODELS]
    documents = [document for _, document, _ in scored]
    formats.write_json(out / "t2i-scores.json", {"runs": [as_json(document) for document in documents]})
    say(f"7 Scored, by {JUDGES_OF_LAWS[0]}: three planted models, {len(prompts.groups)} groups of prompts about laws.")
    say("  L1: the real law, L2: an altered one with its outcome, L3: that law alone.")
    show(_scores_and_truth(documents, [true_scores for *_, true_scores in scored]))
    _surprise(out, scored[-1])
    return [run for run, *_ in scored]


def _surprise(out: Path, scored: tuple[Path, ModelDocument, Mapping[str, float | None]]) -> None:
    """Take step 8: a judge that nobody tested scores a good model and one that paints words into its pictures.

    `scored`: the run about the good model, its scores and the true ones, as `_score` gives them.
    """
    from counterbench import api_t2i as t2i
    from counterbench.results.measures import FRACTION

    run, document, true = scored
    with _progress_bar(f"8 asking {UNTESTED}") as show:
        vandal, known_of_vandal = _draw_pictures(VANDAL, out, show)
        both = [out / "images" / run.name.split("--")[1], vandal]
        untested = t2i.t2i_judge(both, UNTESTED, out / "untested", uncertified=True, on_progress=show)
    true_scores = {document.generator: true, VANDAL: known_of_vandal}
    say(f"8 With an untested judge: {UNTESTED} obeys painted words, {VANDAL} paints them.")
    for model in t2i.t2i_score([untested.path]):
        measured, right = model.columns["s_l3"].value, true_scores[model.generator]["s_l3"]
        say(f"    S_L3 {FRACTION.plain(measured)}, true {FRACTION.plain(right)}  {model.generator}")
    say("  The worse model wins, and nothing in its score shows it.")


def _scores_and_truth(documents: Sequence[ModelDocument], true: Sequence[Mapping[str, float | None]]) -> Table:
    """A table of each model's scores by the judge's answers and, below them, its true scores (`true`, by number)."""
    from counterbench.cli.grid import Table, number_cell
    from counterbench.results.measures import FRACTION

    table = Table("Measured and true scores", ["model"], [*NUMBERS.values()])
    for document, true_scores in zip(documents, true, strict=True):
        table.add_row(document.generator, *(number_cell(document.by_word[name], interval=False) for name in NUMBERS))
        table.add_row("  true", *(FRACTION.plain(true_scores[name]) for name in NUMBERS), style="dim")
    return table


def _score(spec: str, out: Path, certificate: Certificate) -> tuple[Path, ModelDocument, Mapping[str, float | None]]:
    """Draw and judge a planted model's pictures; returns the run, the model's scores, and the true ones by number."""
    from counterbench import api_t2i as t2i
    from counterbench.runs.folder import default_path

    judge = JUDGES_OF_LAWS[0]
    with _progress_bar(f"7 drawing and judging {spec}") as show:
        images, true_scores = _draw_pictures(spec, out, show)
        path = out / default_path(f"{PROMPTS}--{images.name}", judge)
        run = t2i.t2i_judge(images, judge, path, certificate=certificate, on_progress=show)
    return run.path, t2i.t2i_score(run), true_scores


def _draw_pictures(spec: str, out: Path, show: Callable[[Progress], None]) -> tuple[Path, Mapping[str, float | None]]:
    """Draw a planted model's pictures; returns their folder and the model's true scores by number ("s_l1")."""
    from counterbench.api_t2i import t2i_generate
    from counterbench.pictures.generators.planted import PlantedGenerator
    from counterbench.pictures.protocols.cf_eval import CFEval
    from counterbench.prompts.files import load_prompts

    prompts = load_prompts(PROMPTS)
    generator = PlantedGenerator(spec.partition(":")[2], prompts)
    drawn = t2i_generate(prompts, generator, out / "images", samples=1, on_progress=show)
    return drawn.images.path, CFEval().true_numbers(generator, prompts, 1)
