"""CF-World's, R2I-Bench's and T2I-CoReBench's releases in miniature: their layout and keys, in words of our own."""

import csv
import io
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from counterbench.errors import InputError
from counterbench.prompts.imports.imported import ImportedPrompts

VISUAL, LOGIC, POINT = "Visual Integrity", "Counterfactual Logic", "Assessment Point"
GRADES = "1.0 = all of it. 0.5 = half of it. 0.0 = nothing."


def write_files(folder: Path, files: Mapping[str, Any]) -> Path:
    """Write each file as JSON (bytes as they are), and return the folder."""
    for name, value in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(value if isinstance(value, bytes) else json.dumps(value, indent=2).encode())
    return folder


def notes(found: ImportedPrompts) -> dict[str, tuple[str, ...]]:
    """What is said to be odd about a release, and the ids of what is."""
    return {warning.what: warning.ids for warning in found.warnings}


def refusal(folder: Path, read: Callable[[], object]) -> str:
    """What is said of a release in a folder that is refused: it names the place."""
    with pytest.raises(InputError, match=re.escape(str(folder))) as caught:
        read()
    return str(caught.value)


def group(id: str, thing: str, **more: Any) -> dict[str, Any]:
    """A row of a prompt file."""
    return {
        "id": id,
        "category": "Heat",
        "prompt_l1": f"Paint a {thing} beside a stove.",
        "ap_l1": f"The {thing} melts.",
        "prompt_l2": f"If warmth made things freeze, paint a {thing} of ice beside a stove.",
        "ap_l2": f"The {thing} is of ice.",
        "prompt_l3": f"If warmth made things freeze, paint a {thing} beside a stove.",
        "ap_l3": f"The {thing} is of ice.",
        **more,
    }


def questions(group: str, level: str, first: int, kinds: tuple[str, ...] = (VISUAL, LOGIC, POINT)) -> list[Any]:
    """Rows of a question file, which are the same at l2 and l3; their ids go on from `first`."""
    weights = {VISUAL: 3, LOGIC: 8, POINT: 15}
    about = "l2" if level == "l3" else level
    return [
        {
            "id": str(first + n),
            "source_id": group,
            "prompt_level": level,
            "category": "Heat",
            "question_type": kind,
            "question": f"Is number {n} of {about} of group {group} well done?",
            "evaluation_criteria": GRADES,
            "weight": weights.get(kind, 2),
            "generator_model": "somebody-1",
        }
        for n, kind in enumerate(kinds)
    ]


def question_file(*groups: str) -> list[Any]:
    """A question file that asks of each group at all levels."""
    found: list[Any] = []
    for id in groups:
        for level in ("l1", "l2", "l3"):
            found += questions(id, level, len(found) + 1)
    return found


def cf_world() -> dict[str, Any]:
    """The files of a release with nothing wrong: two groups in one file, one in another."""
    heat, light = [group("0", "candle"), group("1", "snowman")], [group("0", "mirror", category="Light")]
    denorm = [{"id": row["id"], "category": row["category"], "prompt": f"{row['prompt_l2']} No names."} for row in heat]
    return {
        "prompt/Cookery.json": heat,
        "prompt/physics/Bent Light.json": light,
        "eval_questions/Cookery_gemini.json": question_file("0", "1"),
        "eval_questions/physics/Bent Light_gemini.json": question_file("0"),
        "prompt_ablation/attribute_decouple.json": [
            {"id": 7, "A": "Teapot", "B": " ski slope", "prompt": "A teapot on a ski slope.", "category": "unusual"},
            {"id": "7_factual", "A": "Teapot", "B": "tray", "prompt": "A teapot on a tray.", "category": "factual"},
        ],
        "prompt_ablation/rule_decouple.json": [
            {"rule_id": 0, "id": 0, "category": "original", "prompt": "Draw where the ball goes.", "ap": "Arrow down"},
            {"rule_id": 0, "id": 1, "category": "cf", "prompt": "Up is down. Where does it go?", "ap": "Arrow up"},
        ],
        "prompt_ablation/de-norm/Cookery.json": denorm,
        "prompt_ablation/de-norm/physics/Bent Light.json": [
            {"id": "0", "category": "Light", "prompt": "A thing that shows what stands before it."}
        ],
    }


def table(rows: list[dict[str, Any]]) -> bytes:
    """Rows as a CSV file, whose columns are the first row's."""
    file = io.StringIO()
    writer = csv.DictWriter(file, [*rows[0]], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue().encode()


def r2i_prompt(id: int, category: str, subcategory: str, **more: Any) -> dict[str, Any]:
    """A row of a table of prompts."""
    return {
        "Prompt": f"Paint {subcategory} {id}.",
        "Reference Caption": f"It is {subcategory} {id}.",
        "Assessment Point": "Whether it is.",
        "Category": category,
        "Subcategory": subcategory,
        "id": id,
        **more,
    }


def r2i_question(source: int, id: int | str, weight: Any, **more: Any) -> dict[str, Any]:
    """A row of a table of questions."""
    question = f"Is thing {id} of {source} there, as it should be?"
    row = {"source_id": source, "evaluation_criteria": GRADES, "id": id, "question": question, "weight": weight}
    return row | more


def r2i_bench() -> dict[str, Any]:
    """The files of a release with nothing wrong but that five categories are missing."""
    return {
        "data/prompts/causal/causal_cause_to_effect.csv": table(
            [r2i_prompt(id, "Causal", "Cause To Effect") for id in (1, 2)]
        ),
        "data/prompts/logical/logical_deductive.csv": table([r2i_prompt(1, "Logical", "Deductive")]),
        "data/evaluation/causal/cause_to_effect_eval.csv": table(
            [r2i_question(id, number, weight) for id in (1, 2) for number, weight in ((1, 9), (2, 5), (3, 2))]
        ),
        "data/evaluation/logical/deductive_eval.csv": table([r2i_question(1, 1, 10), r2i_question(1, 2, 0)]),
    }


def corebench() -> dict[str, Any]:
    """The files of a release with nothing wrong: a task of composition and one of reasoning."""

    def row(name: str, main: str, sub: str, tags: list[list[str]]) -> dict[str, Any]:
        checklist = [{"question": f"Is thing {n} of {name} there?", "tags": kinds} for n, kinds in enumerate(tags)]
        return {"Main Class": main, "Sub Class": sub, "Prompt": f"Paint {name}.", "Checklist": checklist, "Remark": ""}

    return {
        "data/C-MI.json": {
            f"C-MI-00{n}": row(f"C-MI {n}", "Composition", "Multi-Instance", [["instance_pos"], ["instance_neg"]])
            for n in (1, 2)
        },
        "data/R-LR.json": {
            "R-LR-001": row("R-LR", "Reasoning", "Logical Reasoning", [["0-hop"], ["1-hop"], ["multi-hop", "0-hop"]])
        },
    }


def picworld() -> dict[str, Any]:
    """The one file of a set in PicWorld's format."""
    rows = (
        "prompt,category,subcategory",
        '"A jug, tipped over on a table.",Physical World,Mechanics & Dynamics',
        "A snowman in the noon sun.,Physical World,States of Matter",
        "The sign for radioactivity.,Abstract Knowledge,Symbol System",
    )
    return {"picworld.csv": "\n".join((*rows, "")).encode()}
