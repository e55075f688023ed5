"""Pairs to queries and keys: two questions a pair, the same words, one picture each, and a key for every query."""

import re

import msgspec
import pytest
from asking.fakes import Paper

from counterbench.runs.pair_queries import keys, queries, query_id
from counterbench.runs.queries import Key, Query
from counterbench.scene.pairs import Pair
from counterbench.scene.scene import Label
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite

SUITES = ["smoke", "controls", "certify", "counterbench-550"]


def material(suite: str, limit: int = 18) -> tuple[list[Pair], list[Query], list[Key]]:
    source = SuiteSource(load_suite(suite), limit)
    return list(source), list(queries(source)), list(keys(source))


@pytest.mark.parametrize("suite", SUITES)
def test_every_query_has_one_key_and_they_agree(suite: str) -> None:
    pairs, asked, known = material(suite)
    assert [q.id for q in asked] == [k.id for k in known]
    assert len({q.id for q in asked}) == len(asked) == 2 * len(pairs)
    for query, key in zip(asked, known, strict=True):
        assert (query.group, query.role, query.answer_type) == (key.group, key.role, key.answer_type)


@pytest.mark.parametrize("suite", SUITES)
def test_both_questions_of_a_pair_are_the_same_words_about_one_picture_each(suite: str) -> None:
    pairs, asked, known = material(suite, 8)
    for i, pair in enumerate(pairs):
        one, two = asked[2 * i : 2 * i + 2]
        assert (one.role, two.role) == ("original", "intervened")
        assert one.id == query_id(pair, "original") == f"{pair.id}/original"
        assert one.text == two.text == pair.question
        assert len(one.pictures) == len(two.pictures) == 1
        assert one.digest != two.digest
        assert [key.expected for key in known[2 * i : 2 * i + 2]] == list(pair.answers)


@pytest.mark.parametrize("suite", SUITES)
def test_keys_carry_what_scoring_needs(suite: str) -> None:
    pairs, _, known = material(suite)
    by_group = {pair.id: pair for pair in pairs}
    for key in known:
        pair = by_group[key.group]
        assert (key.family, key.category, key.skill, key.form) == (pair.family, pair.category, pair.skill, pair.form)
        assert key.relevant == (pair.original_answer != pair.intervened_answer)
        assert (key.truth, key.weight) == ("computed", 1.0)
        assert key.difficulty == pair.difficulty


@pytest.mark.parametrize("suite", SUITES)
def test_labels_are_those_that_an_open_question_names_and_stand_for_shapes(suite: str) -> None:
    pairs, asked, known = material(suite, 60)
    by_group = {pair.id: pair for pair in pairs}
    for query, key in zip(asked, known, strict=True):
        letters = re.findall(r"\b[A-H]\b", query.text) if query.answer_type == "colour-shape" else []
        assert set(key.labels) == set(query.labels) == set(letters)
        assert all(label == name for label, name in query.labels.items())
        assert not key.labels or key.expected in key.labels.values()
        assert query.digest == msgspec.structs.replace(query, labels={}).digest
        scenes = dict(zip(("original", "intervened"), by_group[key.group].scenes, strict=True))
        names = {shape.id: shape.name for shape in scenes[key.role].shapes}
        drawn = {e.text: names[e.of] for e in scenes[key.role].elements if isinstance(e, Label)}
        assert {label: drawn[label] for label in key.labels} == key.labels
    assert any(query.labels for query in asked) == (suite != "counterbench-550")


def test_queries_are_drawn_when_they_are_looked_at() -> None:
    stream = queries(SuiteSource(load_suite("certify")))
    first = next(stream)
    assert first.pictures[0]._png is None
    assert first.pictures[0].image().size == (512, 512)


def test_an_imported_pair_has_a_key_without_misreadings_and_no_pictures() -> None:
    source = Paper(1)
    (one, two), (first, _) = list(queries(source)), list(keys(source))
    assert one.pictures == two.pictures == ()
    assert (first.truth, first.misreadings, first.expected) == ("published", {}, "yes")
