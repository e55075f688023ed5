"""The recipes of the page on many machines, run as they are written: their shards merge to what one machine asks.

Only names are put in other places (`SMALL`): a small suite, a judge that needs no GPU or server, two shards, folders
here.
A scheduler is stood in for by what it gives a program: its environment variables, once for each shard.
"""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from docs_files import ROOT
from processes import ran

import counterbench as cb
from counterbench.runs.folder import read_journal, read_run_info

pytestmark = pytest.mark.slow

PAGE = (ROOT / "docs" / "many-machines.md").read_text()
LIMIT = 6
SMALL = {
    "probe certify ": f"probe smoke --limit {LIMIT} ",
    "transformers:$MODEL": "planted:noisy",
    "transformers:./model": "planted:noisy",
    "openai:MODEL": "planted:noisy",
    "--array=0-63": "--array=0-1",
    "/64": "/2",
    "--nnodes 2 --nproc-per-node 8": "--nnodes 1 --nproc-per-node 2",
    "completions: 16": "completions: 2",
    "$JOB_COMPLETION_INDEX/16": "$JOB_COMPLETION_INDEX/2",
    "/runs/$JOB_COMPLETION_INDEX": "runs/$JOB_COMPLETION_INDEX",
}
# A scheduler of one machine: an array job is run shard by shard, and what is wrapped when all have ended.
SBATCH = """#!/bin/bash
set -e
case "$1" in
  --parsable) last=$(sed -n 's/^#SBATCH.*--array=0-\\([0-9]*\\).*/\\1/p' "$2")
    for k in $(seq 0 $last); do SLURM_ARRAY_TASK_ID=$k bash "$2" >&2 || true; done; echo 7;;
  --dependency=afterany:7) bash -e -c "$3";;
  *) exit 64;;
esac
"""
SRUN = '#!/bin/bash\nexec "$@"\n'


def blocks(heading: str, kind: str) -> list[str]:
    """The fenced blocks of a kind under a heading, with other names in them."""
    assert [name for name in SMALL if name not in PAGE] == []
    (text,) = re.findall(rf"^## {heading}\n(.*?)(?=^## )", PAGE, re.DOTALL | re.MULTILINE)
    for name, instead in SMALL.items():
        text = text.replace(name, instead)
    return re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL)


def run_command(folder: Path, *command: str, **variables: str) -> None:
    ran(*command, cwd=folder, stderr=subprocess.STDOUT, **variables)


def timeless_records(run: Path) -> list[Any]:
    records = (msgspec.structs.replace(record, time="", seconds=None) for record in read_journal(run / "journal.jsonl"))
    return sorted(records, key=lambda record: record.id)


def is_what_one_machine_asks(merged: Path, folder: Path) -> None:
    alone = folder / "one"
    cb.probe("smoke", "planted:noisy", alone, limit=LIMIT)
    assert timeless_records(merged) == timeless_records(alone)
    assert read_run_info(merged) == read_run_info(alone)
    assert (merged / "keys.jsonl").read_bytes() == (alone / "keys.jsonl").read_bytes()


def test_the_slurm_recipe_merges_to_one_machines_run(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    for name, text in {"sbatch": SBATCH, "srun": SRUN}.items():
        (tmp_path / "bin" / name).write_text(text)
        (tmp_path / "bin" / name).chmod(0o755)
    script, submit = blocks("Slurm", "bash")
    (tmp_path / "probe.sh").write_text(script)
    path = os.pathsep.join([str(tmp_path / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]])
    run_command(tmp_path, "bash", "-euc", submit, SCRATCH=str(tmp_path), PATH=path)
    assert len(list((tmp_path / "run").iterdir())) == 2
    is_what_one_machine_asks(tmp_path / "merged", tmp_path)


def test_the_torchrun_recipe_merges_to_one_machines_run(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs the extra heavy: pip install -e '.[heavy]'")
    (script,) = blocks("torchrun", "bash")
    run_command(tmp_path, "bash", "-euc", script, PET_STANDALONE="1")  # at a port that is free
    cb.merge(sorted((tmp_path / "run").iterdir()), tmp_path / "merged")
    is_what_one_machine_asks(tmp_path / "merged", tmp_path)


def test_the_kubernetes_recipe_merges_to_one_machines_run(tmp_path: Path) -> None:
    yaml = pytest.importorskip("yaml")
    (text,) = blocks("Kubernetes", "yaml")
    job = yaml.safe_load(text)["spec"]
    assert (job["completionMode"], job["completions"]) == ("Indexed", 2)
    (container,) = job["template"]["spec"]["containers"]
    for k in range(job["completions"]):
        run_command(tmp_path, *container["command"], *container["args"], JOB_COMPLETION_INDEX=str(k))
    cb.merge(sorted((tmp_path / "runs").iterdir()), tmp_path / "merged")
    is_what_one_machine_asks(tmp_path / "merged", tmp_path)
