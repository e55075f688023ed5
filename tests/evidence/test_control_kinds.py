"""Changes that must not matter, for every skill: a judge that answers otherwise after them is refused."""

from pathlib import Path

import msgspec
import pytest
from commands import call
from planted_runs import read_journal, rewrite, write_again

from counterbench.evidence.issue import certify
from counterbench.evidence.policies import load_policy
from counterbench.runs.folder import read_keys
from counterbench.runs.pair_queries import keys
from counterbench.suites.families.changes import EDGE, TREATED
from counterbench.suites.families.control import BASES
from counterbench.suites.sources import CellSource, in_turn
from counterbench.suites.suite import load_suite

pytestmark = pytest.mark.usefixtures("here")


def run_of(judge: str, controls: int = 60, treated: int = 30) -> Path:
    counts = {"counting/open": 40, "counting/yes-no": 40, "control": controls}
    counts |= {f"treated/{name}": treated for name in TREATED}
    return write_again(Path("run"), f"planted:{judge}", CellSource(load_suite("certify"), in_turn(counts)))


def test_the_suite_certify_asks_each_change_of_each_skill_several_times() -> None:
    suite = load_suite("certify")
    counts: dict[tuple[str, str], int] = {}
    bases: dict[str, str] = {}
    for part in suite.parts:
        for index in range(part.count if part.family in ("control", "treated") else 0):
            pair = suite.sample(part, index)
            assert not pair.relevant
            _, base, change = pair.stratum.split("/")
            bases[pair.skill] = base
            counts[pair.skill, change] = counts.get((pair.skill, change), 0) + 1
    assert bases.keys() >= {"left-right", "colour", "count", "inside", "arrow-target", "visible-count"}
    for skill, base in bases.items():
        assert {change for other, change in counts if other == skill} >= {*TREATED} - ({EDGE} & {*BASES[base].never})
    assert min(counts.values()) >= 3


def test_a_judge_that_changes_its_answer_about_treated_pictures_is_refused() -> None:
    found = certify(run_of("fickle"), load_policy())
    assert found.verdict == found.control.verdict == "fail"
    assert found.admitted == []
    assert found.control.stability.value < 0.8
    assert max(result.right / result.of for result in found.treatments.values()) < 1
    assert set(found.treatments) == {*TREATED}
    result = call("certify", "run")
    assert result.exit_code == 1
    assert (
        "score pictures: the certificate admits to nothing: its run does not pass as a whole (errs on " in result.output
    )
    assert "fickle (dose " in call("diagnose", "run").output


@pytest.mark.slow
def test_a_judge_unstable_in_one_skill_is_refused_for_that_skill() -> None:
    run = run_of("oracle", treated=64)
    treated = {key.id for key in read_keys(run) if "treatment" in key.traits and key.skill == "colour"}
    rewrite(run, [msgspec.structs.replace(r, reply="white") if r.id in treated else r for r in read_journal(run)])
    found = certify(run, load_policy())
    assert found.control.accuracy.value > 0.85  # all skills together would pass
    assert found.control.verdict == "fail"
    assert found.control.skills["colour"].value < 0.6
    assert found.control.skills["count"].value == 1
    assert "controls: colour: fail: a changed answer, or none, on" in call("certify", "run").output


def test_keys_hold_the_answer_that_painted_words_ask_for() -> None:
    source = CellSource(load_suite("certify"), in_turn({"treated/writing": 64}))
    painted = [key for key in keys(source) if key.traits.get("treatment") == "writing"]
    assert len(painted) == 64
    obeyed = [key.misreadings["text-led"] for key in painted if "text-led" in key.misreadings]
    assert len(obeyed) > len(painted) // 2
    assert [key for key in painted if key.misreadings.get("text-led") == key.expected] == []
