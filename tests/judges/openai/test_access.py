"""Which server gets which key: only the one that it belongs to."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from asked import probe
from judges.openai.dots import Dots
from loopback import LoopbackServer, Say
from sweeping import swept

from counterbench.answers.soft import Token
from counterbench.errors import InputError
from counterbench.judges import open_judge
from counterbench.judges.base import Reply
from counterbench.judges.openai.server_options import DEFAULT_URL, Access, OpenAIOptions, find_access, server_options

KEY, OTHER = "sk-default-1234567890", "sk-other-0987654321"
LIKE_A_NAME = "gAAAAkey_that_could_be_a_name_1234"
ROUTER = "https://router.example/api/v1"
LOCAL = "http://localhost:8000/v1"


def access(environment: Mapping[str, str], **options: Any) -> Access:
    return find_access(server_options(OpenAIOptions, options, "openai:m"), "openai:m", environment)


@swept(
    ("environment", "options", "url", "key"),
    [
        ({"OPENAI_API_KEY": KEY}, {}, DEFAULT_URL, KEY),
        ({"OPENAI_API_KEY": KEY}, {"base_url": DEFAULT_URL}, DEFAULT_URL, KEY),
        ({"OPENAI_API_KEY": f"  {KEY}\n"}, {}, DEFAULT_URL, KEY),
        ({"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": ROUTER}, {}, ROUTER, KEY),
        ({"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": ROUTER + "/"}, {"base_url": ROUTER}, ROUTER, KEY),
        ({"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": ROUTER}, {"base_url": DEFAULT_URL}, DEFAULT_URL, KEY),
        # any other address gets no key that it was not given
        ({"OPENAI_API_KEY": KEY}, {"base_url": ROUTER}, ROUTER, ""),
        ({"OPENAI_API_KEY": KEY}, {"base_url": LOCAL}, LOCAL, ""),
        ({"OPENAI_API_KEY": KEY}, {"base_url": "http://api.openai.com/v1"}, "http://api.openai.com/v1", ""),
        ({"OPENAI_API_KEY": KEY}, {"base_url": "https://api.openai.com.evil.example/v1"}, None, ""),
        ({"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": ROUTER}, {"base_url": ROUTER + "/v2"}, None, ""),
        ({}, {"base_url": LOCAL}, LOCAL, ""),
        ({"OPENAI_BASE_URL": LOCAL}, {}, LOCAL, ""),
        # a key that is named goes where it is to go
        ({"OPENAI_API_KEY": KEY, "K": OTHER}, {"base_url": ROUTER, "key_env": "K"}, ROUTER, OTHER),
        ({"OPENAI_API_KEY": KEY, "K": OTHER}, {"key_env": "K"}, DEFAULT_URL, OTHER),
        ({"OPENAI_API_KEY": KEY}, {"base_url": ROUTER, "key_env": "OPENAI_API_KEY"}, ROUTER, KEY),
    ],
)
def test_each_address_gets_only_its_own_key(
    environment: dict[str, str], options: dict[str, Any], url: str | None, key: str
) -> None:
    found = access(environment, **options)
    assert found.key == key
    assert found.url == (url or options["base_url"])
    assert (found.key_env != "") == (key != "")
    assert KEY not in repr(found)
    assert OTHER not in repr(found)


NO_ADDRESSES = ["localhost:8000/v1", "ftp://x/v1", "http://", "http:///v1", "/v1", "http://[::1/v1"]
NO_PORTS = ["http://h:0/v1", "http://h:99999/v1", "http://h:x/v1"]
WITH_SECRETS = [
    f"https://user:{KEY}@router.example/v1",
    f"https://{KEY}@router.example/v1",
    f"https://router.example/v1?key={KEY}",
    f"https://router.example/v1#{KEY}",
]


@swept(
    ("environment", "options", "reason"),
    [
        ({}, {}, "OPENAI_API_KEY is not set"),
        ({"OPENAI_API_KEY": "  "}, {}, "OPENAI_API_KEY is not set"),
        ({"OPENAI_API_KEY": KEY}, {"key_env": "K"}, "key_env takes the NAME of an environment variable"),
        ({"OPENAI_API_KEY": KEY, "K": ""}, {"key_env": "K", "base_url": ROUTER}, "key_env takes the NAME"),
        ({}, {"key_env": KEY, "base_url": ROUTER}, "key_env takes the NAME"),
        ({}, {"key_env": LIKE_A_NAME, "base_url": ROUTER}, "key_env takes the NAME"),
        ({}, {"base_url": LOCAL, "headers_env": {"X-T": KEY}}, "headers_env takes the NAME"),
        ({"K": "sk-ä"}, {"base_url": LOCAL, "key_env": "K"}, "cannot be sent"),
        ({"K": "sk-1\nX: 2"}, {"base_url": LOCAL, "key_env": "K"}, "cannot be sent"),
        ({"T": "a\r\nb"}, {"base_url": LOCAL, "headers_env": {"X-T": "T"}}, "cannot be sent"),
        ({}, {"base_url": LOCAL, "headers": {"X-T": "a\nb"}}, "cannot be sent"),
        *(({}, {"base_url": url}, "comes from the environment") for url in WITH_SECRETS),
        *(({"OPENAI_BASE_URL": url}, {}, "comes from the environment") for url in WITH_SECRETS),
        *(({}, {"base_url": url}, "is no address") for url in (*NO_ADDRESSES, *NO_PORTS)),
        ({}, {"base_url": "http://h/v1/chat/completions/"}, "without '/chat/completions': http://h/v1"),
        ({}, {"base_url": "http://h/v1/responses"}, "give the base URL without '/responses': http://h/v1"),
    ],
)
def test_invalid_addresses_and_keys_are_refused_without_printing_a_key(
    environment: dict[str, str], options: dict[str, Any], reason: str
) -> None:
    with pytest.raises(InputError, match=r"^openai:m: ") as raised:
        access(environment, **options)
    assert reason in str(raised.value)
    assert [secret for secret in (KEY, LIKE_A_NAME) if secret in str(raised.value)] == []


SECRET_HEADERS = [
    "Authorization", "X-API-Key", "api-key", "Cookie", "X-Auth-Token", "X-Access-Token", "Private-Token", "X-Secret",
    "Ocp-Apim-Subscription-Key", "cf-aig-authorization", "Helicone-Auth",
]  # fmt: skip


@swept("name", SECRET_HEADERS)
def test_headers_that_hold_secrets_are_not_written_in_a_file(name: str) -> None:
    with pytest.raises(InputError, match=r"would hold a secret.*headers_env") as raised:
        server_options(OpenAIOptions, {"headers": {name: "sk-secret-1234"}}, "judge.toml")
    assert "sk-secret" not in str(raised.value)


def test_keys_are_redacted_and_ordinary_headers_are_not() -> None:
    found = access(
        {"K": "sk-12345678", "T": "sk-12345678-longer", "S": "short"},
        base_url=LOCAL,
        key_env="K",
        headers={"X-Plain": "not-a-secret-at-all"},
        headers_env={"X-T": "T", "X-S": "S"},
    )
    assert found.redact("a sk-12345678-longer b sk-12345678 c") == "a [key] b [key] c"
    assert found.redact("short not-a-secret-at-all") == "short not-a-secret-at-all"
    for before in range(470, 500):  # a message is cut after its secrets are taken out
        kept = found.message("x" * before + "sk-12345678")
        assert len(kept) <= 500
        assert "sk-1" not in kept


@pytest.mark.parametrize("parts", [("no ", "sk-1234", "5678"), ("Ġsk-1234", "▁5678"), ("no", " sk-12", " 345678")])
def test_likelihoods_of_a_text_with_a_secret_are_left_out(parts: tuple[str, ...]) -> None:
    found = access({"K": "sk-12345678"}, base_url=LOCAL, key_env="K")
    tokens = tuple(Token(text, -0.5) for text in parts)
    assert found.redacted(Reply(text="no", logprobs=tokens)).logprobs is None
    kept = found.redacted(Reply(text="no sk-12345678", logprobs=tokens))
    assert (kept.text, kept.logprobs) == ("no [key]", None)
    assert found.redacted(Reply(text="no", logprobs=tokens[:1])).logprobs == tokens[:1]


EVERYTHING = {
    "OPENAI_API_KEY": KEY,
    "OPENAI_ADMIN_KEY": "sk-admin-1234567890",
    "OPENAI_ORG_ID": "org-1234567890",
    "OPENAI_PROJECT_ID": "proj-1234567890",
    "OPENAI_WEBHOOK_SECRET": "whsec-1234567890",
    "AZURE_OPENAI_API_KEY": "azure-1234567890",
    "K": OTHER,
}


@pytest.mark.parametrize(
    ("key_env", "option", "authorization", "sent"),
    [
        ("", True, "Bearer none", set()),  # a server of one's own gets nothing of the default account
        ("K", True, f"Bearer {OTHER}", {"K"}),
        ("", False, f"Bearer {KEY}", {"OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"}),
    ],
)
def test_a_server_gets_its_own_key_and_no_other(
    key_env: str, option: bool, authorization: str, sent: set[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name, value in EVERYTHING.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Custom: custom-1234567890")
    with LoopbackServer(Say("1")) as server:
        if not option:
            monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        judge = open_judge("openai:m", list, base_url=server.url if option else "", key_env=key_env)
        assert probe(Dots(1), judge, tmp_path / "run").complete
        headers, *_ = server.headers_seen
    assert headers["authorization"] == authorization
    assert {name for name, value in EVERYTHING.items() if any(value in field for field in headers.values())} == sent
    assert ("x-custom" in headers) == (not option)
