"""Published tables of prompts and questions, recognised by their columns; `FORMATS` is the whole list.

The reader of a format turns each row into cells of our columns (`items`), from which checks are made as from any table.
The authors' kinds of questions become dimensions and tags; they never become skills. A thing that a table says and
that we cannot ask is reported and counted.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from counterbench.answers import choice_type
from counterbench.errors import InputError
from counterbench.files.data_warnings import Warnings
from counterbench.files.rows import Row
from counterbench.prompts.geneval import Cells, read_geneval


class Format(NamedTuple):
    """One format: a file that has all of `columns` has it; `also` are further columns that the reader knows."""

    columns: Sequence[str]
    also: Sequence[str]
    read: Callable[[Iterable[Row], Warnings], Iterator[Cells]]
    summary: str


def read_dsg(rows: Iterable[Row], warnings: Warnings) -> Iterator[Cells]:
    """The cells of DSG's rows: a yes/no question each, which needs those that its `dependency` names (0: none)."""
    keys = ("item_id", "proposition_id", "question_natural_language")
    table = [(row.values, [str(row.values.get(key, "")).strip() for key in keys]) for row in rows]
    questions = {(item, number) for _, (item, number, question) in table if question}
    named: set[tuple[str, str]] = set()
    for values, (item, number, question) in table:
        name = f"{item} {number}"
        cells = {"id": item, "prompt": values.get("text")}
        if not question:
            warnings.add("propositions without a question, left out", name)
            yield cells
            continue
        id = f"q{number}"
        while (item, id) in named:
            warnings.add("numbers of questions used twice, both kept", name)
            id += "-2"
        named.add((item, id))
        needs: dict[str, None] = {}
        for parent in map(str.strip, str(values.get("dependency", "0")).split(",")):
            if id == f"q{parent}":
                warnings.add("questions that depend on themselves: asked without that", name)
            elif (item, parent) in questions:
                needs[f"q{parent}"] = None
            elif parent not in ("", "0"):
                warnings.add("dependencies on questions that are not there, left out", f"{name}: {parent}")
        broad, detailed = (str(values.get(f"category_{breadth}", "")).strip() for breadth in ("broad", "detailed"))
        kind = broad if detailed in ("", "-") else detailed
        cells |= {"check": id, "question": question, "needs": [*needs], "dimension": broad, "tags": [kind]}
        yield cells


def read_tifa(rows: Iterable[Row], warnings: Warnings) -> Iterator[Cells]:
    """The cells of TIFA's rows: a question each, with its choices, of which one is the right answer."""
    for row in rows:
        values = row.values
        kind, answer = values.get("element_type", ""), str(values.get("answer", "")).strip()
        cells = {"id": values.get("id"), "prompt": values.get("caption")}
        listed = values.get("choices")
        choices = [str(choice).strip() for choice in listed] if isinstance(listed, list) else []
        try:
            same = [choice for choice in choices if choice.casefold() == answer.casefold()]
            choice_type(choices)
            if not same:
                raise InputError("none is the answer")
        except InputError:
            warnings.add("questions whose choices cannot be asked, or have no right answer: left out", row.where)
            yield cells
            continue
        question = {"question": values.get("question"), "answer": same[0], "choices": choices}
        yield cells | question | {"dimension": kind}


def read_geneval2(rows: Iterable[Row], warnings: Warnings) -> Iterator[Cells]:
    """The cells of GenEval 2's rows: a prompt each, with its questions (`vqa_list`), their answers and their skills."""
    for row in rows:
        pairs = [pair for pair in row.values.get("vqa_list") or () if isinstance(pair, list) and len(pair) == 2]
        skills = row.values.get("skills") or []
        if len(pairs) != len(row.values.get("vqa_list") or ()):
            warnings.add("questions that are no pair of question and answer, left out", row.where)
        if len(skills) != len(pairs):
            warnings.add("prompts with another number of skills than of questions: without skills", row.where)
            skills = [""] * len(pairs)
        questions = [
            {"question": question, "answer": answer, "dimension": skill}
            for (question, answer), skill in zip(pairs, skills, strict=True)
        ]
        atoms = row.values.get("atom_count")
        category = f"{atoms} atoms" if atoms else ""
        yield {"prompt": row.values.get("prompt"), "category": category, "questions": questions}


FORMATS: dict[str, Format] = {
    "geneval": Format(
        ("prompt", "include"),
        ("tag", "exclude"),
        read_geneval,
        "GenEval's evaluation_metadata.jsonl: presence, number, colour and place are asked",
    ),
    "dsg": Format(
        ("item_id", "text", "proposition_id", "dependency", "question_natural_language"),
        ("category_broad", "category_detailed", "keywords", "tuple"),
        read_dsg,
        "DSG's CSV: yes/no questions, each with those that it depends on",
    ),
    "tifa": Format(
        ("caption", "question", "choices", "answer"),
        ("id", "element_type", "element", "coco_val_id"),
        read_tifa,
        "TIFA's JSON: multiple choice and yes/no",
    ),
    "geneval2": Format(
        ("prompt", "vqa_list"),
        ("skills", "atom_count"),
        read_geneval2,
        "GenEval 2's JSONL: questions with expected answers, number words as whole numbers",
    ),
}


def recognised(columns: Sequence[str]) -> str:
    """The name of the known format that has these columns; "" if none has, or if there are other questions too."""
    for name, format in FORMATS.items():
        if {*format.columns} <= {*columns} and not ({"question", "questions"} & {*columns}) - {*format.columns}:
            return name
    return ""
