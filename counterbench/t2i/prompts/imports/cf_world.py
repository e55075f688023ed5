"""CF-World's own prompts and questions, from its authors' files as published.

prompt/**/<stem>.json                     groups: id, category, prompt_l1..3, ap_l1..3
eval_questions/**/<stem>_gemini.json      questions: source_id (a group's id), prompt_level, question_type, question, …
prompt_ablation/attribute_decouple.json   two concepts A and B in a prompt: id N unusual, "N_factual" factual
prompt_ablation/rule_decouple.json        a prompt of a rule, and in `ap` the thing that must be seen
prompt_ablation/de-norm/**/<stem>.json    each group's L2 prompt with its nouns described

Ids begin again in each file, so a group is "<stem>.<id>": "Classical-Mechanics.52".
"""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import msgspec

from counterbench.errors import InputError
from counterbench.interop.imported import Noted
from counterbench.t2i.prompts.imports.imported import ImportedPrompts, imported, paper_counts, with_checks
from counterbench.t2i.prompts.imports.rows import Row, Unusable, files_in, json_rows, once, usable
from counterbench.t2i.prompts.prompt_set import Check, Prompt, PromptSet
from counterbench.text import slug

LEVELS = ("l1", "l2", "l3")
PAPER = 1091  # groups, section 4 of the paper
# Question type to the name of its checks, and our dimension.
TYPES = {
    "Visual Integrity": ("integrity", "visual-integrity"),
    "Counterfactual Logic": ("logic", "logic-consistency"),
    "Assessment Point": ("assessment", "assessment-point"),
    "Prompt Adherence": ("adherence", "prompt-adherence"),
}
PAPER_TYPES = tuple(TYPES)[:3]
_ASKED = "_gemini"  # the end of a file of questions
_MANY = "logic"  # a prompt has several of these by design
_PROMPT_KEYS = ("id", "category", *(f"prompt_{level}" for level in LEVELS))
_POINTS = tuple(f"ap_{level}" for level in LEVELS)
_QUESTION_KEYS = ("source_id", "prompt_level", "question_type", "question", "evaluation_criteria", "weight")
_UNKEPT_KEYS = ("id", "category", "generator_model")  # of a question


def read_cf_world(root: Path) -> list[ImportedPrompts]:
    """The prompts with their questions, and those of its ablations that are there. InputError if it is no release."""
    for name in ("prompt", "eval_questions"):
        if not (root / name).is_dir():
            raise InputError(
                f"{root}: not a CF-World release, it has no {name}/; give the folder with prompt/, eval_questions/ and "
                "prompt_ablation/"
            )
    odd = Noted()
    rows = (json_rows(root, file, _PROMPT_KEYS, odd) for file in files_in(root / "prompt"))
    prompts = once((prompt for of in rows for levels in usable(of, _group) for prompt in levels), odd)
    tables = (json_rows(root, file, _QUESTION_KEYS, odd) for file in files_in(root / "eval_questions"))
    usable_questions = (question for of in tables for question in usable(of, _check))
    again = ("a second question of a kind ({check.dimension}), kept", "{name} {id}")
    prompt_set = PromptSet("cf-world", LEVELS, with_checks(prompts, usable_questions, odd, again, _MANY))
    for group, levels in prompt_set.groups.items():
        l2, l3 = (levels[level].checks if level in levels else () for level in LEVELS[1:])
        if l3 and l3 == l2:
            odd.add("groups whose l3 asks what l2 asks", group)
    counts = paper_counts(PAPER, "groups", len(prompt_set.groups))
    words = "CF-World: prompts and graded questions of its authors"
    return [imported(prompt_set, words, odd, counts), *_ablations(root, prompt_set)]


def _group(row: Row) -> list[Prompt]:
    """The prompts of a group, without checks."""
    group = row.name_in_file("id")
    texts = {of: row.text_if_any(f"prompt_{of}", f"groups without a prompt at {of}", group) for of in LEVELS}
    if not any(texts.values()):
        raise Unusable("no prompt at any level")
    row.note_others((*_PROMPT_KEYS, *_POINTS), group)
    category = row.text_if_any("category", "groups without a category", group).strip()
    return [
        Prompt.at(group, level, text, category=category, discipline=slug(row.file.stem))
        for level, text in texts.items()
        if text
    ]


def _check(row: Row) -> tuple[Row, str, Check]:
    """A question: its row, the id of its prompt, and the check without its number."""
    group = row.name_in_file("source_id", _ASKED)
    level, kind = row.text("prompt_level"), row.text("question_type")
    if level not in LEVELS:
        raise Unusable(f"'prompt_level' is none of {', '.join(LEVELS)}")
    name, dimension = TYPES.get(kind, (slug(kind),) * 2)
    if not name:
        raise Unusable("'question_type' has no letter in it")
    if kind not in PAPER_TYPES:
        row.odd.add("questions of a type beside the paper's three, kept", f"{row.place}: {name}")
    check = Check(
        id=name,
        dimension=dimension,
        text=row.text("question"),
        criteria=row.text_if_any("evaluation_criteria", "questions without criteria, kept", row.place),
        answer_type="grade",
        expected="1",
        weight=row.weight("weight"),
    )
    row.note_others((*_QUESTION_KEYS, *_UNKEPT_KEYS), row.place)
    return row, f"{group}/{level}", check


ATTRIBUTE_LEVELS = ("factual", "unusual")
_FACTUAL = "_factual"  # the end of an id


class _Ablation(NamedTuple):
    place: str  # in prompt_ablation/
    name: str
    description: str
    levels: tuple[str, ...]
    keys: tuple[str, ...]
    read: Callable[[Row, PromptSet], Prompt]  # from a row and the prompts of the main set
    paper: tuple[int, str] | None = None  # the number of groups that the paper counts, and its word for them


def _ablations(root: Path, originals: PromptSet) -> list[ImportedPrompts]:
    """The sets of the ablations (section 5 of the paper) that are in a release.

    Pairs of prompts: two concepts that are commonly seen together, or not. Rules over abstract symbols: all variants of
    one have the same `law`. And L2 prompts without nouns, with questions, ids and categories of the original ones. For
    the first two no questions are published, so we wrote their words.
    """
    folder = root / "prompt_ablation"
    return [_ablation(root, folder / of.place, of, originals) for of in _ABLATIONS if (folder / of.place).exists()]


def _ablation(root: Path, place: Path, of: _Ablation, originals: PromptSet) -> ImportedPrompts:
    odd = Noted()
    files = files_in(place) if place.is_dir() else [place]
    rows = [row for file in files for row in json_rows(root, file, of.keys, odd)]
    prompts = once(usable(rows, lambda row: of.read(row, originals)), odd)
    prompt_set = PromptSet(of.name, of.levels, [*prompts.values()])
    for group, levels in prompt_set.groups.items():
        if len(levels) < len(of.levels):
            odd.add("pairs with one of their two prompts", group)
    counts = paper_counts(*of.paper, len(prompt_set.groups)) if of.paper else ()
    return imported(prompt_set, of.description, odd, counts)


def _attribute(row: Row, originals: PromptSet) -> Prompt:
    level = row.text("category")
    if level not in ATTRIBUTE_LEVELS:
        raise Unusable(f"'category' is none of {', '.join(ATTRIBUTE_LEVELS)}")
    name = row.name("id")
    if name.endswith(_FACTUAL) != (level == "factual"):
        raise Unusable("'id' and 'category' do not say the same")
    group = f"attribute-{name.removesuffix(_FACTUAL)}"
    row.note_others(_ABLATIONS[0].keys, f"{group}/{level}")
    first, second = (row.text(key).strip() for key in ("A", "B"))
    checks = _ours(row, f'Does the picture show both of these together: "{first}" and "{second}"?', f"{group}/{level}")
    return Prompt.at(group, level, row.text("prompt"), checks=checks)


def _rule(row: Row, originals: PromptSet) -> Prompt:
    category = row.text("category")
    if category not in ("original", "cf"):
        raise Unusable("'category' is none of original, cf")
    rule, id = f"rule-{row.name('rule_id')}", row.name("id")
    group = f"{rule}.{id}"
    row.note_others(_ABLATIONS[1].keys, group)
    checks = _ours(row, f'Does the picture show this: "{row.text("ap")}"?', f"{group}/rule")
    variant = "factual" if category == "original" else f"cf-{id}"
    return Prompt.at(group, "rule", row.text("prompt"), checks=checks, law=rule, variant=variant)


def _ours(row: Row, text: str, prompt: str) -> tuple[Check]:
    row.odd.add("no question published: asked in our own words what must be seen", prompt)
    return (Check(id="assessment", dimension="assessment-point", text=text),)


def _denorm(row: Row, originals: PromptSet) -> Prompt:
    group, text = row.name_in_file("id"), row.text("prompt")
    original = originals.groups.get(group, {}).get("l2")
    if original is None:
        raise Unusable("a group that has no prompt at l2")
    row.note_others((*_ABLATIONS[2].keys, "category"), group)
    if text == original.text:
        row.odd.add("prompts in the very words of L2, kept", group)
    if str(row.cells.get("category", "")).strip() != original.category:
        row.odd.add("categories other than with L2, which is kept", group)
    return msgspec.structs.replace(original, text=text)


_ABLATIONS = (
    _Ablation(
        "attribute_decouple.json",
        "cf-world-attributes",
        "CF-World, attribute decoupling: its authors' prompts, asked about in our words",
        ATTRIBUTE_LEVELS,
        ("id", "A", "B", "prompt", "category"),
        _attribute,
        (100, "pairs"),  # section 5.2
    ),
    _Ablation(
        "rule_decouple.json",
        "cf-world-rules",
        "CF-World, rule decoupling: its authors' prompts, asked about in our words",
        ("rule",),
        ("rule_id", "id", "category", "prompt", "ap"),
        _rule,
        (198, "prompts"),  # section 5.1
    ),
    _Ablation(
        "de-norm",
        "cf-world-denorm",
        "CF-World, de-nominalisation: other words for L2, with the questions of L2",
        ("l2",),
        ("id", "prompt"),
        _denorm,
    ),
)
