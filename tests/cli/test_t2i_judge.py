"""`t2i judge` and `score` on the command line: the gate, the stamp, and one message for what is at fault."""

import csv
import json
import os
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest
from commands import call, document, done, fails
from pictures.fall import SET, fall
from pictures.lawful import altered, certificate
from PIL import Image
from planted_runs import read_journal, write_run

from counterbench.evidence.document import NOT_ENOUGH
from counterbench.files import formats
from counterbench.prompts.files import load_prompts, write_prompt_set
from counterbench.prompts.manifest import read_manifest
from counterbench.prompts.prompt_set import PromptSet

PICTURES = "images/planted-literal"
CHECKS = ("assessment", "integrity", "moved", "presence", "unaffected")
JUDGE = ("--judge", "planted:oracle", "--prompts", "fall.toml")


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a prompt file, a planted model's pictures, a certificate, and a run about pairs."""
    folder = fall(tmp_path_factory.mktemp("work"), "literal")
    formats.write_json(folder / "oracle.json", certificate())
    write_run(folder / "pairs", "planted:oracle", "smoke")
    return folder


@pytest.fixture(autouse=True)
def here(template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    work = Path(shutil.copytree(template, tmp_path / "work"))
    monkeypatch.chdir(work)
    return work


def judge_pictures(*more: object, pictures: str = PICTURES, code: int = 0) -> str:
    result = call("t2i", "judge", pictures, *more, code=code)
    return result.stdout if code == 0 else result.stderr


def scores(*arguments: object) -> list[dict[str, Any]]:
    return document("score", *arguments)["runs"]


def judged_run() -> Path:
    judge_pictures(*JUDGE, "--certificate", "oracle.json", "--out", "run")
    return Path("run")


@pytest.mark.slow
def test_a_certified_judge_answers_and_the_next_command_scores() -> None:
    output = judge_pictures(*JUDGE, "--certificate", "oracle.json")
    run = "runs/fall--planted-literal--planted-oracle--cf-eval-1"
    assert f"{run}: 65 of 65 questions answered (complete), 65 asked now" in output
    assert output.splitlines()[-1] == f"next: counterbench score {run}"
    shown = done("score", run)
    assert "Judge: planted:oracle. Drawn test passed for falling, on pictures like these." in shown.splitlines()
    assert "Evidence on these pictures" not in shown
    share = "100 % of what the questions ask, on pictures drawn as these are."
    assert shown.startswith(f"Supported: the judge was shown to see {share}")
    assert len(shown.splitlines()) <= 11
    (found,) = scores(run)
    assert (found["certified"], found["uncertified_because"]) == (True, [])
    assert found["s_l3"]["value"] == pytest.approx(3 / 26)
    again = judge_pictures(*JUDGE, "--certificate", "oracle.json")
    assert "65 of 65 questions answered (complete), 0 asked now" in again


def test_t2i_judge_json_has_the_admission_and_its_evidence() -> None:
    found = document("t2i", "judge", PICTURES, *JUDGE, "--certificate", "oracle.json", "--out", "run")
    assert (found["run"], found["complete"], found["certified"], found["reasons"]) == ("run", True, True, [])
    assert (found["admitted"], found["left_out"], found["covered"], found["not_tested"]) == (True, {}, 1, {})
    (law,) = found["evidence"].pop("drawn").items()
    assert (found["evidence"], law[0]) == ({"stickers": {}, "labelled": {}}, "falling")
    assert (law[1]["admitted"], law[1]["ccs"]["value"]) == (True, 1)
    assert law[1]["pairs"] >= 150
    domain = {"renderer": "counterbench/1", "style": "flat", "size": "512x512", "file_format": "png"}
    assert found["domain"] == domain


def test_a_judge_without_a_certificate_is_refused_and_asked_nothing() -> None:
    message = judge_pictures(*JUDGE, "--out", "run", code=1)
    lines = message.splitlines()
    assert lines[0] == "not admitted: there is no certificate"
    what = "to get the judge admitted, run (then this command again, with the last certificate as --certificate):"
    assert lines[1] == what
    assert lines[2] == "  counterbench validate planted:oracle --for fall.toml"
    assert not Path("run").exists()
    found = json.loads(done("t2i", "judge", PICTURES, *JUDGE, "--json", code=1))
    assert (found["admitted"], found["certified"], found["run"]) == (False, False, None)
    assert found["reasons"] == [lines[0].removeprefix("not admitted: ")]


@pytest.mark.slow
def test_the_command_named_in_a_refusal_admits_the_judge() -> None:
    """Of the law that the pictures are about, and no other: one in 35 of the calls that all take."""
    first, *_ = [line for line in judge_pictures(*JUDGE, code=1).splitlines() if line.startswith("  counterbench ")]
    made = done(*first.split()[1:])
    assert "asks: 5 cells of 1 law of the suite laws" in made
    judge_pictures(*JUDGE, "--certificate", "runs/laws--planted-oracle/certificate-standard.json", "--out", "run")
    assert scores("run")[0]["certified"] is True


@pytest.mark.slow
def test_a_judge_that_failed_is_sent_to_a_further_attempt() -> None:
    failed = certificate(inverted=tuple(f"falling/{check}" for check in CHECKS))
    formats.write_json(Path("failed.json"), failed)
    options = (*JUDGE, "--certificate", "failed.json", "--out", "run")
    lines = judge_pictures(*options, code=1).splitlines()
    what = "the judge was shown not to see what is asked; a further attempt asks other pairs"
    assert lines[1].startswith(what)
    assert lines[2] == "  counterbench validate planted:oracle --for fall.toml --attempt 2"
    assert "--attempt 2" not in judge_pictures(*options, "--repeats", 3, code=1)  # another way of asking
    other = altered(failed, judge="pixels")
    undecided = altered(failed, laws={"falling": msgspec.structs.replace(failed.laws["falling"], verdict=NOT_ENOUGH)})
    for found in (other, undecided):
        formats.write_json(Path("failed.json"), found)
        message = judge_pictures(*options, code=1)
        assert "to get the judge admitted, run" in message
        assert message.splitlines()[-2] == "  counterbench validate planted:oracle --for fall.toml"


def redrawn(folder: str, side: int) -> str:
    """Pictures of another generator, of another size."""
    manifest = read_manifest(Path(folder))
    Path("mine").mkdir()
    lines = ["image,id,sample,model"]
    for i, row in enumerate(manifest.rows):
        with Image.open(manifest.file(row)) as image:
            image.resize((side, side), Image.Resampling.NEAREST).save(f"mine/{i}.png")
        lines.append(f"{i}.png,{row.group}/{row.level},{row.sample},mine")
    Path("mine/table.csv").write_text("\n".join([*lines, ""]))
    done("t2i", "import", "mine/table.csv", "--for", "./fall.toml", "--out", "images")
    return "images/mine"


@pytest.mark.slow
def test_pictures_of_another_kind_are_noted_before_judging_and_with_scores() -> None:
    formats.write_json(Path("pixels.json"), altered(certificate(), judge="pixels", models={"pixels": 1}))
    options = ("--judge", "pixels", "--prompts", "fall.toml", "--certificate", "pixels.json", "--out", "run")
    pictures = redrawn(PICTURES, 600)
    result = call("t2i", "judge", pictures, *options, code=0)
    why = (
        "renderer: tested on counterbench/1, these pictures are imported:mine; size: tested on 512x512, these pictures "
        "are 600x600"
    )
    next_step = "Evidence on these pictures: none yet; to add human labels: counterbench label RUN"
    assert result.stderr.splitlines()[:2] == ["Judge: pixels. Drawn test passed for falling.", next_step]
    stated = json.loads(call("t2i", "judge", pictures, *options, "--json").stdout)
    assert (stated["admitted"], stated["certified"], stated["reasons"][-1]) == (True, False, why)
    found = scores("run")[0]
    assert (found["admitted"], found["certified"], found["reasons"][-1]) == (True, False, why)
    assert found["domain"]["size"] == "600x600"
    shown = call("score", "run", "-v").stdout
    assert f"mine: not certified: {why}" in shown.splitlines()
    for page in (shown, call("score", "run").stdout):
        assert page.count(next_step) == 1
    (row, *_) = csv.DictReader(call("score", "run", "--format", "csv").stdout.splitlines())
    assert (row["generator"], row["asked_as"]) == ("mine", found["generator"])
    assert (row["admitted"], row["certified"], row["domain_size"]) == ("true", "false", "600x600")


@pytest.mark.slow
def test_a_judge_admitted_to_some_laws_scores_only_those() -> None:
    laws = ("falling", "wind", "frost")
    named = ", ".join(f'"{law}"' for law in laws)
    Path("three.toml").write_text(SET.replace('"falling"', named).replace('"fall"', '"three"'))
    done("t2i", "generate", "./three.toml", "--generator", "planted:literal", "--samples", 1, "--out", "three")
    formats.write_json(Path("two.json"), certificate(laws=laws, inverted=("wind/assessment",)))
    options = ("--judge", "planted:oracle", "--prompts", "three.toml", "--certificate", "two.json", "--out", "run")
    result = call("t2i", "judge", "three/planted-literal", *options, code=0)
    passed, scored = "Judge: planted:oracle. Drawn test passed for falling, frost", "scored on 66.7 % of the weight."
    assert result.stderr.splitlines()[0] == f"{passed}; not for wind (wind/assessment: fail); {scored}"
    stated = json.loads(call("t2i", "judge", "three/planted-literal", *options, "--json").stdout)
    assert stated["left_out"] == {"wind": "wind/assessment: fail"}
    assert (stated["admitted"], stated["certified"], stated["covered"]) == (True, True, pytest.approx(2 / 3))
    found = scores("run")[0]
    assert (list(found["slices"]["law"]), found["covered"]) == (["falling", "frost"], pytest.approx(2 / 3))
    shown = call("score", "run").stdout.splitlines()
    assert f"{passed}, on pictures like these; not for wind; {scored}" in shown
    assert any(line.strip().startswith("planted:literal (2 of 3 laws) ") for line in shown), shown
    rows = csv.DictReader(call("score", "run", "--format", "csv").stdout.splitlines())
    assert [row["name"] for row in rows if row["part"] == "law"] == ["falling", "frost"]


def test_the_option_uncertified_notes_once_that_numbers_are_unproven() -> None:
    result = call("t2i", "judge", PICTURES, *JUDGE, "--uncertified", "--out", "run", code=0)
    unproven = "Judge: planted:oracle, not tested: its numbers are unproven (there is no certificate)"
    assert result.stderr.splitlines()[0] == unproven
    assert "not tested" not in result.stdout
    assert json.loads(Path("run/t2i.json").read_text())["uncertified"] is True
    (found,) = scores("run")
    assert (found["certified"], found["uncertified_because"]) == (False, ["there is no certificate"])
    assert (found["evidence"]["drawn"], found["not_tested"]) == ({}, {"falling": 1})
    for more in ((), ("-v",)):
        assert call("score", "run", *more).stdout.count(unproven) == 1
    stated = json.loads(call("t2i", "judge", PICTURES, *JUDGE, "--uncertified", "--out", "run", "--json").stdout)
    assert (stated["certified"], len(stated["reasons"])) == (False, 1)


def test_lost_replies_remove_the_certified_mark_with_the_reason_everywhere() -> None:
    wavering = "planted:unparsed?p=0.06"
    shown = altered(certificate(), judge=wavering, models={wavering: 1})  # not asked certified pairs again
    formats.write_json(Path("wavering.json"), shown)
    options = ("--judge", wavering, "--prompts", "fall.toml", "--certificate", "wavering.json", "--out", "run")
    output = judge_pictures(*options)
    unparsed = sum(record.outcome == "unparsed" for record in read_journal(Path("run")))
    assert 0.02 * 65 < unparsed < 65
    why = f"{unparsed} of 65 questions unparsed, at most 2 % are allowed (policy standard)"
    assert f"not certified: {why}" in output.splitlines()
    stated = json.loads(call("t2i", "judge", PICTURES, *options, "--json").stdout)
    assert (stated["complete"], stated["certified"], stated["reasons"]) == (True, False, [why])
    found = scores("run")[0]
    assert (found["certified"], found["reasons"]) == (False, [why])
    shown = call("score", "run").stdout
    assert "replies unparsed" in shown
    row = next(line for line in shown.splitlines() if line.startswith(" planted:literal "))
    outcomes = [counts["outcomes"] for counts in scores("run")[0]["counts"].values()]  # of points, which may have parts
    assert f"{sum(counts['answer'] for counts in outcomes)}/{sum(sum(counts.values()) for counts in outcomes)}" in row
    assert "only 4 groups, so no intervals" in shown  # of one law
    assert f"planted:literal: not certified: {why}" in call("score", "run", "-v").stdout.splitlines()


def test_a_judge_without_a_readable_reply_is_reported_first_and_exits_with_1() -> None:
    options = ("--judge", "planted:unparsed?p=1", "--prompts", "fall.toml", "--uncertified", "--out", "run")
    shown = call("t2i", "judge", PICTURES, *options, code=1)
    assert shown.stdout.startswith("Not supported: 65 of 65 replies unparsed, at most 2 % are allowed: ")
    assert call("t2i", "judge", PICTURES, *options).exit_code == 1


def test_pictures_are_judged_without_their_prompt_file(here: Path) -> None:
    (here / "fall.toml").unlink()
    os.chdir(here.parent)  # `here` goes back
    options = ("--judge", "planted:oracle", "--certificate", here / "oracle.json")
    output = judge_pictures(*options, pictures=str(here / PICTURES))
    assert "runs/fall--planted-literal--planted-oracle--cf-eval-1: 65 of 65 questions answered (complete)" in output
    assert call("score", "runs/fall--planted-literal--planted-oracle--cf-eval-1").exit_code == 0


def test_pictures_are_judged_under_another_set_and_missing_prompts_are_named() -> None:
    carried = load_prompts(Path(PICTURES, "prompts.jsonl"))
    fewer = [msgspec.structs.replace(prompt, checks=prompt.checks[2:3]) for prompt in carried.prompts[:12]]
    write_prompt_set(Path("mended.jsonl"), PromptSet("mended", carried.levels, fewer, carried.seed))
    words = ("t2i", "judge", PICTURES, "--judge", "planted:oracle", "--uncertified", "--out", "run")
    result = call(*words, "--prompts", "mended.jsonl", code=0)
    assert "3 of 15 pictures are of prompts that mended does not have: not asked" in result.stderr.splitlines()
    assert "about 9 pictures: 9" in result.stderr
    assert "run: 9 of 9 questions answered (complete)" in result.stdout
    assert "holds another run" in fails(*words)


def test_missing_pictures_are_refused_with_the_reason() -> None:
    assert "nothing: there is no such folder" in fails("t2i", "judge", "nothing", *JUDGE)
    assert "images: not a folder of generated pictures" in fails("t2i", "judge", "images", *JUDGE)
    Path(PICTURES, "manifest.jsonl").unlink()
    assert "generation was stopped before manifest.jsonl was written" in fails("t2i", "judge", PICTURES, *JUDGE)


def test_options_for_pictures_are_refused_for_runs_about_pairs() -> None:
    message = "--threshold is for runs about pictures, and these are about pairs; leave it out"
    assert message in fails("score", "pairs", "--threshold", 0.5)
    assert "--anyway is for runs about pairs" in fails("compare", judged_run(), "run", "--anyway")
    assert "is about generated pictures and pairs about pairs" in fails("score", judged_run(), "pairs")


def test_labels_of_several_models_must_name_the_model() -> None:
    Path("few.csv").write_text("sample,check,label\nfalling.up.00/l1/0,assessment,yes\n")
    message = fails("score", judged_run(), "run", "--labels", "few.csv")
    assert "few.csv: these runs are about 2 models; name each label's model in a column `model`" in message
    assert "l.csv" in fails("score", "run", "--labels", "l.csv")


def test_undrawn_pictures_are_counted_and_leave_scores_incomplete() -> None:
    draw = ("t2i", "generate", "fall.toml", "--generator", "planted:reasoner", "--samples", 3, "--out", "images")
    assert call(*draw, "--max-calls", 20).exit_code == 3
    pictures = "images/planted-reasoner"
    result = call("t2i", "judge", pictures, *JUDGE, "--certificate", "oracle.json", "--out", "run", code=0)
    assert "13 of 45 pictures are not drawn yet; pictures drawn later need another run" in result.stderr
    found = scores("run")[0]
    assert (found["complete"], sum(counts["statuses"]["missing"] for counts in found["counts"].values())) == (False, 13)
    assert call(*draw).exit_code == 0
    message = judge_pictures(*JUDGE, "--certificate", "oracle.json", "--out", "run", pictures=pictures, code=2)
    assert "run: holds another run" in message
    output = judge_pictures(*JUDGE, "--certificate", "oracle.json", "--out", "all", pictures=pictures)
    assert "not drawn yet" not in output
    assert scores("all")[0]["complete"] is True
