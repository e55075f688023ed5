"""`inspect:` judges where inspect_ai is not installed; real providers' SDKs are asked in tests/consumers/inspect."""

import sys
from types import SimpleNamespace
from typing import Any

import pytest
from sweeping import swept

from counterbench.errors import InputError
from counterbench.judges import is_spec, open_judge
from counterbench.judges.base import Retry
from counterbench.judges.inspect.failures import cause_of, failed, status_of, unsent
from counterbench.judges.inspect.options import IDENTITY, KIND, inspect_options
from counterbench.judges.openai.server_options import Access
from counterbench.judges.specs import judge_name, split_spec

ACCESS = Access("bedrock", "", "AWS_KEY", {}, True, ("secret-0123456789",))


def named(spec: str) -> str:
    model, options = split_spec(spec)
    return judge_name(KIND, model, inspect_options(options, spec), IDENTITY)


def test_the_name_has_what_changes_answers_and_nothing_else() -> None:
    patience = "google/gemini?timeout=9&price_in=1&price_out=2&temperature=0&max_tokens=4096"
    assert named(patience) == "inspect:google/gemini"
    assert named("a/b?seed=3&top_p=0.5&reasoning_effort=low&temperature=1") == (
        "inspect:a/b?temperature=1.0&top_p=0.5&seed=3&reasoning_effort=low"
    )


@swept(
    ("options", "message"),
    [
        ("batch=true", "keeps the ids of batches in memory only"),
        ("patience=3", "unknown option 'patience'; choose from: base_url, effort"),
        ("reasoning_effort=huge", "option 'reasoning_effort': invalid enum value 'huge'"),
        ("temperature=3", "option 'temperature'"),
    ],
)
def test_a_wrong_option_is_refused_before_inspect_is_loaded(options: str, message: str) -> None:
    with pytest.raises(InputError, match=r"^inspect:a/b: ") as caught:
        open_judge(f"inspect:a/b?{options}")
    assert message in str(caught.value)


def test_without_the_extra_the_command_that_installs_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("inspect_ai", "inspect_ai.model"):
        monkeypatch.setitem(sys.modules, name, None)
    assert is_spec("inspect:anthropic/claude")
    with pytest.raises(InputError, match=r"^inspect:anthropic/claude needs inspect_ai .*; this installs it: .*inspect"):
        open_judge("inspect:anthropic/claude")


def test_the_option_of_another_kind_of_judge_is_refused() -> None:
    with pytest.raises(InputError, match="a/b has its key from its provider's variable"):
        open_judge("inspect:a/b", key_env="MINE")


class ClientError(Exception):
    """As boto raises it: what the server answered is a dict."""

    def __init__(self, status: int, headers: dict[str, str]) -> None:
        super().__init__("slow down, secret-0123456789")
        self.response = {"ResponseMetadata": {"HTTPStatusCode": status, "HTTPHeaders": headers}}


class ModelGenerateError(RuntimeError):
    """As inspect raises it: around the exception of an SDK."""


class RetryError(Exception):
    """As tenacity raises it: around the last try."""

    def __init__(self, inner: Exception) -> None:
        self.last_attempt = SimpleNamespace(exception=lambda: inner)


class PrerequisiteError(Exception):
    """As inspect raises it: a package, a variable or a model lacks something."""


def failure(error: BaseException, decision: Any = False) -> Any:
    return failed(cause_of(error), decision, ACCESS, "bedrock/m", reached=True)


def test_the_exception_of_the_sdk_is_found_inside_the_others() -> None:
    inner = ClientError(429, {"Retry-After": "7"})
    wrapped = ModelGenerateError()
    wrapped.__cause__ = inner
    assert cause_of(RetryError(wrapped)) is inner
    assert status_of(inner) == 429
    reply = failure(RetryError(wrapped))
    assert (reply.failure.kind, reply.retry) == ("http-429", Retry(after=7.0, overload=True))
    assert "secret" not in reply.failure.message


@pytest.mark.parametrize("quote", ['"', "'"])
def test_the_wait_in_the_body_of_an_error_of_google_is_kept(quote: str) -> None:
    error = ClientError(429, {})
    error.args = ('{"retryDelay": "7.5s"}'.replace('"', quote),)
    assert failure(error).retry == Retry(after=7.5, overload=True)


def test_an_error_without_a_status_may_pass_if_the_provider_says_so() -> None:
    decision = SimpleNamespace(retry_after=3.0, kind="rate_limit")
    assert failure(OSError("reset"), decision).retry == Retry(after=3.0, overload=True)
    assert failure(OSError("reset"), True).retry == Retry()
    assert (failure(RuntimeError("x")).retry, failure(RuntimeError("x")).stop) == (None, "")
    cut_off = failure(KeyError("choices"))  # the body of the reply is none of its form
    assert (cut_off.failure.kind, cut_off.retry) == ("malformed", Retry())
    assert failure(PrerequisiteError("needs boto")).stop == "bedrock: needs boto"


def test_a_status_is_that_of_an_error() -> None:
    assert [status_of(SimpleNamespace(code=code)) for code in (200, 503, "slow", lambda: 3)] == [None, 503, None, None]  # type: ignore[arg-type]


def test_a_parameter_is_sent_under_any_providers_name_for_it() -> None:
    parameters = {"temperature": 0.0, "max_tokens": 9, "top_p": 1.0, "seed": 3}
    bedrock = {"inferenceConfig": {"maxTokens": 9, "temperature": 0.0, "topP": 1.0}, "messages": [{"role": "user"}]}
    assert unsent(parameters, bedrock) == {"seed"}
    google = {"generation_config": {"temperature": 0.0, "maxOutputTokens": 9, "top_p": 1.0, "seed": None}}
    assert unsent(parameters, google) == {"seed"}
    assert unsent(parameters, {"random_seed": 3, "temperature": 0, "max_completion_tokens": 9, "top_p": 1}) == set()
    assert unsent(parameters, {}) == unsent(parameters, None) == set()  # not known
