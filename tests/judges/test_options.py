"""Options of judges: read as their types, refused with what is valid, and one name whatever the order they came in."""

from typing import Any

import pytest
from sweeping import swept

from counterbench.errors import InputError
from counterbench.judges.openai.server_options import IDENTITY, OpenAIOptions, server_options
from counterbench.judges.specs import judge_name, read_options, split_spec


def openai_name(given: dict[str, Any], model: str = "m") -> str:
    return judge_name("openai", model, server_options(OpenAIOptions, given, "here"), IDENTITY)


@swept(
    ("spec", "expected"),
    [
        ("m", ("m", {})),
        ("m?", ("m", {})),
        ("org/m:free?seed=3", ("org/m:free", {"seed": "3"})),
        ("m?a=1&b=x%26y", ("m", {"a": "1", "b": "x&y"})),
        ("m?a=", ("m", {"a": ""})),
        ("m?strict", ("m", {"strict": ""})),
        ("m?a=1?b=2", ("m", {"a": "1?b=2"})),
        ("?a=1", ("", {"a": "1"})),
        ("", ("", {})),
    ],
)
def test_a_spec_is_parsed_into_name_and_options(spec: str, expected: tuple[str, dict[str, str]]) -> None:
    assert split_spec(spec) == expected


def test_an_option_given_twice_is_refused() -> None:
    with pytest.raises(InputError, match="given twice"):
        split_spec("m?seed=1&seed=2")


def test_options_are_converted_to_their_types() -> None:
    texts = {"temperature": "0.7", "seed": "3", "api": "responses", "structured": "false", "price_in": "2"}
    expected = OpenAIOptions(temperature=0.7, seed=3, api="responses", structured=False, price_in=2.0)
    assert read_options(OpenAIOptions, texts, "here") == expected
    typed = {"temperature": 1, "seed": 3, "structured": False, "price_in": 2.5, "body": {"a": [1, {"b": None}]}}
    assert read_options(OpenAIOptions, typed, "here") == OpenAIOptions(**typed)


@swept(
    ("name", "values"),
    [
        ("temperature", ["warm", None, "nan", "2.5", -1, "inf", True]), ("seed", ["1.5", 1.5, [1]]),
        ("timeout", ["0", "nan"]), ("max_tokens", ["0"]), ("logprobs", ["21", ""]), ("price_in", ["-1", "free"]),
        ("price_out", ["nan"]), ("api", ["soap"]), ("detail", ["huge"]), ("structured", ["perhaps", ""]),
        ("headers", [{"a": 1}]), ("body", ["{}", [1]]),
    ],
)  # fmt: skip
def test_a_wrong_value_is_refused_with_its_option_and_place(name: str, values: list[Any]) -> None:
    for value in values:
        with pytest.raises(InputError, match=f"^here: option '{name}': "):
            server_options(OpenAIOptions, {name: value}, "here")


@swept("name", ["sed", "SEED", "seed ", "", "__struct_fields__"])
def test_an_unknown_option_is_refused_with_the_valid_ones(name: str) -> None:
    with pytest.raises(InputError, match=rf"^here: unknown option {name!r}.*; choose from: api, base_url, body, de"):
        server_options(OpenAIOptions, {name: "1"}, "here")


def test_names_of_judges_sort_their_options() -> None:
    assert openai_name({}) == "openai:m"
    assert openai_name({"temperature": "0.70", "seed": "0"}) == "openai:m?temperature=0.7"
    given = {"structured": "false", "body": {"b": 1, "a": True}, "seed": 2}
    assert openai_name(given) == 'openai:m?seed=2&structured=false&body={"a":true,"b":1}'


def test_speed_and_patience_are_no_part_of_an_openai_judges_name() -> None:
    given = {"timeout": 3, "price_in": 1, "price_out": 2, "key_env": "MY_KEY", "headers_env": {"x-a": "MY_A"}}
    assert openai_name(given) == "openai:m"
    every = set(OpenAIOptions.__struct_fields__)
    assert every - set(IDENTITY) == set(given)


def test_options_that_change_the_request_are_part_of_an_openai_judges_name() -> None:
    other: dict[str, Any] = {
        "base_url": "http://localhost:8000/v1", "api": "responses", "temperature": 0.5, "seed": 1, "max_tokens": 9,
        "effort": "low", "detail": "high", "logprobs": 5, "structured": False, "body": {"a": 1},
        "headers": {"x-b": "c"}, "max_pictures": 1,
    }  # fmt: skip
    assert set(other) == set(IDENTITY)
    names = {openai_name({name: value}) for name, value in other.items()}
    assert len(names | {"openai:m"}) == len(other) + 1


def test_a_models_name_is_never_taken_for_options() -> None:
    assert openai_name({}, "m?seed=3") != openai_name({"seed": 3})
