"""CF-World's own prompts and questions, from its authors' files as published.

`read_cf_world` takes the folder of a release and gives the main set and the sets of the paper's ablations (small
experiments), each with warnings about lines that are not used. The files, with the fields of their rows:

prompt/**/<stem>.json                     groups: id, category, prompt_l1..3, ap_l1..3
eval_questions/**/<stem>_gemini.json      questions: source_id (a group's id), prompt_level, question_type, question, …
prompt_ablation/attribute_decouple.json   two concepts A and B in a prompt: id N unusual, "N_factual" factual
prompt_ablation/rule_decouple.json        a prompt of a rule, and in `ap` the thing that must be seen
prompt_ablation/de-norm/**/<stem>.json    each group's L2 prompt with its nouns described

A group is the prompts about one altered law, one at each level: L1 states the real law, L2 the altered one and its
outcome, L3 the altered one alone. Ids begin again in each file, so a group is "<stem>.<id>": "Classical-Mechanics.52".
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec

from counterbench.errors import InputError
from counterbench.files.data_warnings import Warnings
from counterbench.files.rows import Row
from counterbench.prompts.imports import rows
from counterbench.prompts.imports.imported import ImportedPrompts, ImportedQuestion, imported, paper_counts, with_checks
from counterbench.prompts.imports.rows import Unusable
from counterbench.prompts.prompt_set import Check, Prompt, PromptSet
from counterbench.text import slug

LEVELS = ("l1", "l2", "l3")
PAPER = 1091  # the number of groups by section 4 of the paper
# By question type: the name of its checks, and our dimension.
TYPES = {
    "Visual Integrity": ("integrity", "visual-integrity"),
    "Counterfactual Logic": ("logic", "logic-consistency"),
    "Assessment Point": ("assessment", "assessment-point"),
    "Prompt Adherence": ("adherence", "prompt-adherence"),
}
_PAPER_TYPES = tuple(TYPES)[:3]
_FILES = "**/*.json"
_FILE_ENDING = "_gemini"  # the end of the name of a file of questions
_SEVERAL = "logic"  # the name of checks of which a prompt has several by design
_PROMPT_KEYS = ("id", "category", *(f"prompt_{level}" for level in LEVELS))
_POINT_KEYS = tuple(f"ap_{level}" for level in LEVELS)  # known keys of a group that are not kept: assessment points
_QUESTION_KEYS = ("source_id", "prompt_level", "question_type", "question", "evaluation_criteria", "weight")
_UNKEPT_KEYS = ("id", "category", "generator_model")  # known keys of a question that are not kept


def read_cf_world(root: Path) -> list[ImportedPrompts]:
    """The prompts of a release with their questions, and those of its ablations. InputError if it is no release."""
    for name in ("prompt", "eval_questions"):
        if not (root / name).is_dir():
            raise InputError(
                f"{root}: not a CF-World release, it has no {name}/; give the folder with prompt/, eval_questions/ and "
                "prompt_ablation/"
            )
    warnings = Warnings()
    groups = rows.read_tables(root / "prompt", _FILES, _PROMPT_KEYS, partial(_group_prompts, warnings), warnings)
    prompts = rows.first_of_each_id((prompt for levels in groups for prompt in levels), warnings)
    questions = rows.read_tables(
        root / "eval_questions", _FILES, _QUESTION_KEYS, partial(_question, warnings), warnings
    )
    duplicate_warning = ("a second question of a kind ({check.dimension}), kept", "{name} {id}")
    prompt_set = PromptSet("cf-world", LEVELS, with_checks(prompts, questions, warnings, duplicate_warning, _SEVERAL))
    for group, levels in prompt_set.groups.items():
        l2, l3 = (levels[level].checks if level in levels else () for level in LEVELS[1:])
        if l3 and l3 == l2:
            warnings.add("groups whose l3 asks what l2 asks", group)
    counts = paper_counts(PAPER, "groups", len(prompt_set.groups))
    words = "CF-World: prompts and graded questions of its authors"
    return [imported(prompt_set, words, [*counts, *warnings.all()]), *_ablations(root / "prompt_ablation", prompt_set)]


def _group_prompts(warnings: Warnings, row: Row) -> list[Prompt]:
    """The prompts of a row of a group, one for each level that has a text, without checks."""
    group = rows.name_in_file(row, "id")
    text_of = partial(rows.text_if_any, row, id=group, warnings=warnings)
    texts = {level: text_of(f"prompt_{level}", f"groups without a prompt at {level}") for level in LEVELS}
    if not any(texts.values()):
        raise Unusable("no prompt at any level")
    rows.note_others(row, (*_PROMPT_KEYS, *_POINT_KEYS), group, warnings)
    category = text_of("category", "groups without a category").strip()
    discipline = slug(row.file.stem)
    levels = ((level, words) for level, words in texts.items() if words)
    return [Prompt.at(group, level, words, category=category, discipline=discipline) for level, words in levels]


def _question(warnings: Warnings, row: Row) -> ImportedQuestion:
    """The question in a row, with its place and the id of its prompt; ids of checks get their numbers later."""
    place, group = rows.place_of(row), rows.name_in_file(row, "source_id", _FILE_ENDING)
    level, question_type = rows.text(row, "prompt_level"), rows.text(row, "question_type")
    if level not in LEVELS:
        raise Unusable(f"'prompt_level' is none of {', '.join(LEVELS)}")
    check_name, dimension = TYPES.get(question_type, (slug(question_type),) * 2)
    if not check_name:
        raise Unusable("'question_type' has no letter in it")
    if question_type not in _PAPER_TYPES:
        warnings.add("questions of a type beside the paper's three, kept", f"{place}: {check_name}")
    check = Check(
        id=check_name,
        dimension=dimension,
        text=rows.text(row, "question"),
        criteria=rows.text_if_any(row, "evaluation_criteria", "questions without criteria, kept", place, warnings),
        answer_type="grade",
        expected="1",
        weight=rows.weight(row, "weight"),
    )
    rows.note_others(row, (*_QUESTION_KEYS, *_UNKEPT_KEYS), place, warnings)
    return ImportedQuestion(place, f"{group}/{level}", check)


_ATTRIBUTE_LEVELS = ("factual", "unusual")
_FACTUAL = "_factual"  # the end of the id of a factual prompt


class _Ablation(NamedTuple):
    """One ablation of the paper: the place of its files, and the function that makes a prompt of a row."""

    pattern: str  # of its files in prompt_ablation/
    name: str
    description: str
    levels: tuple[str, ...]
    keys: tuple[str, ...]
    read: Callable[[PromptSet, Warnings, Row], Prompt]  # from the prompts of the main set and a row
    paper: tuple[int, str] | None = None  # the paper's number of groups, and its word for them; None if it has none
    is_variant: bool = False  # it holds prompts of the main set in other words


def _ablations(folder: Path, originals: PromptSet) -> list[ImportedPrompts]:
    """The sets of the ablations (section 5 of the paper) that are in the `folder` of a release.

    There are three: pairs of prompts about two concepts, which are commonly seen together or not; rules over abstract
    symbols, where all variants of a rule have the same `law`; and L2 prompts without nouns, with the questions, ids and
    categories of the L2 prompts in `originals`. For the first two no questions are published, so we wrote them.
    """
    sets = []
    for ablation in (ablation for ablation in _ABLATIONS if any(folder.glob(ablation.pattern))):
        warnings = Warnings()
        prompt_of = partial(ablation.read, originals, warnings)
        prompts = rows.read_tables(folder, ablation.pattern, ablation.keys, prompt_of, warnings)
        every = [*rows.first_of_each_id(prompts, warnings).values()]
        variant_of = originals.digest if ablation.is_variant else ""
        prompt_set = PromptSet(ablation.name, ablation.levels, every, variant_of=variant_of)
        incomplete_groups = [group for group, levels in prompt_set.groups.items() if len(levels) < len(ablation.levels)]
        warnings.add("pairs with one of their two prompts", *incomplete_groups)
        counts = paper_counts(*ablation.paper, len(prompt_set.groups)) if ablation.paper else ()
        sets.append(imported(prompt_set, ablation.description, [*counts, *warnings.all()]))
    return sets


def _attribute_prompt(originals: PromptSet, warnings: Warnings, row: Row) -> Prompt:
    """The prompt of a row about two concepts, with our question that asks if the picture shows both.

    It has the arguments of `_Ablation.read`, as the next ones do; `originals` is for the last of them alone.
    """
    level, id = rows.text(row, "category"), rows.name(row, "id")
    if level not in _ATTRIBUTE_LEVELS:
        raise Unusable(f"'category' is none of {', '.join(_ATTRIBUTE_LEVELS)}")
    if id.endswith(_FACTUAL) != (level == "factual"):
        raise Unusable("'id' and 'category' do not say the same")
    group = f"attribute-{id.removesuffix(_FACTUAL)}"
    rows.note_others(row, _ABLATIONS[0].keys, f"{group}/{level}", warnings)
    first, second = (rows.text(row, key).strip() for key in ("A", "B"))
    words = f'Does the picture show both of these together: "{first}" and "{second}"?'
    return _with_our_check(Prompt.at(group, level, rows.text(row, "prompt")), words, warnings)


def _rule_prompt(originals: PromptSet, warnings: Warnings, row: Row) -> Prompt:
    """The prompt of a row about a rule of symbols, with our question that asks if the picture shows its outcome."""
    category = rows.text(row, "category")
    if category not in ("original", "cf"):
        raise Unusable("'category' is none of original, cf")
    rule, id = f"rule-{rows.name(row, 'rule_id')}", rows.name(row, "id")
    group, variant = f"{rule}.{id}", "factual" if category == "original" else f"cf-{id}"
    rows.note_others(row, _ABLATIONS[1].keys, group, warnings)
    prompt = Prompt.at(group, "rule", rows.text(row, "prompt"), law=rule, variant=variant)
    return _with_our_check(prompt, f'Does the picture show this: "{rows.text(row, "ap")}"?', warnings)


def _with_our_check(prompt: Prompt, words: str, warnings: Warnings) -> Prompt:
    """The prompt with one check whose question we wrote."""
    warnings.add("no question published: asked in our own words what must be seen", prompt.id)
    check = Check(id="assessment", dimension="assessment-point", text=words)
    return msgspec.structs.replace(prompt, checks=(check,))


def _prompt_without_nouns(originals: PromptSet, warnings: Warnings, row: Row) -> Prompt:
    """The original prompt at L2, with its text replaced by that of the row, which avoids the nouns."""
    group, words = rows.name_in_file(row, "id"), rows.text(row, "prompt")
    original = originals.groups.get(group, {}).get("l2")
    if original is None:
        raise Unusable("a group that has no prompt at l2")
    rows.note_others(row, (*_ABLATIONS[2].keys, "category"), group, warnings)
    if words == original.text:
        warnings.add("prompts in the very words of L2, kept", group)
    if str(row.values.get("category", "")).strip() != original.category:
        warnings.add("categories other than with L2, which is kept", group)
    return msgspec.structs.replace(original, text=words)


_ABLATIONS = (
    _Ablation(
        "attribute_decouple.json",
        "cf-world-attributes",
        "CF-World, attribute decoupling: its authors' prompts, asked about in our words",
        _ATTRIBUTE_LEVELS,
        ("id", "A", "B", "prompt", "category"),
        _attribute_prompt,
        (100, "pairs"),  # section 5.2
    ),
    _Ablation(
        "rule_decouple.json",
        "cf-world-rules",
        "CF-World, rule decoupling: its authors' prompts, asked about in our words",
        ("rule",),
        ("rule_id", "id", "category", "prompt", "ap"),
        _rule_prompt,
        (198, "prompts"),  # section 5.1
    ),
    _Ablation(
        "de-norm/**/*.json",
        "cf-world-denorm",
        "CF-World, de-nominalisation: other words for L2, with the questions of L2",
        ("l2",),
        ("id", "prompt"),
        _prompt_without_nouns,
        is_variant=True,
    ),
)
