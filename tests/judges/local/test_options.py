"""What may be set of a local model, and what of it is part of the judge's name. No torch is needed here."""

import sys

import pytest
from sweeping import swept

from counterbench.errors import InputError
from counterbench.judges.local.checkpoint_judge import TransformersJudge
from counterbench.judges.local.checkpoint_options import IDENTITY, local_options
from counterbench.judges.specs import judge_name

SAID = {"mode": "choice", "dtype": "bfloat16", "max_tokens": "8", "temperature": "0.5", "seed": "3", "revision": "v1"}


@swept(
    ("given", "shown"),
    [
        ({}, ""),
        ({"mode": "generate", "dtype": "auto", "temperature": "0", "seed": "0", "max_tokens": "64"}, ""),  # defaults
        ({"device": "cuda:1", "batch": "3"}, ""),  # where and how fast it runs
        ({"device_map": "auto"}, ""),
        (SAID, "?mode=choice&dtype=bfloat16&max_tokens=8&temperature=0.5&seed=3&revision=v1"),
        ({"trust_remote_code": "true"}, "?trust_remote_code=true"),
    ],
)
def test_only_options_that_change_answers_are_part_of_the_name(given: dict[str, str], shown: str) -> None:
    name = judge_name("transformers", "owner/model", local_options(given, "here"), IDENTITY)
    assert name == f"transformers:owner/model{shown}"


@swept(
    ("given", "message"),
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
def test_bad_options_are_named(given: dict[str, str], message: str) -> None:
    with pytest.raises(InputError) as caught:
        TransformersJudge("owner/model", given)
    assert message in str(caught.value)
    assert str(caught.value).startswith("transformers:owner/model")


def test_an_installation_without_torch_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "counterbench.judges.local.loading", raising=False)
    with pytest.raises(InputError, match=r"this installs them: .* 'torch>=2.6' 'transformers>=5"):
        TransformersJudge("owner/model", {})
