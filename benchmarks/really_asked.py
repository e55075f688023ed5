"""Planted judges asked for real, by `t2i judge` about drawn pictures, and held against the tables reply by reply."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from truth_tables import LEVELS, SureJudge, TableJudge, TableNumbers, Tables

from counterbench.pictures.generation.generate import generate_images
from counterbench.pictures.generators.planted import PlantedGenerator
from counterbench.pictures.judging.judged_run import load_models
from counterbench.pictures.judging.run import Judging
from counterbench.pictures.run_scores import score
from counterbench.prompts.prompt_set import PromptSet
from counterbench.runs.folder import JOURNAL_FILE, read_journal

GROUPS, SEED, ALIKE = 2, 1, 1e-9


def few(prompts: PromptSet) -> PromptSet:
    """The first groups that cf-eval counts."""
    counted = [prompt for prompt in prompts.prompts if prompt.depth != "no-change"]
    groups = list(dict.fromkeys(prompt.group for prompt in counted))[:GROUPS]
    return prompts.holding([prompt for prompt in counted if prompt.group in groups])


def draw_all(models: dict[str, str], prompts: PromptSet, folder: Path) -> list[Path]:
    """The models' pictures."""
    return [
        generate_images(prompts, PlantedGenerator(spec, prompts), folder, samples=1, name=name).images.path
        for name, spec in models.items()
    ]


def ask_and_compare(tables: Tables, images: list[Path], spec: str, by: str, out: Path) -> Iterator[str]:
    """Ask a judge with SEED for real; every reply and score that is another one than from the tables, in words."""
    protocol, prompts, judge = "checklist" if by == "soft" else by, few(tables.prompts), TableJudge(spec)
    items = {item.key.id: item for item in tables.by(protocol)}
    if not any(map(judge.shows, items.values())):  # `t2i judge` takes no planted judge that is like the oracle
        spec = "oracle"
    seeded = f"{spec}{'&' if '?' in spec else '?'}seed={SEED}"
    where = f"{spec}, {by}"
    given: dict[str, Any] = {"out": out, "prompts": prompts, "protocol": protocol, "uncertified": True}
    session = Judging(images, f"planted:{seeded}", **given)
    if by == "soft":
        session = Judging(images, SureJudge(spec, session.questions.keys(), SEED), **given)
    session.asking().run()
    replies = {record.id: record for record in read_journal(out / JOURNAL_FILE)}
    for id, record in replies.items():
        expected = judge.says(items[id], SEED)
        if record.reply != expected:
            yield f"{where}: {id}: asked for real it says {record.reply!r}, from the tables {expected!r}"
    numbers = TableNumbers(tables, judge)
    numbers.start(SEED)
    for run in load_models(out):
        model, groups = run.kept.model.name, list(prompts.groups)
        if by == "pairwise":
            credits = [row.credit for row in run.rows if row.credit is not None]
            real, table = (
                sum(credits) / len(credits),
                [numbers.pairwise(model, group, tables.names) for group in groups],
            )
        else:
            columns = score(run, "soft" if by == "soft" else "default").columns
            names = [f"s_{level}" for level in LEVELS] if by == "cf-eval" else ["score"]
            real = sum(columns[name].value or 0.0 for name in names) / len(names)
            table = [getattr(numbers, by.replace("-", "_"))(model, group) for group in groups]
        if abs(real - sum(table) / len(table)) > ALIKE:
            yield f"{where}: {model}: scored {real} for real, {sum(table) / len(table)} from the tables"
