"""Prompt sets that were imported, as files: the same when read again, the same bytes again; no other is overwritten."""

from pathlib import Path

import pytest
from pictures.foreign_releases import cf_world, corebench, picworld, r2i_bench, write_files
from sweeping import swept

from counterbench.errors import InputError
from counterbench.prompts.files import load_prompts
from counterbench.prompts.imports import PROMPT_IMPORTS, prompt_importer
from counterbench.prompts.imports.imported import write_imported

MADE = {"cf-world": cf_world, "t2i-corebench": corebench, "r2i-bench": r2i_bench}
MADE |= dict.fromkeys(("picworld", "prompts"), picworld)  # one file, which is also any table of prompts


def write_release(name: str, folder: Path) -> Path:
    """A release in miniature: a folder, or the one file that it is."""
    whole = write_files(folder, MADE[name]())
    return whole / "picworld.csv" if name in ("picworld", "prompts") else whole


@swept("name", PROMPT_IMPORTS)
def test_an_imported_file_is_read_again_as_the_same_set(tmp_path: Path, name: str) -> None:
    found = prompt_importer(name)(write_release(name, tmp_path / "release"))
    write_imported(found, tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == sorted(
        f"{e.prompts.name}.jsonl" for e in found
    )
    for imported in found:
        read = load_prompts(imported.file(tmp_path / "out"))
        assert read.digest == imported.prompts.digest
        assert (read.prompts, read.levels, read.protocol) == (
            imported.prompts.prompts, imported.prompts.levels, imported.prompts.protocol,
        )  # fmt: skip


def test_edited_and_foreign_files_are_not_overwritten(tmp_path: Path) -> None:
    found = prompt_importer("cf-world")(write_files(tmp_path / "release", cf_world()))
    out = tmp_path / "out"
    write_imported(found, out)
    write_imported(found, out)
    rules = out / "cf-world-rules.jsonl"
    (out / "cf-world.jsonl").unlink()
    for other in (rules.read_bytes().replace(b"Does the picture", b"Does this picture", 1), b'{"my": "results"}\n'):
        rules.write_bytes(other)
        with pytest.raises(InputError, match=r"cf-world-rules.jsonl: is there and is not .* or choose another --out"):
            write_imported(found, out)
        assert not (out / "cf-world.jsonl").exists()
        assert rules.read_bytes() == other


def test_an_unknown_format_is_refused_with_the_valid_ones() -> None:
    with pytest.raises(InputError, match=r"unknown import format 'cfworld' \(did you mean 'cf-world'\?\)"):
        prompt_importer("cfworld")
