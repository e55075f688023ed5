"""On a cluster of two nodes: the same pictures and replies as of one machine, whatever is killed on the way."""

import os
import signal
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import ray
from cluster.shards import contents, records
from loopback import LoopbackServer, Say
from processes import started, until
from ray.cluster_utils import Cluster
from typer.testing import CliRunner

import counterbench as cb
from counterbench.cli import app

REPLICAS, CONCURRENCY, PAIRS = 2, 4, 60
PROGRAM = ("-m", "counterbench")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """A head that has no room for work, and two nodes with room for two shards each.

    A removed node is noticed within seconds, a busy one is not taken for lost. Ray would kill tasks, and begin them
    anew for ever, where others on the machine use its memory: it does not watch memory here.
    """
    os.environ |= {
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_health_check_period_ms": "1000",
        "RAY_health_check_failure_threshold": "15",
        "RAY_memory_monitor_refresh_ms": "0",
    }
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    cluster.add_node(num_cpus=2)
    cluster.add_node(num_cpus=2)
    ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
    yield cluster
    ray.shutdown()
    cluster.shutdown()


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run_command(*args: object) -> str:
    """A command's standard output, from the command line in this process: it is connected to the cluster."""
    result = CliRunner().invoke(app, list(map(str, args)))
    assert result.exit_code == 0, result.output
    return result.stdout


def workers(name: str) -> list[int]:
    """The processes of the cluster that do a task of that name now."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            words = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if folder.name.isdecimal() and words.startswith(b"ray::") and name.encode() in words:
            found.append(int(folder.name))
    return found


@pytest.mark.parametrize("shards", [1, 12])
def test_a_cluster_draws_the_pictures_of_one_machine(shards: int, cluster: Cluster, here: Path) -> None:
    cb.generate("smoke", here / "one", workers=1)
    line = ("ray", "generate", "smoke", "--shards", str(shards), "--out", "pairs")
    for _ in range(2):
        result = CliRunner().invoke(app, line)
        assert "pairs: 18 pairs of smoke" in result.output
        assert contents(here / "pairs") == contents(here / "one")


def test_pictures_are_the_same_when_a_worker_was_killed(cluster: Cluster, here: Path) -> None:
    cb.generate("counterbench-550", here / "one")
    line = ("ray", "generate", "counterbench-550", "--shards", 4, "--out", "pairs", "--address", cluster.address)
    with started(*PROGRAM, *line) as driver:
        until(lambda: [file for file in here.glob(".pairs--shard-*.partial/pairs.jsonl") if file.stat().st_size], 180)
        os.kill(until(lambda: workers("on_a_node"), 180)[0], signal.SIGKILL)
        _, stderr = driver.communicate(timeout=300)
    assert driver.returncode == 0, stderr
    assert contents(here / "pairs") == contents(here / "one")


def test_an_address_without_a_cluster_is_named(here: Path) -> None:
    with started(*PROGRAM, "ray", "generate", "smoke", "--out", "pairs", "--address", "127.0.0.1:1") as driver:
        assert "error: --address 127.0.0.1:1: no Ray cluster can be reached there" in driver.communicate(timeout=60)[1]
    assert driver.returncode == 2


def test_a_cluster_gets_the_replies_of_one_machine(cluster: Cluster, here: Path) -> None:
    asks = ("probe", "smoke", "--judge", "planted:noisy")
    run_command(*asks, "--out", "one")
    assert "36 of 36 questions answered by 3 replicas" in run_command("ray", *asks, "--replicas", 3, "--out", "run")
    assert (here / "run/keys.jsonl").read_bytes() == (here / "one/keys.jsonl").read_bytes()
    assert records(here / "run") == records(here / "one")
    assert cb.score(here / "run").overall == cb.score(here / "one").overall


def test_a_merged_run_resumes_and_another_shard_count_asks_nothing(cluster: Cluster, here: Path) -> None:
    line = ("ray", "probe", "smoke", "--judge", "planted:failing", "--out", "run", "--replicas")
    for _ in range(2):
        result = CliRunner().invoke(app, [*line, "2"])
        assert (result.exit_code, "24 of 36 questions answered" in result.output) == (3, True), result.output
    begun = ("ray", "probe", "smoke", "--judge", "planted:oracle", "--max-calls", "4", "--out", "begun", "--replicas")
    assert CliRunner().invoke(app, [*begun, "2"]).exit_code == 3
    refused = CliRunner().invoke(app, [*begun, "3"])
    assert (refused.exit_code, "with another number of replicas" in refused.stderr) == (2, True), refused.output
    assert not [*here.glob("begun--shard-*-of-3")]


def test_an_error_in_a_shard_is_one_line(cluster: Cluster, here: Path) -> None:
    result = CliRunner().invoke(
        app, ["ray", "probe", "smoke", "--judge", "planted:nobody", "--replicas", "2", "--out", "run"]
    )
    assert result.exit_code == 2
    assert "error: unknown planted judge 'nobody'; choose from:" in result.stderr.replace("\n", " ")


def test_killed_workers_and_a_removed_node_lose_no_record(cluster: Cluster, here: Path) -> None:
    """At most the calls in flight of whoever was killed are made again; no record is there twice."""
    gone = 0
    cb.generate("counterbench-550", here / "pairs", limit=PAIRS)
    with LoopbackServer(replace(Say("yes"), delay=0.15)) as server:
        line = ("ray", "probe", "./pairs", "--judge", f"openai:dots?base_url={server.url}", "--replicas", REPLICAS,
                "--concurrency", CONCURRENCY, "--out", "run", "--address", cluster.address)  # fmt: skip
        with started(*PROGRAM, *line) as driver:
            server.wait_for(8, timeout=120)
            os.kill(until(lambda: workers("on_a_node"), 180)[0], signal.SIGKILL)
            gone += 1
            server.wait_for(len(server.log) + 20, timeout=120)
            node = next(node for node in cluster.worker_nodes if processes_on(node))
            gone += len(processes_on(node))
            cluster.remove_node(node, allow_graceful=False)
            cluster.add_node(num_cpus=2)
            stdout, stderr = driver.communicate(timeout=300)
        calls = len(server.log)
    assert driver.returncode == 0, stderr
    assert f"{2 * PAIRS} of {2 * PAIRS} questions answered" in stdout
    final = Counter(record.id for record in records(here / "run") if record.final)
    assert len(final) == 2 * PAIRS
    assert set(final.values()) == {1}
    assert 2 * PAIRS <= calls <= 2 * PAIRS + gone * CONCURRENCY


def processes_on(node: Any, name: str = "on_a_node") -> list[int]:
    """The processes at a shard that were begun by a node."""
    parent = node.all_processes["raylet"][0].process.pid
    return [pid for pid in workers(name) if _descends(pid, parent)]


def _descends(pid: int, ancestor: int) -> bool:
    while pid > 1 and pid != ancestor:
        parent = subprocess.run(["ps", "-o", "ppid=", "-p", str(pid)], capture_output=True, text=True).stdout.strip()
        pid = int(parent or 1)
    return pid == ancestor
