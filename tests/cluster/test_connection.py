"""What a node makes of a shard's work; what is said where there is no Ray. With Ray: tests/consumers/ray_cluster."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from commands import call

from counterbench.cluster.connection import on_a_node
from counterbench.errors import InputError


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        ["ray", "generate", "smoke", "--out", "pairs"],
        ["ray", "probe", "smoke", "--judge", "pixels", "--replicas", "2", "--out", "run"],
    ],
)
def test_without_ray_the_extra_is_named(command: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    result = call(*command)
    assert result.exit_code == 2
    assert "a cluster needs Ray" in result.stderr
    assert "pip install" in result.stderr


def test_work_is_done_in_the_folder_of_the_command(here: Path) -> None:
    (here / "deep").mkdir()
    assert on_a_node(str(here / "deep"), lambda: Path.cwd().name) == "deep"


def test_a_node_that_does_not_see_the_folder_says_so(here: Path) -> None:
    said = on_a_node(str(here / "gone"), lambda: 1)
    assert str(said).startswith(f"{here / 'gone'}: a node of the cluster does not see this folder (No such file")


def test_what_is_wrong_comes_back_in_words(here: Path) -> None:
    def work() -> int:
        raise InputError("no such suite")

    assert on_a_node(str(here), work) == "no such suite"
