"""Runs over pictures by judges that say how sure they are: a server on loopback, repeats, a replay."""

import json
import math
from pathlib import Path

import msgspec
import pytest
from asked import judge_pictures
from commands import call
from loopback import LoopbackServer, Say
from pictures.carded import cards, checklist, judged, prompt
from pictures.preparing.authors import Author

from counterbench.asking.runner import Progress
from counterbench.judges import open_judge
from counterbench.judges.replay import ReplayJudge
from counterbench.pictures.judging.judged_run import load_judged
from counterbench.pictures.judging.picture_queries import PictureQuestions
from counterbench.pictures.protocols import protocol
from counterbench.pictures.run_scores import frame, score
from counterbench.pictures.scores.document import SoftCounts
from counterbench.prompts.manifest import Images
from counterbench.prompts.prompt_set import Check
from counterbench.runs.queries import load_template

ln = math.log
CHECKS = (
    Check(id="cup", text="Is there a cup?", weight=3),
    Check(id="hat", text="Is there a hat?", expected="no"),
    Check(id="many", text="How many?", answer_type="integer", expected="3", weight=0),
)
# What is said of how sure, by a word of the question: all spellings of both, and servers' odd ways.
SURE: dict[str, Say] = {
    "cup": Say("Yes.", logprobs=[{"Yes": ln(0.4), " yes": ln(0.2), "YES": ln(0.1), "No": ln(0.1), "▁no": ln(0.1),
                                  "Maybe": ln(0.05)}, {".": -0.1}]),
    "hat": Say("no", logprobs=[{"no": ln(0.6), "Yes": ln(0.2), "yes": -9999.0}]),
    "many": Say("3", logprobs=[{"3": -0.1, "yes": -0.2}]),
}  # fmt: skip


@pytest.fixture(autouse=True)
def key(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "x")


@pytest.fixture(scope="module")
def images(tmp_path_factory: pytest.TempPathFactory) -> Images:
    prompts = checklist([prompt(f"g{i}", *CHECKS) for i in range(4)])
    return cards(prompts, tmp_path_factory.mktemp("cards"))


def judged_at_a_server(images: Images, sure: dict[str, Say] = SURE) -> Progress:
    """Judge them into `run` by a server that says so to each question, by a word of it."""
    with LoopbackServer(lambda request: next(say for word, say in sure.items() if word in request.texts[-1])) as server:
        return judged(images, Path("run"), open_judge(f"openai:m?base_url={server.url}&logprobs=5", list))


# ---- a server


def test_all_spellings_of_yes_and_no_count_and_the_residual_is_reported(images: Images) -> None:
    judged_at_a_server(images)
    line = "soft scoring: 8 of 8 yes/no answers have probabilities; 0.150 of the probability is on neither yes nor no"
    cup, hat = 0.7 / 0.9, 0.2 / 0.8  # of yes; the hat should not be there
    assert score(load_judged(Path("run")), "soft").columns["score"].value == pytest.approx((3 * cup + 1 - hat) / 4)
    geometric = score(load_judged(Path("run")), "soft-geometric").columns["score"].value
    assert geometric == pytest.approx((cup**3 * (1 - hat)) ** (1 / 4))
    assert score(load_judged(Path("run"))).columns["score"].value == 1
    shown = call("score", "run", "--scoring", "soft").output
    assert ("checklist on mine, soft scoring" in shown, line in " ".join(shown.split())) == (True, True)
    soft = json.loads(call("score", "run", "--scoring", "soft", "--json").output)["runs"][0]["soft"]
    assert soft == {"answers": 8, "with_probabilities": 8, "neither": pytest.approx(0.15)}
    of_cups = frame(Path("run")).set_index("check").loc["cup"]
    assert of_cups["p_yes"].tolist() == [pytest.approx(cup)] * 4
    assert of_cups["residual"].tolist() == [pytest.approx(0.1)] * 4


def test_an_answer_without_probabilities_is_lost_and_never_0(images: Images) -> None:
    done = judged_at_a_server(images, SURE | {"hat": Say("no")})
    assert done.complete
    found = score(load_judged(Path("run")), "soft")
    assert found.soft == SoftCounts(answers=8, with_probabilities=4, neither=pytest.approx(0.1))  # type: ignore[arg-type]
    assert (found.columns["score"].value, found.scored) == (None, 0)
    assert found.bounds["score"].best == pytest.approx((3 * 0.7 / 0.9 + 1) / 4)
    output = call("score", "run", "--scoring", "soft").output
    assert "soft scoring: 4 of 8 yes/no answers have probabilities (the others are lost)" in " ".join(output.split())


# ---- other judges


def test_repeats_serve_as_probabilities(images: Images) -> None:
    """By a judge that says yes to cups three times of four."""
    wavering = Author(lambda q: {"many": "3", "hat": "no"}.get(q.role, "no" if q.repeat == 2 else "yes"))
    wavering.samples = True  # type: ignore[attr-defined]
    questions, template = PictureQuestions(images, images.prompts, protocol("checklist")), load_template("strict")
    options = {"template": template, "certificate": None, "uncertified": True}
    judge_pictures(questions, wavering, Path("run"), repeats=4, **options)
    assert score(load_judged(Path("run")), "soft").columns["score"].value == pytest.approx((3 * 0.75 + 1) / 4)


def test_soft_credit_for_a_count_is_the_probability_of_the_expected_number(tmp_path: Path) -> None:
    drawn = cards(checklist([prompt("g1", msgspec.structs.replace(CHECKS[2], weight=1.0))]), tmp_path / "counts")
    sure = {"many": Say("3", logprobs=[{"3": ln(0.5), "three": ln(0.1), "2": ln(0.2), "yes": ln(0.2)}])}
    judged_at_a_server(drawn, sure)
    assert score(load_judged(Path("run")), "soft").columns["score"].value == pytest.approx(0.6 / 0.8)
    assert score(load_judged(Path("run"))).columns["score"].value == 1
    assert frame(Path("run"))["p_expected"].tolist() == pytest.approx([0.75])


def test_a_replay_repeats_the_recorded_probabilities(images: Images) -> None:
    judged_at_a_server(images)
    judged(images, Path("again"), ReplayJudge(Path("run")))
    assert score(load_judged(Path("again")), "soft").columns == score(load_judged(Path("run")), "soft").columns
