"""An address and the path of its copy stand for each other."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbench.errors import InputError
from counterbench.files.addresses import address_of, masked, place, reached, told, within

words = st.text("abcXYZ09-_.= é", min_size=1, max_size=8).filter(lambda word: word not in (".", ".."))
addresses = st.builds(
    lambda system, parts: f"{system}://{'/'.join(parts)}",
    st.sampled_from(["s3", "gs", "abfs", "memory", "sftp"]),
    st.lists(words, min_size=1, max_size=4),
)


@given(addresses)
def test_the_copy_says_what_it_is_of(address: str) -> None:
    copy = place(address)
    assert address_of(copy) == address
    assert place(Path(address)) == place(f"{address}/") == copy
    assert address_of(copy / "wordings" / "strict") == f"{address}/wordings/strict"
    assert told(f"{copy}: 3 pairs") == f"{address}: 3 pairs"
    assert told(f"next: score '{copy}/a b' {copy}") == f"next: score '{address}/a b' {address}"
    assert within(copy, "below") == place(f"{address}/below") != copy / "below"


@pytest.mark.parametrize("path", ["runs/a", "/data/runs/a", ".", "certify", "a::b", "s3:bucket", "a:/b", "C:/runs"])
def test_a_path_is_no_address(path: str) -> None:
    assert place(path) == Path(path)
    assert address_of(place(path)) == ""


def test_a_file_address_is_a_path() -> None:
    assert place("file:///data/runs/a") == Path("/data/runs/a")


@pytest.mark.parametrize(
    "address", ["s3://", "s3:", "s3://bucket/../../etc", "s3://..", "s3://bucket/@/x", "simplecache::s3://bucket/run"]
)
def test_an_address_leads_nowhere_else(address: str) -> None:
    with pytest.raises(InputError, match="is no address of a folder; give one such as s3://bucket/run"):
        place(address)


def test_where_there_is_no_home_paths_are_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a container whose user is nobody's."""
    monkeypatch.setattr("os.path.expanduser", lambda path: path)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert (told("runs/a"), address_of(place("runs/a"))) == ("runs/a", "")
    with pytest.raises(InputError, match="set XDG_CACHE_HOME, as there is no home"):
        place("s3://bucket/run")


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("sftp://me:word@host:22/run", "sftp://me:…@host:22/run"),
        ("sftp:/me:word@host/run", "sftp:/me:…@host/run"),
        ("sftp://me:22@host/run", "sftp://me:…@host/run"),
        ("sftp://me:w@o:r@d@host/run", "sftp://me:…@host/run"),
        ("sftp://me:wo/rd@host/a@b", "sftp://me:…@b"),
        ("sftp://me@corp.example:word@host/run", "sftp://me@corp.example:…@host/run"),
        ("sftp://me:12/word@host/run", "sftp://me:…@host/run"),
        ("sftp://me:12?word@host/run", "sftp://me:…@host/run"),
        ("sftp://me:8080,word@host/run", "sftp://me:…@host/run"),
        ("sftp://me:a://word@host/run", "sftp://me:…@host/run"),
        ("sftp://me:two word@host/run", "sftp://me:…@host/run"),
        ("sftp://me two:word@host/run", "sftp://me two:…@host/run"),
        ("sftp://me:word @host/run", "sftp://me:…@host/run"),
        ("s3://bucket/key?X-Amz-Signature=word", "s3://bucket/key?…"),
        ("az://c/x?sig=word", "az://c/x?…"),
        ("gs://b/x?access_token=word", "gs://b/x?…"),
        ("https://host/a#access_token=word", "https://host/a#…"),
        ("sftp://me:word@host/run?sig=word", "sftp://me:…@host/run?…"),
        ("sftp://:word@host/run", "sftp://:…@host/run"),
        ("https://me:word@host/a.csv", "https://…@host/a.csv"),
        ("HTTPS://word@host/a.csv?sig=word&x=1", "HTTPS://…@host/a.csv?…"),
        ("simplecache::sftp://me:word@host/run", "simplecache::sftp://me:…@host/run"),
        ("openai:m?base_url=http://me:word@host/v1", "openai:m?base_url=http://…@host/v1"),
    ],
)
def test_a_password_is_not_shown(address: str, shown: str) -> None:
    for alone in (True, False):
        assert masked(address, alone) == masked(shown, alone) == shown
    colon = "" if shown.endswith("…") else ":"
    assert masked(f"at {address} and {address}: lost") == f"at {shown} and {shown}{colon} lost"
    assert masked(f'{{"a": "{address}", "b":"me@home"}}\nme@home') == f'{{"a": "{shown}", "b":"me@home"}}\nme@home'
    if "::" not in address and "openai:" not in address:
        assert "word" not in str(place(address))
        assert reached(address_of(place(address))) == address.replace("sftp:/me", "sftp://me").replace("HTTPS", "https")


def test_of_one_address_all_is_read_though_in_a_text_it_would_end_before() -> None:
    assert masked("sftp://me:12 word@host/run", alone=True) == "sftp://me:…@host/run"
    for text in ("http://host:80 is me@home", "is it s3://bucket/run? me@home"):
        assert masked(text) == text


def test_a_folder_has_no_parameters() -> None:
    with pytest.raises(InputError, match=r"s3://b/run\?…: has parameters or a fragment, and so is of one file"):
        reached(address_of(within(place("s3://b/run#1"), "keys.jsonl")))


def test_a_text_of_any_length_is_read_at_once() -> None:
    for part in ("a", "a:", "ab://", "ab:// ", " a", '"', "@", "ab://c:", "ab://c:d@"):
        begun = time.monotonic()
        masked(part * 5_000)
        assert time.monotonic() - begun < 2, part


@pytest.mark.parametrize(
    "address",
    ["s3://bucket/a@b:c", "sftp://me@host/run", "sftp://host:22/a", "http://localhost:8000/v1", "hf://datasets/a/b@main",
     "http://[::1]:8000/a", "http://[::1]/a@b", "s3://bucket/run: lost", "runs/a:b@c"],
)  # fmt: skip
def test_what_is_no_password_stays(address: str) -> None:
    assert masked(address) == address
    assert masked(f"{address}, or me@home") == f"{address}, or me@home"


def test_a_password_is_in_no_path_and_is_known_to_who_reaches_the_address() -> None:
    copy = place("sftp://me:word@host:22/data/run")
    assert copy == place(Path("sftp://me:word@host:22/data/run")) == place("sftp://me:other@host:22/data/run")
    place("sftp://me:word@host:22/data/run")
    assert "word" not in str(copy)
    assert address_of(copy) == "sftp://me:…@host:22/data/run"
    assert place(address_of(copy)) == copy
    assert reached(address_of(within(copy, "below"))) == "sftp://me:word@host:22/data/run/below"
    with pytest.raises(InputError, match="sftp://you:…@host/run: is shown without its password; give it with"):
        reached(address_of(place("sftp://you:…@host/run")))


def test_parameters_are_no_part_of_a_name() -> None:
    copy = place("https://host/labels.csv?sig=word")
    assert (copy.name, address_of(copy)) == ("labels.csv", "https://host/labels.csv")
    assert reached(address_of(copy)) == "https://host/labels.csv?sig=word"
    with pytest.raises(InputError, match=r"https://host/labels\.csv\?…: differs in its parameters alone"):
        place("https://host/labels.csv?sig=other")
