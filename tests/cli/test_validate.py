"""`validate`: a plan first, then what it takes, and at its end the line that lets the judge score."""

import re
from pathlib import Path

import pytest
from commands import call, document, done
from loopback import LoopbackServer, Say
from pictures.fall import SET
from pictures.own_pictures import draw_ball
from planted_runs import write_cells_run
from scenery import suite_of

import counterbench as cb
from counterbench.evidence import admission
from counterbench.evidence.document import read_certificate
from counterbench.evidence.validation import Validation, _use_for
from counterbench.files import formats
from counterbench.prompts.files import load_prompts
from counterbench.runs.folder import RunInfo, read_keys
from counterbench.suites.sources import cells_of


def test_validate_probes_diagnoses_certifies_and_resumes() -> None:
    asking = ("validate", "planted:oracle", "--for", "smoke", "--name", "mine", "--policy", "exploratory")
    stopped = done(*asking, "--max-calls", "20", code=3)
    assert re.search(r"^runs/smoke--mine: 20 of \d+ questions answered, \d+ still to ask", stopped, re.MULTILINE)
    result = call(*asking, code=0)
    takes = r"^takes: 196 calls, .*if all answers are right, more if not; at most [0-9,]+ calls, 20 are answered"
    assert re.search(takes, result.stdout, re.MULTILINE)
    lines = result.stderr.splitlines()
    assert re.fullmatch(r"questions to ask planted:oracle: \d+, then at least \d+ more, 20 already answered", lines[0])
    assert lines[-1] == "asking mine: 216/216 (8 of 8 cells done)"
    assert "\nmine: right on 100.0 % of pairs" in result.stdout
    certificate = "runs/smoke--mine/certificate-exploratory.json"
    assert f"{certificate}: PASS: planted:oracle, exploratory, attempt 1" in result.stdout
    assert result.stdout.splitlines()[-1].startswith(f"next: counterbench verify {certificate}")
    assert Path(certificate).is_file()


@pytest.mark.parametrize("suite", ["certify=counting", pytest.param("certify=falling", marks=pytest.mark.slow)])
def test_a_judge_that_obeys_painted_words_is_reported_and_asked_no_more(suite: str) -> None:
    """At first it was refused, as if the suite had no such pairs."""
    output = done("validate", "planted:text-led?p=1", "--for", suite, code=1)
    assert re.search(r"^treatment: follows words painted into the picture: \d+ of \d+ right$", output, re.MULTILINE)
    found = next(Path("runs").glob("*text-led*/certificate*.json"))
    lost = read_certificate(found)
    assert (lost.treatments["writing"].verdict, lost.admitted) == ("fail", [])
    assert lost.treatments["writing"].of < 64


def test_pairs_of_a_folder_are_asked_as_they_are() -> None:
    """They have no attempts, so there is nothing to ask until it is decided."""
    cb.generate(suite_of({"name": "spatial", "count": 4}, seed=5), "mine")
    result = done("validate", "planted:oracle", "--for", "./mine", code=1)
    assert "asks: 4 pairs of mine, which is of no attempt: passing lets no judge score" in result
    assert "takes: 8 calls\n" in result
    assert result.splitlines()[-1].startswith("next: counterbench diagnose runs/mine--")


def test_a_judge_that_fails_the_doctor_is_not_asked(here: Path) -> None:
    with LoopbackServer(Say("yes")) as server:
        found = document("validate", f"openai:m?base_url={server.url}", "--for", "smoke", code=1)
    assert not found["able"]
    assert {check["name"]: check["holds"] for check in found["doctor"]["findings"]}["sees"] is False
    assert not list(here.iterdir())


def test_the_next_command_repeats_all_options() -> None:
    given = "--template bare --policy strict --attempt 2 --size 256 --out r --max-cost 3"
    result = call("validate", "planted:oracle", "--for", "smoke", "--plan", *given.split())
    assert result.stdout.splitlines()[-1] == f"next: counterbench validate planted:oracle --for smoke {given}.0"


@pytest.mark.parametrize(
    ("name", "suite", "laws"),
    [("laws", admission.SUITE, 35), ("laws-few", admission.SUITE, 8), ("rules", admission.RULES, 35)],
)
def test_validate_for_prompts_asks_the_cells_that_admit_them(name: str, suite: str, laws: int) -> None:
    found = _use_for(name)
    assert (found.suite, len(found.laws)) == (suite, laws)
    assert found.words == f"the prompt set {name}, whose checks ask about {laws} laws"


def test_validate_for_undrawable_prompts_asks_the_families_of_their_skills() -> None:
    found = _use_for("attributes")
    assert (found.suite, found.laws) == ("certify", ("presence",))


def test_validate_for_pictures_asks_the_laws_that_were_drawn() -> None:
    drawn = "--generator planted:literal --samples 1 --limit 2 --out images"
    done("t2i", "generate", "laws", *drawn.split())
    found = _use_for("images/planted-literal")
    laws = {prompt.law for prompt in load_prompts("laws").prompts[:6]}
    assert set(found.laws) == laws
    assert found.images == "images/planted-literal"
    assert found.words == f"the pictures in {found.images}, of the prompt set laws: their checks ask about 2 laws"


def test_validate_for_pictures_works_without_their_prompt_file(here: Path) -> None:
    (here / "own.toml").write_text(SET)
    call("t2i", "generate", "own.toml", "--generator", "planted:literal", "--samples", 1, "--out", "images")
    (here / "own.toml").unlink()
    write_cells_run(here / "run", "planted:oracle", ("falling",), 30)
    options = ("--template", "default", "--out", "run")
    result = done("validate", "planted:oracle", "--for", "images/planted-literal", *options)
    judging = "t2i judge images/planted-literal --judge planted:oracle --certificate run/certificate-standard.json"
    assert result.splitlines()[-1] == f"next: counterbench {judging}"


def test_the_printed_judging_command_needs_no_prompt_file(here: Path) -> None:
    (here / "own.toml").write_text(SET)
    write_cells_run(here / "run", "planted:oracle", ("falling",), 30)
    result = done("validate", "planted:oracle", "--for", "own.toml", "--template", "default", "--out", "run")
    judging = "t2i judge IMAGES/GENERATOR --judge planted:oracle --certificate run/certificate-standard.json"
    assert f"once a generator's pictures are in IMAGES/GENERATOR: counterbench {judging}\n" in result


def test_pairs_of_the_given_size_are_asked_and_the_next_command_repeats_it(here: Path) -> None:
    asking = ("validate", "planted:oracle", "--for", "smoke", "--size", 256)
    done(*asking, "--max-calls", 60, code=3)
    run = "runs/smoke--planted-oracle--size-256"
    assert formats.read_json(here / run / "run.json", RunInfo).side == 256
    way = "counterbench validate planted:oracle --for"
    assert call("certify", run).stdout.splitlines()[-1] == f"next: {way} smoke --size 256 --out {run} --plan"
    needed = f"To score pictures of laws, the judge must pass this: {way} laws --size 256 --plan\n"
    assert needed in call(*asking).stdout


def import_picture(here: Path, side: int) -> str:
    """A folder with a picture of this side."""
    (here / "own.toml").write_text(SET)
    draw_ball(here / "mine" / "0.png", "red", 1, side)
    prompt = load_prompts("./own.toml").prompts[0]
    (here / "mine" / "table.csv").write_text(f"image,id,model\n0.png,{prompt.id},mine\n")
    done("t2i", "import", "mine/table.csv", "--for", "./own.toml", "--out", "images")
    return "images/mine"


@pytest.mark.slow
@pytest.mark.parametrize(("side", "drawn"), [(300, 300), (200, 256)])
def test_small_pictures_are_tested_on_pictures_drawn_as_small(here: Path, side: int, drawn: int) -> None:
    images = import_picture(here, side)
    found = document("validate", "planted:oracle", "--for", images)
    small = [key for key in read_keys(Path(found["run"])) if key.traits.get("treatment") == "small"]
    assert len(small) >= 12
    assert {(key.role, key.traits["size"]) for key in small} == {("intervened", "small")}
    source = Validation("planted:oracle", images).source
    cell = cells_of(source.suite)["law-treated/small"]
    pictures = source.pictures(source.suite.sample(cell.part, cell.start))
    assert [min(picture.image().size) for picture in pictures] == [512, drawn]
    assert found["certificate"]["treatments"]["small"]["verdict"] == "pass"
    kept = next(Path(found["run"]).glob("certificate*.json"))
    done("verify", kept, "--run", found["run"])


@pytest.mark.slow
def test_a_certified_judge_may_score_with_the_printed_command() -> None:
    drawn = "--generator planted:literal --out images --limit 2 --samples 1"
    call("t2i", "generate", "laws-few", *drawn.split())
    result = done("validate", "planted:oracle", "--for", "images/planted-literal")
    step = result.splitlines()[-1].split()
    assert step[:4] == ["next:", "counterbench", "t2i", "judge"]
    judged = call(*step[2:], code=0)
    assert "Judge: planted:oracle. Drawn test passed for " in judged.output
