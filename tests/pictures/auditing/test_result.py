"""The findings from replies alone: skills that are revoked by themselves, lost replies, the order of contradictions."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from counterbench.answers.outcomes import Answer, Unparsed
from counterbench.pictures.auditing.drawn import RelationTrial
from counterbench.pictures.auditing.groups import AuditGroup, SeenPicture
from counterbench.pictures.auditing.relations import RELATIONS
from counterbench.pictures.auditing.result import AuditResult, audit_result
from counterbench.pictures.protocols.asks import CheckReply
from counterbench.prompts.claims import claim_of
from counterbench.prompts.manifest import missing_row
from counterbench.prompts.prompt_set import Check, Prompt

READ, UNREAD = RelationTrial(1.0, 1.0, 0.95, 0.5), RelationTrial(1.0, 0.9, 0.95, 0.5)
PRESENT, BESIDE = "Is there a red ball?", "Is the red ball to the left of the blue ball?"


def audit_group(number: int, question: str) -> AuditGroup:
    claim = claim_of(question)
    assert claim is not None
    prompt = Prompt.at(f"p{number}", "image", f"prompt {number}", checks=(Check(id="q", text=question),))
    picture = SeenPicture(f"p{number}/image/0", "m", prompt, missing_row(prompt, 0, 0, ""), Path())
    return AuditGroup(picture, prompt.checks[0], claim, "yes", None)


def findings_by(
    groups: list[AuditGroup],
    says: Callable[[str], str],
    tried: dict[str, RelationTrial] | None = None,
    left_out: Sequence[str] = (),
) -> AuditResult:
    """The findings where every question of a relation has the answer of `says` by its name; "" is a lost reply."""
    relations = tried or dict.fromkeys(RELATIONS, READ)

    def replied(id: str) -> CheckReply:
        answer = says(id)
        return CheckReply(Answer(answer) if answer else Unparsed("nothing"))

    about = {"run": "r", "judge": "j", "complete": True, "calls": 0}
    return audit_result(groups, relations, replied, most=0.15, left_out=left_out, **about)


def true_answer(id: str) -> str:
    """The answers of who sees one red ball."""
    return "no" if id.endswith((".grey", ".denied")) else "yes"


@pytest.mark.parametrize(("groups", "revoked"), [(60, ["left-right"]), (59, [])])
def test_a_skill_is_revoked_alone_from_sixty_groups(groups: int, revoked: list[str]) -> None:
    beside = [audit_group(number, BESIDE) for number in range(groups)]
    others = [audit_group(number, PRESENT) for number in range(1000, 1300)]
    result = findings_by(beside + others, lambda id: true_answer(id) if int(id[1:].partition("/")[0]) > 999 else "yes")
    assert result.skills["left-right"].wrong_at_least.share.low > 0.15  # type: ignore[operator]
    assert result.wrong_at_least.share.value < 0.15  # type: ignore[operator]
    assert result.revoked == revoked


def test_lost_replies_contradict_nothing() -> None:
    groups = [audit_group(number, PRESENT) for number in range(10)]
    result = findings_by(groups, lambda id: "")
    assert (result.answers, result.wrong_at_least.count, result.contradictions) == (10, 0, [])
    assert [relation for relation in result.relations.values() if relation.asked != 0] == []


def test_a_relation_that_does_not_count_changes_no_number() -> None:
    groups = [audit_group(number, PRESENT) for number in range(10)]
    result = findings_by(groups, lambda id: "yes", {"gone": UNREAD, "denied": READ})
    assert (result.answers, result.wrong_at_least.count) == (20, 10)
    assert {name for contradiction in result.contradictions for name in contradiction.relations} == {"denied"}
    assert (result.relations["gone"].counts, result.relations["denied"].counts) == (False, True)


def test_a_judge_that_fails_every_relation_on_drawings_has_no_finding() -> None:
    result = findings_by([audit_group(0, PRESENT)], lambda id: "yes", {"gone": UNREAD, "denied": UNREAD})
    assert (result.answers, result.wrong_at_least.share.value, result.revoked) == (0, None, [])
    assert result.finding == (
        "nothing is shown: the judge failed the trial of every relation on drawn pictures "
        "(gone 90 % right, denied 90 % right)"
    )


def test_an_audit_of_some_relations_only_revokes_nothing() -> None:
    groups = [audit_group(number, PRESENT) for number in range(60)]
    every, some = (findings_by(groups, lambda id: "yes", left_out=out) for out in ([], ["mirror", "parts"]))
    assert (every.revoked, some.revoked, some.left_out) == (["all"], [], ["mirror", "parts"])
    assert some.wrong_at_least == every.wrong_at_least
    assert some.consequence.startswith("nothing is revoked, since --relations left out mirror and parts")


def test_the_largest_contradiction_comes_first() -> None:
    """Of the first picture only the denial contradicts, of the second the grey one too."""
    groups = [audit_group(number, PRESENT) for number in (0, 1)]
    result = findings_by(groups, lambda id: "no" if id == "p0/image/0/gone.grey" else "yes")
    assert [(found.picture, found.wrong) for found in result.contradictions] == [("p1/image/0", 2), ("p0/image/0", 1)]


def test_changes_by_irrelevant_edits_are_counted_apart() -> None:
    groups = [audit_group(number, PRESENT) for number in range(40)]
    result = findings_by(groups, lambda id: "no" if "unchanged" in id else true_answer(id))
    assert result.wrong_at_least.count == 0
    counts = [(edit.changed, edit.asked) for edit in result.noise.values()]
    assert [*map(sum, zip(*counts, strict=True)), len(counts)] == [40, 40, 5]
