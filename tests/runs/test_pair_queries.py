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
def test_a_pair_is_two_questions_in_the_same_words_about_one_picture_each(suite: str) -> None:
    pairs, questions, _ = material(suite)
    assert [q.id for q in questions] == [f"{pair.id}/{role}" for pair in pairs for role in ("original", "intervened")]
    assert questions[0].id == query_id(pairs[0], "original")
    assert len({q.id for q in questions}) == len({q.digest for q in questions}) == 2 * len(pairs)
    for i, query in enumerate(questions):
        pair = pairs[i // 2]
        assert f"{query.group}/{query.role}" == query.id
        assert (query.text, len(query.pictures)) == (pair.question, 1)


@pytest.mark.parametrize("suite", SUITES)
def test_every_query_has_a_key_with_what_scoring_needs(suite: str) -> None:
    pairs, questions, known = material(suite)
    for i, (query, key) in enumerate(zip(questions, known, strict=True)):
        pair = pairs[i // 2]
        assert (key.id, key.group, key.role) == (query.id, query.group, query.role)
        assert (key.answer_type, key.expected) == (query.answer_type, pair.answers[i % 2])
        assert (key.family, key.category, key.skill, key.form) == (pair.family, pair.category, pair.skill, pair.form)
        assert key.relevant == (pair.original_answer != pair.intervened_answer)
        assert (key.truth, key.weight, key.difficulty) == ("computed", 1.0, pair.difficulty)


@pytest.mark.parametrize("suite", SUITES)
def test_labels_named_by_an_open_question_map_to_shapes(suite: str) -> None:
    pairs, questions, known = material(suite, 60)
    by_group = {pair.id: pair for pair in pairs}
    for query, key in zip(questions, known, strict=True):
        letters = re.findall(r"\b[A-H]\b", query.text) if query.answer_type == "colour-shape" else []
        assert set(key.labels) == set(query.labels) == set(letters)
        assert [(label, name) for label, name in query.labels.items() if label != name] == []
        assert not key.labels or key.expected in key.labels.values()
        assert query.digest == msgspec.structs.replace(query, labels={}).digest
        scenes = dict(zip(("original", "intervened"), by_group[key.group].scenes, strict=True))
        names = {shape.id: shape.name for shape in scenes[key.role].shapes}
        drawn = {e.text: names[e.of] for e in scenes[key.role].elements if isinstance(e, Label)}
        assert {label: drawn[label] for label in key.labels} == key.labels
    assert ([query for query in questions if query.labels] != []) == (suite != "counterbench-550")


def test_pictures_of_queries_are_drawn_on_demand() -> None:
    stream = queries(SuiteSource(load_suite("certify")))
    first = next(stream)
    assert first.pictures[0]._png is None
    assert first.pictures[0].image().size == (512, 512)


def test_an_imported_pair_has_a_key_without_misreadings_and_no_pictures() -> None:
    source = Paper(1)
    (original, intervened), (first, _) = list(queries(source)), list(keys(source))
    assert original.pictures == intervened.pictures == ()
    assert (first.truth, first.misreadings, first.expected) == ("published", {}, "yes")
