"""A cluster that shares an object store with the command, and no folder or cache: shards, pairs and run are there."""

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
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[fsspec.AbstractFileSystem]:
    """A cluster of one node that knows of the store and has a cache of its own, and the store."""
    with object_store() as system:
        os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "XDG_CACHE_HOME": str(tmp_path_factory.mktemp("node"))}
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
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
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
