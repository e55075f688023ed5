"""The demo's second half: certify a judge for laws' outcomes, turn one away, and score three models of known worth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from counterbench.cli.printing import progress

if TYPE_CHECKING:
    from counterbench.certificate import Certificate
    from counterbench.cli.grid import Table
    from counterbench.t2i.scores.document import Document, Reference

SUITE, PROMPTS, POLICY = "laws", "laws", "standard"
# Enough for 30 pairs and more of each skill, and for the controls.
PAIRS = 560
GROUPS, SAMPLES = 60, 1
CERTIFIED, REFUSED = "pixels", "planted:prior-bound"
MODELS = ("planted:reasoner", "planted:literal", "planted:noisy?l1=0.9&l2=0.6&l3=0.4")


def t2i_half(out: Path, say: Callable[[str], None], quiet: bool) -> dict[str, Any]:
    """Run it in the folder `out`; what it found, for JSON."""
    from counterbench.cli.grid import show
    from counterbench.cli.t2i_tables import closing_line, counts_line, headline_tables
    from counterbench.files import formats
    from counterbench.runs.wordings import load_wording
    from counterbench.t2i.judging.gate import needed_skills, objections
    from counterbench.t2i.prompts.files import load_prompts

    prompts, wording = load_prompts(PROMPTS), load_wording()
    needed = needed_skills(prompts)
    say(f"6. Laws: may a judge score text-to-image models? It is asked their checks on drawn outcomes first ({SUITE}).")
    certificates = [_certificate(spec, out, quiet) for spec in (CERTIFIED, REFUSED)]
    found: list[list[str]] = []
    for certificate in certificates:
        why = objections(
            certificate,
            needed,
            judge=certificate.judge,
            wording_digest=wording.digest,
            votes=1,
            prompt_shown=wording.shows_prompt,
        )
        found.append(why)
        say(f"{'MAY NOT SCORE' if why else 'MAY SCORE'}: {certificate.judge}{': ' + why[0] if why else ''}")
    say(
        f"7. Three planted models draw {GROUPS} groups at three levels (L1 the real law, L2 an altered one with its "
        f"outcome, L3 the altered law alone); {CERTIFIED} judges."
    )
    documents: list[Document] = []
    true: list[Reference] = []
    for spec in MODELS:
        document, reference = _scored(spec, out, certificates[0], quiet)
        documents.append(document)
        true.append(reference)
    formats.write_json(out / "t2i-scores.json", {"runs": documents})
    if not quiet:
        for table in headline_tables(documents):
            show(table)
        for document in documents:
            say(counts_line(document))
        show(_against_the_truth(documents, true))
        say(closing_line())
    return {"certificates": certificates, "objections": found, "runs": documents, "true": true}


def _against_the_truth(documents: Sequence[Document], true: Sequence[Reference]) -> Table:
    """Every number as it was measured and as it is, known from the pictures' scenes."""
    from counterbench.cli.grid import Table

    def number(value: float | None) -> str:
        return "–" if value is None else f"{value:.3f}"

    table = Table("Measured / true")
    for column in ("model", "S_L1", "S_L2", "S_L3", "PRR", "RRR", "reversion at L3"):
        table.add_column(column, justify="left" if column == "model" else "right")
    for document, known in zip(documents, true, strict=True):
        cells = []
        for name in ("s_l1", "s_l2", "s_l3", "prr", "rrr"):
            found = getattr(document, name)
            cells.append(f"{number(found and found.value)} / {number(getattr(known, name))}")
        habit = document.habit.get("l3")
        reverted = None if habit is None else habit.reverted.value
        cells.append(f"{number(reverted)} / {number(known.reversion.get('l3'))}")
        table.add_row(document.generator, *cells)
    return table


def _certificate(spec: str, out: Path, quiet: bool) -> Certificate:
    from counterbench.asking.probe import probe
    from counterbench.certificate import certify, keep_certificate
    from counterbench.certificate.policies import load_policy
    from counterbench.judges import open_judge
    from counterbench.runs.folder import default_path
    from counterbench.runs.pair_queries import keys
    from counterbench.suites.sources import SuiteSource
    from counterbench.suites.suite import load_suite

    source = SuiteSource(load_suite(SUITE), PAIRS)
    judge = open_judge(spec, lambda: keys(source))
    run = out / default_path(source.name, judge.name)
    with progress(f"asking {spec}", quiet=quiet) as report:
        probe(source, judge, run, on_progress=lambda p: report(p.done, p.total))
    certificate = certify(run, load_policy(POLICY))
    keep_certificate(run, certificate)
    return certificate


def _scored(spec: str, out: Path, certificate: Certificate, quiet: bool) -> tuple[Document, Reference]:
    """A planted model's pictures, judged and scored; and its true numbers."""
    from counterbench.judges import open_judge
    from counterbench.runs.folder import default_path
    from counterbench.runs.wordings import load_wording
    from counterbench.t2i.baselines import true_reference
    from counterbench.t2i.generation.generate import generate_images
    from counterbench.t2i.generators.planted import PlantedGenerator
    from counterbench.t2i.judging.picture_queries import PictureQuestions
    from counterbench.t2i.judging.run import judge_pictures
    from counterbench.t2i.prompts.files import load_prompts
    from counterbench.t2i.run_scores import score_run

    prompts = load_prompts(PROMPTS)
    generator = PlantedGenerator(spec.partition(":")[2], prompts)
    with progress(f"drawing with {spec}", quiet=quiet) as report:
        made = generate_images(
            prompts,
            generator,
            out / "images",
            samples=SAMPLES,
            limit=GROUPS,
            on_progress=lambda p: report(p.done, p.total),
        )
    questions = PictureQuestions(made.images, prompts)
    judge = open_judge(CERTIFIED, questions.keys)
    run = out / default_path(questions.name, judge.name)
    with progress(f"judging {spec}", quiet=quiet) as report:
        judge_pictures(
            questions,
            judge,
            run,
            wording=load_wording(),
            protocol="cf-eval",
            certificate=certificate,
            uncertified=False,
            on_progress=lambda p: report(p.done, p.total),
        )
    return score_run(run), true_reference(generator, questions.drawn, SAMPLES)
