"""--style: the same items in other pictures, recorded wherever pictures are described."""

import json
import re
from pathlib import Path

import msgspec
from commands import call, document, done, fails
from planted_runs import read_journal

from counterbench.drawing.domain import unlike
from counterbench.runs.folder import read_keys, read_run_info
from counterbench.suites.folder import Folder
from counterbench.suites.sources import FolderSource


def probe(path: Path, *more: object) -> Path:
    done("probe", "smoke", "--judge", "planted:oracle", "--limit", 6, "--out", path, *more)
    return path


def test_a_folder_in_another_style_has_the_same_items_and_verifies(tmp_path: Path) -> None:
    for style in ("flat", "textured"):
        done("generate", "smoke", "--limit", 4, "--style", style, "--out", tmp_path / style)
    flat, textured = (FolderSource(Folder(tmp_path / style)) for style in ("flat", "textured"))
    assert "style" not in json.loads((tmp_path / "flat" / "suite.json").read_text())["definition"]
    assert textured.folder.info.definition["style"] == textured.domain.style == textured.style == "textured"
    plain, styled = ([(p.id, p.question, p.scenes, p.answers) for p in source] for source in (flat, textured))
    assert plain == styled
    assert "every check holds" in done("verify", tmp_path / "textured")


def test_a_certificate_of_flat_pictures_does_not_cover_a_styled_run(tmp_path: Path) -> None:
    flat, blurred = probe(tmp_path / "flat"), probe(tmp_path / "blurred", "--style", "blurred")
    shown, met = read_run_info(flat).domain, read_run_info(blurred).domain
    assert (shown.style, met.style) == ("flat", "blurred")
    assert unlike(shown, met) == ["style: tested on flat, these pictures are blurred"]
    plain, styled = ([msgspec.to_builtins(key) for key in read_keys(path)] for path in (flat, blurred))
    assert [key["traits"].pop("style", None) for key in styled] == ["blurred"] * len(styled)
    assert styled == plain
    plain_replies, styled_replies = ({record.identity for record in read_journal(path)} for path in (flat, blurred))
    assert not plain_replies & styled_replies


def test_tables_and_json_name_the_style_of_a_run_where_one_is_not_flat(tmp_path: Path) -> None:
    runs = [tmp_path / style for style in ("flat", "blurred")]
    for run in runs:
        probe(run, "--style", run.name)
    both, alone, plain = (call("score", *some).stdout for some in (runs, runs[1:], runs[:1]))
    assert re.search(r"judge +style", both)
    assert re.search(r"planted:oracle +flat .*\n.*planted:oracle +blurred", both)
    assert " · style blurred · " in alone
    assert "style" not in plain
    assert "planted:oracle (blurred): " in done("diagnose", *runs)
    assert "planted:oracle: " in done("diagnose", runs[0])
    assert [run["provenance"]["style"] for run in document("score", *runs)["runs"]] == ["flat", "blurred"]


def test_style_is_refused_for_a_folder(tmp_path: Path) -> None:
    call("generate", "smoke", "--limit", 4, "--out", tmp_path / "flat")
    refused = fails("probe", tmp_path / "flat", "--judge", "planted:oracle", "--style", "blurred")
    assert "--style draws the pictures of a suite" in refused
