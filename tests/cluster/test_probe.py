"""What replicas ask, of the job that each is told. With Ray: tests/consumers/ray_cluster."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import counterbench as cb
from counterbench.asking.asker import Limits
from counterbench.asking.probe import Probe
from counterbench.cluster import probe as cluster
from counterbench.cluster.probe import probe
from counterbench.errors import InputError
from counterbench.runs.folder import read_run_info
from counterbench.suites.attempts import attempt_seed
from counterbench.suites.suite import load_suite


@pytest.fixture
def job(monkeypatch: pytest.MonkeyPatch) -> Probe:
    """A job that is done in this process."""
    monkeypatch.setattr(cluster, "on_nodes", lambda work, parts, on_progress, **_: [work(part) for part in parts])
    return Probe("smoke", "planted:oracle", limit=5, attempt=2)


def test_the_pairs_of_an_attempt_are_asked_about_in_shards(job: Probe, tmp_path: Path) -> None:
    out = tmp_path / "run"
    ends, whole = probe(job, out, 2)
    assert ([end.done for end in ends], whole) == ([6, 4], True)
    infos = [read_run_info(Path(f"{out}--shard-{k}-of-2")) for k in range(2)]
    assert {info.seed for info in infos} == {attempt_seed(load_suite("smoke"), 2)}
    assert cb.score(out).overall.pairs == 5
    ends, whole = probe(job, out, 2)  # a merged run is gone on with by one
    assert ([end.calls for end in ends], whole) == ([0], True)


def test_a_stopped_run_is_not_merged_and_another_division_asks_nothing(job: Probe, tmp_path: Path) -> None:
    job, out = replace(job, limits=Limits(max_calls=1)), tmp_path / "run"
    ends, whole = probe(job, out, 2)
    assert ([end.done for end in ends], whole) == ([1, 1], False)
    assert not out.exists()
    with pytest.raises(InputError, match=r"was begun by 2 replicas, .*: --replicas 2 goes on with them"):
        probe(job, out, 3)
