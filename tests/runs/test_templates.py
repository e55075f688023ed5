"""Prompt templates: how a judge is asked, from small files, with a digest and errors that name the place."""

import re
from pathlib import Path

import msgspec
import pytest
from sweeping import swept

from counterbench.answers import ANSWER_TYPES, SUFFIXED, Unparsed, parse, read_reply
from counterbench.errors import InputError
from counterbench.files import catalog
from counterbench.runs.queries import PromptTemplate, Query, load_template

HEAD = 'format = "counterbench.template/1"\nname = "mine"\n'


def query(answer_type: str = "yes-no", text: str = "Is it?") -> Query:
    return Query(id="q", group="g", role="original", pictures=(), text=text, answer_type=answer_type)


def template(system: str = "", **suffix: str) -> PromptTemplate:
    return PromptTemplate(
        "counterbench.template/1", "mine", "", system, {k.replace("_", "-"): v for k, v in suffix.items()}
    )


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "mine.toml"


def test_the_default_template_is_neutral_and_covers_every_answer_type() -> None:
    default = load_template()
    assert (default.name, default.system) == ("default", "")
    # Of the others the question says how to answer; of "finding", see USUAL.
    assert set(default.suffix) == set(ANSWER_TYPES) - {"text", "description", "finding", "word"}
    for suffix in default.suffix.values():
        assert suffix.endswith(".")
        assert not {"careful", "strict", "strictly", "lenient", "ambiguous", "must"} & set(suffix.lower().split())


@swept("name", catalog.names("probes/templates"))
def test_every_shipped_template_loads_under_its_file_name(name: str) -> None:
    assert load_template(name).name == name
    assert load_template(name).description


def test_a_template_adds_suffix_and_system_text() -> None:
    dressed = template("You are a judge.", yes_no="Yes or no?").dress(query())
    assert (dressed.text, dressed.system) == ("Is it? Yes or no?", "You are a judge.")
    assert (dressed.id, dressed.group, dressed.role, dressed.answer_type) == ("q", "g", "original", "yes-no")
    assert template(yes_no="Yes or no?").dress(query("integer")).text == "Is it?"


def test_a_question_s_own_system_text_stands_before_the_template_s() -> None:
    question = msgspec.structs.replace(query(), system="You write.")
    assert template("You are a judge.").dress(question).system == template().dress(question).system == "You write."


PROMPT = 'A cup under a "red" sky.'


def query_with_prompt(prompt: str = PROMPT, text: str = "Is it?", answer_type: str = "yes-no") -> Query:
    return msgspec.structs.replace(query(answer_type, text), prompt=prompt)


def test_a_prompt_that_is_shown_stands_before_the_question() -> None:
    dressed = load_template("shown-prompt").dress(query_with_prompt())
    assert dressed.text == (
        f'This picture was made from the prompt: "{PROMPT}"\nIs it? {load_template().suffix["yes-no"]}'
    )
    assert dressed.prompt == ""


@swept("name", catalog.names("probes/templates"))
def test_a_prompt_that_is_not_shown_does_not_reach_the_judge(name: str) -> None:
    used = load_template(name)
    for answer_type in ANSWER_TYPES:
        dressed = used.dress(query_with_prompt(answer_type=answer_type))
        assert (dressed.prompt, PROMPT in dressed.system) == ("", False)
        assert (PROMPT in dressed.text) == used.shows_prompt == (name == "shown-prompt")
        assert used.shows_prompt or dressed.digest == used.dress(query(answer_type)).digest


def test_the_template_strict_differs_from_default_only_for_yes_no() -> None:
    strict, default = load_template("strict"), load_template()
    assert strict.system == ""
    assert {kind for kind, suffix in strict.suffix.items() if suffix != default.suffix[kind]} == {"yes-no"}
    assert set(strict.suffix) == set(default.suffix)
    assert isinstance(parse(strict.suffix["yes-no"], "yes-no"), Unparsed)


@pytest.mark.parametrize("name", ["default", "strict", "shown-prompt"])
def test_a_rating_is_requested_with_the_ends_of_its_scale(name: str) -> None:
    single, several = (load_template(name).dress(query(f"{kind}:1-10")).text for kind in ("rating", "ratings"))
    assert single == "Is it? Answer with a single number from 1 to 10."
    assert re.search(r"\bJSON object\b.* name .*from 1 to 10\.$", several)
    for text, kind in ((single, "rating:1-10"), (several, "ratings:1-10")):
        assert isinstance(parse(text.removeprefix("Is it? "), kind), Unparsed)


def test_answer_line_asks_for_reasons_and_a_last_line_for_every_type() -> None:
    lines = load_template("answer-line")
    assert {*ANSWER_TYPES, *SUFFIXED} - set(lines.suffix) == {"description", "choice", "word"}  # in no shipped file
    for kind in lines.suffix:
        answer_type = kind if kind not in SUFFIXED else f"{kind}:1-10"
        dressed = lines.dress(query(answer_type))
        assert dressed.answer_line
        assert re.search(r'reasons .* last line "Answer: …"', dressed.text)
        # A judge that only repeats it has not answered.
        assert isinstance(read_reply(lines.suffix[kind], answer_type, answer_line=True), Unparsed)
    assert not lines.dress(query("description")).answer_line
    assert not load_template().dress(query()).answer_line


def test_a_templates_digest_covers_its_words_and_not_its_name() -> None:
    first = template("S", yes_no="A", integer="B")
    renamed = PromptTemplate("counterbench.template/1", "n", "d", "S", {"integer": "B", "yes-no": "A"})
    assert first.digest == renamed.digest == "d2e4d5de8500110e764fdd0a60a48810"  # as before templates knew of prompts
    others = [template("T", yes_no="A", integer="B"), template("S", yes_no="A"), template("S", yes_no="A", integer="C")]
    others.append(msgspec.structs.replace(first, shows_prompt=True))
    assert len({first.digest, *(other.digest for other in others)}) == 5


@pytest.mark.parametrize(
    ("name", "digest"), [("default", "4562e2fd45919a51b0d40576b7d63f21"), ("bare", "eb70a4c1af3cb8c12aa01847db186318")]
)
def test_the_shipped_templates_have_their_pinned_digests(name: str, digest: str) -> None:
    assert load_template(name).digest == digest


def test_a_template_file_of_ones_own_is_read(file: Path) -> None:
    file.write_text(HEAD + 'system = "Look closely."\n[suffix]\nyes-no = "Yes or no?"\n')
    mine = load_template(str(file))
    assert (mine.name, mine.system, mine.suffix) == ("mine", "Look closely.", {"yes-no": "Yes or no?"})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD + 'sufix = "x"\n', r"unknown key 'sufix' \(did you mean 'suffix'\?\); choose from: .*suffix, system"),
        (HEAD + "[suffix]\nyesno = 'x'\n", r"suffix: unknown answer type 'yesno' .*choose from: .*yes-no"),
        (HEAD + "[suffix]\n'rating:1-5' = 'x'\n", r"suffix: unknown answer type 'rating:1-5' .*mean 'rating'.*ratings"),
        (HEAD + "[suffix]\nyes-no = 3\n", r"Expected `str`, got `int`.*suffix"),
        (HEAD.replace("/1", "/2"), "newer format 'counterbench.template/2'.*update counterbench"),
    ],
)
def test_a_wrong_file_is_an_error_that_names_file_place_and_choices(file: Path, text: str, message: str) -> None:
    file.write_text(text)
    with pytest.raises(InputError, match=f"mine.toml.*{message}"):
        load_template(str(file))
