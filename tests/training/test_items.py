"""The stream of training items: the same from any start and in any shard, and never what judges are tested on."""

from collections import Counter
from collections.abc import Callable
from itertools import islice

import pytest
from PIL import ImageChops
from sweeping import swept

from counterbench import training as stream_of
from counterbench.errors import InputError
from counterbench.runs.pair_queries import keys_of, questions_of
from counterbench.runs.queries import load_template
from counterbench.scene.seeds import TRAINING
from counterbench.suites.families import family, sample
from counterbench.suites.sources import SuiteSource, attempt_seed
from counterbench.suites.suite import Suite, load_suite, parse_suite
from counterbench.training import Item, Items, items, reward


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """No suites are shipped: drawing up their scenes takes seconds."""
    monkeypatch.setattr(stream_of, "is_shipped", lambda pair: False)


def first(count: int, stream: Items) -> list[Item]:
    return list(islice(stream, count))


def fields_of(item: Item) -> tuple[object, ...]:
    return (item["pair"], item["role"], item["prompt"], item["answer"], item["image"].tobytes())


@pytest.mark.usefixtures("alone")
def test_the_stream_has_not_changed() -> None:
    """Who goes on with a training run of an earlier version gets the same items."""
    pairs = map(items("smoke", 3)._pair, range(3))
    assert [(p.id, p.family, p.index, *(scene.digest[:8] for scene in p.scenes)) for p in pairs] == [
        ("smoke-training-3-0", "containment", 5035819873103668, "d9254703", "8bbc9b42"),
        ("smoke-training-3-1", "occlusion", 57550429231581918, "3371e2a7", "5060f14f"),
        ("smoke-training-3-2", "containment", 32520679700111629, "daeb3407", "db228e55"),
    ]


@pytest.mark.usefixtures("alone")
def test_the_stream_continues_from_any_position() -> None:
    whole = first(20, items("smoke", 3))
    rest = first(12, items("smoke", 3, start=whole[7]["position"] + 1))
    assert list(map(fields_of, rest)) == list(map(fields_of, whole[8:]))


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("start", [0, 4])
def test_shards_share_the_positions_and_keep_pairs_together(start: int) -> None:
    whole = first(24, items("smoke", start=start))
    shards = [first(8, items("smoke", start=start, shard=(k, 3))) for k in range(3)]
    merged = sorted((item for shard in shards for item in shard), key=lambda item: item["position"])
    assert list(map(fields_of, merged)) == list(map(fields_of, whole))
    assert [item for k, shard in enumerate(shards) for item in shard if item["position"] % 3 != k] == []
    pairs = [(a["pair"], b["pair"]) for shard in shards for a, b in zip(shard[::2], shard[1::2], strict=True)]
    assert [(first, second) for first, second in pairs if first != second] == []


def test_every_shard_has_the_suites_shares_of_families_and_forms() -> None:
    suite = load_suite("certify")
    for k in range(2):
        stream = items(suite, shard=(k, 2))
        pairs = [stream._pair(position) for position in range(k, 400, 2)]
        found = Counter((pair.family, pair.form) for pair in pairs)
        for part in suite.parts:
            for form in part.forms:
                share = part.count / len(part.forms) / len(suite)
                assert abs(found[part.family, form] / len(pairs) - share) < 5 * (share / len(pairs)) ** 0.5
        answers = Counter(pair.original_answer for pair in pairs if pair.form == "yes-no")
        assert abs(answers["yes"] - answers["no"]) < 5 * answers.total() ** 0.5


@pytest.mark.parametrize("name", ["spatial", "counting", "control", "arrow"])
def test_no_item_of_any_attempt_is_drawn_for_training(name: str) -> None:
    """The same family, seed and index: from training's own randomness another pair comes."""
    suite = load_suite("certify")
    part = next(part for part in suite.parts if part.family == name)
    for seed in (suite.seed, *(attempt_seed(suite, k) for k in (2, 3))):
        for index in range(12):
            tested = suite.reseeded(seed).sample(part, index)
            trained = sample(family(name), part.params, part.forms, suite.canvas, seed, index, TRAINING)
            assert not {scene.digest for scene in tested.scenes} & {scene.digest for scene in trained.scenes}


def test_a_pair_with_a_scene_of_a_shipped_suite_is_skipped_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = items("smoke")
    scenes = {0: drawn._pair(2).scenes[0].digest, 1: drawn._pair(5).scenes[1].digest}
    monkeypatch.setattr(stream_of, "_shipped_digests", lambda of_laws: frozenset(scenes.values()))
    stream = items("smoke")
    assert "0 of 0 pairs skipped (0.00%)" in repr(stream)
    assert [item["position"] for item in first(10, stream)] == [0, 0, 1, 1, 3, 3, 4, 4, 6, 6]
    assert (stream.drawn, stream.skipped, stream.position) == (7, 2, 7)
    assert repr(stream) == "<Items smoke, seed 0: position 7, 2 of 7 pairs skipped (28.57%)>"


@pytest.mark.slow
def test_scenes_of_every_shipped_suite_are_known() -> None:
    for name in ("smoke", "certify", "controls", "counterbench-550", "laws", "rules"):
        suite = load_suite(name)
        assert [i for i in range(0, len(suite), 40) if not stream_of.is_shipped(suite[i])] == [], name


@pytest.mark.slow
def test_empty_pictures_are_skipped() -> None:
    family = {"name": "presence", "count": 1, "forms": ["yes-no"], "params": {"alone": 100, "changes": ["added"]}}
    stream = items(parse_suite({"format": "counterbench.suite/1", "name": "mine", "family": [family]}, "mine.toml"))
    assert [item for item in first(60, stream) if len(item["image"].getcolors() or ()) <= 1] == []
    assert 0.5 < stream.skipped / stream.drawn < 0.8  # four items of six have an empty picture


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("template", ["default", "strict"])
@pytest.mark.parametrize("suite", [load_suite("smoke"), load_suite("smoke", size=256, style="textured")], ids=str)
def test_an_item_equals_the_query_of_probe(suite: Suite, template: str) -> None:
    stream = items(suite, template=template)
    pair, source = stream._pair(0), SuiteSource(suite)
    questions, known = questions_of(pair, source.pictures(pair)), keys_of(pair, source.style)
    for item, query, key in zip(first(2, stream), questions, known, strict=True):
        dressed = load_template(template).dress(query)
        system = [{"role": "system", "content": dressed.system}] if dressed.system else []
        assert item["prompt"] == [*system, {"role": "user", "content": dressed.text}]
        assert not ImageChops.difference(item["image"], query.pictures[0].image()).getbbox()
        assert (item["pair"], item["role"], item["answer"]) == (key.group, key.role, key.expected)
        assert (item["answer_type"], dict(item["labels"])) == (key.answer_type, key.labels)


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("suite", ["certify", "laws"])
def test_the_truth_earns_full_reward_and_the_other_answer_none(suite: str) -> None:
    for item in first(40, items(load_suite(suite, size=128))):
        assert reward(f"Answer: {item['answer']}", item) == 1.0
    stream = items(load_suite("smoke"))
    relevant = [pair for position in range(20) if (pair := stream._pair(position)).relevant]
    assert len(relevant) > 10
    for pair in relevant:
        row = {"answer": pair.answers[0], "answer_type": pair.answer_type, "labels": []}
        assert reward(pair.answers[1], row) == 0.0


@swept(
    ("call", "says"),
    [
        (lambda: items("smoke", shard=(2, 2)), r"k from 0 to n - 1, not \(2, 2\)"),
        (lambda: items("smoke", shard=(0, 0)), "shard k of n"),
        (lambda: items("smoke", start=-1), "start must be 0 or more, not -1"),
        (lambda: items("smoke", -1), "seed must be from 0"),
        (lambda: items("nosuch"), "certify"),
        (lambda: items("smoke", template="nosuch"), "default"),
    ],
)
def test_impossible_parameters_are_refused_at_once(call: Callable[[], Items], says: str) -> None:
    with pytest.raises(InputError, match=says):
        call()


@pytest.mark.usefixtures("alone")
def test_another_seed_gives_other_items() -> None:
    pictures, others = ({item["image"].tobytes() for item in first(40, items("smoke", seed))} for seed in (0, 1))
    assert not pictures & others
