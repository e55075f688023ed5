"""Addresses are told from paths, and are shown without their secrets."""

import time
from pathlib import Path

import pytest
from sweeping import swept

from counterbench.errors import InputError
from counterbench.files.addresses import address_of, clear_errors, masked


@swept(
    ("path", "address"),
    [
        ("s3://bucket/run", "s3://bucket/run"),
        (Path("s3://bucket/run"), "s3://bucket/run"),
        ("simplecache::s3://bucket/run", "simplecache::s3://bucket/run"),
        *((path, "") for path in ("runs/a", "/data/runs/a", ".", "certify", "a::b", "s3:bucket", "a:/b", "C:/runs")),
    ],
)
def test_an_address_is_told_from_a_path(path: str | Path, address: str) -> None:
    assert address_of(path) == address


@swept(
    ("address", "shown"),
    [
        ("sftp://me:word@host:22/run", "sftp://me:…@host:22/run"),
        ("sftp:/me:word@host/run", "sftp:/me:…@host/run"),
        ("sftp://me:22@host/run", "sftp://me:…@host/run"),
        ("sftp://me:w@o:r@d@host/run", "sftp://me:…@host/run"),
        ("sftp://me:wo/rd@host/a@b", "sftp://me:…@b"),
        ("sftp://me:12?word@host/run", "sftp://me:…@host/run"),
        ("sftp://:word@host/run", "sftp://:…@host/run"),
        ("s3://bucket/key?X-Amz-Provenance=word", "s3://bucket/key?…"),
        ("https://host/a#access_token=word", "https://host/a#…"),
        ("sftp://me:word@host/run?sig=word", "sftp://me:…@host/run?…"),
        ("https://me:word@host/a.csv", "https://…@host/a.csv"),
        ("http://me:w@o@host/a.csv", "http://…@host/a.csv"),
        ("HTTPS://word@host/a.csv?sig=word&x=1", "HTTPS://…@host/a.csv?…"),
        ("simplecache::sftp://me:word@host/run", "simplecache::sftp://me:…@host/run"),
        ("openai:m?base_url=http://me:word@host/v1", "openai:m?base_url=http://…@host/v1"),
    ],
)
def test_a_password_is_masked(address: str, shown: str) -> None:
    assert masked(address) == masked(shown) == shown
    colon = "" if shown.endswith("…") else ":"
    assert masked(f"at {address} and {address}: lost") == f"at {shown} and {shown}{colon} lost"
    assert masked(f'{{"a": "{address}", "b":"me@home"}}\nme@home') == f'{{"a": "{shown}", "b":"me@home"}}\nme@home'


@swept(
    "address",
    ["s3://bucket/a@b:c", "sftp://me@host/run", "sftp://host:22/a", "http://localhost:8000/v1", "hf://datasets/a/b@main",
     "http://[::1]:8000/a", "http://[::1]/a@b", "s3://bucket/run: lost", "runs/a:b@c", "http://host:80 is me@home",
     "is it s3://bucket/run? me@home"],
)  # fmt: skip
def test_text_that_is_no_password_is_not_masked(address: str) -> None:
    assert masked(address) == address
    assert masked(f"{address}, or me@home") == f"{address}, or me@home"


@pytest.mark.slow
def test_masking_takes_time_linear_in_the_text() -> None:
    """In a time that grows as the text does: four times the text is not sixteen times the work."""

    def work(text: str) -> float:  # of this process alone, however busy the machine is
        begun = time.process_time()
        masked(text)
        return time.process_time() - begun

    for part in ("a:", "ab://", "ab:// ", "@", "ab://c:", "ab://c:d@"):
        short, long = (min(work(part * count) for _ in range(3)) for count in (400, 1_600))
        assert long < 10 * short + 0.01, part


def test_a_store_whose_package_is_missing_names_the_extra() -> None:
    missing = r"requires aiohttp; pip install 'fsspec\[http\]' installs it"
    with pytest.raises(InputError, match=missing), clear_errors("https://host/a.csv", "reading"):
        raise ImportError("requires aiohttp")
