"""One rating a picture, the prompt shown: what is asked, what it comes to, and that nobody is certified for it."""

import json
from pathlib import Path

import pytest
from commands import done
from loopback import Asked, LoopbackServer, Say


@pytest.fixture(autouse=True)
def pictures(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    Path("mine.csv").write_text("prompt,question,category\nA red cube.,Is it red?,shapes\nTwo cats.,,animals\n")
    done("t2i", "generate", "mine.csv", "--generator", "planted:card", "--out", "im", "--samples", 2, "--name", "c")


def judge_cards(server: LoopbackServer, *more: object) -> str:
    options = ("--judge", f"openai:m?base_url={server.url}", "--protocol", "direct", "--out", "run")
    return done("t2i", "judge", "im/c", *options, "--uncertified", *more)


def test_a_picture_is_one_question_that_shows_its_prompt_and_one_number() -> None:
    """Ratings 4 and 2 of the cube, 1 and 5 of the cats: (0.75 + 0.25) / 2 and (0 + 1) / 2."""
    ratings = {"A red cube.": iter(["4", "Rating: 2"]), "Two cats.": iter(["1/5", "5"])}

    def reply(request: Asked) -> Say:
        return Say(next(next(replies) for words, replies in ratings.items() if f'"{words}"' in request.texts[-1]))

    with LoopbackServer(reply) as server:
        judge_cards(server, "--concurrency", 1)
        texts = [question.asked.texts[-1] for question in server.questions]
    assert len(texts) == 4  # also of what the set has no question about; its own questions are not asked
    first, question, scale = texts[0].splitlines()
    assert first == 'This picture was made from the prompt: "A red cube."'
    assert question == "How well does the picture show what the prompt asks for?"
    assert scale.endswith("1: hardly any of it. Answer with a single number from 1 to 5.")
    (found,) = json.loads(done("score", "run", "--json"))["runs"]
    assert (found["protocol"], found["headline"], found["columns"]["score"]["value"]) == ("direct", ["score"], 0.5)
    assert found["reasons"] == ["the judge is shown the prompts, and no certificate says how far it believes them"]
    assert {name: part["score"]["value"] for name, part in found["slices"]["category"].items()} == {
        "shapes": 0.5,
        "animals": 0.5,
    }
    assert found["provenance"]["prompt_shown"]


@pytest.mark.slow
def test_direct_ratings_of_cards_follow_their_rates() -> None:
    """Two models at .9 and .7 of two dimensions, and at .7 and .3: .8 and .5, not the same .69 twice."""
    rows = [f"prompt {n},Is part {k} of {n} red?,{'ab'[k % 2]}" for n in range(20) for k in range(4)]
    Path("ab.csv").write_text("\n".join(["prompt,question,dimension", *rows]))
    for name, rates in (("good", "a=0.9&b=0.7"), ("poor", "a=0.7&b=0.3")):
        done("t2i", "generate", "ab.csv", "--generator", f"planted:card?{rates}", "--out", "cards", "--name", name)
        options = ("--judge", "planted:oracle", "--protocol", "direct", "--uncertified", "--out", f"run-{name}")
        done("t2i", "judge", f"cards/{name}", *options)
    found = json.loads(done("score", "run-good", "run-poor", "--json"))["runs"]
    assert [run["columns"]["score"]["value"] for run in found] == pytest.approx([0.8, 0.5], abs=0.001)


def test_a_reply_without_a_rating_is_lost() -> None:
    with LoopbackServer(Say("8/10")) as server:
        judge_cards(server)
    (found,) = json.loads(done("score", "run", "--json"))["runs"]
    assert (found["columns"]["score"]["value"], found["counts"]["image"]["outcomes"]["unparsed"]) == (None, 4)
    assert found["bounds"]["score"] == {"worst": 0, "dropped": None, "best": 1}


def test_three_layers_are_rated_in_one_reply_and_realism_counts_twice() -> None:
    """(.8 + 2 × .4 + 1) / 4; a reply without one of the ratings is lost."""
    replies = iter(['{"instruction": 8, "realism": 4, "detail": 10}', '{"instruction": 8, "realism": 4}'] * 2)
    with LoopbackServer(lambda request: Say(next(replies))) as server:
        judge_cards(server, "--protocol", "direct-layers", "--concurrency", 1)
        first, *others = [question.asked.texts[-1] for question in server.questions]
    assert len(others) == 3
    assert [line.partition(":")[0] for line in first.splitlines()[1:4]] == ["instruction", "realism", "detail"]
    (found,) = json.loads(done("score", "run", "--json"))["runs"]
    assert (found["protocol"], found["columns"]["score"]["value"]) == ("direct-layers", pytest.approx(0.65))
    assert found["slices"]["dimension"]["realism"]["score"]["value"] == pytest.approx(0.4)
