"""Options of judges: read as their types, refused with what is valid, and one name whatever the order they came in."""

from typing import Any, Literal

import msgspec
import pytest
from sweeping import swept

from counterbench.errors import InputError
from counterbench.judges.openai.server_options import IDENTITY, OpenAIOptions, server_options
from counterbench.judges.specs import judge_name, read_options, split_spec


class Heating(msgspec.Struct, frozen=True, kw_only=True):
    """Options of every kind."""

    heat: float = 0.0
    seed: int = 0
    api: Literal["chat", "responses"] = "chat"
    strict: bool = True
    price: float | None = None
    body: dict[str, Any] = {}
    patience: float = 60.0


SHOWN = ("heat", "seed", "api", "strict", "price", "body")


def name_with(given: dict[str, Any]) -> str:
    return judge_name("kind", "m", read_options(Heating, given, "here"), SHOWN)


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
    texts = {"heat": "0.7", "seed": "3", "api": "responses", "strict": "false", "price": "2"}
    assert read_options(Heating, texts, "here") == Heating(heat=0.7, seed=3, api="responses", strict=False, price=2.0)
    body = {"a": [1, {"b": None}]}
    typed = {"heat": 1, "seed": 3, "strict": False, "price": 2.5, "body": body}
    assert read_options(Heating, typed, "here") == Heating(heat=1.0, seed=3, strict=False, price=2.5, body=body)


@swept(
    ("given", "message"),
    [
        ({"heat": "warm"}, "heat"),
        ({"heat": None}, "heat"),
        ({"seed": "1.5"}, "seed"),
        ({"seed": 1.5}, "seed"),
        ({"seed": [1]}, "seed"),
        ({"api": "soap"}, "soap"),
        ({"strict": "perhaps"}, "strict"),
        ({"strict": ""}, "strict"),
        ({"body": "{}"}, "body"),
        ({"body": [1]}, "body"),
        ({"price": "free"}, "price"),
    ],
)
def test_a_wrong_value_is_refused_with_its_option_and_place(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=r"^here: ") as caught:
        read_options(Heating, given, "here")
    assert message in str(caught.value)


@swept("name", ["sed", "SEED", "seed ", "", "__struct_fields__"])
def test_an_unknown_option_is_refused_with_the_valid_ones(name: str) -> None:
    with pytest.raises(InputError) as caught:
        read_options(Heating, {name: "1"}, "here")
    message = str(caught.value)
    assert message.startswith(f"here: unknown option {name!r}")
    assert message.endswith("choose from: api, body, heat, patience, price, seed, strict")


@swept(
    "given",
    [
        {"temperature": "nan"}, {"temperature": "2.5"}, {"temperature": -1}, {"temperature": "inf"},
        {"temperature": True}, {"timeout": "0"}, {"timeout": "nan"}, {"max_tokens": "0"}, {"logprobs": "21"},
        {"logprobs": ""}, {"price_in": "-1"}, {"price_out": "nan"}, {"api": "completions"}, {"detail": "huge"},
        {"headers": {"a": 1}},
    ],
)  # fmt: skip
def test_openai_options_out_of_bounds_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"^here: "):
        server_options(OpenAIOptions, given, "here")


def test_names_of_judges_sort_their_options() -> None:
    assert name_with({}) == "kind:m"
    assert name_with({"heat": "0.70", "seed": "0"}) == "kind:m?heat=0.7"
    assert name_with({"strict": "false", "body": {"b": 1, "a": True}}) == 'kind:m?strict=false&body={"a":true,"b":1}'
    assert name_with({"patience": "3"}) == "kind:m"
    assert name_with({"price": "0"}) == "kind:m?price=0.0"


def openai_name(given: dict[str, Any], model: str = "m") -> str:
    return judge_name("openai", model, server_options(OpenAIOptions, given, "here"), IDENTITY)


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
    assert judge_name("kind", "m?seed=3", Heating(), ["seed"]) != judge_name("kind", "m", Heating(seed=3), ["seed"])
