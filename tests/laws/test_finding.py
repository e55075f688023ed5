"""A law is found by its file; one more changes no shipped digest; what is wrong with one is said with its file."""

import itertools
import re
import shutil
import sys
import types
from pathlib import Path

import pytest
from commands import call
from own_law import FEEDING
from sweeping import swept

from counterbench.errors import InputError
from counterbench.laws import STANDARD, Law, all_laws, find_laws, law
from counterbench.laws.outcomes import outcome
from counterbench.laws.soundness import problems
from counterbench.prompts.files import load_prompts
from counterbench.suites.suite import load_suite


def found_in(folder: Path, **files: str) -> dict[str, Law]:
    """The laws of a package of their own, from the texts of their files."""
    for name, text in {"__init__": "", **files}.items():
        (folder / "biology").mkdir(exist_ok=True)
        (folder / "biology" / f"{name}.py").write_text(text, encoding="utf-8")
    package = types.ModuleType("toys")
    package.__path__ = [str(folder)]
    sys.modules["toys"] = package
    try:
        return find_laws(package.__path__, "toys")
    finally:
        for name in [name for name in sys.modules if name.split(".")[0] == "toys"]:
            del sys.modules[name]


def test_a_law_that_runs_differently_each_time_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    falling, turns = law("falling"), itertools.count()
    run, settings = falling.run, [falling.setting(seed, 0) for seed in (7, 8)]
    monkeypatch.setattr(falling, "run", lambda setting, does: run(settings[next(turns) % 2], does))
    assert "not deterministic" in "\n".join(problems(falling, 7, 0))


@pytest.mark.usefixtures("feeding")
def test_the_law_of_the_docs_is_found_and_sound() -> None:
    assert list(all_laws()) == [*STANDARD, "feeding"]
    feeding = law("feeding")
    assert [message for index in range(5) for message in problems(feeding, 3, index)] == []
    setting = feeding.setting(0, 0)
    facing = {v.name: [f.facing for f in outcome(feeding, setting, v.name).figures] for v in feeding.variants}
    assert facing["turn-to"] == ["right", "", "left", "left"]
    assert facing["by-kind"] == ["left", "", "up", "left"]


def shipped_digests() -> dict[str, str]:
    suite, prompts = load_suite("laws"), load_prompts("laws-described")
    return {"suite": suite.digest, "pairs": str(suite[:5]), "prompts": prompts.digest}


@pytest.mark.slow
def test_an_added_law_changes_no_shipped_digest(request: pytest.FixtureRequest) -> None:
    before = shipped_digests()
    request.getfixturevalue("feeding")
    assert "feeding" in all_laws()
    assert shipped_digests() == before


@pytest.mark.usefixtures("feeding")
def test_an_added_law_can_be_asked_for(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text('format = "counterbench.prompts/1"\nkind = "laws"\nname = "mine"\nlaws = ["feeding"]\n')
    assert {prompt.law for prompt in load_prompts(mine).prompts} == {"feeding"}
    result = call("gallery", "laws", "--law", "feeding", "--out", tmp_path / "feeding.png")
    assert result.exit_code == 0, result.stderr


@swept(
    ("old", "new", "message"),
    [
        ("", "raise KeyError('oh')\n", "it cannot be read: KeyError: 'oh'"),
        ("class Feeding(Law)", "class Feeding", "it has no laws; a file has one subclass of Law"),
        ('    branch = "behaviour"', "", "law 'feeding' has no branch"),
        (
            "    variants = (",
            "    variants = ()\n    others = (",
            "law 'feeding': it needs at least 4 altered .* has 0",
        ),
        ('"sky"', '"shun"', "law 'feeding': two variants have the name 'shun'"),
        ("both towards the {food}", "both towards the {foot}", "text .*: unknown thing 'foot' .*'food'"),
        ('turn to food"', 'turn to {a_foot}"', "unknown thing 'a_foot'"),
        ("both towards the {food}", "both towards the {food", "the text .* cannot be filled"),
        ('subject="fish"', 'subject="fihs"', "role 'subject': unknown noun 'fihs'.*did you mean 'fish'"),
        ('subject="fish"', 'subject=""', "role 'subject': it needs at least one noun and one colour"),
        (
            'subject="fish"',
            'subject=Role(("fish",), ("rde",))',
            "role 'subject': unknown colour 'rde'.*did you mean 'red'",
        ),
        ("food=", '**{f"more{n}": "ball" for n in range(8)}, food=', "no colour is left for role 'more"),
        ('subject = ((Facing, "subject"),)', 'subject = ((Facing, "subjekt"),)', "unknown role 'subjekt'.*'subject'"),
        ("    finish", '    subject_roles = ("fsh",)\n    finish', "unknown role 'fsh'"),
    ],
)
def test_a_faulty_law_is_refused_with_its_file(old: str, new: str, message: str, tmp_path: Path) -> None:
    assert old in FEEDING
    with pytest.raises(InputError, match=r"toys/biology/feeding\.py: .*" + message):
        found_in(tmp_path, feeding=FEEDING.replace(old, new) if old else new)


def test_two_laws_of_one_name_are_refused_with_both_files(tmp_path: Path) -> None:
    found_in(tmp_path, feeding=FEEDING)
    shutil.copytree(tmp_path / "biology", tmp_path / "physics")
    with pytest.raises(InputError, match=r"physics/feeding\.py: toys/biology/feeding\.py has a law 'feeding' already"):
        found_in(tmp_path, feeding=FEEDING)


@swept(
    ("old", "new", "message"),
    [
        ('setting.figure("food"', 'setting.figure("fod"', "law 'feeding': unknown role 'fod'.*did you mean 'food'"),
        ('numbers["size"]', 'numbers["sise"]', "law 'feeding': unknown number 'sise'.*did you mean 'size'"),
        ('does=turned_to("food")', 'does=turned_to("fod")', "law 'feeding': unknown thing 'fod'.*'food'"),
        ('does={"subject"', 'does={"subjekt"', "law 'feeding', an effect: unknown role 'subjekt'.*'subject'"),
        ('does=turned("up")', 'does="up"', "law 'feeding': 'up' is no effect; take one of laws/effects.py"),
        ('"companion": turned_from("food")}', '"companion": stays}', ""),
        ('            depth="two steps",\n', "", 'no variant has the depth "two steps"'),
        ("to the sky", "upwards", "sky: its rule names the outcome .'upwards'"),
        ('            brief="hungry animals turn to food",\n', "", "turn-to: brief must be .* 1 to 12 words; '' has 0"),
        ("hungry animals turn to food", "Hungry animals turn to food.", "turn-to: brief must be its rule as a clause"),
        (
            '    short = "{A_',
            '    short = "Here, where it is as quiet as can be, {A_',
            "short must be the start .* has 19",
        ),
        (
            "under {a_fixed} that points left",
            "and the {subject} faces to the left",
            "turn-to: its short form gives the outcome away",
        ),
    ],
)
def test_a_law_that_runs_wrongly_is_reported_as_a_problem(old: str, new: str, message: str, tmp_path: Path) -> None:
    assert old in FEEDING
    found = list(problems(found_in(tmp_path, feeding=FEEDING.replace(old, new))["feeding"], 0, 0))
    assert re.search(message, found[0]) if message else found == []
