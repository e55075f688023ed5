"""T2I-CoReBench's release in miniature: what comes of it, and what is said of each thing that is odd in it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from pictures.foreign_releases import cf_world, corebench, notes, write_files

from counterbench.prompts.imports.imported import ImportedPrompts
from counterbench.prompts.imports.t2i_corebench import TASKS, read_t2i_corebench
from counterbench.prompts.prompt_set import Check, Prompt

MI, LR = "data/C-MI.json", "data/R-LR.json"


def read(folder: Path, files: dict[str, Any]) -> ImportedPrompts:
    (found,) = read_t2i_corebench(write_files(folder, files))
    return found


def test_a_release_becomes_prompts_with_their_checklists(tmp_path: Path) -> None:
    found = read(tmp_path, corebench()).prompts
    assert (found.name, found.levels, found.protocol) == ("t2i-corebench", ("image",), "checklist")
    assert list(found.groups) == ["C-MI-001", "C-MI-002", "R-LR-001"]
    about = {"category": "reasoning", "discipline": "logical-reasoning"}
    checks = tuple(
        Check(id=f"q{n + 1}", dimension="R-LR", text=f"Is thing {n} of R-LR there?", tags=tags)
        for n, tags in enumerate([("0-hop",), ("1-hop",), ("multi-hop", "0-hop")])
    )
    assert found.by_id["R-LR-001/image"] == Prompt.at("R-LR-001", "image", "Paint R-LR.", checks=checks, **about)
    check = found.prompts[0].checks[0]
    assert (check.answer_type, check.expected, check.weight) == ("yes-no", "yes", 1)


def test_a_sound_release_has_only_a_warning_about_its_count(tmp_path: Path) -> None:
    files = {f"data/{task}.json": {} for task in TASKS} | corebench()
    for task in TASKS:
        row = {**corebench()[LR]["R-LR-001"], "Prompt": f"Draw {task}."}
        files[f"data/{task}.json"] = files[f"data/{task}.json"] or {f"{task}-001": row}
    found = read(tmp_path, files)
    assert notes(found) == {"the paper counts 1080 prompts; prompts in the files": ()}
    assert found.warnings[0].line() == "the paper counts 1080 prompts; prompts in the files (13)"
    named = dict.fromkeys(prompt.checks[0].dimension for prompt in found.prompts.prompts)
    assert [*named] == [*TASKS]  # as the paper has them


NAME = "t2i-corebench"
ODD: dict[str, tuple[Callable[[dict[str, Any]], object], str, str, tuple[str, ...]]] = {
    "no tags": (
        lambda f: f[LR]["R-LR-001"]["Checklist"][1].update(tags=[]), NAME, "questions without tags", ("R-LR-001 q2",),
    ),
    "tags that are no list of texts": (
        lambda f: f[LR]["R-LR-001"]["Checklist"][1].update(tags=["0-hop", 3]),
        NAME, "questions whose tags are no list of texts, not kept", ("R-LR-001 q2",),
    ),
    "a question that is none": (
        lambda f: f[LR]["R-LR-001"]["Checklist"].__setitem__(0, "Is it there?"),
        NAME, "questions left out: no 'question'", ("R-LR-001, question 1",),
    ),
    "no prompt": (lambda f: f[MI]["C-MI-002"].pop("Prompt"), NAME, "left out: no 'Prompt'", ("C-MI.json, row 2",)),
    "no class": (
        lambda f: f[MI]["C-MI-002"].pop("Main Class"), NAME, "prompts without a class: no 'Main Class'", ("C-MI-002",),
    ),
    "an unknown key": (
        lambda f: f[MI]["C-MI-002"].update(remark="by hand"),
        NAME, "keys that are misspelt or unknown, not kept", ("C-MI-002: remark",),
    ),
}  # fmt: skip


REFUSED: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "CF-World": (
        lambda f: cf_world(), "not a T2I-CoReBench release, it has no data/*.json; give the folder with data/C-MI.json",
    ),
    "tables of R2I-Bench": (
        lambda f: {"data/prompts/causal/causal_a.csv": b"Prompt,id\nA,1\n"}, "not a T2I-CoReBench release",
    ),
    "a key of another version": (
        lambda f: {MI: {"C-MI-001": {"prompt": "A cat.", "Checklist": []}}},
        f"{MI}, row 1: no 'Main Class' here or in any row; expected Main Class, Sub Class, Prompt, Checklist; it "
        "has id, prompt, Checklist",
    ),
}  # fmt: skip
