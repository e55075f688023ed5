"""People answer a run's drawn pairs on the page: blind, in their order, and as a run that every reader reads."""

import io
import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from commands import document, done, fails
from hypothesis import given
from hypothesis import strategies as st
from pages.labelling.served import Page, serving
from PIL import Image
from sharing import Shared

import counterbench as cb
from counterbench.pages.judges import find_source
from counterbench.pages.labelling.questions import form_of, labelling_of_pairs
from counterbench.pictures.labelling.people import PeopleQuestions, in_asking_order, people_questions
from counterbench.runs.folder import read_journal, read_keys, read_run_info
from counterbench.runs.pair_queries import keys
from counterbench.runs.queries import Key
from counterbench.suites.comparisons import comparison_question
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite

STICKY = "planted:sticky"


@pytest.fixture
def run(shared: Shared, tmp_path: Path) -> Path:
    """A run of a judge that is right on every original picture and on no changed one, on nine families."""
    made = shared("people-smoke", lambda path: done("probe", "smoke", "--judge", STICKY, "--out", path / "run"))
    return Path(shutil.copytree(made / "run", tmp_path / "run"))


class Person:
    """A rater at the page of a run about pairs."""

    def __init__(self, run: Path, rater: str = "ann", pictures: str | None = None) -> None:
        info, all_keys = read_run_info(run), list(read_keys(run))
        source = find_source(info, all_keys, pictures)
        assert source is not None
        self.people: PeopleQuestions = people_questions(run, info, all_keys, source)
        self.page = Page(labelling_of_pairs(self.people), rater)
        self.keys = {key.id: key for key in all_keys}
        self.folder = run / "people" / rater

    def key(self, id: str) -> Key:
        return self.keys[self.people.queries[id].id]

    def answer_rightly(self, count: int | None = None) -> None:
        """Answer the next questions, or all, as the truth is."""
        for _ in range(len(self.keys) if count is None else count):
            id = self.page.next()["question"]["id"]
            reply = self.page.answer(id, self.key(id).expected)
            assert reply.status_code == 200, reply.text


def test_who_answers_as_the_truth_has_ccs_1_beside_the_judge_on_the_same_pairs(run: Path) -> None:
    ann = Person(run)
    ann.answer_rightly()
    assert ann.page.next()["question"] is None
    scores = document("score", run)
    (beside,) = scores["people"][str(run)]
    assert (beside["person"], beside["answered"], beside["of"]) == ("person:ann", 18, 18)
    assert beside["scores"]["ccs"]["value"] == 1
    assert beside["judge_scores"] == scores["runs"][0]["overall"]
    assert beside["judge_scores"]["ccs"]["value"] < 1
    assert document("score", ann.folder)["runs"][0]["complete"]


def test_only_pairs_with_both_answers_count_and_the_judge_is_scored_on_these(run: Path) -> None:
    Person(run).answer_rightly(12)  # nine first pictures, and three second ones
    lines = done("score", run)
    assert "person:ann: 3 of 18 pairs answered" in lines
    (beside,) = document("score", run)["people"][str(run)]
    assert (beside["scores"]["pairs"], beside["judge_scores"]["pairs"]) == (3, 3)
    rows = done("score", run, "--format", "csv")
    assert rows.count(",person,person:ann,3,") == rows.count(",judge on a person's pairs,person:ann,3,") == 1


def test_cannot_tell_is_unparsed_and_no_failure(run: Path) -> None:
    ann = Person(run)
    for id in ann.page.ids:
        assert ann.page.answer(id, "?").status_code == 200
    overall = document("score", ann.folder)["runs"][0]["overall"]
    assert overall["outcomes"] == {"answer": 0, "unparsed": 36, "refused": 0, "failed": 0}
    assert overall["ccs"]["value"] == 0


def test_a_rater_goes_on_after_the_process_was_killed(run: Path) -> None:
    ann = Person(run)
    ann.answer_rightly(5)
    with (ann.folder / "journal.jsonl").open("ab") as journal:
        journal.write(b'{"id":"half a li')
    again = Person(run)
    assert again.page.next()["done"] == 5
    assert again.page.next()["question"]["id"] == ann.page.ids[5]
    again.answer_rightly(31)
    assert document("score", again.folder)["runs"][0]["overall"]["ccs"]["value"] == 1


def test_two_raters_have_the_same_questions_and_runs_of_their_own(run: Path) -> None:
    ann, bob = Person(run), Person(run, "bob")
    assert ann.page.ids == bob.page.ids
    ann.answer_rightly()
    for id in bob.page.ids[:18]:
        bob.page.answer(id, "?")
    people = document("score", run)["people"][str(run)]
    assert [(p["person"], p["answered"], p["scores"]["ccs"]["value"]) for p in people] == [
        ("person:ann", 18, 1),
        ("person:bob", 9, 0),
    ]


def test_an_answer_is_taken_back_and_replaced(run: Path) -> None:
    ann = Person(run)
    first = ann.page.ids[0]
    ann.page.answer(first, "?")
    state = ann.page.post("undo", {"id": first}).json()
    assert (state["question"]["id"], state["was"], state["done"]) == (first, "?", 0)
    ann.answer_rightly()
    assert document("score", Person(run).folder)["runs"][0]["overall"]["ccs"]["value"] == 1


def test_an_answer_that_was_taken_back_stays_open_after_a_restart(run: Path) -> None:
    ann = Person(run)
    ann.answer_rightly(3)
    ann.page.post("undo", {"id": ann.page.ids[2]})
    again = Person(run)
    assert again.page.next()["question"]["id"] == ann.page.ids[2]
    assert len(list(read_journal(again.folder / "journal.jsonl"))) == 2


def test_a_persons_run_is_nobodys_to_label(run: Path) -> None:
    ann = Person(run)
    ann.answer_rightly(1)
    assert "name the judge's run" in fails("label", ann.folder)


def test_commands_read_a_person_as_any_judge(run: Path) -> None:
    ann = Person(run)
    ann.answer_rightly()
    compared = document("compare", run, ann.folder)
    (contrast,) = compared["overall"]["contrasts"]
    assert (contrast["units"], contrast["better"], compared["marked"]) == (18, "person:ann", [])
    assert document("diagnose", ann.folder)["runs"][0]["run"] == str(ann.folder)
    frame = cb.frame(ann.folder)
    assert (len(frame), frame["right"].all(), set(frame["judge"])) == (36, True, {"person:ann"})


def test_nothing_on_the_page_tells_a_family_a_pair_the_truth_or_the_judge(run: Path) -> None:
    ann = Person(run)
    secret_words = {"people", "sticky", "original", "intervened", *{key.family for key in ann.keys.values()}}
    for id in ann.page.ids:
        question, query = dict(ann.page.next()["question"]), ann.people.queries[id]
        assert question.pop("text") == query.text
        (picture,) = question["pictures"]
        assert not any(word in json.dumps(question) for word in secret_words)
        assert {*question} == {"id", "form", "pictures", "criteria", "prompt"}
        # The ways to answer depend on the type of the answer and on the letters in the question alone.
        form = msgspec.structs.replace(form_of(query.answer_type), letters=query.labels)
        assert question["form"] == json.loads(msgspec.json.encode(form))
        reply = ann.page.client.get(f"/picture/{picture}")
        assert (reply.status_code, Image.open(io.BytesIO(reply.content)).info) == (200, {})
        ann.page.answer(id, "?")


def test_a_letter_of_the_question_is_an_answer(run: Path) -> None:
    ann = Person(run)
    id, letter = next(
        (id, letter)
        for id in ann.page.ids
        for letter, shape in ann.key(id).labels.items()
        if shape == ann.key(id).expected
    )
    assert ann.page.answer(id, letter).status_code == 200
    frame = cb.frame(ann.folder).set_index("id")
    assert frame["right"][ann.key(id).id]
    assert ann.page.answer(id, "Z").status_code == 400


def test_a_comparison_shows_both_pictures_and_cannot_tell_is_not_equal(tmp_path: Path) -> None:
    done("probe", "pairwise", "--limit", 12, "--judge", "planted:prettier-wins", "--out", tmp_path / "run")
    ann = Person(tmp_path / "run")
    question = ann.page.next()["question"]
    assert len(question["pictures"]) == 2
    assert question["text"].startswith(comparison_question("").split("\n")[0])
    assert [label for label, *_ in question["form"]["buttons"]] == ["first", "second", "equal", "?"]
    ann.answer_rightly()
    assert document("score", ann.folder)["runs"][0]["overall"]["ccs"]["value"] == 1


def test_pairs_of_a_folder_are_named_and_damaged_ones_refused(tmp_path: Path) -> None:
    suite = tmp_path / "own.toml"
    suite.write_text('format = "counterbench.suite/1"\nname = "own"\n[[family]]\nname = "spatial"\ncount = 3\n')
    folder, run = tmp_path / "pairs", tmp_path / "run"
    done("generate", suite, "--out", folder)
    done("probe", folder, "--judge", STICKY, "--out", run)
    assert "give the suite or folder by --pictures SUITE|DIR" in fails("label", run)
    Person(run, pictures=str(folder)).answer_rightly()
    assert document("score", run)["people"][str(run)][0]["scores"]["ccs"]["value"] == 1
    next((folder / "images").rglob("*.png")).unlink()
    assert "1 of 6 pictures cannot be asked about" in fails("label", run, "--pictures", folder)


def test_answers_go_on_with_a_run_that_grows_and_not_with_another(tmp_path: Path) -> None:
    run = tmp_path / "run"
    done("probe", "smoke", "--limit", 9, "--judge", STICKY, "--out", run)
    Person(run).answer_rightly(6)
    done("probe", "smoke", "--judge", STICKY, "--out", run)
    ann = Person(run)
    assert (ann.page.next()["done"], ann.page.next()["total"]) == (6, 36)
    ann.answer_rightly(30)
    assert document("score", ann.folder)["runs"][0]["overall"]["ccs"]["value"] == 1
    done("probe", "smoke", "--seed", 5, "--judge", STICKY, "--out", tmp_path / "other")
    shutil.copytree(run / "people", tmp_path / "other" / "people")
    reply = Person(tmp_path / "other").page.client.get("/", params={"rater": "ann"})
    assert (reply.status_code, "about other pairs" in reply.text) == (400, True)


def test_options_for_pictures_are_refused_and_the_plan_counts(run: Path, tmp_path: Path) -> None:
    for option in (["--pairs"], ["--export", tmp_path / "a.csv"], ["--import", tmp_path / "a.csv"]):
        message = fails("label", run, *option)
        assert message.startswith(f"{option[0]} is for a run about pictures")
        assert f"{run / 'people' / 'NAME'}" in message
    assert "one run at a time" in fails("label", run, run)
    assert document("label", run, "--plan") == {"families": 9, "questions_a_pass": 18, "questions": 36}
    assert not (run / "people").exists()


@given(st.lists(st.integers(1, 6), min_size=1, max_size=6), st.randoms(use_true_random=False), st.text(max_size=3))
def test_families_take_turns_and_the_pictures_of_a_pair_are_asked_apart(
    counts: list[int], random: Any, digest: str
) -> None:
    every = [
        Key(
            id=f"{family}-{number}/{role}", group=f"{family}-{number}", role=role, expected="yes", answer_type="yes-no",
            relevant=True, family=f"{family}", category="c", skill="s", form="yes-no", truth="computed",
        )
        for family, count in enumerate(counts) for number in range(count) for role in ("original", "intervened")
    ]  # fmt: skip
    order = in_asking_order(every, digest)
    assert sorted(key.id for key in order) == sorted(key.id for key in every)
    mixed = random.sample(every, len(every))
    assert [key.id for key in in_asking_order(mixed, digest)] == [key.id for key in order]
    first = [key for i, key in enumerate(order) if key.group not in {earlier.group for earlier in order[:i]}]
    so_far = Counter[str]()
    for key in first:  # a family that has pairs left is never two behind another
        so_far[key.family] += 1
        assert all(so_far[key.family] - so_far[str(f)] <= 1 or so_far[str(f)] == n for f, n in enumerate(counts))
    places = [[i for i, key in enumerate(order) if key.group == group] for group in {key.group for key in every}]
    assert all(second - place >= min(8, sum(counts)) for place, second in places)


def test_the_role_that_comes_first_is_by_lot() -> None:
    every = list(keys(SuiteSource(load_suite("counterbench-550"))))
    seen_pairs, first_roles = set[str](), Counter[str]()
    for key in in_asking_order(every, "digest"):
        first_roles[key.role] += key.group not in seen_pairs
        seen_pairs.add(key.group)
    assert all(200 < count < 350 for count in first_roles.values()), first_roles


@pytest.mark.slow
def test_the_command_serves_the_page_to_one_process(run: Path) -> None:
    with serving(run) as (_, process):
        assert f"people: is in use by process {process.pid} on " in fails("label", run)
