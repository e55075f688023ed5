"""`t2i judge` and `t2i score` on the command line: the gate, the stamp, and one message for what is at fault."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from commands import call
from planted_runs import read_journal, write_run
from t2i.lawful import altered, certificate

from counterbench.files import formats

SET = """
format = "counterbench.prompts/1"
kind = "laws"
name = "fall"
seed = 7
laws = ["falling"]
"""
PICTURES = "images/planted-literal"
JUDGE = ("--judge", "planted:oracle", "--prompts", "fall.toml")


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a prompt file, two planted models' pictures, a certificate, and a run about pairs."""
    folder = tmp_path_factory.mktemp("work")
    (folder / "fall.toml").write_text(SET)
    for name in ("literal", "turkey"):
        made = call("t2i", "generate", str(folder / "fall.toml"), "--generator", f"planted:{name}", "--samples", 1,
                    "--out", folder / "images")  # fmt: skip
        assert made.exit_code == 0, made.output
    formats.write_json(folder / "oracle.json", certificate())
    write_run(folder / "pairs", "planted:oracle", "smoke")
    return folder


@pytest.fixture(autouse=True)
def here(template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(template, tmp_path / "work")
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "work"


def judge(*more: object, pictures: str = PICTURES, code: int = 0) -> str:
    result = call("t2i", "judge", pictures, *more)
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return result.stdout if code == 0 else result.stderr


def fails(*arguments: object, code: int = 2) -> str:
    """The one message of a command that fails."""
    result = call(*arguments)
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    assert result.stdout == ""
    message = result.stderr.strip()
    assert message.startswith("error: ")
    assert message.count("error: ") == 1
    return message.removeprefix("error: ")


def scores(*arguments: object) -> list[dict[str, Any]]:
    result = call("t2i", "score", *arguments, "--json")
    assert result.exit_code == 0, result.output
    found: list[dict[str, Any]] = json.loads(result.stdout)["runs"]
    return found


def judged(*more: object, name: str = "literal", out: str = "run") -> Path:
    judge(*JUDGE, "--certificate", "oracle.json", "--out", out, *more, pictures=f"images/planted-{name}")
    return Path(out)


# ---- certified


def test_a_certified_judge_answers_and_the_next_command_scores() -> None:
    said = judge(*JUDGE, "--certificate", "oracle.json")
    assert "runs/fall--planted-literal--planted-oracle: 55 of 55 checks answered (complete), 55 asked now" in said
    assert said.splitlines()[-1] == "next: counterbench t2i score runs/fall--planted-literal--planted-oracle"
    assert "UNCERTIFIED" not in said
    shown = call("t2i", "score", "runs/fall--planted-literal--planted-oracle")
    assert shown.exit_code == 0, shown.output
    assert "UNCERTIFIED" not in shown.output
    assert "literal (planted, true)" in shown.stdout
    assert "turkey (planted, true)" in shown.stdout
    found = scores("runs/fall--planted-literal--planted-oracle")[0]
    assert found["certified"] is True
    assert found["uncertified_because"] == []
    assert found["s_l3"]["value"] == pytest.approx(3 / 26)
    assert set(found["corrected"]) == {"l1", "l2", "l3"}
    again = judge(*JUDGE, "--certificate", "oracle.json")
    assert "55 of 55 checks answered (complete), 0 asked now" in again


def test_json_is_one_document() -> None:
    result = call("t2i", "judge", PICTURES, *JUDGE, "--certificate", "oracle.json", "--out", "run", "--json")
    found = json.loads(result.stdout)
    assert (found["run"], found["complete"], found["certified"], found["reasons"]) == ("run", True, True, [])
    assert result.stderr == ""


def test_scores_for_papers_and_spreadsheets() -> None:
    runs = (judged(), judged(name="turkey", out="other"))
    rows = list(csv.DictReader(call("t2i", "score", *runs, "--format", "csv").stdout.splitlines()))
    found = scores(*runs)
    for of in found:
        whole, *parts = [row for row in rows if row["run"] == of["run"]]
        assert (whole["part"], whole["certified"]) == ("overall", "true")
        assert [float(whole[name]) for name in ("s_l1", "prr", "rrr")] == [
            of[n]["value"] for n in ("s_l1", "prr", "rrr")
        ]
        assert [row["name"] for row in parts] == [*of["disciplines"], *of["laws"], *of["variants"]]
    said = call("t2i", "score", *runs, "--format", "markdown").stdout
    assert said.startswith("**CF-Eval on fall, default scoring, gate at S_L1 of 0.5**")
    assert "| literal (planted, true) | 1.00 |" in said
    said = call("t2i", "score", *runs, "--format", "latex").stdout
    assert "generator & S\\_L1 & S\\_L2" in said
    assert json.loads(call("t2i", "score", *runs, "--format", "json").stdout)["runs"] == found


def test_two_models_are_compared_on_one_set() -> None:
    result = call("t2i", "score", judged(), judged(name="turkey", out="other"), "-v")
    assert result.exit_code == 0, result.output
    assert "planted:turkey" in result.stdout
    assert len(scores("run", "other")) == 2


# ---- refused


def test_without_a_certificate_the_judge_is_turned_away_and_nothing_is_asked() -> None:
    said = judge(*JUDGE, "--out", "run", code=1)
    lines = said.splitlines()
    assert lines[0] == ("not certified: there is no certificate; the checks need: integrity, obeys-everything, place")
    assert "  counterbench probe laws --judge planted:oracle --out runs/laws--planted-oracle" in lines
    run = "runs/laws--planted-oracle"
    assert f"  counterbench certify {run} --policy standard --out {run}/certificate-standard.json" in lines
    assert not Path("run").exists()


def test_a_refusal_is_a_json_document_too() -> None:
    result = call("t2i", "judge", PICTURES, *JUDGE, "--json")
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    assert found["certified"] is False
    assert found["reasons"] == ["there is no certificate; the checks need: integrity, obeys-everything, place"]


def test_the_command_that_would_certify_asks_as_was_asked_here(here: Path) -> None:
    shutil.copy(Path(__file__).parents[2] / "probes" / "wordings" / "bare.toml", here / "my wording.toml")
    said = judge(*JUDGE, "--wording", "./my wording.toml", "--votes", 3, code=1)
    assert "probe laws --judge planted:oracle --wording './my wording.toml' --votes 3 --out" in said
    assert "what would certify it" not in judge(*JUDGE, "--show-prompt", code=1)


def test_a_certificate_that_does_not_fit_is_refused_with_the_reason() -> None:
    for shown, more, reason in (
        (altered(certificate(), judge="pixels"), (), "judge: certified was 'pixels', used is 'planted:"),
        (certificate(), ("--wording", "bare"), "wording digest: certified was"),
        (certificate(), ("--votes", 3), "votes: certified was 1, used is 3"),
        (certificate(), ("--show-prompt",), "the judge is shown the prompts"),
    ):
        formats.write_json(Path("cert.json"), shown)
        said = judge(*JUDGE, "--certificate", "cert.json", "--out", "run", *more, code=1)
        (told,) = [line for line in said.splitlines() if line.startswith("not certified: ")]
        assert reason in told
    assert not Path("run").exists()


def test_what_is_no_certificate_is_an_error() -> None:
    Path("broken.json").write_text("{")
    for path in ("broken.json", "nothing.json", "images/planted-literal/images.json"):
        message = fails("t2i", "judge", PICTURES, *JUDGE, "--certificate", path)
        assert message.startswith(path)


# ---- uncertified


def test_uncertified_goes_on_and_stamps_everything() -> None:
    result = call("t2i", "judge", PICTURES, *JUDGE, "--uncertified", "--out", "run")
    assert result.exit_code == 0, result.output
    assert result.stderr.startswith("UNCERTIFIED: 55 checks of 15 samples")
    assert "UNCERTIFIED: there is no certificate; the checks need: integrity, obeys-everything, place" in result.stdout
    assert json.loads(Path("run/t2i.json").read_text())["uncertified"] is True
    found = scores("run")[0]
    assert found["certified"] is False
    assert found["uncertified_because"] == [
        "there is no certificate; the checks need: integrity, obeys-everything, place"
    ]
    shown = call("t2i", "score", "run", "-v").stdout
    titles = [line for line in shown.splitlines() if line.startswith(("UNCERTIFIED: ", "CF-Eval"))]
    assert titles
    assert all(title.startswith("UNCERTIFIED: ") for title in titles)
    assert "planted:literal: UNCERTIFIED: there is no certificate" in shown
    stated = json.loads(call("t2i", "judge", PICTURES, *JUDGE, "--uncertified", "--out", "run", "--json").stdout)
    assert (stated["certified"], len(stated["reasons"])) == (False, 1)


def test_a_certificate_shown_later_certifies_what_was_answered() -> None:
    judge(*JUDGE, "--uncertified", "--out", "run")
    assert "0 asked now" in judge(*JUDGE, "--certificate", "oracle.json", "--out", "run")
    assert scores("run")[0]["certified"] is True


# ---- replies that were lost


def test_lost_replies_take_the_stamp_away_and_every_place_says_why() -> None:
    wavering = "planted:unparsed?p=0.25"
    formats.write_json(Path("wavering.json"), altered(certificate(), judge=wavering, models={wavering: 1}))
    asked = ("--judge", wavering, "--prompts", "fall.toml", "--certificate", "wavering.json", "--out", "run")
    said = judge(*asked)
    outcomes = [of["outcomes"] for of in scores("run")[0]["counts"].values()]
    unparsed = sum(of["unparsed"] for of in outcomes)
    assert 0.02 * 55 < unparsed < 55
    why = f"{unparsed} of 55 questions unparsed, at most 2 % may be (policy standard)"
    assert f"UNCERTIFIED: {why}" in said.splitlines()
    stated = json.loads(call("t2i", "judge", PICTURES, *asked, "--json").stdout)
    assert (stated["complete"], stated["certified"], stated["reasons"]) == (True, False, [why])
    found = scores("run")[0]
    assert (found["certified"], found["reasons"]) == (False, [why])
    shown = call("t2i", "score", "run").stdout
    assert f"planted:literal: UNCERTIFIED: {why}" in shown.splitlines()
    (row,) = [each for each in shown.splitlines() if each.startswith(" planted:literal (UNCERTIFIED)")]
    assert f"{55 - unparsed}/55" in row
    assert "no interval: from fewer than 12 laws" in shown  # five groups of one law


def test_what_failed_or_was_not_asked_is_not_certified_until_it_is() -> None:
    certified = (*JUDGE, "--certificate", "oracle.json", "--out", "run")
    said = call("t2i", "judge", PICTURES, *certified, "--max-calls", 20)
    assert said.exit_code == 3
    assert "UNCERTIFIED: of 55 questions 35 unasked: the same `t2i judge` asks them" in said.stdout
    assert scores("run")[0]["certified"] is False
    judge(*certified)
    assert scores("run")[0]["certified"] is True


def test_next_keeps_how_it_was_scored_and_never_names_the_command_that_ran() -> None:
    run = judged()
    said = call("t2i", "score", run, "--scoring", "paper", "--threshold", 0.4).stdout
    assert said.splitlines()[-1] == "next: counterbench t2i score run --scoring paper --threshold 0.4 -v"
    assert call("t2i", "score", run).stdout.splitlines()[-1] == "next: counterbench t2i score run -v"
    assert "next:" not in call("t2i", "score", run, "-v").stdout


# ---- prompts that are shown


def test_showing_the_prompt_measures_how_far_a_judge_believes_it() -> None:
    led = ("--judge", "planted:prompt-led?p=1", "--prompts", "fall.toml", "--uncertified")
    judge("--judge", "planted:oracle", *led[2:], "--out", "runs/hidden", pictures="images/planted-turkey")
    judge(*led, "--show-prompt", pictures="images/planted-turkey")
    runs = [str(path) for path in Path("runs").iterdir()]
    assert len(runs) == 2
    hidden, shown = sorted(scores(*runs), key=lambda run: run["signature"]["prompt_shown"])
    assert (hidden["signature"]["prompt_shown"], shown["signature"]["prompt_shown"]) == (False, True)
    assert hidden["s_l2"]["value"] == pytest.approx(3 / 26)
    assert shown["s_l2"]["value"] == 1
    refused = call("t2i", "judge", "images/planted-turkey", *led)
    assert (refused.exit_code, "a wording that shows the prompt" in refused.stderr) == (2, True)
    message = fails("t2i", "judge", PICTURES, *led, "--show-prompt", "--wording", "bare")
    assert message.startswith("--show-prompt is a wording of its own")


# ---- what is wrong


def test_pictures_that_are_not_there() -> None:
    assert "nothing: there is no such folder" in fails("t2i", "judge", "nothing", *JUDGE)
    assert "images: not a folder of generated pictures" in fails("t2i", "judge", "images", *JUDGE)
    Path(PICTURES, "manifest.jsonl").unlink()
    assert "generation was stopped before manifest.jsonl was written" in fails("t2i", "judge", PICTURES, *JUDGE)


def test_pictures_of_another_set() -> None:
    Path("other.toml").write_text(SET.replace("seed = 7", "seed = 8"))
    message = fails("t2i", "judge", PICTURES, "--judge", "planted:oracle", "--prompts", "other.toml")
    assert message.startswith(f"{PICTURES}: its pictures are of another prompt set: 'fall' with digest ")
    message = fails("t2i", "judge", PICTURES, "--judge", "planted:oracle")
    assert message.startswith(f"{PICTURES}: its pictures are of the prompt set 'fall', which is none of the shipped")
    assert message.endswith("name its file with --prompts")


def test_a_picture_that_changed_after_it_was_drawn() -> None:
    path = sorted(Path(PICTURES).rglob("*.png"))[-1]
    whole = path.read_bytes()
    others = (other.read_bytes() for other in Path(PICTURES).rglob("*.png"))
    path.write_bytes(next(other for other in others if other != whole))
    result = call("t2i", "judge", PICTURES, *JUDGE, "--certificate", "oracle.json", "--out", "run")
    assert result.exit_code == 2, result.output
    errors = [line for line in result.stderr.splitlines() if line.startswith("error: ")]
    assert len(errors) == 1
    assert str(path) in errors[0]
    path.write_bytes(whole)
    assert "(complete)" in judge(*JUDGE, "--certificate", "oracle.json", "--out", "run")
    assert len(read_journal(Path("run"))) == 55


def test_names_that_there_are_not() -> None:
    assert "unknown protocol 'cf'" in fails("t2i", "judge", PICTURES, *JUDGE, "--protocol", "cf")
    assert "unknown planted judge 'oracel'" in fails(
        "t2i", "judge", PICTURES, "--judge", "planted:oracel", "--prompts", "fall.toml"
    )
    assert "--votes must be at least 1, not 0" in judge(*JUDGE, "--uncertified", "--votes", 0, code=2)


def test_another_run_is_not_written_over() -> None:
    run = judged()
    for command in (
        ("t2i", "judge", "images/planted-turkey", *JUDGE, "--uncertified"),
        ("probe", "smoke", "--judge", "planted:oracle"),
    ):
        result = call(*command, "--out", run)
        assert result.exit_code == 2
        assert "error: run: holds another run: " in result.stderr
        assert "; its suite digest is '" in result.stderr
        assert result.stderr.strip().endswith("choose another --out")
    assert scores(run)[0]["certified"] is True


def test_a_run_about_pairs_is_not_scored_as_pictures() -> None:
    assert fails("t2i", "score", "pairs") == (
        "pairs: not a run about generated pictures, it has no t2i.json; "
        "it is a run about pairs: counterbench score pairs"
    )
    assert "nothing: there is no such run folder" in fails("t2i", "score", "nothing")


@pytest.mark.parametrize(
    "command",
    [
        ("score", "run"),
        ("compare", "pairs", "run"),
        ("certify", "run", "--out", "c.json"),
    ],
    ids=" ".join,
)
def test_a_run_about_pictures_is_not_taken_for_one_about_pairs(command: tuple[str, ...]) -> None:
    judged()
    assert fails(*command) == (
        "run: not a run about pairs; it is a run about generated pictures: counterbench t2i score run"
    )
    assert not Path("c.json").exists()


def test_labels_are_of_one_run() -> None:
    assert "--labels are of the pictures of one run" in fails("t2i", "score", judged(), "run", "--labels", "l.csv")
    assert "l.csv" in fails("t2i", "score", "run", "--labels", "l.csv")


def test_pictures_that_are_not_drawn_yet_are_said_and_leave_the_scores_incomplete() -> None:
    draw = ("t2i", "generate", "fall.toml", "--generator", "planted:reasoner", "--samples", 3, "--out", "images")
    assert call(*draw, "--max-calls", 20).exit_code == 3
    pictures = "images/planted-reasoner"
    result = call("t2i", "judge", pictures, *JUDGE, "--certificate", "oracle.json", "--out", "run")
    assert result.exit_code == 0, result.output
    assert "25 of 45 pictures are not drawn yet; drawn later, they make another run" in result.stderr
    found = scores("run")[0]
    assert (found["complete"], sum(of["statuses"]["missing"] for of in found["counts"].values())) == (False, 25)
    assert call(*draw).exit_code == 0
    message = judge(*JUDGE, "--certificate", "oracle.json", "--out", "run", pictures=pictures, code=2)
    assert "run: holds another run" in message
    assert "not drawn yet" not in judge(*JUDGE, "--certificate", "oracle.json", "--out", "all", pictures=pictures)
    assert scores("all")[0]["complete"] is True


def test_a_limit_stops_and_the_same_command_goes_on() -> None:
    said = call("t2i", "judge", PICTURES, *JUDGE, "--uncertified", "--out", "run", "--max-calls", 20)
    assert said.exit_code == 3
    assert "stopped: " in said.stdout
    first = {record.id for record in read_journal(Path("run"))}
    assert len(first) == 20
    assert scores("run")[0]["complete"] is False
    assert "(complete), 35 asked now" in judge(*JUDGE, "--uncertified", "--out", "run")
    ids = [record.id for record in read_journal(Path("run"))]
    assert len(ids) == len(set(ids)) == 55
    assert scores("run")[0]["complete"] is True
