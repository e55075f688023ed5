"""Models by the numbers of a scorer, and by ratings that a rater's certificate covers."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from commands import call, document, done
from judges.compared import compared_run
from PIL import Image

import counterbench as cb
from counterbench.errors import InputError
from counterbench.evidence.document import Certificate, content_digest
from counterbench.evidence.issue import certify
from counterbench.evidence.policies import load_policy
from counterbench.evidence.verdict import RANKED
from counterbench.judges.base import Judge

REDS = {"best": 200, "good": 150, "poor": 140}
scored = Counter[tuple[int, str]]()


def redness(image: Image.Image, text: str) -> float:
    scored[image.getpixel((0, 0))[0], text] += 1
    return image.getpixel((0, 0))[0] / 255


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three models' pictures of three prompts: each model has its own red, a little more in each next picture."""
    monkeypatch.chdir(tmp_path)
    scored.clear()
    Path("mine.csv").write_text("prompt\n" + "".join(f"red {number}\n" for number in range(3)))
    for name, red in REDS.items():
        Path("own", name).mkdir(parents=True)
        for number in range(3):
            picture = Image.new("RGB", (64, 64), (red + number, 10, 10))
            picture.paste((90, 90, 90), (20, 20, 30, 30))
            picture.save(Path("own", name, f"{number}.png"))
        done("t2i", "import", f"own/{name}", "--for", "mine.csv", "--out", "images")


def compared(judge: Judge, certificate: Certificate | None = None, **options: Any) -> dict[str, Any]:
    pictures = [f"images/{name}" for name in REDS]
    cb.t2i_judge(pictures, judge, protocol="pairwise", uncertified=True, out="run", certificate=certificate, **options)
    (rated,) = document("score", "run")["ratings"].values()
    return dict(rated)


def of_scorer(judge: Judge, margin: float) -> Certificate:
    """The certificate of a planted scorer, as that of another one."""
    found = certify(compared_run(Path("tested"), "scorer:planted:oracle?sd=0.1"), load_policy())
    numbers = msgspec.structs.replace(found.numbers, margin=margin)  # type: ignore[type-var]
    changed = msgspec.structs.replace(found, judge=judge.name, numbers=numbers)
    return msgspec.structs.replace(changed, digest=content_digest(changed))


def test_a_scorer_ranks_models_by_wins_and_scores_each_picture_once() -> None:
    found = compared(cb.scorer(redness))
    assert [(model["model"], model["won"], model["tied"], model["lost"]) for model in found["models"]] == [
        ("best", 6, 0, 0), ("good", 3, 0, 3), ("poor", 0, 0, 6),
    ]  # fmt: skip
    assert [model["mean_number"] for model in found["models"]] == pytest.approx([201 / 255, 151 / 255, 141 / 255])
    assert (len(scored), set(scored.values())) == (9, {1})
    output = done("score", "run")
    assert "mean number" in output
    assert "not a share; no claim" in output


def test_numbers_within_the_margin_of_the_certificate_are_a_tie() -> None:
    judge = cb.scorer(redness)
    found = compared(judge, of_scorer(judge, 12 / 255))
    assert {model["model"]: (model["won"], model["tied"]) for model in found["models"]} == {
        "best": (6, 0), "good": (0, 3), "poor": (0, 3),
    }  # fmt: skip
    assert (found["margin"], found["said"]["equal"]) == (pytest.approx(12 / 255), 6)
    assert "numbers within 0.0471 are equal" in done("score", "run")


def test_the_certificate_of_another_scorer_gives_no_margin() -> None:
    other = of_scorer(cb.scorer(redness, margin=0.5), 0.5)
    found = compared(cb.scorer(redness), other)
    assert (found["margin"], found["said"]["equal"]) == (None, 0)


def test_a_scorer_is_not_forced_and_not_asked_about_one_picture() -> None:
    with pytest.raises(InputError, match="leave out `forced`"):
        compared(cb.scorer(redness), forced=True)
    with pytest.raises(InputError, match="--for pairwise"):
        cb.t2i_judge("images/best", cb.scorer(redness), protocol="direct", uncertified=True, out="run")
    assert not scored


def test_ratings_are_admitted_to_rank_and_not_to_say_how_good() -> None:
    compared_run(Path("rated"), "rater:planted:oracle")
    done("certify", "rated", "--out", "rated.json")
    done("t2i", "generate", "mine.csv", "--generator", "planted:card", "--out", "im", "--samples", 1, "--name", "c")
    judge = ("--judge", "planted:oracle", "--protocol", "direct", "--certificate", "rated.json", "--out", "run")
    assert RANKED in done("t2i", "judge", "im/c", *judge)
    (found,) = document("score", "run")["runs"]
    assert (found["verdict"], found["because"], found["admitted"]) == ("in part", RANKED, True)
    assert not found["certified"]
    noisy = ("--judge", "planted:noisy", "--protocol", "direct", "--certificate", "rated.json", "--out", "run-2")
    refused = call("t2i", "judge", "im/c", *noisy, code=1)
    assert "not admitted: judge: the certificate has 'rater:planted:oracle?scale=1-5'" in refused.stderr


def test_a_raters_certificate_says_what_it_covers() -> None:
    output = done("certify", compared_run(Path("rated"), "rater:planted:oracle"))
    assert "Its ratings of single pictures may rank models (--protocol direct)" in output
    assert re.search(r"ties: where one picture is right, 0.0 % of [1-9]\d* answers are equal numbers", output)
    scorer = done("certify", compared_run(Path("scored"), "scorer:planted:oracle?sd=0.1"))
    assert "controls, also treated ones, are not judged" in scorer
    assert "direct" not in scorer
