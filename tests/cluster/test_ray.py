"""Shards on a cluster, done in this process; and the error where there is no Ray. With Ray: tests/consumers."""

import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from commands import call

import counterbench as cb
from counterbench.asking.asker import Limits
from counterbench.asking.probe import Probe
from counterbench.cluster.ray import generate, on_a_node, on_nodes, probe
from counterbench.errors import InputError
from counterbench.runs.folder import read_run_info
from counterbench.suites.folder import Folder
from counterbench.suites.shards import Shard
from counterbench.suites.sources import attempt_seed
from counterbench.suites.suite import load_suite

pytestmark = pytest.mark.usefixtures("here")

PARTS = [Shard(k, 3) for k in range(3)]


class Ray:
    """Stands in for the module: a task is done when it is waited for."""

    def remote(self, **options: Any) -> Any:
        return lambda function: SimpleNamespace(remote=lambda *args: lambda: function(*args))

    def get(self, task: Any) -> Any:
        return task()


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", Ray())


@pytest.mark.parametrize(
    "command",
    [
        ["ray", "generate", "smoke", "--out", "pairs"],
        ["ray", "probe", "smoke", "--judge", "pixels", "--replicas", "2", "--out", "run"],
    ],
)
def test_an_installation_without_ray_names_the_extra(command: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    result = call(*command)
    assert result.exit_code == 2
    assert "a cluster needs Ray" in result.stderr
    assert "pip install" in result.stderr


def test_work_is_done_in_the_folder_of_the_command(here: Path) -> None:
    (here / "deep").mkdir()
    assert on_a_node(str(here / "deep"), lambda part: f"{Path.cwd().name} {part}", PARTS[1]) == ("deep 1/3", "")


def test_a_node_that_does_not_see_the_folder_says_so(here: Path) -> None:
    _, wrong = on_a_node(str(here / "gone"), lambda part: 1, None)
    assert wrong.startswith(f"{here / 'gone'}: [Errno 2] No such file")
    assert wrong.endswith("all nodes of the cluster need to share this folder")


def test_results_of_shards_are_returned_in_order_with_progress(ray: None) -> None:
    progress: list[tuple[int, int]] = []
    assert on_nodes(str, PARTS, lambda done, total: progress.append((done, total))) == ["0/3", "1/3", "2/3"]
    assert progress == [(1, 3), (2, 3), (3, 3)]


def test_an_error_in_a_shard_is_raised(ray: None) -> None:
    def work(part: Shard | None) -> None:
        raise InputError(f"shard {part} cannot be drawn")

    with pytest.raises(InputError, match="shard 0/3 cannot be drawn"):
        on_nodes(work, PARTS, lambda done, total: None)


def test_a_cluster_draws_the_pairs_of_one_machine_once(ray: None, here: Path) -> None:
    made = generate(load_suite("smoke"), here / "pairs", 3)
    cb.generate("smoke", here / "one", workers=1)
    assert made == Folder(here / "one").info
    assert (here / "pairs/pairs.jsonl").read_bytes() == (here / "one/pairs.jsonl").read_bytes()
    assert generate(load_suite("smoke"), here / "pairs", 3) == made


JOB = Probe("smoke", "planted:oracle", limit=5, attempt=2)


def test_the_pairs_of_an_attempt_are_asked_about_in_shards(ray: None, here: Path) -> None:
    out = here / "run"
    ends, whole = probe(JOB, out, 2)
    assert ([end.done for end in ends], whole) == ([6, 4], True)
    infos = [read_run_info(Path(f"{out}--shard-{k}-of-2")) for k in range(2)]
    assert {info.seed for info in infos} == {attempt_seed(load_suite("smoke"), 2)}
    assert cb.score(out).overall.pairs == 5
    ends, whole = probe(JOB, out, 2)  # a merged run is gone on with by one
    assert ([end.calls for end in ends], whole) == ([0], True)


def test_a_stopped_run_is_not_merged_and_another_shard_count_is_refused(ray: None, here: Path) -> None:
    job, out = replace(JOB, limits=Limits(max_calls=2)), here / "run"
    ends, whole = probe(job, out, 2)
    assert ([end.done for end in ends], whole) == ([1, 1], False)
    assert not out.exists()
    with pytest.raises(InputError, match=r"was begun with another number of replicas, see .*/run--shard-0-of-2: "):
        probe(job, out, 3)
