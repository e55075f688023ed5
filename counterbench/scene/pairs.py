"""Pairs: a scene, an edit of it (the intervention), and a question.

A question is words for a judge, with a program that computes their answer for any scene. Only this file computes the
answers, the relevance and the change of a pair; a change is relevant if the two answers differ.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Literal

import msgspec

from counterbench.errors import AmbiguousError, InputError
from counterbench.scene.interventions import Change, Intervention, diff, kind_of
from counterbench.scene.programs import Program
from counterbench.scene.programs.base import YES_NO
from counterbench.scene.scene import Scene
from counterbench.text import brief

PAIR_FORMAT: Literal["counterbench.pair/1"] = "counterbench.pair/1"
ROLES: tuple[str, str] = ("original", "intervened")
QuestionForm = Literal["open", "yes-no"]
FORMS: tuple[QuestionForm, ...] = ("open", "yes-no")


# The kinds of the original and of the intervened picture: a law's "right", "prior", "swapped", …; none without a law.
PictureKinds = tuple[tuple[str, ...], tuple[str, ...]]


class Digests(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Digests of the two scenes and, once the pictures are drawn, of their decoded RGB pixels ("" before).

    The digests of the picture files are there for files that we wrote; a file with that digest need not be decoded.
    """

    original_scene: str = ""
    intervened_scene: str = ""
    original_pixels: str = ""
    intervened_pixels: str = ""
    original_file: str = ""
    intervened_file: str = ""


class Pair(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One counterfactual pair; a line of `pairs.jsonl`."""

    format: Literal["counterbench.pair/1"] = PAIR_FORMAT
    id: str
    index: int  # within the family
    family: str
    category: str
    skill: str
    stratum: str  # pairs of a family with the same stratum have each original answer equally often
    law: str = ""  # the law that ruled, if one did
    # The cell of a certificate: "<law>/<check>", or "<family>/<form>" without a law; empty of imported pairs.
    cell: str = ""
    form: QuestionForm
    question: str
    question_2: str | msgspec.UnsetType = msgspec.UNSET  # of a comparison: the second question about the same pictures
    answer_type: str
    original_answer: str
    intervened_answer: str
    relevant: bool
    prior_answer: str = ""  # the answer under the real law, of a pair whose law was altered
    kinds: PictureKinds = ((), ())
    # "published": of an imported data set. Its scenes are unknown, so the fields from `change` on are null; `digests`
    # are there if it has pictures.
    truth: Literal["computed", "published"] = "computed"
    intervention: str  # its name, as `interventions.kind_of` gives it
    difficulty: Mapping[str, int | float]  # numbers that say how hard the pair may be
    # Further columns of an imported data set. A name that begins with a role and "_" is about that picture alone.
    traits: dict[str, str] | msgspec.UnsetType = msgspec.UNSET
    change: Change | None = None
    edit: Intervention | None = None
    program: Program | None = None
    original: Scene | None = None
    intervened: Scene | None = None
    digests: Digests | None = None
    ground: str | msgspec.UnsetType = msgspec.UNSET  # the digest of the picture below, of a pair of stickers

    # The pair with its pictures as HTML for a notebook; the package `drawing` sets it.
    to_html: ClassVar[Callable[[Pair], str | None]] = lambda pair: None

    def _repr_html_(self) -> str | None:
        """The pair as HTML for a notebook; None if it cannot be drawn."""
        return type(self).to_html(self)

    def __repr__(self) -> str:
        before, after = self.answers
        return brief(self, f"{self.id}: {self.question!r} {before} → {after}, {self.intervention}")

    @property
    def scenes(self) -> tuple[Scene, Scene]:
        """Original and intervened scene; InputError for an imported pair, whose scenes are unknown."""
        if self.original is None or self.intervened is None:
            raise InputError(f"pair {self.id} was imported: its scenes are not known")
        return self.original, self.intervened

    @property
    def questions(self) -> tuple[str, str]:
        """The words of its two questions, which are the same unless it is a comparison."""
        return self.question, self.question if self.question_2 is msgspec.UNSET else self.question_2

    @property
    def words(self) -> str:
        """The words of its questions, of a comparison in two lines."""
        return "\n".join(dict.fromkeys(self.questions))

    @property
    def answers(self) -> tuple[str, str]:
        """The truth for the original and the intervened picture."""
        return self.original_answer, self.intervened_answer


def build(
    scene: Scene, intervention: Intervention, program: Program, prior: Scene | None = None, **fields: Any
) -> Pair:
    """The pair, with its answers computed by the question's program on both scenes; `fields`: its other fields.

    `prior`: the outcome of the real law, where a law was altered.
    Raises AmbiguousError if an answer is unclear, if the change is not the declared one, or if nothing changes.
    """
    declared = intervention.declare(scene)
    intervened = intervention.apply(scene)
    if diff(scene, intervened) != declared:
        raise AmbiguousError(f"{kind_of(intervention)} changed something else than it declares")
    if declared == Change():
        raise AmbiguousError(f"{kind_of(intervention)} changes nothing")
    before, after = program.answer(scene), program.answer(intervened)
    return Pair(
        form="yes-no" if program.answer_type == YES_NO else "open",
        answer_type=program.answer_type,
        original_answer=before,
        intervened_answer=after,
        relevant=before != after,
        prior_answer="" if prior is None else program.answer(prior),
        intervention=kind_of(intervention),
        change=declared,
        edit=intervention,
        program=program,
        original=scene,
        intervened=intervened,
        digests=Digests(scene.digest, intervened.digest),
        **fields,
    )
