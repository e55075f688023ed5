"""What replicas ask, of the job that each is told. With Ray: tests/consumers/ray_cluster."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

import counterbench as cb
from counterbench.asking.asker import Limits
from counterbench.cluster import probe as cluster
from counterbench.cluster.probe import Probing, probe
from counterbench.errors import InputError
from counterbench.runs.folder import read_run_info
from counterbench.runs.wordings import load_wording
from counterbench.suites.attempts import attempt_seed
from counterbench.suites.shards import Shard
from counterbench.suites.suite import load_suite


@pytest.fixture
def job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Probing:
    """A job that is done in this process."""
    monkeypatch.setattr(cluster, "on_nodes", lambda work, parts, on_progress, **_: [work(part) for part in parts])
    return Probing(
        source="smoke",
        judge="planted:oracle",
        out=str(tmp_path / "run"),
        wording=load_wording("default"),
        limits=Limits(),
        limit=5,
        attempt=2,
    )


def test_the_pairs_of_an_attempt_are_asked_about_in_shards(job: Probing) -> None:
    ends, whole = probe(job, 2)
    assert ([end.done for end in ends], whole) == ([6, 4], True)
    infos = [read_run_info(job.path(Shard(k, 2))) for k in range(2)]
    assert {info.seed for info in infos} == {attempt_seed(load_suite("smoke"), 2)}
    assert cb.score(job.out).overall.pairs == 5
    ends, whole = probe(job, 2)  # a merged run is gone on with by one
    assert ([end.calls for end in ends], whole) == ([0], True)


def test_a_stopped_run_is_not_merged_and_another_division_asks_nothing(job: Probing) -> None:
    job = msgspec.structs.replace(job, limits=Limits(max_calls=1))
    ends, whole = probe(job, 2)
    assert ([end.done for end in ends], whole) == ([1, 1], False)
    assert not Path(job.out).exists()
    with pytest.raises(InputError, match=r"was begun by 2 replicas, .*: --replicas 2 goes on with them"):
        probe(job, 3)
