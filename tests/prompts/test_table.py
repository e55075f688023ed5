"""Tables of prompts and questions: what they give, and for every fault its file, line and column."""

import json
from pathlib import Path

import pytest
from docs_files import ROOT, make_examples
from sweeping import swept

from counterbench.errors import InputError
from counterbench.prompts.files import load_prompts, not_used, write_prompt_set
from counterbench.prompts.imports.imported import read_table_of_prompts
from counterbench.prompts.items import columns_given, read_items
from counterbench.prompts.prompt_set import Check, PromptSet
from counterbench.prompts.table import prompts_of

PLAIN = """prompt,question,expected
A red cube on a blue box.,Is there a red cube?,
A red cube on a blue box.,Is the box green?,no
An empty street.,,
A red cube on a blue box.,How many cubes are there?,1
"""


def load(folder: Path, text: str, name: str = "mine.csv") -> PromptSet:
    (folder / name).write_bytes(text.encode())
    return load_prompts(str(folder / name))


def rows(*rows: dict[str, object]) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def test_a_plain_list_is_a_checklist_without_levels(tmp_path: Path) -> None:
    found = load(tmp_path, PLAIN)
    assert (found.name, found.levels, found.protocol, found.seed) == ("mine", ("image",), "checklist", None)
    assert [(prompt.id, prompt.text) for prompt in found.prompts] == [
        ("a-red-cube-on-a-blue-box-d2cfb2c4/image", "A red cube on a blue box."),
        ("an-empty-street-81187238/image", "An empty street."),
    ]
    assert [(check.id, check.text, check.expected) for check in found.prompts[0].checks] == [
        ("q1", "Is there a red cube?", "yes"),
        ("q2", "Is the box green?", "no"),
        ("q3", "How many cubes are there?", "1"),
    ]
    assert found.prompts[1].checks == ()


def test_equal_rows_in_csv_and_json_are_one_set(tmp_path: Path) -> None:
    table = (
        "id,check,prompt,question,expected,dimension,skill,tags,weight,criterion,criteria,category,discipline,"
        "answer_type,call,after\r\n"
        "a,seen,A hand.,Describe it.,,,,,,,,people,art,description,,\r\n"
        'a,x,A hand.,"Fingers, how right?",,craft,knows hands,POS; 1-hop,2.5,anatomy,"5: right\n1: wrong",,,'
        "rating:1-5,c,seen\r\n"
    )
    lines = rows(
        {"id": "a", "check": "seen", "prompt": "A hand.", "question": "Describe it.", "answer_type": "description"}
        | {"category": "people", "discipline": "art"},
        {"id": "a", "check": "x", "prompt": "A hand.", "question": "Fingers, how right?", "dimension": "craft"}
        | {"skill": "knows hands", "tags": ["POS", "1-hop"], "weight": 2.5, "criterion": "anatomy", "call": "c"}
        | {"criteria": "5: right\n1: wrong", "answer_type": "rating:1-5", "after": "seen", "notes": "left out"},
    )
    found = load(tmp_path, f"\ufeff{table}")
    assert found.digest == load(tmp_path, lines, "a.jsonl").digest == load(tmp_path, f"\ufeff{lines}", "b.jsonl").digest
    (hand,) = found.prompts
    assert (hand.id, hand.category, hand.discipline) == ("a/image", "people", "art")
    assert (hand.checks[0].expected, hand.checks[0].weight) == ("", 0)
    rated = {"answer_type": "rating:1-5", "expected": "5", "weight": 2.5, "call": "c", "after": "seen"}
    words = {"dimension": "craft", "skill": "knows hands", "criterion": "anatomy", "criteria": "5: right\n1: wrong"}
    assert hand.checks[1] == Check(id="x", text="Fingers, how right?", tags=("POS", "1-hop"), **rated, **words)  # type: ignore[arg-type]


def test_rows_of_one_id_at_some_levels_are_an_incomplete_group(tmp_path: Path) -> None:
    found = load(tmp_path, "id,level,prompt,question\na,l2,B.,Is it?\na,l1,A.,\nb,l2,C.,Is it?\na,l2,B.,And it?\n")
    assert found.levels == ("l1", "l2")
    assert [(prompt.id, len(prompt.checks)) for prompt in found.prompts] == [("a/l2", 2), ("a/l1", 0), ("b/l2", 1)]
    own = load(tmp_path, "id,level,prompt\na,hard,B.\na,easy,A.\n")
    assert own.levels == ("hard", "easy")
    usual = load(tmp_path, "id,level,prompt\na,l3,C.\na,l1,A.\na,l2,B.\n")
    assert usual.levels == ("l1", "l2", "l3")


def test_assessment_points_select_cf_eval_and_contrasts_expect_no(tmp_path: Path) -> None:
    found = load(tmp_path, "prompt,question,dimension\nA.,Does it rise?,assessment-point\nA.,Does it fall?,contrast\n")
    assert found.protocol == "cf-eval"
    assert [(check.expected, check.weight) for check in found.prompts[0].checks] == [("yes", 1), ("no", 0)]


def test_an_id_made_for_a_prompt_does_not_depend_on_the_others(tmp_path: Path) -> None:
    lines = ["A cup.", "A very long prompt about a cup on a table in a room.", "一只杯子。", "Ein Bär."]
    whole = load(tmp_path, "prompt\n" + "\n".join(lines) + "\n")
    other = load(tmp_path, "prompt,question\n" + "".join(f"{line},Is it?\n" for line in ["New.", *lines[:0:-1]]))
    ids = {prompt.text: prompt.id for prompt in whole.prompts}
    assert {prompt.text: prompt.id for prompt in other.prompts[1:]} == {line: ids[line] for line in lines[1:]}
    assert ids[lines[1]].startswith("a-very-long-prompt-about-a-cup-o-")
    assert [len(ids[line]) - len("/image") for line in lines] == [14, 41, 8, 16]


@swept(
    ("column", "meant"),
    [(name, "answer") for name in ("answers", "Label", "gt", "ground truth", "target", "truth", "correct")]
    + [(name, "answer_type") for name in ("type", "score_max", "max_score", "scale")]
    + [("dim", "dimension"), ("tag", "tags"), ("group", "id"), ("picture", "image"), ("options", "choices")],
)
def test_a_misnamed_column_is_refused_unless_the_right_one_is_present(tmp_path: Path, column: str, meant: str) -> None:
    with pytest.raises(InputError) as error:
        load(tmp_path, f"prompt,{column}\nA.,no\n")
    place = f"{tmp_path / 'mine.csv'}, line 1"
    assert str(error.value).startswith(f"{place}: unknown column {column!r} (did you mean {meant!r}?)")
    with pytest.raises(InputError, match=f"line 2: unknown column '{column}'"):
        load(tmp_path, rows({"prompt": "A."}, {"prompt": "A.", column: "no"}), "mine.jsonl")
    ours = {"answer_type": "yes-no", "id": "a", "answer": "no"}.get(meant, "")
    load(tmp_path, rows({"prompt": "A.", column: "no", meant: ours}), "mine.jsonl")
    assert not_used(str(tmp_path / "mine.jsonl")) == [
        f"{tmp_path / 'mine.jsonl'}: columns that are not used (1): {column}"
    ]


def test_unused_columns_are_named(tmp_path: Path) -> None:
    load(tmp_path, "source,prompt,notes,question\nmine,A.,,Is it?\n")
    assert not_used(str(tmp_path / "mine.csv")) == [
        f"{tmp_path / 'mine.csv'}: columns that are not used (2): source, notes"
    ]
    write_prompt_set(tmp_path / "set.jsonl", load(tmp_path, PLAIN.replace(",1\n", ",yes\n")))
    for name in ("mine.csv", "set.jsonl"):
        assert not_used(str(tmp_path / name)) == []
    assert not_used("laws") == []


def test_the_examples_of_the_page_are_prompt_sets(tmp_path: Path) -> None:
    make_examples(ROOT / "docs" / "own-data.md", tmp_path)
    found = {name: load_prompts(next(tmp_path.glob(f"{name}.*"))) for name in ("shelf", "hands", "colours")}
    assert {prompts.protocol for prompts in found.values()} == {"checklist"}
    assert {p.id: p.text for p in found["colours"].prompts} == {p.id: p.text for p in found["shelf"].prompts}
    assert found["colours"].digest != found["shelf"].digest


HEAD = "id,check,prompt,question,expected,answer_type,weight,call,category\n"
BAD: dict[str, tuple[str, str]] = {
    "no prompts": ("question\nIs it?\n", "needs the column prompt; its columns are question; rename one"),
    "misspelt": ("prompt,Qestion\nA.,Is it?\n", "line 1: unknown column 'Qestion' (did you mean 'question'?)"),
    "misspelt in JSON": (
        rows({"prompt": "A."}, {"prompt": "B.", "expceted": "no"}), "line 2: unknown column 'expceted' (did you mean",
    ),
    "half a line of JSON": (rows({"prompt": "A."}) + "{\n", "line 2: "),
    "nothing": (rows({}), "has no prompts"),
    "answer of another type": (
        f"{HEAD}a,,A.,Is it?,perhaps,integer,,,\n", "column 'answer': it must be the answer that gives full credit",
    ),
    "one choice": (
        "prompt,question,answer,choices\nA.,Is it?,a,a;a\n", "line 2: answer type 'choice:a|a': it needs two",
    ),
    "no list": (rows({"prompt": "A.", "questions": {"a": 1}}), "column 'questions': \"{'a': 1}\" is no list"),
    "a key of a question": (
        rows({"prompt": "A.", "questions": [{"question": "Is it?", "anser": "no"}]}),
        "column 'questions': unknown key 'anser' (did you mean 'answer'?)",
    ),
    "answer type": (f"{HEAD}a,,A.,Is it?,,ratings,,,\n", "line 2: unknown answer type 'ratings'"),
    "ratings of one check": (
        f"{HEAD}a,,A.,Is it?,,ratings:1-5,,,\n", "line 2: ratings:1-5 is how several checks with one",
    ),
    "no end of the scale": (
        f"{HEAD}a,,A.,Is it?,4,rating:1-5,,,\n", "line 2, column 'answer': it must be the end of the scale",
    ),
    "yes and no in one call": (
        f"{HEAD}a,x,A.,Is it?,,,,c,\n", "check 'x': with a 'call' its answer type must be rating:LOW-HIGH, not yes-no",
    ),
    "a description that scores": (
        f"{HEAD}a,,A.,Is it?,,description,2,,\n", "line 2: no description is right or wrong; its weight must be 0",
    ),
    "a contrast that scores": (
        "prompt,question,dimension,weight\nA.,Is it?,assessment-point,\nA.,Was it?,contrast,1\n",
        "line 3: a contrast check asks for what the prior would draw; its weight must be 0",
    ),
    "weight": (f"{HEAD}a,,A.,Is it?,,,heavy,,\n", "line 2, column 'weight': 'heavy' is no number"),
    "check twice": (f"{HEAD}a,x,A.,I?,,,,,\na,x,A.,J?,,,,,\n", "line 3, column 'check': its prompt has a check 'x'"),
    "id of a path": (f"{HEAD}../a,,A.,Is it?,,,,,\n", "line 2, column 'id': '../a' must begin with a letter or digit"),
    "id of two": (
        f"{HEAD}a,,A.,I?,,,,,\na,,B.,I?,,,,,\n",
        "line 3, column 'prompt': 'B.', but 'A.' in line 2, of the same prompt; another prompt needs another id",
    ),
    "mixed call": (
        f"{HEAD}a,x,A.,I?,,rating:1-5,,c,\na,y,A.,J?,,rating:0-5,,c,\n",
        "line 2, check 'y': the call 'c' asks check 'x' too, which has another 'answer_type' or 'after'",
    ),
}  # fmt: skip


@swept("case", BAD)
def test_a_faulty_table_is_refused_with_file_line_and_choices(case: str, tmp_path: Path) -> None:
    text, message = BAD[case]
    name = "mine.jsonl" if text.startswith("{") else "mine.csv"
    with pytest.raises(InputError) as error:
        load(tmp_path, text, name)
    assert message in str(error.value)
    assert str(error.value).count(str(tmp_path / name)) == 1


def test_a_row_without_a_prompt_is_left_out_and_named(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text(
        "id,prompt,question\na,A dog.,Is it?\nb,,Is it?\na,,Is it red?\nc,A cat.,Is it?\n"
    )
    (read,) = read_table_of_prompts(tmp_path / "mine.csv")
    assert [(prompt.text, len(prompt.checks)) for prompt in read.prompts.prompts] == [("A dog.", 2), ("A cat.", 1)]
    assert "rows without a prompt, left out (1): line 3" in [warning.line() for warning in read.warnings]


# ---- right answers, lists in a cell, columns of other names


@swept(
    ("stated", "answer", "choices", "kind", "expected"),
    [
        (None, None, None, "yes-no", "yes"), (None, "No", None, "yes-no", "no"), (None, "TRUE", None, "yes-no", "yes"),
        (None, False, None, "yes-no", "no"), (None, "yes", ["Yes", "no"], "yes-no", "yes"),
        (None, 3, None, "integer", "3"), (None, 3.0, None, "integer", "3"), (None, "twelve", None, "integer", "12"),
        (None, "Turquoise", None, "colour", "cyan"), (None, "3", [1, 2, 3], "choice:1|2|3", "3"),
        (None, "a beach", ["park", "beach"], "choice:park|beach", "beach"),
        # A stated answer type: the right answer is parsed like a reply, or is the usual one.
        ("grade", None, None, "grade", "1"), ("score", None, None, "score", "1"),
        ("rating:0-10", None, None, "rating:0-10", "10"), ("rating:0-10", "0", None, "rating:0-10", "0"),
        ("integer", "3", None, "integer", "3"), ("colour", "Teal", None, "colour", "cyan"),
        ("text", "A cat.", None, "text", "cat"),
    ],
)  # fmt: skip
def test_an_answer_type_is_stated_or_follows_and_the_expected_answer_is_parsed_like_a_reply(
    tmp_path: Path, stated: str | None, answer: object, choices: object, kind: str, expected: str
) -> None:
    row = {"prompt": "A.", "question": "What?", "answer": answer, "choices": choices, "answer_type": stated}
    (check,) = load(tmp_path, rows(row), "mine.jsonl").prompts[0].checks
    assert (check.answer_type, check.expected) == (kind, expected)


def test_questions_may_be_a_list_in_a_cell(tmp_path: Path) -> None:
    questions = [
        "Is there a car?",
        {"question": "Is it red?", "answer": "no", "needs": ["q1"], "skill": "colour", "weight": 2},
    ]
    found = load(tmp_path, rows({"prompt": "A.", "question": "Is it?", "questions": questions[1:]}), "mine.jsonl")
    assert [check.id for check in found.prompts[0].checks] == ["q1", "q2"]
    lists = load(tmp_path, rows({"prompt": "A.", "questions": questions}), "mine.jsonl")
    (tmp_path / "mine.csv").write_text(
        f"prompt,questions\nA.,{json.dumps(json.dumps(questions)).replace(chr(92), chr(34))}\n"
    )
    assert load_prompts(tmp_path / "mine.csv").digest == lists.digest
    assert lists.prompts[0].checks[1] == Check(
        id="q2", text="Is it red?", expected="no", needs=("q1",), skill="colour", weight=2
    )
    plain = load(tmp_path, 'prompt,questions\nA.,"Is there a car?; Is it red?"\n')
    assert [check.text for check in plain.prompts[0].checks] == ["Is there a car?", "Is it red?"]


def test_the_same_question_about_several_pictures_of_a_prompt_is_one_check(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text(
        "image,model,sample,prompt,question,answer\n"
        "a/1.png,a,0,A cup.,Is there a cup?,yes\na/1.png,a,0,A cup.,How many?,1\n"
        "b/1.png,b,0,A cup.,Is there a cup?,yes\n"
        "b/2.png,b,0,A jug.,Is there a cup?,no\n"
    )
    items = read_items(tmp_path / "mine.csv")
    assert items.rows[0].where == f"{tmp_path / 'mine.csv'}, line 2"
    assert {"image": "a/1.png", "model": "a", "sample": "0"}.items() <= items.rows[0].values.items()
    prompts, ids, _ = prompts_of(items)
    assert [len(prompt.checks) for prompt in prompts.prompts] == [2, 1]
    cup, jug = (prompt.id for prompt in prompts.prompts)
    assert [*ids.values()] == [cup, cup, cup, jug]


def test_renamed_columns_are_mapped_and_reported(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("Text,Q,label,notes\nA cup.,Is there a cup?,no,x\n")
    columns = columns_given("prompt=Text, question=Q,expected=label")
    assert columns == {"prompt": "Text", "question": "Q", "answer": "label"}
    items = read_items(tmp_path / "mine.csv", columns)
    assert items.unused == ["notes"]
    assert prompts_of(items).prompts.prompts[0].checks[0].expected == "no"
    for text, message in (
        ("promt=Text", "--columns: unknown column 'promt' (did you mean 'prompt'?); choose from: "),
        ("prompt", "--columns 'prompt': is written OURS=THEIRS"),
    ):
        with pytest.raises(InputError) as error:
            columns_given(text)
        assert message in str(error.value)
    with pytest.raises(InputError, match=r"mine.csv, --columns prompt: unknown column 'Txt' \(did you mean 'Text'\?\)"):
        read_items(tmp_path / "mine.csv", {"prompt": "Txt"})


def test_a_hugging_face_folder_names_its_pictures_from_its_own_root(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "metadata.jsonl").write_text(rows({"file_name": "1.png", "prompt": "A cup."}))
    items = read_items(tmp_path)
    assert items.rows[0].values == {"image": "data/1.png", "prompt": "A cup."}
    assert load_prompts(tmp_path).name == tmp_path.name


def test_a_text_that_is_no_question_is_warned_about(tmp_path: Path) -> None:
    """WISE's `--columns question=Explanation` took 1,000 statements as yes/no questions, silently."""
    (tmp_path / "t.csv").write_text(
        "prompt,question,answer_type\n"
        "a cat,This should show the cat asleep in the sun,\n"
        "a dog,Is it a dog,\n"
        "a cow,有牛吗？,\n"
        "a pig,Number of pigs,integer\n"
    )
    (warning,) = read_items(tmp_path / "t.csv").warnings
    assert (warning.what, warning.count) == ("texts that are no question, asked as yes or no all the same", 1)
    assert "line 2" in str(warning)
