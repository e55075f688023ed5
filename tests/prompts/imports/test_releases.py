"""Every release of somebody else's prompts, in miniature and with one thing wrong: counted and named, or refused."""

from pathlib import Path

import pytest
from pictures.foreign_releases import cf_world, corebench, notes, r2i_bench, refusal, write_files
from prompts.imports import test_cf_world, test_r2i_bench, test_t2i_corebench
from sweeping import swept

from counterbench.prompts.imports import prompt_importer

RELEASES = {"cf-world": cf_world, "r2i-bench": r2i_bench, "t2i-corebench": corebench}
TABLES = {"cf-world": test_cf_world, "r2i-bench": test_r2i_bench, "t2i-corebench": test_t2i_corebench}


@swept(("name", "what"), [(name, what) for name, module in TABLES.items() for what in module.ODD])
def test_each_oddity_of_a_release_is_counted_and_named(name: str, what: str, tmp_path: Path) -> None:
    change, prompts, kind, ids = TABLES[name].ODD[what]
    files = RELEASES[name]()
    change(files)
    named = {found.prompts.name: notes(found) for found in prompt_importer(name)(write_files(tmp_path, files))}[prompts]
    assert named.get(kind) == ids


@swept(("name", "what"), [(name, what) for name, module in TABLES.items() for what in module.REFUSED])
def test_a_path_that_is_no_such_release_is_refused_with_its_place(name: str, what: str, tmp_path: Path) -> None:
    change, message = TABLES[name].REFUSED[what]
    files = RELEASES[name]()
    other = change(files)
    write_files(tmp_path, other if isinstance(other, dict) else files)
    assert message in refusal(tmp_path, lambda: prompt_importer(name)(tmp_path))


@pytest.mark.parametrize("name", ["r2i-bench", "t2i-corebench"])
def test_the_inner_data_folder_is_accepted_as_a_release(name: str, tmp_path: Path) -> None:
    (whole,) = prompt_importer(name)(write_files(tmp_path, RELEASES[name]()))
    (part,) = prompt_importer(name)(tmp_path / "data")
    assert part.prompts.digest == whole.prompts.digest
