"""What a replica asks, of the job that it is told. With Ray: tests/consumers/ray_cluster."""

from __future__ import annotations

from pathlib import Path

from counterbench.asking.asker import Limits
from counterbench.cluster.probe import Probing
from counterbench.runs.folder import read_run_info
from counterbench.runs.wordings import load_wording
from counterbench.suites.attempts import attempt_seed
from counterbench.suites.shards import Shard
from counterbench.suites.suite import load_suite


def test_the_pairs_of_an_attempt_are_asked_about_in_shards(tmp_path: Path) -> None:
    job = Probing(
        source="smoke",
        judge="planted:oracle",
        out=str(tmp_path / "run"),
        wording=load_wording("default"),
        limits=Limits(),
        limit=5,
        attempt=2,
    )
    ends = [job.probe(Shard(k, 2)) for k in range(2)]
    assert [end.done for end in ends] == [6, 4]
    infos = [read_run_info(job.path(Shard(k, 2))) for k in range(2)]
    assert {info.seed for info in infos} == {attempt_seed(load_suite("smoke"), 2)}
