"""What may be set of a local model, and what of it is part of the judge's name. No torch is needed here."""

import sys

import pytest

from counterbench.errors import InputError
from counterbench.judges.local.judge import TransformersJudge
from counterbench.judges.local.options import IDENTITY, read
from counterbench.judges.options import judge_name


def name(**given: str) -> str:
    return judge_name("transformers", "owner/model", read(given, "here"), IDENTITY)


def test_defaults_are_not_part_of_the_name() -> None:
    assert name() == "transformers:owner/model"
    assert name(mode="generate", dtype="auto", temperature="0", seed="0", max_tokens="64") == name()


def test_what_changes_the_answers_is_part_of_the_name() -> None:
    given = {"mode": "choice", "dtype": "bfloat16", "max_tokens": "8", "temperature": "0.5", "seed": "3"}
    shown = "mode=choice&dtype=bfloat16&max_tokens=8&temperature=0.5&seed=3&revision=v1&trust_remote_code=true"
    assert name(**given, revision="v1", trust_remote_code="true") == f"transformers:owner/model?{shown}"


@pytest.mark.parametrize("given", [{"device": "cuda:1"}, {"device_map": "auto"}, {"batch": "3"}])
def test_where_and_how_fast_it_runs_is_not(given: dict[str, str]) -> None:
    assert name(**given) == name()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"modes": "choice"}, "unknown option 'modes' (did you mean 'mode'?)"),
        ({"mode": "guess"}, "mode"),
        ({"dtype": "int8"}, "dtype"),
        ({"batch": "0"}, "batch"),
        ({"max_tokens": "0"}, "max_tokens"),
        ({"temperature": "-1"}, "option 'temperature': expected float"),
        ({"temperature": "nan"}, "option 'temperature': expected float"),
        ({"temperature": "inf"}, "option 'temperature': expected float"),
        ({"trust_remote_code": "perhaps"}, "trust_remote_code"),
        ({"device": "cpu", "device_map": "auto"}, "exclude each other"),
    ],
)
def test_bad_options_are_named(given: dict[str, str], said: str) -> None:
    with pytest.raises(InputError) as caught:
        TransformersJudge("owner/model", given)
    assert said in str(caught.value)
    assert str(caught.value).startswith("transformers:owner/model")


def test_without_torch_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "counterbench.judges.local.loading", raising=False)
    with pytest.raises(InputError, match=r"this installs them: .* 'torch>=2.6' 'transformers>=5'"):
        TransformersJudge("owner/model", {})
