"""A run about pictures, scored: its rows are the journal's, its numbers signed, its stamp derived anew every time."""

import json
import shutil
from pathlib import Path

import msgspec
import pytest
from pictures.carded import cards, checklist, judged, prompt
from pictures.lawful import altered, certificate, numbers, of_laws, scored, true_rows
from pictures.pictured import FALLING, judge
from planted_runs import read_journal, rewrite

import counterbench as cb
from counterbench.errors import InputError
from counterbench.evidence.document import Certificate
from counterbench.files import formats
from counterbench.laws.base import NO_CHANGE
from counterbench.pictures.comparing.models import paired_runs
from counterbench.pictures.generators.planted import PlantedGenerator
from counterbench.pictures.judging.judged_run import load_judged
from counterbench.pictures.judging.run import read_t2i_run
from counterbench.pictures.protocols.cf_eval import CFEval
from counterbench.pictures.run_scores import judge_status, score
from counterbench.prompts.prompt_set import Check, PromptSet
from counterbench.prompts.skills import skill_of
from counterbench.runs.queries import SHOWN


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certified run over `literal`'s pictures."""
    return judge(tmp_path_factory.mktemp("made"), samples=2, shown=certificate())


@pytest.fixture
def run(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "run"))


# ---- rows and numbers


@pytest.mark.slow
def test_the_rows_equal_the_judges_replies(made: Path) -> None:
    order = [row.id for row in read_t2i_run(made)[0].samples]
    true = sorted(true_rows(FALLING, "literal", 2), key=lambda row: order.index(row.sample_id))
    assert list(load_judged(made).rows) == true


@pytest.mark.slow
def test_the_document_states_its_provenance(made: Path) -> None:
    found = cb.t2i_score(made)
    assert numbers(found) == numbers(scored(true_rows(FALLING, "literal", 2)))
    signed = found.provenance
    assert (signed.prompts, signed.prompts_digest) == ("falling", FALLING.digest)
    assert (signed.generator, signed.samples, signed.generator_seed) == ("planted:literal", 2, 0)
    assert (signed.judge, signed.template, signed.prompt_shown) == ("planted:oracle", "default", False)
    assert signed.certificate == certificate().digest
    assert (found.certified, found.complete, found.not_tested) == (True, True, {})
    assert (found.run, found.generator) == (str(made), "planted:literal")


def test_planted_models_true_numbers_are_in_the_document(made: Path) -> None:
    found = cb.t2i_score(made).references
    assert set(found) == {"prior", "literal", "starter"}
    for name, reference in found.items():
        true = numbers(scored(true_rows(FALLING, name)))
        assert {n: reference[n] for n in true} == true
        assert reference == CFEval().true_numbers(PlantedGenerator(name, FALLING), FALLING, 2)
    assert CFEval().references(PromptSet("written", FALLING.levels, FALLING.prompts)) == {}


def test_scorings_and_thresholds_are_chosen_by_name(made: Path) -> None:
    assert cb.t2i_score(made, scoring="paper").provenance.scoring == "paper"
    with pytest.raises(InputError, match="unknown scoring 'papers'"):
        cb.t2i_score(made, scoring="papers")
    with pytest.raises(InputError, match="--threshold must be from 0 to 1, as S_L1 is, not 2"):
        score(load_judged(made), threshold=2)


@pytest.mark.parametrize(("spec", "outcome"), [("unparsed?p=1", "unparsed"), ("refusing?p=1", "refused")])
def test_unanswered_checks_are_counted_and_not_scored(spec: str, outcome: str, tmp_path: Path) -> None:
    found = cb.t2i_score(judge(tmp_path, spec=spec))
    outcomes = [counts.outcomes for counts in found.counts.values()]
    assert [counts for counts in outcomes if not counts[outcome] == sum(counts.values()) > 0] == []
    assert found.columns["s_l1"].value is None
    assert found.complete


def test_checks_not_yet_asked_are_unasked(run: Path) -> None:
    whole = read_journal(run)
    rewrite(run, [r for r in whole if r.id not in ("falling.up.00/l3/0/integrity", "falling.up.00/l2/0/assessment")])
    found = cb.t2i_score(run)
    assert sum(counts.outcomes["unasked"] for counts in found.counts.values()) == 2
    assert not found.complete
    (run / "journal.jsonl").unlink()
    assert cb.t2i_score(run).columns["s_l1"].value is None


@pytest.mark.parametrize(("kind", "status"), [("blank", "blank"), ("refuser", "refused")])
def test_a_model_that_draws_nothing_scores_0_without_a_question(kind: str, status: str, tmp_path: Path) -> None:
    found = cb.t2i_score(judge(tmp_path, kind, shown=certificate()))
    assert numbers(found) == numbers(scored(true_rows(FALLING, kind)))
    assert [counts for counts in found.counts.values() if counts.statuses[status] != 5] == []
    assert found.certified


# ---- judges with faults


@pytest.mark.slow
def test_a_prompt_led_judge_is_wrong_only_if_shown_prompts(tmp_path: Path) -> None:
    true = numbers(scored(true_rows(FALLING, "prior")))
    with pytest.raises(InputError, match="and a template that shows the prompt"):
        judge(tmp_path / "hidden", "prior", "prompt-led?p=1")
    shown = cb.t2i_score(judge(tmp_path / "shown", "prior", "prompt-led?p=1", template=SHOWN))
    assert (shown.columns["s_l2"].value, shown.columns["s_l3"].value) == (1, 1)
    assert shown.provenance.prompt_shown
    assert shown.columns["prior_l3"].value == 0
    oracle = cb.t2i_score(judge(tmp_path / "oracle", "prior", "oracle", template=SHOWN))
    assert numbers(oracle) == true


@pytest.mark.parametrize("kind", ["starter", "forgetful?p=0.5", "swapper?p=0.5"])
def test_a_right_judge_finds_what_planted_models_leave_out_swap_or_do_not_change(kind: str, tmp_path: Path) -> None:
    true = true_rows(FALLING, kind)
    found = cb.t2i_score(judge(tmp_path, kind))
    assert numbers(found) == numbers(scored(true))
    for level in FALLING.levels:
        asked_rows = [row for row in true if row.depth != NO_CHANGE and row.level == level and row.check == "presence"]
        lacking = [row.answer == "no" for row in asked_rows]
        assert found.columns[f"missing_{level}"].value == sum(lacking) / len(lacking)
    chosen = PlantedGenerator(kind, FALLING)
    wrong = {chosen.choice(prompt, 0) for prompt in FALLING.prompts} - {"right"}
    assert wrong == {"missing" if "forgetful" in kind else "swapped" if "swapper" in kind else "start"}
    assert (found.columns["missing_l2"].value > 0) == (kind != "starter")  # type: ignore[operator]


# ---- the stamp


def reasons(run: Path) -> list[str]:
    """Why a run is not certified."""
    return judge_status(load_judged(run)).reasons


def test_a_certified_run_has_no_reason_against_it(made: Path) -> None:
    found = judge_status(load_judged(made))
    assert (found.admitted, found.certified, found.reasons) == (True, True, [])
    assert (found.left_out, found.covered, found.not_tested) == ({}, 1, {})
    assert found.domain == certificate().domain
    assert json.loads((made / "t2i.json").read_text())["uncertified"] is False


def test_another_model_observed_later_decertifies_the_run(run: Path) -> None:
    records = read_journal(run)
    rewrite(run, [*records[:-1], msgspec.structs.replace(records[-1], model="another")])
    assert not cb.t2i_score(run).certified
    why = reasons(run)
    assert "model id: the certificate has 'planted:oracle', the server returned 'another'" in why


def test_a_run_under_another_judges_name_is_refused(run: Path) -> None:
    fields = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps(fields | {"judge": "planted:noisy"}))
    with pytest.raises(InputError, match="does not belong to the judge 'planted:noisy'"):
        cb.t2i_score(run)


@pytest.mark.parametrize("change", [{"judge": "planted:noisy"}, {"repeats": 3}, {"template_digest": "0" * 32}])
def test_a_certificate_that_stops_matching_decertifies_the_run(change: dict[str, object], run: Path) -> None:
    formats.write_json(run / "certificate.json", altered(certificate(), **change))
    found = cb.t2i_score(run)
    assert not found.admitted
    assert not found.certified
    assert len(reasons(run)) == 1


def test_a_run_has_the_certificate_of_its_last_call(tmp_path: Path) -> None:
    path = judge(tmp_path)
    assert json.loads((path / "t2i.json").read_text())["uncertified"] is True
    assert not cb.t2i_score(path).certified
    assert reasons(path)[0].startswith("there is no certificate")
    journal = (path / "journal.jsonl").read_bytes()
    judge(tmp_path, shown=certificate())
    assert cb.t2i_score(path).certified
    judge(tmp_path)  # and back: the certificate of the call before is no longer the run's
    assert not (path / "certificate.json").exists()
    assert not cb.t2i_score(path).certified
    assert (path / "journal.jsonl").read_bytes() == journal


# ---- law by law

THREE = of_laws("falling", "wind", "frost")
GONE = "wind"


def two_of_three() -> Certificate:
    return certificate(laws=("falling", "wind", "frost"), inverted=("wind/assessment",))


@pytest.fixture(scope="module")
def partial(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run over three laws by a judge that is admitted to two of them."""
    return judge(tmp_path_factory.mktemp("partial"), prompts=THREE, shown=two_of_three())


def test_scores_are_over_the_laws_that_the_judge_is_admitted_to(partial: Path, tmp_path: Path) -> None:
    found = cb.t2i_score(partial)
    assert (found.admitted, found.certified, found.reasons) == (True, True, [])
    assert found.left_out == {GONE: "wind/assessment: fail"}
    groups = [levels["l1"].law for levels in THREE.groups.values()]
    assert found.covered == pytest.approx(1 - groups.count(GONE) / len(groups))
    assert (set(found.slices["law"]), found.groups) == ({"falling", "frost"}, len(groups) - groups.count(GONE))
    alone = cb.t2i_score(judge(tmp_path, prompts=of_laws("falling", "frost")))
    assert numbers(found) == numbers(alone)
    assert found.references == alone.references
    assert len(load_judged(partial).rows) == len(cb.frame(partial)) == sum(len(p.checks) for p in THREE.prompts)


def test_losses_in_a_law_left_out_do_not_count(partial: Path, tmp_path: Path) -> None:
    run = Path(shutil.copytree(partial, tmp_path / "run"))
    records = read_journal(run)
    rewrite(run, [msgspec.structs.replace(r, reply="?", outcome="unparsed") if GONE in r.id else r for r in records])
    found = judge_status(load_judged(run))
    assert found.reasons == []


def test_scores_of_a_judge_that_is_not_admitted_are_over_all_laws(partial: Path, tmp_path: Path) -> None:
    run = Path(shutil.copytree(partial, tmp_path / "run"))
    formats.write_json(run / "certificate.json", altered(two_of_three(), repeats=3))
    found = cb.t2i_score(run)
    assert (found.admitted, found.left_out, found.covered) == (False, {}, None)
    assert set(found.slices["law"]) == {"falling", "wind", "frost"}


@pytest.mark.slow
def test_two_judges_are_compared_on_laws_that_both_see(partial: Path, tmp_path: Path) -> None:
    def by(name: str, shown: Certificate) -> Path:
        return judge(tmp_path / name, prompts=THREE, shown=shown)

    frost, wind = by("frost", certificate(laws=("frost",))), by("wind", certificate(laws=("wind",)))
    runs = [load_judged(path) for path in (partial, frost, wind)]
    couples, others = paired_runs(runs, "abc", "default", None)
    assert [(both.names, len(both.units)) for both in couples] == [(("a", "b"), score(runs[1]).groups)]
    assert others == [  # of `wind` alone, which no other judge sees
        f"{first} and c are not compared: their judges are admitted to no law in common" for first in "ab"
    ]


# ---- where it was shown


def test_pictures_unlike_those_tested_are_not_certified(run: Path) -> None:
    info = read_t2i_run(run)[0].info
    (model,) = info.models
    photos = msgspec.structs.replace(model, domain=msgspec.structs.replace(model.domain, style="photo"))  # type: ignore[type-var]
    formats.write_json(run / "t2i.json", msgspec.structs.replace(info, models=(photos,)))
    found = cb.t2i_score(run)
    assert (found.admitted, found.certified, found.domain) == (True, False, photos.domain)
    assert found.reasons == ["style: tested on flat, these pictures are photo"]


def says(run: Path, answer: str, samples: int) -> None:
    """The judge says so to every question about the first few pictures, and the run is whole again."""
    about = {row.id for row in [row for row in read_t2i_run(run)[0].samples if row.level != "l1"][:samples]}
    records = [
        msgspec.structs.replace(r, reply=answer) if r.id.rpartition("/")[0] in about else r for r in read_journal(run)
    ]
    rewrite(run, records)


def test_a_judge_that_affirms_both_outcomes_of_most_pictures_loses_its_admission(run: Path) -> None:
    before = cb.t2i_score(run)
    assert before.wrong_at_least is not None
    assert (before.wrong_at_least.count, before.admitted) == (0, True)
    says(run, "yes", 1)  # once may happen
    once = cb.t2i_score(run)
    assert (once.wrong_at_least.count, once.admitted) == (1, True)  # type: ignore[union-attr]
    says(run, "yes", before.wrong_at_least.of // 2)
    after = cb.t2i_score(run)
    assert after.wrong_at_least.count == after.wrong_at_least.of // 2  # type: ignore[union-attr]
    assert (after.admitted, after.certified) == (False, False)
    assert "affirms the prior's outcome and the asked one" in after.reasons[0]
    share = after.wrong_at_least.share  # type: ignore[union-attr]
    assert share.low < share.value < share.high  # type: ignore[operator]


# ---- what is wrong


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("t2i.json", "{", "t2i.json"),
        ("t2i.json", '{"format": "counterbench.t2i/3"}', "newer format"),
        ("prompts.jsonl", "{}\n", r"prompts\.jsonl, line 1"),
        ("prompts.jsonl", "", r"prompts\.jsonl: is empty"),
        ("samples.jsonl", "{}\n", r"samples\.jsonl, line 1"),
        ("certificate.json", "[]", r"certificate\.json"),
        ("keys.jsonl", "", r"keys\.jsonl: lines are missing, it has 0 of"),
        ("run.json", "{}", r"run\.json"),
        ("journal.jsonl", "{}\n", r"journal\.jsonl, line 1"),
    ],
)
def test_a_damaged_file_is_named(file: str, text: str, message: str, run: Path) -> None:
    (run / file).write_text(text)
    with pytest.raises(InputError, match=message):
        cb.t2i_score(run)


def test_a_run_as_a_frame_has_a_row_for_each_check(made: Path) -> None:
    found, rows = cb.frame(made), load_judged(made).rows
    assert found[["group", "level", "sample", "check"]].to_records(index=False).tolist() == [
        (row.group, row.level, row.sample, row.check) for row in rows
    ]
    assert found["credit"].tolist() == [row.credit for row in rows]
    run = load_judged(made)
    asked_of = {(prompt.id, check.id): check for prompt in run.prompts.prompts for check in prompt.checks}
    checks = [asked_of[row.prompt_id, row.check] for row in rows]
    assert found["question"].tolist() == [check.text for check in checks]
    assert found["skill"].tolist() == [row.skill or skill_of(check) for row, check in zip(rows, checks, strict=True)]
    assert (found["reply"].str.lower().str.startswith(("yes", "no"))).all()
    distinct = found[(found["level"] != "l1") | (found["group"] == rows[0].group)]  # all have one L1
    assert distinct["id"].is_unique
    assert set(distinct["id"]) == set(found["id"])


def test_runs_are_compared_only_on_the_same_questions(tmp_path: Path) -> None:
    def asks(*texts: str) -> PromptSet:
        return checklist([prompt(f"g{i}", Check(id="q1", text=text)) for i, text in enumerate(texts)])

    made = cards(asks("Is it a cat?", "Is it a dog?", "Is it a cow?"), tmp_path)
    for name, texts in (
        ("a", ("Is it a cat?", "Is it a dog?", "Is it a cow?")),
        ("b", ("Is it a cat?", "Ugly?", "Not?")),
    ):
        judged(made, tmp_path / name, "constant", prompts=asks(*texts))
    runs = [load_judged(tmp_path / name) for name in "ab"]
    couples, others = paired_runs(runs, "ab", "default", None)
    assert [(len(both.units), both.left_out) for both in couples] == [(1, 2)]
    assert others == []
