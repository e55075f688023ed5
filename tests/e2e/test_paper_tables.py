"""Every row of the table of papers in docs/protocols.md, run as it stands on planted judges and models.

A word in capitals stands for the runs or the file that the fixture of its paper makes under this name.
"""

import csv
import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import msgspec
import pytest
from commands import done
from pictures.carded import judged
from pictures.drawn import QUICK
from pictures.pw_worlds import worlds

from counterbench.pictures.generation.generate import generate_images
from counterbench.pictures.generators.card import CardGenerator
from counterbench.pictures.judging.judged_run import load_models
from counterbench.prompts.files import load_prompts, write_prompt_set
from counterbench.prompts.prompt_set import Check, Prompt, PromptSet

pytestmark = pytest.mark.slow

PAGE = Path(__file__).parents[2] / "docs" / "protocols.md"
PAPERS = ("CounterBench", "CF-World", "T2I-CoReBench", "PicWorld", "R2I-Bench")
ROW = re.compile(rf"^\| ({'|'.join(PAPERS)}) \| ([^|]+) \| `([^`]+)` \|", re.MULTILINE)
COMMANDS = {(paper, where): command for paper, where, command in ROW.findall(PAGE.read_text())}
CAPACITIES = {"composition": ("MI", "MA", "MR", "TR"), "reasoning": ("LR", "BR", "HR", "PR", "GR", "AR", "CR", "RR")}
SUBJECTS = {"Causal": ("effect",), "Logical": ("abductive", "deductive"), "Numerical": ("exact",)}
CONCEPTS = ("factual", "unusual")  # the levels of CF-World's pairs of concepts
R2I_WEIGHTS = {"reasoning": 8, "alignment": 5, "quality": 2}
WRITER = """
import json

def write(image, question):
    if "The questions are:" in question:
        return json.dumps([{"id": "q1", "weight": 8}])
    grades = {"1": "All of it.", "0.5": "Half of it.", "0": "None of it."}
    return json.dumps([{"dimension": "reasoning", "question": "Is it so?", "criteria": grades}])
"""
Named = dict[str, Sequence[str]]  # paths of runs, or the one file, by the word that stands for them


def judged_models(prompts: PromptSet, folder: Path, rates: Mapping[str, str], judges: Mapping[str, str], by: str = "",
                  name: str = "") -> dict[str, list[str]]:  # fmt: skip
    """Cards of models, by name and rates, judged by each of the judges; the runs, by judge."""
    runs: dict[str, list[str]] = {judge: [] for judge in judges}
    for model, rate in rates.items():
        generator = CardGenerator(f"card?{rate}", prompts)
        out = folder / f"images{name}{by}"
        images = generate_images(prompts, generator, out, samples=1, limits=QUICK, name=model).images
        for judge, spec in judges.items():
            runs[judge].append(str(folder / "runs" / f"{name}{by}{judge}" / model))
            judged(images, Path(runs[judge][-1]), spec, by=by)
    return runs


def write_table(path: Path, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([columns, *rows])
    return str(path)


def people(folder: Path, runs: Sequence[str], evaluators: tuple[str, str] | None = None) -> Named:
    """Tables of people who see what the planted truth is: labels, preferences, a metric, choices of evaluators."""
    models = [model for run in runs for model in load_models(Path(run))]
    first, second = (model.kept.model.generator for model in models)
    labels = [(row.sample_id, model.kept.model.generator, row.check, row.answer) for model in models
              for row in model.rows]  # fmt: skip
    numbers = [model.numbers for model in models]
    better = {
        sample: "equal" if numbers[0][sample] == numbers[1][sample] else
        "first" if numbers[0][sample] > numbers[1][sample] else "second"
        for sample in numbers[0]
    }  # fmt: skip
    tables: Named = {
        "LABELS": [write_table(folder / "labels.csv", ("sample", "generator", "check", "label"), labels)],
        "PREFERENCES": [
            write_table(folder / "preferences.csv", ("id", "first", "second", "better"),
                        [(sample, first, second, choice) for sample, choice in better.items()])
        ],
        "METRICS": [
            write_table(folder / "metrics.csv", ("metric", "id", "generator", "value"),
                        [("CLIPScore", sample, name, number)
                         for name, of_model in zip((first, second), numbers, strict=True)
                         for sample, number in of_model.items()])
        ],
    }  # fmt: skip
    if evaluators:
        rows = [(sample, *evaluators, ("first", "first", "second")[place % 3]) for place, sample in enumerate(better)]
        choices = write_table(folder / "choices.csv", ("id", "first", "second", "better"), rows)
        tables["CHOICES"] = [choices]
    return tables


def counterbench(folder: Path) -> Named:
    for seed in (1, 2):
        done("probe", "counterbench-550", "--judge", f"planted:noisy?p=0.1&seed={seed}", "--limit", 60, "--name",
             f"judge {seed}", "--out", folder / f"judge-{seed}")  # fmt: skip
    return {"JUDGES": [str(folder / f"judge-{seed}") for seed in (1, 2)]}


def cf_world(folder: Path) -> Named:
    laws, described = (load_prompts(name) for name in ("laws", "laws-described"))
    few, few_described = (prompts.holding(prompts.first(14)) for prompts in (laws, described))
    rates = {"good": "l1=0.9&l2=0.6&l3=0.4", "fair": "l1=0.8&l2=0.4&l3=0.2"}
    two = {"right": "oracle", "noisy": "noisy?p=0.1"}
    runs = judged_models(few, folder, rates, two)
    clearer = {"good": "l1=0.9&l2=0.8&l3=0.4", "fair": "l1=0.8&l2=0.7&l3=0.2"}
    point = (Check(id="assessment", dimension="assessment-point", text="Is it so?"),)
    variants = ["factual", *(f"cf-{i}" for i in range(4))]
    ruled = [
        Prompt.at(
            f"rule-{rule}.{name}", "rule", f"Rule {rule}, {name}.", law=f"rule-{rule}", variant=name, checks=point
        )
        for rule in range(20)
        for name in variants
    ]
    paired = [Prompt.at(f"a{i}", level, f"Pair {i}, {level}.", checks=point) for i in range(20) for level in CONCEPTS]
    of_rules, of_pairs = (
        judged_models(PromptSet(name, levels, prompts), folder, {"good": rates}, {"right": "oracle"}, name=name)[
            "right"
        ]
        for name, levels, prompts, rates in (
            ("rules", ("rule",), ruled, "factual=0.6&altered=0.4"),
            ("attributes", CONCEPTS, paired, "factual=0.9&unusual=0.7"),
        )
    )
    return {
        "MODELS": [*runs["right"], *runs["noisy"]],
        "RUNS": runs["right"],
        "VARIANT": judged_models(few_described, folder, clearer, {"right": "oracle"}, name="described")["right"],
        "RULES": of_rules,
        "ATTRIBUTES": of_pairs,
        "LABELS": people(folder, runs["right"])["LABELS"],
    }


def corebench(folder: Path) -> Named:
    prompts = []
    for capacity, dimensions in CAPACITIES.items():
        for name in dimensions:
            tags = (f"{name}_POS", f"{name}_NEG")
            checks = [Check(id=f"q{i}", text="Is it?", dimension=name, tags=(tags[i % 2],)) for i in range(4)]
            prompts += [
                Prompt.at(f"{name}-{i}", "image", f"Picture {i} of {name}.", checks=tuple(checks), category=capacity)
                for i in range(14)
            ]
    core = PromptSet("core", ("image",), prompts, protocol="checklist")
    plain = [msgspec.structs.replace(prompt, text=f"Seen: {prompt.text}") for prompt in prompts]
    rewritten = PromptSet("core-rewrite", ("image",), plain, protocol="checklist", variant_of=core.digest)
    judges = {"right": "oracle"} | {f"noisy-{seed}": f"noisy?p=0.15&seed={seed}" for seed in (1, 2, 3)}
    runs = judged_models(core, folder, {"good": "rate=0.8", "fair": "rate=0.5"}, judges)
    of_rewritten = judged_models(
        rewritten, folder, {"good": "rate=0.9", "fair": "rate=0.8"}, {"right": "oracle"}, name="rewritten"
    )
    return {
        "MODELS": runs["right"],
        "JUDGES": [*runs["noisy-1"], *runs["right"]],
        "VARIANT": of_rewritten["right"],
        "LABELS": people(folder, runs["right"])["LABELS"],
        "PICTURES": [str(folder / "images" / "good")],
        "RUN,RUN,RUN": [",".join(runs[f"noisy-{seed}"][0] for seed in (1, 2, 3))],
    }  # fmt: skip


def picworld(folder: Path) -> Named:
    prompts, rates = worlds(14), {"good": "existence=0.9&state=0.8", "fair": "existence=0.7&state=0.5"}
    runs = judged_models(prompts, folder, rates, {"right": "oracle"})["right"]
    direct = judged_models(prompts, folder, {"good": rates["good"]}, {"right": "oracle"}, by="direct-layers")["right"]
    return {"MODELS": runs, "RUN": runs[:1], "DIRECT": direct} | people(folder, runs, ("pw-agent", "direct-layers"))


def r2i_bench(folder: Path) -> Named:
    prompts = [
        Prompt.at(f"{kind}-{i}", "image", f"Picture {i} of {kind}.", category=category, discipline=kind,
                  checks=tuple(Check(id=name, text="Is it?", dimension=name, weight=weight, answer_type="score",
                                     expected="1") for name, weight in R2I_WEIGHTS.items()))
        for category, kinds in SUBJECTS.items() for kind in kinds for i in range(14)
    ]  # fmt: skip
    r2i = PromptSet("r2i", ("image",), prompts, protocol="r2i-score")
    reworded = [msgspec.structs.replace(prompt, text=f"Seen: {prompt.text}") for prompt in prompts]
    described = PromptSet("r2i-describe", ("image",), reworded, protocol="r2i-score", variant_of=r2i.digest)
    runs = judged_models(r2i, folder, {"good": "rate=0.7", "fair": "rate=0.4"}, {"right": "oracle"})["right"]
    pipeline = {"good": "rate=0.9", "fair": "rate=0.8"}
    write_prompt_set(folder / "bare.jsonl", PromptSet("bare", ("image",), [Prompt.at("a", "image", "A warm lamp.")]))
    (folder / "writer.py").write_text(WRITER)
    return {
        "MODELS": runs,
        "VARIANT": judged_models(described, folder, pipeline, {"right": "oracle"}, name="described")["right"],
        "SET": [str(folder / "bare.jsonl")],
        "AUTHOR": ["python:writer:write"],
    } | people(folder, runs)


MAKERS: Mapping[str, Callable[[Path], Named]] = dict(
    zip(PAPERS, (counterbench, cf_world, corebench, picworld, r2i_bench), strict=True)
)
# For each row what its table has, as patterns in the order of the lines: its header, and a row whose numbers are known.
EXPECTED: Mapping[tuple[str, str], Sequence[str]] = {
    ("CounterBench", "Tables 1, 2"): [
        r"judge +acc orig +acc int +both +CCS .*spatial +attribute +counting +containment +causal",
        r"judge 1 .*\d\d\.\d",
    ],
    ("CounterBench", "Figures 2, 3"): [r"gap +stability", r"overall .*\d\.\d +\d"],
    ("CF-World", "Table 2, Figure 5b"): [
        r"─ planted:oracle ─.*─ planted:noisy", r"S_L1 +S_L2 +S_L3 +PRR +RRR +S_L1", r"good .*0\.\d\d"
    ],
    ("CF-World", "Table 3, rules and attributes"): [
        r"factual +altered", r"good .* 0\.60 .* 0\.40 ", r"factual .*unusual", r"good .* 0\.90 .* 0\.70 "
    ],
    ("CF-World", "Table 3, de-nominalisation"): [r"original +variant +gain", r"S_L2 +0\.\d\d +0\.\d\d +\+0"],
    ("CF-World", "Table 4, Figures 5a, 6"): [
        r"within \.125 +quartiles", r"accuracy +balanced +F1", r"0\.30 ", r"0\.70 ", r"best: 0\.50",
    ],
    ("T2I-CoReBench", "Tables 3, 6, 7"): [
        r"─ composition ─.*─ reasoning ─",
        r"MI +MA +MR +TR +mean +LR +BR +HR +PR +GR +AR +CR +RR +mean +overall",
        r"good †( +78\.6){15}",
    ],
    ("T2I-CoReBench", "Table 4"): [
        r"original +variant +gain", r"good +score +0\.79 +0\.89 +\+0\.11", r"By dimension", "LR",
    ],
    ("T2I-CoReBench", "Table 5"): [r"Balanced accuracy by dimension", r"MI +MA +MR", r"planted:oracle +1\.00"],
    ("T2I-CoReBench", "Table 8"): [r"panel: 672 of 672 questions answered"],
    ("T2I-CoReBench", "Table 9"): [r"score by tag", r"model +MI_POS +MI_NEG +MA_POS", r"good †( +78\.6){8}"],
    ("PicWorld", "Table 1"): [r"S by subcategory", r"model +d0 +d1 +d2", r"good"],
    ("PicWorld", "Figure 5"): [r"pair", r"planted:oracle .*1\.00"],
    ("PicWorld", "Table 2, Figure 6"): [
        r"mean",
        r"people prefer \S+ \(pw-agent\) on 10 pictures, \S+ \(direct-layers\) on 4, neither on 0",
    ],
    ("R2I-Bench", "Table 2"): [r"Causal +Logical +Numerical +overall", r"good †.* 0\.70 *\n"],
    ("R2I-Bench", "Table 2 (pipeline), Figure 21"): [
        r"original +variant +gain", r"good +score", r"subcategory", "deductive",
    ],
    ("R2I-Bench", "Tables 3, 18"): [r"tau-b", r"planted:oracle", r"CLIPScore", r"by category", "Logical"],
    ("R2I-Bench", "Tables 13 to 17"): [r"by subcategory", r"effect +abductive +deductive +exact", r"good"],
    ("R2I-Bench", "B.1.4"): [r"questions for 1 of 1 prompt"],
}  # fmt: skip


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[Path, Named]]:
    """The folder of a paper and what stands there, made at first use."""
    made: dict[str, tuple[Path, Named]] = {}

    def of_paper(paper: str) -> tuple[Path, Named]:
        if paper not in made:
            folder = tmp_path_factory.mktemp(paper)
            made[paper] = (folder, MAKERS[paper](folder))
        return made[paper]

    return of_paper


def test_every_row_of_the_page_is_tried() -> None:
    assert list(COMMANDS) == list(EXPECTED)


@pytest.mark.parametrize(("paper", "where"), EXPECTED)
def test_a_row_prints_the_table_of_its_paper(
    paper: str, where: str, papers: Callable[[str], tuple[Path, Named]], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, named = papers(paper)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "200")
    command = COMMANDS[paper, where]
    for word in sorted(named, key=len, reverse=True):
        command = re.sub(rf"(?<![\w-]){word}(?![\w.])", lambda _, word=word: " ".join(named[word]), command)
    printed = done(*shlex.split(command))
    place = 0
    for pattern in EXPECTED[paper, where]:
        found = re.compile(pattern).search(printed, place)
        assert found, f"{pattern!r} is not in what `{command}` prints from {place}:\n{printed}"
        place = found.end()
