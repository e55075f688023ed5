"""What tests of judging share: prompts about a fixed law, planted models' pictures, judged rows, and certificates."""

import functools
import hashlib
from collections.abc import Sequence
from pathlib import Path

import msgspec
from pictures.judged import SIGNATURE
from planted_runs import read_journal, rewrite, write_cells_run
from sharing import shared

from counterbench.evidence.cells import law_of
from counterbench.evidence.document import Certificate, content_digest, read_certificate, write_certificate
from counterbench.evidence.issue import certify
from counterbench.evidence.policies import Policy, load_policy
from counterbench.laws import law
from counterbench.pictures.generation.generate import generate_images
from counterbench.pictures.generators.planted import PlantedGenerator
from counterbench.pictures.protocols.cf_eval import CFEval
from counterbench.pictures.protocols.ground_truth import true_results
from counterbench.pictures.protocols.numbers import document
from counterbench.pictures.scores.document import ModelDocument
from counterbench.pictures.scores.results import CheckResult
from counterbench.prompts.from_laws import LEVELS, PromptStyle, law_prompts
from counterbench.prompts.manifest import Images
from counterbench.prompts.prompt_set import PromptSet
from counterbench.runs.folder import read_keys
from counterbench.suites.sources import cells_of
from counterbench.suites.suite import load_suite

NUMBERS = ("s_l1", "s_l2", "s_l3", "prr", "rrr")


def of_laws(
    *names: str, settings: int = 1, seed: int = 7, style: PromptStyle = "flat", name: str = "falling"
) -> PromptSet:
    """A set about these laws (none named: `falling`)."""
    laws = tuple(law(law_name) for law_name in names or ("falling",))
    return PromptSet(name, LEVELS, list(law_prompts(laws, seed, settings, style)), seed)


def draw(prompts: PromptSet, generator: str, out: Path, samples: int = 1, limit: int | None = None) -> Images:
    """The pictures of a planted model ("literal", "noisy?l1=1", …) under `out`."""
    return generate_images(prompts, PlantedGenerator(generator, prompts), out, samples=samples, limit=limit).images


def true_rows(prompts: PromptSet, generator: str, samples: int = 1) -> list[CheckResult]:
    """Every check of a planted model's pictures, rightly answered; nothing is drawn."""
    return list(true_results(PlantedGenerator(generator, prompts), prompts.prompts, samples))


def scored(rows: Sequence[CheckResult]) -> ModelDocument:
    """The rows' document."""
    return document(CFEval(), rows, levels=LEVELS, provenance=SIGNATURE)


def numbers(document: ModelDocument) -> dict[str, float | None]:
    """S by level, PRR, RRR, and the share of reversion to prior by level, without their intervals."""
    return {name: document.columns[name].value for name in (*NUMBERS, "prior_l2", "prior_l3")}


@functools.cache
def certificate(
    policy: str | Policy = "standard",
    judge: str = "planted:oracle",
    laws: tuple[str, ...] = ("falling",),
    inverted: tuple[str, ...] = (),
    suite: str = "laws",
    models: int = 1,
) -> Certificate:
    """What a planted judge is certified for on 30 pairs of every cell of these laws (or families).

    `inverted`: of these cells it gets every question wrong; then there are 40, so that it is admitted to the others.
    `models`: under so many ids its server answers.
    """

    def make(path: Path) -> None:
        run = write_cells_run(path / "run", judge, laws, 40 if inverted else 30, suite)
        wrong = {key.id for key in read_keys(run) if key.cell in inverted}
        flipped = {"yes": "no", "no": "yes"}
        lines = [msgspec.structs.replace(r, reply=flipped[r.reply]) if r.id in wrong else r for r in read_journal(run)]
        lines[1:models] = [msgspec.structs.replace(r, model=f"m{n}") for n, r in enumerate(lines[1:models])]
        rewrite(run, lines)
        chosen = load_policy(policy) if isinstance(policy, str) else policy
        write_certificate(path / "certificate.json", certify(run, chosen))

    digest = hashlib.sha256(repr((policy, judge, laws, inverted, suite, models)).encode()).hexdigest()
    return read_certificate(shared(f"certificate-{digest[:16]}", make) / "certificate.json")


def basic(judge: str = "planted:oracle", inverted: tuple[str, ...] = ()) -> Certificate:
    """The same of the suite `certify`."""
    families = tuple(sorted({law_of(name) for name in cells_of(load_suite("certify"))} - {""}))
    return certificate(judge=judge, laws=families, inverted=inverted, suite="certify")


def altered(found: Certificate, **changes: object) -> Certificate:
    """A certificate that says otherwise and holds together."""
    changed = msgspec.structs.replace(found, **changes)
    return msgspec.structs.replace(changed, digest=content_digest(changed))
