"""Our own worlds, from prompts without questions to PW-Agent's table, as a user goes: prepare, draw, judge, score."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from commands import call, done
from loopback import LoopbackServer, Say
from pictures.pw_worlds import QUESTIONS, WRITTEN

JUDGES = {
    "right": ("oracle",),
    "leaning": ("yes-bias?p=0.5",),
    "led": ("prompt-led?p=0.5", "--template", "shown-prompt"),
}
# PicWorld's Table 1, in its order.
SUBCATEGORIES = [
    *("mechanics-dynamics", "light-electromagnetism", "states-of-matter"),
    *("stem-concepts", "culture-history", "symbol-system"),
    *("causality-temporality", "spatial-relations", "integrated-reasoning"),
]


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with prepared prompts, cards of them, and a run of each judge."""
    folder = tmp_path_factory.mktemp("worlds")
    prompts, images = folder / "asked.jsonl", folder / "images"
    with LoopbackServer(Say(lambda request: QUESTIONS if "The things are" in request.text else WRITTEN)) as server:
        author = f"openai:writer?base_url={server.url}"
        result = call("t2i", "prepare", "picworld-own", "--author", author, "--out", prompts)
        assert result.exit_code == 0, result.output
        assert "to write questions: 45" in result.stderr
        assert "at most 360 more" in result.stderr
    cards = "planted:card?existence=0.9&state=0.7&inconsistency=0.8"
    done("t2i", "generate", prompts, "--generator", cards, "--name", "cards", "--out", images, "--samples", 2)
    for name, (judge, *more) in JUDGES.items():
        done("t2i", "judge", images / "cards", "--judge", f"planted:{judge}", "--uncertified", *more,
             "--out", folder / name)  # fmt: skip
    return folder


def scores(run: Path, scoring: str = "default") -> dict[str, Any]:
    (found,) = json.loads(done("score", run, "--scoring", scoring, "--json"))["runs"]
    return found  # type: ignore[no-any-return]


@pytest.mark.slow
def test_our_own_prompts_lead_to_picworlds_table(work: Path) -> None:
    found = scores(work / "right")
    assert (found["protocol"], found["headline"], found["admitted"]) == ("pw-agent", ["s1", "s2", "s3", "s"], False)
    assert (found["prompts"], found["pictures"], found["scored"], found["complete"]) == (45, 90, 90, True)
    value_of = {name: found["columns"][name]["value"] for name in found["headline"]}
    assert value_of["s"] == pytest.approx(0.25 * value_of["s1"] + 0.5 * value_of["s2"] + 0.25 * value_of["s3"])
    assert 0 < value_of["s2"] < value_of["s1"] < 10
    assert list(found["slices"]["subcategory"]) == SUBCATEGORIES
    assert {*found["slice_units"]["subcategory"].values()} == {5}
    shown = done("score", work / "right", "-v")
    rows = shown[shown.index("pw-agent on picworld-own by subcategory") :].splitlines()[4:]
    assert [row.split()[0] for row in rows[: len(SUBCATEGORIES)]] == SUBCATEGORIES


@pytest.mark.slow
def test_prompts_without_questions_are_not_judged_and_the_remedy_is_named(work: Path, tmp_path: Path) -> None:
    done("t2i", "generate", "picworld-own", "--generator", "planted:card", "--out", tmp_path, "--limit", 1,
         "--samples", 1)  # fmt: skip
    judge = ("--judge", "planted:oracle", "--uncertified", "--out", tmp_path / "run")
    refused = call("t2i", "judge", tmp_path / "planted-card", *judge)
    assert refused.exit_code == 2
    assert re.search("'picworld-own' has no questions.*t2i prepare", refused.stderr.replace("\n", " "))
    done("t2i", "judge", tmp_path / "planted-card", *judge, "--prompts", work / "asked.jsonl")
