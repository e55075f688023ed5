"""The demo's second half: certify a judge for laws' outcomes, turn one away, and score three models of known worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from counterbench.cli.printing import progress

if TYPE_CHECKING:
    from counterbench.certificate import Certificate
    from counterbench.cli.grid import Table
    from counterbench.t2i.scores.document import Document

WIDE = 21  # of the longest name of these judges
SUITE, PROMPTS, POLICY = "laws", "laws-few", "standard"
SAMPLES = 1
CERTIFIED, REFUSED = "pixels", "planted:prior-bound"
MODELS = ("planted:reasoner", "planted:literal", "planted:noisy?l1=0.9&l2=0.6&l3=0.4")


def t2i_half(out: Path, say: Callable[[str], None], quiet: bool) -> dict[str, Any]:
    """Run the second half in the folder `out`; returns its results for JSON."""
    from counterbench.cli.grid import show
    from counterbench.files import formats
    from counterbench.runs.wordings import load_wording
    from counterbench.t2i.judging.gate import entry, needed_cells
    from counterbench.t2i.prompts.files import load_prompts
    from counterbench.t2i.run_scores import as_json

    prompts, wording = load_prompts(PROMPTS), load_wording()
    laws = tuple(needed_cells(prompts.prompts))
    certificates = [_certificate(spec, laws, out, quiet) for spec in (CERTIFIED, REFUSED)]
    say(f"6 May they score models? Asked about {len(laws)} laws, each cell until it is decided:")
    say(f"    {', '.join(laws)}")
    found: list[list[str]] = []
    for certificate in certificates:
        gate = entry(
            certificate,
            prompts,
            judge=certificate.judge,
            wording_digest=wording.digest,
            votes=1,
            prompt_shown=wording.shows_prompt,
        )
        found.append(gate.objections)
        shown = f"admitted to {len(gate.laws)} of {len(laws)} laws in {certificate.questions:,} calls"
        say(f"    {certificate.judge:<{WIDE}}{'MAY SCORE' if gate.admitted else 'MAY NOT'}: {shown}")
    scored = [_scored(spec, out, certificates[0], quiet) for spec in MODELS]
    documents, true = [document for _, document, _ in scored], [reference for *_, reference in scored]
    formats.write_json(out / "t2i-scores.json", {"runs": [as_json(document) for document in documents]})
    say(f"7 Scored, by {CERTIFIED}: three planted models, {len(prompts.groups)} groups of prompts about laws.")
    say("  L1: the real law, L2: an altered one with its outcome, L3: that law alone.")
    if not quiet:
        show(_against_the_truth(documents, true))
    judged = [str(run) for run, *_ in scored]
    told = [as_json(document) for document in documents]
    return {"certificates": certificates, "objections": found, "runs": told, "true": true, "judged": judged}


def _against_the_truth(documents: Sequence[Document], true: Sequence[Mapping[str, float | None]]) -> Table:
    """Every measured number above the true one, which is known from the pictures' scenes."""
    from counterbench.cli.grid import Table

    def number(value: float | None) -> str:
        return "–" if value is None else f"{value:.2f}"

    table = Table("Measured, and what is true", keys=1)
    table.add_column("model")
    table.add_numbers("S_L1", "S_L2", "S_L3", "PRR", "RRR")
    for document, known in zip(documents, true, strict=True):
        names = ("s_l1", "s_l2", "s_l3", "prr", "rrr")
        measured = [document.columns[name] for name in names]
        table.add_row(document.generator, *(number(found.value) for found in measured))
        table.add_row("  true", *(number(known[name]) for name in names), style="dim")
    return table


def _certificate(spec: str, laws: Sequence[str], out: Path, quiet: bool) -> Certificate:
    from counterbench.asking.probe import probe
    from counterbench.certificate import UntilDecided
    from counterbench.certificate.policies import load_policy
    from counterbench.cli.demo import certified
    from counterbench.judges import open_judge
    from counterbench.runs.folder import default_path
    from counterbench.suites.sources import SuiteSource
    from counterbench.suites.suite import load_suite

    source, policy = SuiteSource(load_suite(SUITE)), load_policy(POLICY)
    run = out / default_path(source.name, spec)
    plan = UntilDecided(source, policy, run, laws)
    judge = open_judge(spec, plan.keys)
    with progress(f"6 asking {spec}", quiet, brief=True) as report:
        probe(plan.source, judge, run, growing=plan, on_progress=lambda p: report(p.done, p.total + p.ahead))
    return certified(run, policy)


def _scored(
    spec: str, out: Path, certificate: Certificate, quiet: bool
) -> tuple[Path, Document, Mapping[str, float | None]]:
    """The run about a planted model's pictures, its scores, and the true ones."""
    from counterbench.judges import open_judge
    from counterbench.runs.folder import default_path
    from counterbench.runs.wordings import load_wording
    from counterbench.t2i.generation.generate import generate_images
    from counterbench.t2i.generators.planted import PlantedGenerator
    from counterbench.t2i.judging.picture_queries import PictureQuestions
    from counterbench.t2i.judging.run import judge_pictures
    from counterbench.t2i.prompts.files import load_prompts
    from counterbench.t2i.protocols.cf_eval import CFEval
    from counterbench.t2i.run_scores import score_run

    prompts = load_prompts(PROMPTS)
    generator = PlantedGenerator(spec.partition(":")[2], prompts)
    with progress(f"7 drawing with {spec}", quiet, brief=True) as report:
        made = generate_images(
            prompts,
            generator,
            out / "images",
            samples=SAMPLES,
            on_progress=lambda p: report(p.done, p.total),
        )
    questions = PictureQuestions(made.images, prompts)
    judge = open_judge(CERTIFIED, questions.keys)
    run = out / default_path(questions.name, judge.name)
    with progress(f"7 judging {spec}", quiet, brief=True) as report:
        judge_pictures(
            questions,
            judge,
            run,
            wording=load_wording(),
            certificate=certificate,
            uncertified=False,
            on_progress=lambda p: report(p.done, p.total),
        )
    return run, score_run(run), CFEval().true_numbers(generator, questions.drawn, SAMPLES)
