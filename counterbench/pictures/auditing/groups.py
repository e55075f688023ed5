"""The pictures and questions that are audited, drawn by a hash of the run before anything is known of the answers.

A group is one question about one picture, with a partner for relations of two pictures. The partner is a picture of
another prompt that is in no other group. All pictures are put in a random order: the audited ones come from its front,
their partners from its end. So groups share no picture, and a larger audit has all groups of a smaller one. (If a
partner of the smaller audit is audited itself in the larger one, its old group loses it, see `former_partner`.)
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
    """A picture that was judged, which an audit can ask about."""

    id: str  # its id in the run
    model: str  # the name of its model's folder
    prompt: Prompt
    row: ImageRow
    file: Path


class AuditGroup(NamedTuple):
    """One question about one picture that is audited; its methods give the further questions."""

    picture: SeenPicture
    check: Check
    claim: Claim
    answer: YesOrNo  # the answer in the run; yes to the claim that there are so many, where a number was the answer
    partner: SeenPicture | None
    former_partner: SeenPicture | None = None  # the partner in a smaller audit, which is now audited itself

    @property
    def skill(self) -> str:
        """The skill that the question needs."""
        return skill_of(self.check)

    def related(self, relations: Sequence[str]) -> dict[str, RelatedQuestions]:
        """The further questions of these relations, by relation, as far as there are any.

        Without a partner, relations that need a second picture are left out.
        """
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
    """The groups of a run about these models, in the order of the draw; `pictures`: the most that are audited."""
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
            candidates.setdefault(id, []).extend(_audited_check(prompt, row))
    order = sorted(by_id, key=lambda id: Stream("audit-draw", digest, id).noise(8))
    chosen_ids = dict.fromkeys([id for id in order if candidates[id]][:pictures])
    free_pictures, groups = [by_id[id] for id in reversed(order)], []
    for id in chosen_ids:
        audited = by_id[id]
        partner = next((other for other in free_pictures if other.prompt.text != audited.prompt.text), None)
        if partner is not None:
            free_pictures.remove(partner)
        question = Stream("audit-question", digest, id).choice(candidates[id])
        is_audited = partner is not None and partner.id in chosen_ids
        groups.append(AuditGroup(audited, *question, *((None, partner) if is_audited else (partner, None))))
    return groups


def _audited_check(prompt: Prompt, row: CheckResult) -> Iterator[tuple[Check, Claim, YesOrNo]]:
    """The check of a row, its claim and the answer to this claim, if the check can be audited; else nothing.

    A number is part of its claim ("there are 3 dogs"), so the answer to that claim is yes. Not audited are checks asked
    together with others (`call`), asked after another one (`after`) or graded by `criteria`, checks whose words give no
    claim, other answers than yes, no or a number, and claims to which no relation applies.
    """
    check = next(check for check in prompt.checks if check.id == row.check)
    if row.answer is None or check.call or check.after or check.criteria:
        return
    claim = claim_of(check.text, row.answer)
    is_number = check.answer_type == "integer"
    if claim is None or not (is_number or row.answer in ("yes", "no")):
        return
    if takes(claim, check.text):
        yield check, claim, "yes" if is_number or row.answer == "yes" else "no"
