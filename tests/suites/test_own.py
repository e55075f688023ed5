"""A law and a family of one's own, as the docs add them: drawn, verified, certified by the rule of shipped suites."""

import json
import types
from pathlib import Path
from typing import Any

import msgspec
import pytest
from commands import call, document, done
from docs_files import ROOT, shown_files
from own_law import FEEDING, laws_found_anew
from scenery import suite_of

from counterbench.errors import InputError, NoRoomError
from counterbench.scene.seeds import Stream
from counterbench.suites.families import FAMILIES, Canvas, Draft, Family, Plan, control, sample
from counterbench.suites.families.base import read_params
from counterbench.suites.sources import attempt_of, attempt_seed, certifying_suite
from counterbench.suites.suite import load_suite, suite_of_families

TALLY = shown_files(ROOT / "docs/extending/family.md")["counterbench/suites/families/tally.py"]
MINE = 'format = "counterbench.suite/1"\nname = "mine"\nseed = 5\n[[family]]\nname = "{}"\ncount = 8\n{}\n'
PROMPTS = 'format = "counterbench.prompts/1"\nkind = "laws"\nname = "mine"\nlaws = ["feeding"]\n'


@pytest.fixture
def tally(monkeypatch: pytest.MonkeyPatch) -> Family:
    """A family of one's own, in the list of families of shapes."""
    module = types.ModuleType("tally")
    exec(TALLY, module.__dict__)
    instance: Family = module.Tally()
    monkeypatch.setitem(control.BASES, "tally", instance)
    monkeypatch.setitem(FAMILIES, "tally", instance)
    return instance


def validated(judge: str, source: str, *more: object) -> dict[str, Any]:
    """The document of `validate`, which ends with 0, or with 1 for a judge that does not pass."""
    ended = call("validate", judge, "--for", source, *more, "--json")
    assert ended.exit_code in (0, 1), ended.stderr
    return json.loads(ended.stdout)


@pytest.mark.slow
@pytest.mark.usefixtures("tally")
def test_a_family_of_ones_own_is_certified_cell_by_cell(here: Path) -> None:
    Path("mine.toml").write_text(MINE.format("tally", ""))
    found = validated("planted:oracle", "./mine.toml")
    assert (found["suite"], found["cells"]) == ("certify=tally", ["tally/open", "tally/yes-no"])
    certificate = found["certificate"]
    assert (certificate["verdict"], certificate["admitted"], certificate["attempt"]) == ("pass", ["tally"], 1)
    assert certificate["truth_checked"]
    done("generate", "certify=tally", "--limit", 4, "--out", "pairs")
    done("verify", "./pairs")
    run = Path(str(found["run"]))
    done("verify", next(run.glob("certificate*.json")), "--run", run)


@pytest.mark.slow
@pytest.mark.usefixtures("feeding")
def test_a_law_of_ones_own_is_certified_and_its_pictures_judged(here: Path) -> None:
    Path("prompts.toml").write_text(PROMPTS)
    found = validated("planted:oracle", "./prompts.toml")
    certificate = found["certificate"]
    assert (found["suite"], certificate["verdict"]) == ("certify=feeding", "pass")
    assert certificate["admitted"] == ["feeding"]
    kept = next(Path(str(found["run"])).glob("certificate*.json"))
    call("t2i", "generate", "./prompts.toml", "--generator", "planted:prior", "--out", "images", "--samples", 1)
    judge = ("t2i", "judge", "images/planted-prior", "--judge", "planted:oracle", "--certificate", kept)
    done(*judge, "--out", "runs/t")
    second = validated("planted:sticky?p=1", "certify=feeding", "--attempt", 2)["certificate"]
    assert (second["verdict"], second["admitted"], second["attempt"]) == ("fail", [], 2)


def test_a_suite_file_is_certified_by_its_families_and_laws_alone(tmp_path: Path) -> None:
    own = tmp_path / "mine.toml"
    for family, params, expected in (
        ("spatial", "params = { offset = [40, 60] }", ("certify", ("spatial",))),
        ("control", 'params = { bases = ["arrow"] }', ("certify", ("arrow",))),
        ("laws", 'params = { laws = ["wind"] }', ("laws", ("wind",))),
        ("law-control", 'params = { laws = ["wind-in-symbols"] }', ("rules", ("wind-in-symbols",))),
        ("laws", 'params = { laws = ["wind", "wind-in-symbols"] }',
         ("certify=wind,wind-in-symbols", ("wind", "wind-in-symbols"))),
    ):  # fmt: skip
        own.write_text(MINE.format(family, params))
        assert certifying_suite(str(own)) == expected
    assert certifying_suite("smoke") == ("smoke", ())


def test_the_suite_certify_of_names_has_fixed_counts_seed_and_order() -> None:
    first, second = load_suite("certify=wind,spatial"), load_suite("certify=spatial,wind,spatial")
    assert (first.name, first.digest) == (second.name, second.digest)
    assert first.name == "certify=spatial,wind"
    counts = {part.family: part.count for part in first.parts}
    assert counts == {"spatial": 480, "control": 32, "treated": 56, "laws": 50, "law-control": 48, "law-treated": 182}
    third = first.reseeded(attempt_seed(first, 3))
    assert [attempt_of(suite) for suite in (first, third, first.reseeded(7))] == [1, 3, None]
    spatial = next(part for part in load_suite("certify").parts if part.family == "spatial")
    assert first.parts[0] == spatial
    with pytest.raises(InputError, match=r"certify=.*unknown family or law 'wnid'.*did you mean 'wind'"):
        load_suite("certify=wnid")


@pytest.mark.usefixtures("tally")
def test_a_family_of_ones_own_leaves_the_shipped_suites_as_they_are() -> None:
    frozen = json.loads((ROOT / "tests/golden/frozen.json").read_text())["digests"]["suites"]
    for name in ("smoke", "counterbench-550", "certify", "controls"):
        assert load_suite(name).digest == frozen[name]


def test_a_law_whose_variants_give_the_same_facts_fails_verify_by_name(feeding: Path, tmp_path: Path) -> None:
    feeding.write_text(FEEDING.replace('does=turned("up"),', 'does=turned_from("food"),', 1))
    laws_found_anew()
    own = tmp_path / "mine.toml"
    own.write_text(MINE.format("laws", 'params = { laws = ["feeding"] }'))
    problems = document("verify", own, code=1)["problems"]
    messages = [p["message"] for p in problems if (p["pair"], p["check"]) == ("law feeding", "law")]
    assert "give the same facts" in "\n".join(messages)


def test_a_family_whose_draws_do_not_follow_its_plan_is_told_what_to_change(tally: Family) -> None:
    class Deaf(type(tally)):
        def draw(self, stream: Stream, plan: Plan, params: Any, canvas: Canvas) -> Draft:
            drawn: Draft = super().draw(stream, msgspec.structs.replace(plan, answer="1"), params, canvas)
            return drawn

    planned = r"does not have the planned answer.*planned is '3', of: 3\. Let draw\(\) follow plan\.answer"
    with pytest.raises(NoRoomError, match=planned) as caught:
        sample(Deaf(), read_params(tally, {"count": [3, 3]}), ("open",), Canvas(), 0, 0)
    assert "fewer or smaller" not in str(caught.value)


def test_a_family_of_one_form_is_asked_in_that_alone(tally: Family, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(tally), "forms", ("yes-no",))
    assert suite_of_families(["tally", "spatial"], 5).parts[0].forms == ("yes-no",)
    suite = load_suite("certify=tally")
    forms = {part.family: part.forms for part in suite.parts}
    assert forms == dict.fromkeys(("tally", "control", "treated"), ("yes-no",))
    assert {pair.form for pair in suite[-12:]} == {"yes-no"}
    assert load_suite("certify=spatial,tally").parts[-1].forms == ("open", "yes-no")
    with pytest.raises(InputError, match="'forms' of 'tally' must be a list, without repeats, of: yes-no"):
        suite_of({"name": "tally", "count": 1, "forms": ["open"]})
    control = suite.parts[1].params
    with pytest.raises(InputError, match="none of its bases has the form 'open'"):
        sample(FAMILIES["control"], control, ("open",), Canvas(), 0, 0)
