"""A cluster whose nodes share an object store alone: shards, pairs and run are there, and none beside the command."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import fsspec
import pytest
import ray
from consumers.stored import brought, contents, object_store
from ray.cluster_utils import Cluster
from typer.testing import CliRunner

import counterbench as cb
from counterbench.cli import app

OUT = "s3://bucket/deep"


@pytest.fixture(scope="module")
def store() -> Iterator[fsspec.AbstractFileSystem]:
    """A cluster of one node that knows of the store, and the store."""
    with object_store() as system:
        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
        cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "include_dashboard": False})
        ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
        try:
            yield system
        finally:
            ray.shutdown()
            cluster.shutdown()


def test_what_one_machine_makes_is_at_the_address(
    store: fsspec.AbstractFileSystem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    for line in (
        ("generate", "smoke", "--shards", "3", "--out", f"{OUT}/pairs"),
        ("probe", f"{OUT}/pairs", "--judge", "planted:noisy", "--replicas", "2", "--out", f"{OUT}/run"),
    ):
        result = CliRunner().invoke(app, ["ray", *line])
        assert result.exit_code == 0, result.output
    assert not [*(tmp_path / "empty").iterdir()]
    cb.generate("smoke", tmp_path / "pairs", workers=1)
    cb.probe(str(tmp_path / "pairs"), "planted:noisy", tmp_path / "run")
    assert contents(brought(store, "deep/pairs", tmp_path / "there")) == contents(tmp_path / "pairs")
    assert cb.score(brought(store, "deep/run", tmp_path / "there")).overall == cb.score(tmp_path / "run").overall
