"""Sources: a suite and its folder are the same pairs with the same pictures and digests, limited or not."""

import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scenery import edit_json, suite_of

from counterbench.drawing.domain import Domain
from counterbench.errors import InputError
from counterbench.suites.folder import Folder
from counterbench.suites.generation import generate
from counterbench.suites.sources import FolderSource, SuiteSource, open_source, selection_digest
from counterbench.suites.suite import Suite, shares
from counterbench.verification.verify import verify

SIDE = 200
COUNTS = {"spatial": 5, "counting": 1, "arrow": 3, "control": 4}


@pytest.fixture(scope="module")
def suite() -> Suite:
    families = ({"name": name, "count": count} for name, count in COUNTS.items())
    return suite_of(*families, name="few", width=SIDE, height=SIDE)


@pytest.fixture(scope="module")
def folder(suite: Suite, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("few") / "few"
    generate(suite, out, workers=1)
    return out


@pytest.mark.parametrize("limit", [None, 1, 5, 12, 13, 14])
def test_a_suite_and_its_folder_are_the_same_source(suite: Suite, folder: Path, limit: int | None) -> None:
    drawn, read = SuiteSource(suite, limit), FolderSource(Folder(folder), limit)
    assert (read.name, read.digest, read.seed, len(read)) == (drawn.name, drawn.digest, drawn.seed, len(drawn))
    assert drawn.digest == selection_digest(suite, limit)
    assert len(drawn) == min(limit or 13, 13)
    pairs = [pair for pair in read if len(read.pictures(pair)) == 2]
    assert [pair.id for pair in pairs] == [pair.id for pair in drawn]
    assert len(pairs) == len(read)
    assert list(read) == pairs  # it can be read again


@given(counts=st.lists(st.integers(1, 9), min_size=1, max_size=5), limit=st.integers(1, 60))
def test_shares_equal_the_counts_of_a_limited_suite(counts: list[int], limit: int) -> None:
    names = ("spatial", "counting", "arrow", "control", "occlusion")
    named = dict(zip(names, counts, strict=False))
    suite = suite_of(*({"name": name, "count": count} for name, count in named.items()))
    limit = min(limit, len(suite))
    found = shares(named, limit)
    assert sum(found.values()) == limit
    taken = [suite.locate(position)[0].family for position in suite.positions(limit)]
    assert {name: taken.count(name) for name in named} == found


def test_a_bare_name_is_the_shipped_suite_even_beside_a_folder_of_that_name(folder: Path, here: Path) -> None:
    shutil.copytree(folder, "smoke")
    shutil.copytree(folder, "mine")
    assert isinstance(open_source("smoke"), SuiteSource)
    for name in ("./smoke", str(here / "smoke"), "mine", "mine/"):
        source = open_source(name)
        assert isinstance(source, FolderSource), name
        assert source.name == "few"


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("./none", {}, "no such"),
        ("none.toml", {}, "no such"),
        ("{}/images", {}, r"not a suite folder, it has no suite\.json"),
        ("smoke", {"limit": 0}, "--limit must be at least 1, not 0"),
        ("{}", {"limit": -1}, "--limit must be at least 1, not -1"),
        ("smoke", {"size": 127}, "--size must be from 128 to 4096 pixels, not 127"),
        ("smoke", {"size": 4097}, "--size must be from 128 to 4096 pixels, not 4097"),
        ("{}", {"seed": 1}, "--seed draws other items of a suite"),
        ("{}", {"size": 1024}, "--size draws the pictures of a suite; a folder's are drawn already"),
    ],
)
def test_a_name_or_path_of_no_source_is_refused(name: str, options: dict[str, int], message: str, folder: Path) -> None:
    with pytest.raises(InputError, match=message):
        open_source(name.format(folder), **options)


def test_missing_and_superfluous_lines_are_found_while_reading(folder: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(folder, tmp_path / "copy")
    lines = (folder / "pairs.jsonl").read_bytes().splitlines(keepends=True)
    for changed, count in ((lines[:-1], 12), (lines + lines[:1], 14), ([], 0)):
        (copy / "pairs.jsonl").write_bytes(b"".join(changed))
        with pytest.raises(InputError, match=rf"pairs.jsonl: {count} pairs, but suite.json says 13"):
            list(Folder(copy))


def test_counts_that_do_not_sum_up_are_an_error(folder: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(folder, tmp_path / "copy")
    edit_json(copy / "suite.json", lambda info: info.update(counts={"spatial": 2}))
    with pytest.raises(InputError, match=r"counts .* do not sum up to 13 pairs"):
        open_source(str(copy), limit=5)


@pytest.mark.parametrize("limit", [1, 6, 12])
def test_a_limited_source_can_be_continued_to_the_whole(suite: Suite, folder: Path, limit: int) -> None:
    few = SuiteSource(suite, limit)
    for whole in (SuiteSource(suite), FolderSource(Folder(folder))):
        assert whole.continues(few.digest, limit)
        assert few.continues(whole.digest, len(whole))
    assert not SuiteSource(suite.reseeded(5)).continues(few.digest, limit)


def test_a_suite_at_another_size_has_the_same_pairs_and_a_digest_of_its_own(suite: Suite) -> None:
    larger = suite.sized(400)
    assert list(larger) == list(suite)
    assert larger.definition == suite.definition | {"size": 400}
    assert len({s.digest for s in (suite, larger, suite.sized(300), larger.reseeded(9))}) == 4
    assert suite.sized(SIDE).digest == suite.sized(None).digest == suite.digest
    assert SuiteSource(larger, 3).pictures(larger[0])[0].image().size == (400, 400)
    wide = suite_of({"name": "arrow", "count": 1}, width=400)
    assert SuiteSource(wide.sized(600)).pictures(wide[0])[0].image().size == wide.sized(600).size == (600, 768)


def test_suites_and_folders_state_their_domain(suite: Suite, folder: Path, tmp_path: Path) -> None:
    ours = {"renderer": "counterbench/1", "style": "flat", "file_format": "png"}
    assert SuiteSource(suite).domain == FolderSource(Folder(folder)).domain == Domain(**ours, size="200x200")
    generate(suite.sized(300), tmp_path / "sized", workers=1, limit=3)
    assert FolderSource(Folder(tmp_path / "sized")).domain == Domain(**ours, size="300x300")
    assert SuiteSource(suite.sized(300)).domain == Domain(**ours, size="300x300")
    earlier = shutil.copytree(folder, tmp_path / "earlier")
    edit_json(earlier / "suite.json", lambda info: info["versions"].update(renderer="0"))
    assert FolderSource(Folder(earlier)).domain.renderer == "counterbench/0"


@pytest.mark.slow
def test_a_folder_drawn_at_another_size_verifies(suite: Suite, tmp_path: Path) -> None:
    out = tmp_path / "sized"
    generate(suite.sized(700), out, workers=1)
    assert [p for p in verify(FolderSource(Folder(out)), workers=1).problems if p.check != "balance"] == []
    edit_json(out / "suite.json", lambda info: info["definition"].pop("size"))
    found = {problem.check for problem in verify(FolderSource(Folder(out)), workers=1).problems}
    assert "picture" in found
