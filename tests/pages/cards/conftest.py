"""Runs of planted judges that cards are made from, made once."""

import os
from pathlib import Path

import pytest
from commands import call
from filelock import FileLock

CLIMBER = "planted:off-by-one?price=0.5"
STICKY = "planted:sticky?price=2"


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run of ladders (`ladder`), and one of `certify` with a certificate and a watch (`certify`)."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / "card-runs"
    with FileLock(f"{folder}.lock"):
        if not folder.exists():
            part = folder.with_name("card-runs.part")
            call("validate", CLIMBER, "--for", "ladder", "--out", part / "ladder")
            certify = part / "certify"
            call("probe", "certify", "--judge", STICKY, "--template", "structured", "--limit", 96, "--out", certify)
            call("certify", certify)
            call("watch", certify, "--start", "--pairs", 32)
            call("watch", certify, "--pairs", 16)
            part.rename(folder)
    return folder
