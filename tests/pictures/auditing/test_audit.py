"""A whole audit: a judge that sees is never revoked, one that says yes is; stopped, it goes on where it was."""

from pathlib import Path

import msgspec
import pytest
from asked import judge_pictures
from pictures.auditing.balls import Sighted, run_of
from pictures.own_pictures import Eyes, table

from counterbench.asking.asker import Limits
from counterbench.errors import InputError
from counterbench.pictures.auditing.audit import Audit
from counterbench.pictures.auditing.result import AuditResult, contradicted_checks, kept_audit
from counterbench.pictures.importing.pictures import import_pictures
from counterbench.pictures.importing.places import read_material
from counterbench.pictures.judging.judged_run import load_judged
from counterbench.pictures.judging.picture_queries import PictureQuestions
from counterbench.pictures.run_scores import score
from counterbench.prompts.claims import CountClaim
from counterbench.prompts.skills import whole_prompt
from counterbench.runs.queries import load_template


@pytest.fixture(scope="module")
def seeing_audit(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Sighted, AuditResult]:
    judge = Sighted()
    run = run_of(tmp_path_factory.mktemp("seen"), judge)
    return run, judge, Audit(run, judge, pictures=25).run()


@pytest.fixture(scope="module")
def yes_audit(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, AuditResult]:
    judge = Sighted(yes=True)
    run = run_of(tmp_path_factory.mktemp("yes"), judge)
    return run, Audit(run, judge, pictures=30).run()


@pytest.mark.slow
def test_a_judge_that_sees_contradicts_itself_nowhere(seeing_audit: tuple[Path, Sighted, AuditResult]) -> None:
    found = seeing_audit[2]
    assert found.complete
    assert (found.wrong_at_least.count, found.wrong_at_least.share.low) == (0, 0.0)
    assert (found.revoked, found.contradictions) == ([], [])
    assert [relation for relation in found.relations.values() if not (relation.counts and relation.broken == 0)] == []
    assert {"two-in-one", "mirror", "gone", "denied", "exclusive", "parts"} == found.relations.keys()
    assert sum(edit.asked for edit in found.noise.values()) == 25


@pytest.mark.slow
def test_a_judge_that_says_yes_is_revoked_with_its_contradictions(yes_audit: tuple[Path, AuditResult]) -> None:
    run, found = yes_audit
    assert found.revoked == ["all"]
    low, value = found.wrong_at_least.share.low, found.wrong_at_least.share.value
    assert 0.15 < low < value  # type: ignore[operator]
    first, *rest = found.contradictions
    assert first.wrong == max(contradiction.wrong for contradiction in rest)
    assert {answer.reply for answer in first.answers} == {"yes"}
    assert "gone" in first.relations
    assert kept_audit(run) == found
    assert len(contradicted_checks(run)) == 30
    assert sum(contradicted_checks(run).values()) > 20


@pytest.mark.slow
def test_the_runs_own_answers_are_not_asked_again(seeing_audit: tuple[Path, Sighted, AuditResult]) -> None:
    run, judge, found = seeing_audit
    assert len(judge.question_ids) == len({*judge.question_ids}) == found.calls
    again = Sighted()
    assert Audit(run, again, pictures=25).run() == found
    assert again.question_ids == []


@pytest.mark.slow
def test_an_audit_stopped_anywhere_resumes_and_asks_nothing_twice(tmp_path: Path) -> None:
    judge = Sighted()
    run = run_of(tmp_path, judge, 12)
    for calls in (7, 100, 300):
        Audit(run, judge, pictures=4, limits=Limits(max_calls=calls, concurrency=1)).run()
    assert kept_audit(run) is None
    found = Audit(run, judge, pictures=4).run()
    assert found.complete
    assert len(judge.question_ids) == len({*judge.question_ids}) == found.calls
    assert Audit(run, judge, pictures=4).plan().expected.calls == 0


def test_a_relation_that_a_judge_fails_on_drawings_is_not_asked(tmp_path: Path) -> None:
    judge = Sighted(blind_to_two=True)
    found = Audit(run_of(tmp_path, judge, 20), judge, pictures=8).run()
    assert not found.relations["two-in-one"].counts
    assert found.relations["two-in-one"].asked == 0
    assert (found.wrong_at_least.count, found.revoked) == (0, [])


def test_groups_share_no_picture_and_depend_on_the_run_only(seeing_audit: tuple[Path, Sighted, AuditResult]) -> None:
    run, judge, _ = seeing_audit
    groups = Audit(run, judge, pictures=25).groups
    shown = [picture.id for group in groups for picture in (group.picture, group.partner) if picture is not None]
    assert len(shown) == len({*shown}) == 50
    assert [group.picture.id for group in Audit(run, judge, pictures=10).groups] == shown[:20:2]


@pytest.mark.slow
def test_two_models_are_audited_together_and_questions_for_numbers_too(tmp_path: Path) -> None:
    judge = Sighted()
    run = run_of(tmp_path, judge, 24, models=2)
    groups = Audit(run, judge, pictures=48).groups
    assert {group.picture.model for group in groups} == {"model-0", "model-1"}
    assert [group for group in groups if group.partner and group.partner.prompt.id == group.picture.prompt.id] == []
    numbers = [group for group in groups if group.check.id == "number"]
    assert numbers
    assert {(group.answer, type(group.claim)) for group in numbers} == {("yes", CountClaim)}
    assert {group.skill for group in numbers} == {"count"}
    found = Audit(run, judge, pictures=48).run()
    assert (found.complete, found.wrong_at_least.count) == (True, 0)
    assert {model for model, _, _ in contradicted_checks(run)} == {"model-0", "model-1"}


def test_an_audit_of_no_picture_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--pictures must be at least 1"):
        Audit(tmp_path, pictures=0)


def test_a_run_without_auditable_questions_is_refused(tmp_path: Path) -> None:
    eyes, own = Eyes(), read_material(table(tmp_path, 4))
    by = own.prompts.holding([msgspec.structs.replace(p, checks=(whole_prompt(p),)) for p in own.prompts.prompts])
    options = {"template": load_template("structured"), "certificate": None, "uncertified": True}
    judge_pictures(
        PictureQuestions(import_pictures(own.placed, by, tmp_path / "images"), by), eyes, tmp_path / "run", **options
    )
    pending = Audit(tmp_path / "run", eyes)
    assert pending.why_not_due == "needs 60 auditable pictures, found 0"
    with pytest.raises(InputError, match="there is nothing to audit"):
        pending.plan()


def test_a_smaller_audit_is_refused_with_the_remedy(seeing_audit: tuple[Path, Sighted, AuditResult]) -> None:
    refused = r"holds an audit of more pictures or relations.*as then, or more, or delete"
    for options in ({"pictures": 3}, {"pictures": 25, "relations": ["gone"]}):
        with pytest.raises(InputError, match=refused):
            Audit(seeing_audit[0], seeing_audit[1], **options).run()


@pytest.mark.slow
@pytest.mark.parametrize("pictures", [8, 40, 60])  # of 60: from 31 on, pictures that were partners are audited
def test_a_larger_audit_asks_only_the_further_questions(tmp_path: Path, pictures: int) -> None:
    judge = Sighted()
    run = run_of(tmp_path, judge)
    first = Audit(run, judge, pictures=4, relations=["gone", "two-in-one"]).run()
    assert {"denied", "mirror"} < {*first.left_out}
    calls_before = len(judge.question_ids)
    assert Audit(run, judge).is_kept is False
    more = Audit(run, judge, pictures=pictures).run()
    assert len(judge.question_ids) == len({*judge.question_ids}) > calls_before
    assert (more.complete, more.pictures, more.left_out, more.wrong_at_least.count) == (True, pictures, [], 0)
    assert kept_audit(run) == more
    assert Audit(run, judge, pictures=pictures).is_kept
    assert Audit(run, judge, pictures=pictures).plan().expected.calls == 0
    fresh = Sighted()
    (tmp_path / "anew").mkdir()
    anew = Audit(run_of(tmp_path / "anew", fresh), fresh, pictures=pictures).run()
    assert (anew.relations, anew.noise, anew.checks) == (more.relations, more.noise, more.checks)


def test_an_audit_of_changed_replies_does_not_count_for_the_run(tmp_path: Path) -> None:
    judge = Sighted(yes=True)
    run = run_of(tmp_path, judge, 12)
    Audit(run, judge, pictures=10).run()
    assert score(load_judged(run)).audit is not None
    journal = run / "journal.jsonl"
    whole = journal.read_bytes()
    journal.write_bytes(whole.replace(b'"reply":"yes"', b'"reply":"no"', 1))
    assert kept_audit(run) is None
    assert score(load_judged(run)).audit is None
    with pytest.raises(InputError, match="holds an audit of other replies than the run has now; delete"):
        Audit(run, judge, pictures=10).run()
    journal.write_bytes(whole)
    assert kept_audit(run) is not None
