"""Runs of planted judges that cards are made from, made once."""

from pathlib import Path

import pytest
from commands import call
from sharing import Shared

OFF_BY_ONE = "planted:off-by-one?price=0.5"
STICKY = "planted:sticky?price=2"


@pytest.fixture(scope="session")
def kept(shared: Shared) -> Path:
    """A folder with a run of ladders (`ladder`), and one of `certify` with a certificate and a watch (`certify`)."""

    def make(path: Path) -> None:
        call("validate", OFF_BY_ONE, "--for", "ladder", "--ladders", "count,offset", "--out", path / "ladder")
        certify = path / "certify"
        call("probe", "certify", "--judge", STICKY, "--template", "structured", "--limit", 96, "--out", certify)
        call("certify", certify)
        call("watch", certify, "--start", "--pairs", 32)
        call("watch", certify, "--pairs", 16)

    return shared("card-runs", make)
