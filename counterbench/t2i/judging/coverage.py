"""Which of a prompt set's checks a judge was tested on: by their own cells, by near ones, or not at all.

A check that can be drawn has a cell of its own, which its program names. Of the others a table may say, by skill, which
cell of shapes comes near: a claim that a person can read and edit, and no proof.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, get_args

import msgspec

from counterbench.certificate import Certificate
from counterbench.certificate.cells import law_of
from counterbench.certificate.document import FAIL
from counterbench.errors import unknown
from counterbench.files import catalog, formats
from counterbench.scene.programs.observations import Skill
from counterbench.suites.cells import cells_of
from counterbench.suites.suite import load_suite
from counterbench.t2i.judging.gate import BASIC, barred, entry
from counterbench.t2i.prompts.prompt_set import PromptSet, cell_of

COVERAGE_FORMAT: Literal["counterbench.coverage/1"] = "counterbench.coverage/1"
DEFAULT = "default"
# The suite whose cells a table may name.
NEAR_SUITE = BASIC[0]

# What checks that can be drawn need to see; a table may name these even where no check of the set has them.
SKILLS: tuple[str, ...] = get_args(Skill)

# Checks that name no skill.
UNNAMED = "no skill named"

Source = Literal["program", "table", "none"]
State = Literal["admitted", "near", "not-admitted", "untested"]


class CoverageTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table's file. `cells`: by skill of a check, the cell of NEAR_SUITE that comes near to what it asks."""

    format: Literal["counterbench.coverage/1"]
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
    description: str = ""
    cells: dict[str, str]


class CoveredPart(msgspec.Struct, frozen=True, kw_only=True):
    """The checks of one law, or of one skill where nothing can be drawn for them.

    `weight`: their share of the whole weight, 0 … 1. `source`: what names their `cells`. `state`: "admitted" by their
    own cells, "near" where a table's cell is admitted, "not-admitted" where the cells were asked without that, else
    "untested"; null without a certificate. `why`: what an admission lacks; `open`: whether asking may still bring it.
    """

    name: str
    of: Literal["law", "skill"]
    weight: float
    source: Source
    cells: list[str]
    state: State | None = None
    why: str = ""
    open: bool = False


class Coverage(msgspec.Struct, frozen=True, kw_only=True):
    """What of a prompt set a certificate covers.

    `mapped`: shares of the weight by what names their cells; `tested`: by state, null without a certificate.
    `objections`: why the gate would not let the certificate's judge in. `covered`: it would, and all of the weight is
    admitted by its own cells.
    """

    prompts: str
    prompts_digest: str
    table: str
    certificate: str
    objections: list[str]
    mapped: dict[Source, float]
    tested: dict[State, float] | None
    covered: bool
    parts: list[CoveredPart]


def load_table(name: str, prompts: PromptSet) -> CoverageTable:
    """A shipped table by its bare name, or a file; InputError that names the place and the valid skills or cells."""
    path = catalog.find("probes/coverage", "coverage table", name)
    table = formats.read_typed_toml(path, CoverageTable, COVERAGE_FORMAT)
    skills = {*SKILLS, *(check.skill for prompt in prompts.prompts for check in prompt.checks)}
    cells = [name for name, cell in cells_of(load_suite(NEAR_SUITE)).items() if not cell.control]
    for skill, near in table.cells.items():
        if skill not in skills:
            raise unknown("skill", skill, sorted(skills), f"{path}, cells")
        if near not in cells:
            raise unknown(f"cell of the suite {NEAR_SUITE}", near, cells, f"{path}, cells, {skill}")
    return table


def coverage(prompts: PromptSet, table: CoverageTable, certificate: Certificate | None = None) -> Coverage:
    """Every check's cell, if it has one, and what a certificate shows of it."""
    parts, objections = _mapped(prompts, table), []
    if certificate is not None:
        opened = entry(
            certificate,
            prompts,
            judge=certificate.judge,
            wording_digest=certificate.wording_digest,
            votes=certificate.votes,
            prompt_shown=False,
        )
        objections = opened.objections
        bar = next(iter(barred(certificate)), "")
        parts = [_held(part, certificate, opened.left_out, bar) for part in parts]
    sources: tuple[Source, ...] = ("program", "table", "none")
    states: tuple[State, ...] = ("admitted", "near", "not-admitted", "untested")
    tested = {state: sum(part.weight for part in parts if part.state == state) for state in states}
    return Coverage(
        prompts=prompts.name,
        prompts_digest=prompts.digest,
        table=table.name,
        certificate=certificate.digest if certificate is not None else "",
        objections=objections,
        mapped={source: sum(part.weight for part in parts if part.source == source) for source in sources},
        tested=None if certificate is None else tested,
        covered=certificate is not None
        and not objections
        and all(part.state == "admitted" for part in parts if part.weight),
        parts=parts,
    )


def _mapped(prompts: PromptSet, table: CoverageTable) -> list[CoveredPart]:
    """The parts by what names their cells: laws first, then skills."""
    weights: dict[tuple[Literal["law", "skill"], str], float] = {}
    cells: dict[tuple[Literal["law", "skill"], str], set[str]] = {}
    for prompt in prompts.prompts:
        for check in prompt.checks:
            own, near = cell_of(prompt, check), table.cells.get(check.skill, "")
            key: tuple[Literal["law", "skill"], str] = ("law", prompt.law) if own else ("skill", check.skill or UNNAMED)
            weights[key] = weights.get(key, 0) + check.weight
            cells.setdefault(key, set()).update({own or near} - {""})
    whole = sum(weights.values())
    return [
        CoveredPart(
            name=name,
            of=of,
            weight=weights[of, name] / whole,
            source="program" if of == "law" else "table" if cells[of, name] else "none",
            cells=sorted(cells[of, name]),
        )
        for of, name in sorted(weights)
    ]


def _held(part: CoveredPart, shown: Certificate, left_out: Mapping[str, str], bar: str) -> CoveredPart:
    """A part with what a certificate shows of it; `bar`: why that opens nothing at all, if so."""
    if not part.cells:
        return msgspec.structs.replace(part, state="untested", why="no cell asks for it")
    near = part.source == "table"
    if not set(part.cells) <= set(shown.cells) or (near and shown.suite != NEAR_SUITE):
        return msgspec.structs.replace(part, state="untested", why="not asked", open=True)
    law = law_of(part.cells[0])
    if bar:
        return msgspec.structs.replace(part, state="not-admitted", why=bar, open=True)
    if law in shown.admitted and law not in left_out:
        return msgspec.structs.replace(part, state="near" if near else "admitted")
    of = shown.laws[law]
    why = left_out.get(law) or f"{of.decided_by}: {of.verdict}"
    return msgspec.structs.replace(part, state="not-admitted", why=why, open=of.verdict != FAIL)
