"""An address and the path of its copy stand for each other."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbench.errors import InputError
from counterbench.files.addresses import address_of, place, told, within

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
