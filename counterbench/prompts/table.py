"""A table of prompts and questions as a prompt set: rows with the same prompt are one prompt with several checks.

`prompts_of` is the main function: a read table (`PromptItems`, rows with cells by our names of columns) goes in, a
`PromptSet` and notes come out. `prompts.files` and importers of pictures use it. A check is a question about a picture
with an answer type, a right answer and a weight. A group is the prompts of one id at several levels ("l1", "l2", …).

    id,prompt,question,answer
    p1,two red cups,How many cups are there?,2
    p1,two red cups,Are the cups red?,yes

Errors name line and column. If the reader of the table collects them (`items.faults`), a row at fault is left out and
noted there; else the first one is raised.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from counterbench.answers import Answer, answer_type, choice_type, kind_of, name_of, parse, scale_of
from counterbench.answers.colour_shape import COLOUR
from counterbench.answers.numbers import WORD
from counterbench.errors import InputError, errors_at, errors_noted, unknown
from counterbench.files.data_warnings import DataWarning
from counterbench.files.rows import Row, words_of
from counterbench.prompts.from_laws import ASSESSMENT, LEVELS
from counterbench.prompts.items import ALIASES, OF_PROMPT, OF_QUESTION, TEXTS, PromptItems
from counterbench.prompts.prompt_set import HEAVIEST, NAME, Check, Prompt, PromptSet, check_prompt
from counterbench.text import slug

LEVEL = "image"  # the only level of a table that names none
CF_EVAL, CHECKLIST = "cf-eval", "checklist"
CONTRAST = "contrast"  # a dimension of CF-Eval, like ASSESSMENT: checks of what the prior (the usual outcome) shows
_USUAL_ANSWERS = {"yes-no": "yes", "grade": "1", "score": "1"}  # the usual right answer, by answer type
_YES_NO = ("yes", "no", "true", "false")
_NUMBER = re.compile(rf"-?\d+|{WORD}")


class ReadPrompts(NamedTuple):
    """The prompt set of a table.

    `ids`: the id, "<group>/<level>", of each row's prompt, by the row's place (`row.where`, file and line); a row
    without a prompt has none. `warnings`: on everything in the table that is not used.
    """

    prompts: PromptSet
    ids: dict[str, str]
    warnings: list[DataWarning]


def prompts_of(items: PromptItems) -> ReadPrompts:
    """The prompt set of a table's rows.

    Rows with the same id (and level), or without ids the same words, are one prompt. A prompt without an id gets one
    from its words, so that it does not depend on other prompts; checks are q1 and so on, in the order of the rows. In
    rows of several pictures of a prompt the same question is one check. A row without a prompt's words is left out if
    no other row with its id has them. InputError (or a note) for a row at fault, and always if no prompt is left.

    The set's protocol is CF-Eval if a question has the dimension of CF-Eval's assessment point, else the checklist.
    """
    _refuse_without_prompts(items)
    required_columns = [column for column in ("id", "level") if any(column in row.values for row in items.rows)]
    by_prompt: dict[tuple[str, str], list[Row]] = {}
    questions: dict[str, list[Row]] = {}
    for row in items.rows:
        with errors_noted(items.faults, row.where):
            questions[row.where] = _valid_questions(row, required_columns)
            by_prompt.setdefault((text(row, "id") or text(row, "prompt"), text(row, "level")), []).append(row)
    is_assessed = any(text(question, "dimension") == ASSESSMENT for rows in questions.values() for question in rows)
    protocol = CF_EVAL if is_assessed else CHECKLIST
    prompts, ids = list[Prompt](), dict[str, str]()
    for rows in by_prompt.values():
        if prompt := _prompt_of_rows(rows, questions, protocol, items):
            prompts.append(prompt)
            ids |= {row.where: prompt.id for row in rows if not items.leaves_out(row)}
    if items.faults and not prompts:
        raise InputError(next(iter(items.faults.values())))
    name = items.path.name if items.path.is_dir() else items.path.stem
    with errors_at(items.path):
        prompt_set = PromptSet(name, ordered_levels(prompt.level for prompt in prompts), prompts, protocol=protocol)
    lost_places = tuple(row.place for row in items.rows if row.where not in ids)
    lost_rows = [DataWarning("rows without a prompt, left out", len(lost_places), lost_places)] if lost_places else []
    warnings = [*items.not_used, *lost_rows]
    return ReadPrompts(prompt_set, ids, warnings)


def id_from_words(words: str) -> str:
    """An id that depends only on the words of a prompt."""
    return "-".join(filter(None, (slug(words, 32), hashlib.blake2b(words.encode(), digest_size=4).hexdigest())))


def ordered_levels(levels: Iterable[str]) -> tuple[str, ...]:
    """The levels, each once: L1 to L3 in this order if there are no others, else as they come."""
    once = tuple(dict.fromkeys(levels))
    return tuple(level for level in LEVELS if level in once) if {*once} <= {*LEVELS} else once


def _prompt_of_rows(
    rows: Sequence[Row], questions: Mapping[str, Sequence[Row]], protocol: str, items: PromptItems
) -> Prompt | None:
    """The prompt that all these rows are about; None if they have no words for it.

    `questions`: those of each row, by the row's place. InputError, or a note in `items.faults`, if rows contradict one
    another or a check cannot be asked.
    """
    has_several_pictures = sum("image" in row.values for row in rows) > 1
    cells: dict[str, tuple[str, str]] = {}  # by column: the text, and the row that has it
    checks: dict[str, Check] = {}  # by id
    places: dict[Check, str] = {}  # by bare check (before its id is filled in): the row that has it
    left_out_count = 0  # questions that are left out keep their numbers, which others may need
    for row in rows:
        with errors_noted(items.faults, row.where):
            row_cells = {column: (text(row, column), row.place) for column in OF_PROMPT if text(row, column)}
            for column, (cell, _) in row_cells.items():
                other, place = cells.get(column, (cell, ""))
                if cell != other:
                    raise InputError(
                        f"{row.where}, column {column!r}: {cell!r}, but {other!r} in {place}, of the same prompt; "
                        "another prompt needs another id"
                    )
            row_checks, row_places = dict(checks), dict(places)
            for question in questions[row.where]:
                bare = check_of(question, protocol)  # as long as its id is not filled in
                if has_several_pictures and bare in row_places:
                    continue
                contradicted_places = (
                    place
                    for twin, place in row_places.items()
                    if (twin.text, twin.answer_type) == (bare.text, bare.answer_type) and twin.expected != bare.expected
                )
                if has_several_pictures and (place := next(contradicted_places, "")):
                    raise InputError(f"{row.where}: asks what {place} asks, with another answer; keep the right one")
                row_places[bare] = row.place
                check = msgspec.structs.replace(bare, id=bare.id or f"q{len(row_checks) + left_out_count + 1}")
                if row_checks.setdefault(check.id, check) is not check:
                    raise InputError(
                        f"{row.where}, column 'check': its prompt has a check {check.id!r} already; rename one"
                    )
            cells, checks, places = row_cells | cells, row_checks, row_places
        left_out_count += len(questions[row.where]) * items.leaves_out(row)
    kept = [row for row in rows if not items.leaves_out(row)]
    if "prompt" not in cells:
        return None
    first = kept[0]
    with errors_noted(items.faults, first.where):
        refuse_unanswerable(checks.values(), first.where)
        group, level = text(first, "id") or id_from_words(cells["prompt"][0]), text(first, "level") or LEVEL
        fields = {column: cells.get(column, ("", ""))[0] for column in OF_PROMPT if column != "prompt"}
        prompt = Prompt.at(group, level, cells["prompt"][0], checks=tuple(checks.values()), **fields)
        check_prompt(prompt, f"{first.where}, prompt {prompt.id!r}")
        return prompt
    for row in kept:  # `first` has the reason
        with errors_noted(items.faults, row.where):
            raise InputError(f"{row.where}: is of the same prompt as {first.place}, which is left out")
    return None


def _refuse_without_prompts(items: PromptItems) -> None:
    """InputError if no row has a prompt."""
    if not (items.rows or items.columns) or any("prompt" in row.values for row in items.rows):
        return
    if "prompt" in items.columns:
        raise InputError(
            f"{items.path}: the column prompt is empty in every row; fill it, or name a file of prompts (evaluate "
            "--questions, t2i import --for)"
        )
    has = [*dict.fromkeys(name for row in items.rows for name in row.values), *items.unused]
    raise InputError(
        f"{items.path}: needs the column prompt; its columns are {', '.join(has)}; rename one, or import prompts with "
        "--columns prompt=NAME"
    )


def _valid_questions(row: Row, required_columns: Sequence[str]) -> list[Row]:
    """The questions of a row; InputError if a text is not valid, or a required column is empty."""
    for column in required_columns:
        if column not in row.values:
            raise InputError(f"{row.where}, column {column!r}: give every row its {column}, or none; here it is empty")
    if "level" in row.values and "id" not in row.values:
        raise InputError(f"{row.where}, column 'id': it is empty; prompts of the same id are one group at its levels")
    questions = questions_of(row)
    for source in (row, *questions):
        for column in (*OF_PROMPT, "dimension"):
            text(source, column)
        for column in ("id", "level", "check"):
            if text(source, column) and not re.match(NAME, text(source, column)):
                raise InputError(
                    f"{row.where}, column {column!r}: {text(source, column)!r} must begin with a letter or digit and "
                    "have only letters, digits, '.', '_' and '-', 80 at most"
                )
    return questions


def questions_of(row: Row) -> list[Row]:
    """The questions of a row, each with its own cells by our names: in the columns `question` and `questions`."""
    question_cells = {name: cell for name, cell in row.values.items() if name in OF_QUESTION}
    questions = [row._replace(values=question_cells)] if "question" in question_cells else []
    for entry in listed(row, "questions", ";\n"):
        cells = entry if isinstance(entry, dict) else {"question": entry}
        cells = {ALIASES.get(name, name): cell for name, cell in cells.items() if cell not in (None, "", [])}
        for name in cells:
            if name not in OF_QUESTION:
                raise unknown("key", name, OF_QUESTION, f"{row.where}, column 'questions'")
        if "question" not in cells:
            raise InputError(f"{row.where}, column 'questions': {str(entry)[:80]!r} has no 'question'")
        questions.append(row._replace(values=cells))
    return questions


def check_of(row: Row, protocol: str) -> Check:
    """The check of a question.

    If the row gives no id, the check's is empty; if it gives no right answer, the usual one for its type is right.
    """
    texts: dict[str, Any] = {name: cell for name in TEXTS if (cell := text(row, name))}
    if (check_id := text(row, "check")) and not re.fullmatch(r"q\d+(-\d+)?", check_id):
        texts.setdefault("criterion", check_id)
    answer, choices = text(row, "answer"), [str(choice).strip() for choice in listed(row, "choices", ";|")]
    kind = _answer_type_of(row, answer, choices)
    tags, needs = (tuple(filter(None, map(str, listed(row, name, ";")))) for name in ("tags", "needs"))
    check = Check(id=check_id, text=text(row, "question"), answer_type=kind, tags=tags, needs=needs, **texts)
    return _with_weight(msgspec.structs.replace(check, expected=answer), row, protocol)


def text(row: Row, name: str) -> str:
    """A cell as a text; "" if it is empty. InputError if it is a list or an object."""
    cell = row.values.get(name, "")
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    if not isinstance(cell, str | int | float):
        raise InputError(f"{row.where}, column {name!r}: {str(cell)[:60]!r} is neither text nor a number")
    return words_of(cell)


def listed(row: Row, name: str, separators: str) -> list[Any]:
    """The things in a cell, which is a list, a list in JSON, or a text that any character of `separators` divides."""
    cell = row.values.get(name, [])
    if isinstance(cell, str) and cell.startswith("["):
        try:
            cell = json.loads(cell)
        except ValueError as error:
            raise InputError(f"{row.where}, column {name!r}: not valid JSON: {error}") from None
    if isinstance(cell, list):
        return cell
    if isinstance(cell, dict):
        raise InputError(f"{row.where}, column {name!r}: {str(cell)[:60]!r} is no list")
    return [part.strip() for part in re.split(f"[{separators}]", str(cell)) if part.strip()]


def _answer_type_of(row: Row, answer: str, choices: list[str]) -> str:
    """The answer type of a question: the stated one, else the one that fits the choices or the right `answer`."""
    stated_type = text(row, "answer_type")
    with errors_at(row.where):
        if stated_type and not (stated_type == "choice" and choices):
            answer_type(stated_type)
            return stated_type
        if choices and {choice.casefold() for choice in choices} != {"yes", "no"}:
            return choice_type(choices)
    plain_answer = answer.casefold()
    if plain_answer in ("", *_YES_NO):
        return "yes-no"
    for kind, pattern in (("integer", _NUMBER), ("colour", re.compile(COLOUR))):
        if pattern.fullmatch(plain_answer):
            return kind
    raise InputError(
        f"{row.where}, column 'answer': {answer[:60]!r} is no yes or no, whole number or colour; give 'choices', or "
        "the answer_type text for a few words that must be the same"
    )


def _with_weight(check: Check, row: Row, protocol: str) -> Check:
    """The check with its weight, and with its right answer in canonical form."""
    where, kind = row.where, kind_of(check.answer_type)
    if kind == "ratings":
        raise InputError(
            f"{where}: {check.answer_type} is how several checks with one 'call' are answered; give each of them the "
            f"answer type {check.answer_type.replace('ratings', 'rating')}"
        )
    is_prior = protocol == CF_EVAL and check.dimension == CONTRAST
    is_unscored = is_prior or kind == "description"
    weight_text = text(row, "weight")
    try:  # a check without a weight has 1, and 0 if it is asked and not scored
        weight = float(weight_text) if weight_text else float(not is_unscored)
    except ValueError:
        raise InputError(f"{where}, column 'weight': {weight_text!r} is no number") from None
    if not 0 <= weight <= HEAVIEST:
        raise InputError(f"{where}, column 'weight': it must be from 0 to {HEAVIEST:,}, not {weight_text}")
    if is_unscored and weight:
        why = "a contrast check asks for what the prior would draw" if is_prior else "no description is right or wrong"
        raise InputError(f"{where}: {why}; its weight must be 0")
    expected = "no" if is_prior and kind == "yes-no" and not check.expected else _full_credit_answer(check, kind, where)
    return msgspec.structs.replace(check, weight=weight, expected=expected)


def _full_credit_answer(check: Check, kind: str, place: str) -> str:
    """The answer that gives full credit, in canonical form: for a rating an end of its scale, usually the higher."""
    if kind == "description":
        return ""
    ends = scale_of(check.answer_type) if kind == "rating" else None
    usual = ends[1] if ends else _USUAL_ANSWERS.get(kind, "")
    if not check.expected and usual:
        return usual
    outcome = parse(check.expected, check.answer_type)
    if not isinstance(outcome, Answer):
        raise InputError(
            f"{place}, column 'answer': it must be the answer that gives full credit, of the type {check.answer_type}, "
            f"not {check.expected!r}"
        )
    if ends and outcome.value not in ends:
        raise InputError(
            f"{place}, column 'answer': it must be the end of the scale that gives full credit, {' or '.join(ends)}, "
            f"not {check.expected!r}"
        )
    return outcome.value


def refuse_unanswerable(checks: Iterable[Check], place: str) -> None:
    """InputError if no reply could answer a check, or all checks of one call (which are asked in one question)."""
    calls: dict[str, Check] = {}  # by call: its first check
    names: dict[tuple[str, str], str] = {}  # by call and name of a check in the reply: the check's id
    for check in checks:
        with errors_at(f"{place}, check {check.id!r}"):
            answer_type(check.answer_type)
        if not check.call:
            continue
        other = names.setdefault((check.call, name_of(check.id)), check.id)
        if other != check.id:
            raise InputError(
                f"{place}, check {check.id!r}: the call {check.call!r} asks check {other!r} too, and a reply could not "
                "tell the two names apart; they must differ in letters or digits"
            )
        if kind_of(check.answer_type) != "rating":
            raise InputError(
                f"{place}, check {check.id!r}: with a 'call' its answer type must be rating:LOW-HIGH, not "
                f"{check.answer_type}"
            )
        first = calls.setdefault(check.call, check)
        if (check.answer_type, check.after) != (first.answer_type, first.after):
            raise InputError(
                f"{place}, check {check.id!r}: the call {check.call!r} asks check {first.id!r} too, which has another "
                "'answer_type' or 'after'; they must be the same"
            )
