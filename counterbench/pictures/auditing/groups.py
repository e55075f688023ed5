"""The pictures and questions that are audited, drawn by a hash of the run before anything is known of the answers.

A group is one question about one picture, with a partner for relations of two pictures: a picture of another prompt
that is in no other group: the pictures that are audited come from the front of the draw, their partners from its end.
So groups share no picture, and the groups of a larger audit begin with those of a smaller one.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from counterbench.pictures.auditing.relations import RELATIONS, UNCHANGED, Extra, RelatedQuestions, YesOrNo, takes
from counterbench.pictures.judging.judged_run import JudgedRun
from counterbench.pictures.judging.picture_queries import asked_id
from counterbench.pictures.scores.results import CheckResult
from counterbench.prompts.claims import Claim, claim_of
from counterbench.prompts.manifest import ImageRow
from counterbench.prompts.prompt_set import Check, Prompt
from counterbench.prompts.skills import skill_of
from counterbench.scene.seeds import Stream


class SeenPicture(NamedTuple):
    """A picture that was judged."""

    id: str  # in the run
    model: str  # the name of its folder
    prompt: Prompt
    row: ImageRow
    file: Path


class AuditGroup(NamedTuple):
    """One audited question, and its further questions."""

    picture: SeenPicture
    check: Check
    claim: Claim
    answer: YesOrNo  # that the run has
    partner: SeenPicture | None
    lost: SeenPicture | None = None  # the partner in a smaller audit, which now is audited itself

    @property
    def skill(self) -> str:
        """The skill that the question needs."""
        return skill_of(self.check)

    def related(self, relations: Sequence[str]) -> dict[str, RelatedQuestions]:
        """The further questions, by relation, that can be asked with the pictures there are."""
        by_name = {name: RELATIONS[name].applied_to(self.claim, self.check.text) for name in relations}
        alone = self.partner is None
        return {name: related for name, related in by_name.items() if related.extras and not (alone and related.of_two)}

    def extras(self, relations: Sequence[str]) -> dict[str, Extra]:
        """The further questions of these relations, by name."""
        return {extra.name: extra for related in self.related(relations).values() for extra in related.extras}

    def unchanged(self) -> Extra:
        """The group's one question about a change of the picture that changes no truth."""
        extras = UNCHANGED.applied_to(self.claim, self.check.text).extras
        return Stream("audit-unchanged", self.picture.id).choice(extras)


def draw_groups(runs: Sequence[JudgedRun], pictures: int) -> list[AuditGroup]:
    """The groups of a run about these models, in the order in which they are drawn."""
    digest = runs[0].info.suite_digest
    candidates: dict[str, list[tuple[Check, Claim, YesOrNo]]] = {}
    by_id: dict[str, SeenPicture] = {}
    for run in runs:
        rows_by_id = {row.id: row for row in run.kept.samples}
        for row in run.asked_rows:
            if row.picture != "ok":
                continue
            sample, prompt = rows_by_id[row.sample_id], run.prompts.by_id[row.prompt_id]
            id, model = asked_id(run.kept.prefix, row.sample_id), run.kept.model
            by_id.setdefault(id, SeenPicture(id, model.name, prompt, sample, Path(model.images) / sample.path))
            candidates.setdefault(id, []).extend(_candidates(prompt, row))
    order = sorted(by_id, key=lambda id: Stream("audit-draw", digest, id).noise(8))
    chosen = dict.fromkeys([id for id in order if candidates[id]][:pictures])
    free, groups = [by_id[id] for id in reversed(order)], []
    for id in chosen:
        audited = by_id[id]
        partner = next((other for other in free if other.prompt.text != audited.prompt.text), None)
        if partner is not None:
            free.remove(partner)
        question = Stream("audit-question", digest, id).choice(candidates[id])
        is_audited = partner is not None and partner.id in chosen
        groups.append(AuditGroup(audited, *question, *((None, partner) if is_audited else (partner, None))))
    return groups


def _candidates(prompt: Prompt, row: CheckResult) -> Iterator[tuple[Check, Claim, YesOrNo]]:
    """A row's check with its claim and answer, if it was asked alone and answered, and a relation applies."""
    check = next(check for check in prompt.checks if check.id == row.check)
    if row.answer is None or check.call or check.after or check.criteria:
        return
    claim = claim_of(check.text, row.answer)
    number = check.answer_type == "integer"
    if claim is None or not (number or row.answer in ("yes", "no")):
        return
    if takes(claim, check.text):
        yield check, claim, "yes" if number or row.answer == "yes" else "no"
