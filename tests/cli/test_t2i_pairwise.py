"""The protocol pairwise: two models' pictures in one question, in both orders; a tested judge; ratings."""

import base64
import csv
import io
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from commands import call, document, done, fails
from loopback import Asked, LoopbackServer, Say
from pictures.fall import fall
from PIL import Image
from sweeping import swept

from counterbench.pictures.comparing.preferences import joined_preferences, preferred, read_preferences
from counterbench.pictures.comparing.swap import Swap
from counterbench.pictures.judging.judged_run import load_models
from counterbench.pictures.run_scores import frame
from counterbench.runs.folder import read_keys

MODELS = ("reasoner", "literal", "prior")
PICTURES = [f"images/planted-{name}" for name in MODELS]
PAIRWISE = ("--protocol", "pairwise", "--uncertified")


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = fall(tmp_path_factory.mktemp("work"), *MODELS, samples=2)
    for name, colour in (("red", (200, 10, 10)), ("blue", (10, 10, 200))):
        (folder / "own" / name).mkdir(parents=True)
        for number in range(3):
            picture = Image.new("RGB", (64, 64), colour)
            picture.paste((90, 90, 90), (20, 20, 30 + number, 30))  # one flat colour would be blank
            picture.save(folder / "own" / name / f"{number}.png")
    lines = [json.dumps({"id": str(number), "prompt": f"something red, number {number}"}) for number in range(3)]
    (folder / "red.jsonl").write_text("\n".join(lines) + "\n")
    return folder


@pytest.fixture(autouse=True)
def here(template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    work = Path(shutil.copytree(template, tmp_path / "work"))
    monkeypatch.chdir(work)
    return work


def judge_pairwise(judge: str, *more: object, pictures: list[str] = PICTURES) -> dict[str, Any]:
    done("t2i", "judge", *pictures, "--judge", judge, *PAIRWISE, "--out", "run", *more)
    (rated,) = document("score", "run")["ratings"].values()
    return dict(rated)


def test_an_oracle_ranks_planted_models_in_their_true_order() -> None:
    found = judge_pairwise("planted:oracle")
    assert [model["model"] for model in found["models"]] == [f"planted-{name}" for name in MODELS]
    assert found["models"][0]["rank"] == 1 < found["models"][2]["rank"]
    assert (found["leans"], found["unread"], found["same"]["value"]) == ("", 0, 1)
    rows = csv.DictReader(io.StringIO(call("score", "run", "--format", "csv").stdout))
    ratings = {row["generator"]: float(row["rating"]) for row in rows if row["part"] == "rating"}
    assert ratings == {model["model"]: pytest.approx(model["rating"]) for model in found["models"]}


def test_pairwise_json_has_the_ranking_and_the_frame_the_replies() -> None:
    judge_pairwise("planted:oracle", "--matches", 2)
    for run in document("score", "run")["runs"]:
        best = run["ranking"][0]
        assert (best["generator"], best["rank"]) == ("planted-reasoner", 1)
        assert best["rating"]["low"] < best["rating"]["value"] < best["rating"]["high"]
    found = frame(Path("run"))
    ids = {key.id for key in read_keys(Path("run"))}
    order_answers = {"better": "first", "equal": "equal", "worse": "second"}  # the oracle says the same in both orders
    assert set(found["id"]) == ids
    assert [order_answers[answer] for answer in found["answer"]] == list(found["reply"])


def test_preferences_are_compared_with_the_judges_comparisons_and_not_scores(here: Path) -> None:
    judge_pairwise("planted:noisy?p=0.4")
    runs = load_models(Path("run"))
    decided = {match: points.first for match, points in runs[0].comparisons.outcomes.items() if points.first != 0.5}
    lines = [f"{m.sample},{m.second},{m.first},{'second' if won > 0.5 else 'first'}" for m, won in decided.items()]
    (here / "people.csv").write_text("\n".join(["id,first,second,better", *lines]))
    found = preferred(joined_preferences(read_preferences(here / "people.csv"), runs))
    assert (found.right.hits, found.right.of, found.tied, found.lost) == (len(decided), len(decided), 0, 0)


def test_unmatched_preferences_are_named_and_none_at_all_is_an_error(here: Path) -> None:
    judge_pairwise("planted:oracle")
    outcomes = load_models(Path("run"))[0].comparisons
    named = [(*match.sample.rpartition("/")[::2], match.first, match.second) for match in outcomes.outcomes]
    table = here / "people.csv"

    def written(*lines: str) -> Path:
        table.write_text("\n".join(["id,sample,first,second,better", *lines]))
        return table

    by_prompt = [f"{prompt},{number},{first},{second},first" for prompt, number, first, second in named]
    output = done("align", written(*by_prompt, "nowhere/l1,,a,b,first"), "run")
    row = next(line.split() for line in output.splitlines() if line.startswith(" planted:oracle"))
    assert int(row[1]) == len(named)
    assert "1 preference is of pictures that were not judged, or by other names: not used" in output
    assert f"people.csv, line {len(by_prompt) + 2}: 'nowhere/l1' of a and b" in output.replace("\n", " ")
    assert "these runs have no such two pictures" in fails("align", written("nowhere/l1,,a,b,first"), "run")
    assert "has 2 pictures" in fails("align", written(f"{named[0][0]},,{named[0][2]},b,first"), "run")
    theirs = ["prompt_id,sample,A,B,winner", *by_prompt]
    table.write_text("\n".join(theirs))
    renamed = done("align", table, "run", "--columns", "id=prompt_id,first=A,second=B,better=winner")
    assert renamed.startswith("People's preferences")
    assert "--columns names 'C'" in fails("align", table, "run", "--columns", "id=C,better=winner")


def test_a_swap_for_a_run_of_comparisons_asks_drawn_comparisons() -> None:
    judge_pairwise("planted:oracle", "--matches", 1)
    swap = Swap("planted:oracle", "planted:first-bias?p=0.5", "run", out="swap")
    assert (swap.source.name, swap.stickers) == ("pairwise", None)


def test_tables_show_ranks_wins_and_the_judges_leanings() -> None:
    judge_pairwise("planted:first-bias")
    output = done("score", "run", "-v")
    assert "FIRST-BIAS (position bias): its answers depend on the order" in output
    assert "planted-reasoner" in output
    assert "pairwise on fall" in output
    assert "opponent" in output
    assert "counterbench label RUN --pairs" in output


def test_report_and_compare_agree_with_the_ratings() -> None:
    judge_pairwise("planted:oracle")
    done("score", "run")
    done("report", "run", "--out", "page.html")
    page = Path("page.html").read_text()
    assert "Ratings: 1. planted-reasoner" in page
    assert "won, equal ones as half" in page
    for of_single_pictures in ("No model is shown to be better", "weighted share of right answers", "Audit skipped"):
        assert of_single_pictures not in page
    assert "`score` has their ratings" in fails("compare", "run")


@pytest.mark.slow
def test_a_judge_that_prefers_richer_pictures_reverses_the_order() -> None:
    generator = "planted:prior?style=photograph"
    done("t2i", "generate", "fall.toml", "--generator", generator, "--samples", 2, "--out", "fine")
    pictures = ["images/planted-reasoner", "fine/planted-prior-style=photograph"]
    assert judge_pairwise("planted:oracle", pictures=pictures)["models"][0]["model"] == "planted-reasoner"
    shutil.rmtree("run")
    turned = judge_pairwise("planted:prettier-wins?p=1", pictures=pictures)["models"]
    assert [model["model"] for model in turned] == ["planted-prior-style=photograph", "planted-reasoner"]


def test_forced_answers_have_no_ties_and_fewer_matches_ask_fewer_questions() -> None:
    found = judge_pairwise("planted:oracle", "--forced", "--matches", 1)
    samples = len(Path("images/planted-prior/manifest.jsonl").read_text().splitlines())
    assert found["said"]["equal"] == 0
    assert found["comparisons"] == samples


@pytest.mark.slow
def test_only_a_judge_that_passed_the_drawn_comparisons_may_compare() -> None:
    refused = call("t2i", "judge", *PICTURES, "--judge", "planted:oracle", "--protocol", "pairwise", "--out", "run")
    assert refused.exit_code == 1
    assert "counterbench validate planted:oracle --for pairwise" in refused.stderr
    assert "The judge may compare pictures" in done("validate", "planted:oracle", "--for", "pairwise", "--out", "test")
    certified = ("--certificate", "test/certificate-standard.json", "--out", "run")
    done("t2i", "judge", *PICTURES, "--judge", "planted:oracle", "--protocol", "pairwise", *certified)
    assert document("score", "run")["runs"][0]["admitted"]
    assert "Drawn test passed for" in done("score", "run")
    done("validate", "planted:oracle", "--for", "smoke", "--policy", "exploratory", "--out", "other")
    other = call("t2i", "judge", *PICTURES, "--judge", "planted:oracle", "--protocol", "pairwise",
                 "--certificate", "other/certificate-exploratory.json", "--out", "two")  # fmt: skip
    assert "not admitted: the certificate is of the suite 'smoke', not of pairwise" in other.stderr


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["first-bias?p=0.3", "lazy?p=0.3", "prettier-wins?p=0.6"])
def test_a_judge_with_a_fault_does_not_pass_the_drawn_comparisons(fault: str) -> None:
    result = call("validate", f"planted:{fault}", "--for", "pairwise", "--out", "test", code=1)
    assert "passed for none" in result.output


def red_wins(request: Asked) -> Say:
    """The answer of a server that looks at the pictures: the redder of two, or the redder half of a sheet."""
    files = [io.BytesIO(base64.b64decode(url.partition(",")[2])) for url in request.images]
    pictures = [Image.open(file).convert("RGB") for file in files]
    if len(pictures) == 1:
        width, height = pictures[0].size
        pictures = [pictures[0].crop((0, 0, width // 3, height)), pictures[0].crop((2 * width // 3, 0, width, height))]
    first, second = (picture.getpixel((5, 5))[0] for picture in pictures)
    return Say("first" if first > second else "second")


@pytest.mark.parametrize("most", [1, 2])
def test_a_server_sees_both_pictures_or_one_sheet_of_both(here: Path, most: int) -> None:
    done("t2i", "import", "own", "--for", "red.jsonl", "--out", "imported")
    with LoopbackServer(red_wins) as server:
        judge = f"openai:m?base_url={server.url}&max_pictures={most}"
        found = judge_pairwise(judge, pictures=["imported/red", "imported/blue"])
        assert len(server.log) == 6
        assert {len(entry.asked.images) for entry in server.log} == {most}
        assert [entry for entry in server.log if "something red" not in entry.asked.text] == []
    assert [(model["model"], model["won"]) for model in found["models"]] == [("red", 3), ("blue", 0)]
    assert found["same"]["value"] == 1


@swept(
    ("command", "message"),
    [
        (("t2i", "judge", PICTURES[0], "--judge", "planted:oracle", *PAIRWISE), "name the folders of two or more"),
        (("t2i", "judge", *PICTURES, "--judge", "planted:oracle", *PAIRWISE, "--negated", 0.1), "leave it out"),
        (("t2i", "judge", *PICTURES, "--judge", "planted:oracle", "--uncertified", "--forced"), "of the protocol"),
        (("label", "run", "--plan"), "to let people compare them: counterbench label run --pairs"),
        (("t2i", "audit", "run", "--judge", "pixels"), "an audit asks about single ones"),
    ],
)  # fmt: skip
def test_options_that_do_not_fit_pairwise_are_refused(command: tuple[object, ...], message: str) -> None:
    if "run" in command:
        judge_pairwise("planted:oracle", "--matches", 1)
    assert message in fails(*command)


def test_a_model_that_declines_loses_without_a_question() -> None:
    done("t2i", "generate", "fall.toml", "--generator", "planted:refuser", "--samples", 2, "--out", "images")
    found = judge_pairwise("planted:oracle", pictures=["images/planted-prior", "images/planted-refuser"])
    assert found["models"][1]["model"] == "planted-refuser"
    assert found["models"][0]["won"] == found["comparisons"] > 0
    assert sum(found["said"].values()) == 0
