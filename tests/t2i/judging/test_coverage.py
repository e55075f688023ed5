"""Which checks a certificate covers: by their own cells, by near ones that a table names, or not at all."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from t2i.drawn import prompt_set
from t2i.lawful import altered, basic, certificate, of_laws

from counterbench.certificate import Certificate
from counterbench.errors import InputError
from counterbench.suites.cells import cells_of
from counterbench.suites.suite import load_suite
from counterbench.t2i.judging.coverage import SKILLS, Coverage, CoverageTable, coverage, load_table
from counterbench.t2i.prompts.files import load_prompts
from counterbench.t2i.prompts.prompt_set import Check, Prompt, PromptSet

LAWS = ("falling", "wind", "frost")


def written() -> PromptSet:
    """Checks that nothing can be drawn for: of counts (3/5 of the weight), of colour, and of what no cell is near."""
    checks = tuple(
        Check(id=skill, dimension="assessment-point", text=f"{skill}?", weight=weight, skill=skill)
        for skill, weight in (("count", 3), ("colour", 1), ("integrity", 1))
    )
    return PromptSet("mine", ("only",), [Prompt(id="a/only", group="a", level="only", text="A.", checks=checks)])


def covered(prompts: PromptSet, shown: Certificate | None = None, table: str = "default") -> Coverage:
    return coverage(prompts, load_table(table, prompts), shown)


def states(found: Coverage) -> dict[str, str | None]:
    return {part.name: part.state for part in found.parts}


# ---- which cell


def test_a_check_that_can_be_drawn_has_a_cell_of_its_own() -> None:
    found = covered(of_laws(*LAWS))
    assert [(part.name, part.of, part.source, len(part.cells)) for part in found.parts] == [
        (law, "law", "program", 5) for law in sorted(LAWS)
    ]
    assert found.mapped == {"program": pytest.approx(1), "table": 0, "none": 0}
    assert (found.tested, found.covered, found.certificate) == (None, False, "")
    known = cells_of(load_suite("laws"))
    assert all(cell in known for part in found.parts for cell in part.cells)


def test_of_others_the_table_says_which_cell_comes_near_and_of_some_there_is_none() -> None:
    found = covered(written())
    assert {part.name: (part.source, part.cells) for part in found.parts} == {
        "count": ("table", ["counting/yes-no"]),
        "colour": ("table", ["attribute/yes-no"]),
        "integrity": ("none", []),
    }
    assert found.mapped == {"program": 0, "table": pytest.approx(0.8), "none": pytest.approx(0.2)}
    assert sum(part.weight for part in found.parts) == pytest.approx(1)


def test_a_set_of_both_is_told_apart_check_by_check() -> None:
    prompts = of_laws()
    bare = [
        msgspec.structs.replace(p, checks=tuple(msgspec.structs.replace(c, program=None) if c.id == "assessment" else c
                                                for c in p.checks))
        for p in prompts.prompts
    ]  # fmt: skip
    found = covered(PromptSet("half", prompts.levels, bare, prompts.seed), certificate())
    assert [(part.name, part.of, part.state) for part in found.parts] == [
        ("falling", "law", "admitted"),
        ("place", "skill", "untested"),
    ]
    assert found.tested is not None
    assert found.tested["admitted"] == pytest.approx(11 / 26)
    assert not found.covered


def test_attributes_are_a_shipped_set_that_no_pairs_test() -> None:
    found = covered(load_prompts("attributes"), basic())
    assert found.tested == {"admitted": 0, "near": 0, "not-admitted": 0, "untested": pytest.approx(1)}
    assert (found.objections, found.covered) == ([], False)


def test_every_check_of_the_shipped_rules_has_a_cell_of_its_own() -> None:
    assert covered(load_prompts("rules")).mapped == {"program": pytest.approx(1), "table": 0, "none": 0}


# ---- what a certificate shows


@pytest.mark.slow
def test_laws_that_are_admitted_failed_or_were_not_asked() -> None:
    shown = certificate(laws=LAWS, inverted=("wind/assessment",))
    found = covered(of_laws(*LAWS, "mirrors"), shown)
    assert states(found) == {"falling": "admitted", "frost": "admitted", "wind": "not-admitted", "mirrors": "untested"}
    assert {part.name: (part.why, part.open) for part in found.parts if part.state != "admitted"} == {
        "wind": ("wind/assessment: fail", False),
        "mirrors": ("not asked", True),
    }
    assert found.tested is not None
    assert sum(found.tested.values()) == pytest.approx(1)
    assert (found.objections, found.covered, found.certificate) == ([], False, shown.digest)


def test_everything_is_covered_where_every_law_is_admitted() -> None:
    found = covered(of_laws(), certificate())
    assert (found.covered, found.tested) == (
        True,
        {"admitted": pytest.approx(1), "near": 0, "not-admitted": 0, "untested": 0},
    )


def test_a_near_cell_is_a_claim_and_covers_nothing() -> None:
    found = covered(written(), basic())
    assert states(found) == {"count": "near", "colour": "near", "integrity": "untested"}
    assert found.tested is not None
    assert found.tested["near"] == pytest.approx(0.8)
    assert not found.covered
    table = CoverageTable(format="counterbench.coverage/1", name="all", cells=dict.fromkeys(SKILLS, "counting/yes-no"))
    assert not coverage(written(), table, basic()).covered


def test_a_near_cell_that_failed_or_is_of_another_suite_is_no_test() -> None:
    found = covered(written(), basic(inverted=("counting/yes-no",)))
    assert states(found)["count"] == "not-admitted"
    assert found.objections == ["the certificate does not pass (fail)"]
    assert states(covered(written(), certificate())) == dict.fromkeys(("count", "colour", "integrity"), "untested")
    assert states(covered(of_laws(), basic())) == {"falling": "untested"}


def test_a_certificate_that_opens_nothing_covers_nothing() -> None:
    for shown in (certificate("exploratory"), altered(certificate(), attempt=None)):
        found = covered(of_laws(), shown)
        assert found.objections
        assert states(found)["falling"] in ("untested", "not-admitted")
        assert found.tested is not None
        assert (found.tested["admitted"], found.covered) == (0, False)


# ---- tables


def table(folder: Path, text: str, head: str = 'format = "counterbench.coverage/1"\nname = "mine"\n') -> str:
    path = folder / "mine.toml"
    path.write_text(f"{head}{text}")
    return str(path)


def test_a_table_of_ones_own(tmp_path: Path) -> None:
    mine = table(tmp_path, '[cells]\nposition = "spatial/yes-no"\n')  # a skill of these prompts alone
    found = covered(prompt_set(), basic(), mine)
    assert (found.table, states(found)) == ("mine", {"position": "near"})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[cells]\ncout = "counting/yes-no"\n', r"mine\.toml, cells: unknown skill 'cout' \(did you mean 'count'\?\)"),
        ('[cells]\ncount = "counting/yesno"\n', r"cells, count: unknown cell of the suite certify 'counting/yesno'"),
        ('[cells]\ncount = "control"\n', r"unknown cell of the suite certify 'control'; choose from: arrow/open"),
        ('[cells]\ncount = "falling/assessment"\n', "unknown cell of the suite certify 'falling/assessment'"),
        ("[cells]\ncount = 3\n", r"mine\.toml"),
        ("", "missing required field `cells`"),
        ('[cells]\n[skills]\ncount = "x"\n', r"mine\.toml.*skills"),
    ],
)
def test_what_is_wrong_with_a_table_is_named_with_its_place(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        covered(written(), table=table(tmp_path, text))


def test_a_table_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"unknown coverage table 'defualt'.*choose from: default"):
        covered(written(), table="defualt")
    with pytest.raises(InputError, match=r"its format is 'counterbench.suite/1', not 'counterbench.coverage/1'"):
        covered(written(), table=table(tmp_path, "", 'format = "counterbench.suite/1"\n'))


def test_the_shipped_table_names_skills_and_cells_that_there_are() -> None:
    shipped = load_table("default", of_laws())
    assert set(shipped.cells) <= set(SKILLS)
    assert all(cell.endswith("/yes-no") for cell in shipped.cells.values())
