"""A set beside its variant: a planted gain is found, gated alike, over the shared items; the rest is refused."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from commands import document, done
from hypothesis import given
from hypothesis import strategies as st
from pictures.carded import cards, checklist, judged, prompt
from pictures.judged import LEVELS, picture_rows

from counterbench.errors import InputError
from counterbench.pictures.comparing import variants
from counterbench.pictures.comparing.models import compare_models
from counterbench.pictures.comparing.variants import Sides, VariantComparison, sides_of
from counterbench.pictures.protocols.cf_eval import SCORINGS, CFEval
from counterbench.pictures.scores.results import CheckResult
from counterbench.prompts.manifest import read_manifest
from counterbench.prompts.prompt_set import Check, PromptSet

CHECKS = tuple(Check(id=f"q{i}", text=f"Is part {i} right?", dimension="ab"[i % 2]) for i in range(4))
ORIGINAL = checklist([prompt(f"g{i:02}", *CHECKS, category=f"c{i % 2}") for i in range(24)], name="plain")
CARDS = "card?rate=0.4&a={a}&b={b}"


def reworded(prompts: PromptSet) -> PromptSet:
    texts = [msgspec.structs.replace(prompt, text=f"{prompt.text} Seen.") for prompt in prompts.prompts]
    return replace(prompts, name=f"{prompts.name}-rewrite", prompts=texts, variant_of=prompts.digest)


def a_run(folder: Path, prompts: PromptSet, rates: dict[str, float], judge: str = "oracle") -> Path:
    images = cards(prompts, folder / "images", CARDS.format(**rates))
    judged(images, folder / "run", judge)
    return folder / "run"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """One model on a set and on its variant, with a gain of .5 in the dimension a alone."""
    folder = tmp_path_factory.mktemp("variants")
    original = a_run(folder / "original", ORIGINAL, {"a": 0.25, "b": 0.5})
    return [original, a_run(folder / "variant", reworded(ORIGINAL), {"a": 0.75, "b": 0.5})]


def compared(runs: Sequence[Path]) -> VariantComparison:
    found = compare_models(runs)
    assert (found.comparisons, found.agreement, found.alone) == ([], [], [])
    (only,) = found.variants
    return only


def test_a_planted_gain_is_found_in_whole_and_by_slice(runs: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(variants, "NOT_SUPPORTED", "")
    (gain,) = compared(runs).contrasts
    assert (gain.model, gain.column, gain.units, gain.left_out) == (gain.second.partition(" on ")[0], "score", 24, 0)
    assert [gain.original.value, gain.variant.value, gain.difference.value] == pytest.approx([0.375, 0.625, 0.25])
    assert gain.p == gain.p_holm
    assert (gain.p or 1) < 0.001
    assert gain.better == gain.first
    assert gain.first.endswith(" on plain-rewrite")
    by_dimension = {name: (part.original.value, part.variant.value) for name, part in gain.slices["dimension"].items()}
    assert by_dimension == {"a": pytest.approx((0.25, 0.75)), "b": pytest.approx((0.5, 0.5))}
    changes = [part.difference.value or 0 for part in gain.slices["category"].values()]
    assert sum(changes) / 2 == pytest.approx(0.25)


def test_a_judge_that_sees_the_prompts_was_asked_two_questions(tmp_path: Path) -> None:
    runs = []
    for name, prompts in (("o", ORIGINAL), ("v", reworded(ORIGINAL))):
        images = cards(prompts, tmp_path / name, CARDS.format(a=0.5, b=0.5))
        judged(images, tmp_path / f"run-{name}", by="direct")
        runs.append(tmp_path / f"run-{name}")
    with pytest.raises(InputError, match="the judge saw the prompts, whose words differ"):
        compare_models(runs)


def test_two_models_of_one_name_are_not_taken_for_each_other(runs: list[Path], tmp_path: Path) -> None:
    other = a_run(tmp_path, ORIGINAL, {"a": 0.5, "b": 0.5})
    (only,) = compare_models([*runs, other]).variants
    assert only.contrasts == []
    assert only.not_compared == ["several models are called card: draw each by a --name of its own"]


def test_without_evidence_for_the_judge_no_words_are_better(runs: list[Path]) -> None:
    only = compared(list(reversed(runs)))
    assert [(gain.better, gain.is_decided) for gain in only.contrasts] == [(None, True)]
    assert {run.because for run in only.runs} == {"there is no certificate"}


def test_the_gain_over_a_part_of_the_set_is_over_the_shared_items(runs: list[Path], tmp_path: Path) -> None:
    part = a_run(tmp_path, ORIGINAL.holding(ORIGINAL.prompts[:16]), {"a": 0.25, "b": 0.5})
    (gain,) = compared([part, runs[1]]).contrasts
    assert (gain.units, gain.left_out) == (16, 8)
    assert gain.difference.value == pytest.approx((gain.variant.value or 0) - (gain.original.value or 0))


def test_items_asked_otherwise_are_no_variant(runs: list[Path], tmp_path: Path) -> None:
    other = checklist([prompt(p.group, Check(id="q", text="Is it?", dimension="a")) for p in ORIGINAL.prompts])
    judged(cards(other, tmp_path / "images"), tmp_path / "run")
    with pytest.raises(InputError, match="no two can be compared"):
        compare_models([tmp_path / "run", runs[1]])


def test_models_of_other_names_are_not_paired(runs: list[Path], tmp_path: Path) -> None:
    images = cards(ORIGINAL, tmp_path / "images")
    images.path.rename(tmp_path / "images" / "other")
    judged(read_manifest(tmp_path / "images" / "other"), tmp_path / "run")
    with pytest.raises(InputError, match="no model has pictures of both plain and plain-rewrite: draw both"):
        compare_models([tmp_path / "run", runs[1]])


def test_the_command_prints_both_numbers_the_gain_and_its_slices(runs: list[Path]) -> None:
    shown = done("compare", *runs)
    assert "plain-rewrite beside plain, by checklist and planted:oracle" in shown
    assert " ".join(shown.split()).count("0.25 0.75 +0.50") == 1
    (only,) = document("compare", *runs)["variants"]
    assert only["contrasts"][0]["difference"]["value"] == pytest.approx(0.25)
    assert "plain-rewrite,checklist,planted:oracle,plain,score," in done("compare", *runs, "--format", "csv")


# ---- the gate


def levels(points: dict[str, Sequence[float]]) -> list[CheckResult]:
    """A picture of each group at each of these levels, with this credit of its assessment point."""
    return [
        row
        for level, credits in points.items()
        for place, credit in enumerate(credits)
        for row in picture_rows(1, credit, credit, group=f"g{place:02}", level=level)
    ]


def paired_sides(variant: Sequence[CheckResult], original: Sequence[CheckResult]) -> list[Sides]:
    shared = {row.prompt_id for row in variant}
    return list(sides_of(CFEval(), SCORINGS["default"], variant, original, shared, LEVELS, ("variant", "original")))


def numbers(sides: Sequence[Sides]) -> dict[str, float | None]:
    return {name: test.value for part in sides for name, test in part.couple.differences.items()}


L1 = [1.0] * 15 + [0.0] * 5  # the gate is closed for the last five groups
SHARE = 23 / 26  # of the weight that `levels` sets


def test_a_variant_without_l1_is_gated_by_the_original() -> None:
    original = levels({"l1": L1, "l2": [1.0] * 8 + [0.0] * 12, "l3": [1.0] * 20})
    found = paired_sides(levels({"l2": [1.0] * 20}), original)
    assert numbers(found) == {"s_l2": pytest.approx(SHARE * 7 / 20)}
    both = found[0].both("s_l2", found[0].couple.parts)
    assert both["variant"].value == pytest.approx(15 / 20)
    assert both["original"].value == pytest.approx((8 + 7 * (1 - SHARE)) / 20)


def test_a_gain_at_l1_is_its_own_and_opens_no_gate() -> None:
    original = levels({"l1": L1, "l2": [0.0] * 20, "l3": [0.0] * 20})
    found = numbers(paired_sides(levels({"l1": [1.0] * 20, "l2": [0.0] * 20, "l3": [0.0] * 20}), original))
    assert (found["s_l1"], found["s_l2"], found["s_l3"]) == (pytest.approx(SHARE * 5 / 20), 0, 0)
    assert list(found) == ["s_l1", "s_l2", "s_l3", "prr", "rrr"]


def test_groups_that_lack_a_level_of_the_variant_are_left_out() -> None:
    original = levels({"l1": [1.0] * 20, "l2": [0.0] * 20, "l3": [0.0] * 20})
    rows = [row for row in levels({"l2": [1.0] * 20, "l3": [1.0] * 20}) if row.prompt_id != "g00/l2"]
    (sides,) = paired_sides(rows, original)
    assert ({unit.name for unit in sides.couple.units}, sides.couple.left_out) == (
        {f"g{n:02}" for n in range(1, 20)},
        1,
    )
    assert numbers([sides]) == {"s_l2": pytest.approx(SHARE), "s_l3": pytest.approx(SHARE)}


@given(st.lists(st.tuples(*[st.sampled_from([0.0, 1.0])] * 4), min_size=2, max_size=16))
def test_a_gain_is_the_difference_of_the_numbers_and_turns_with_them(credits: list[tuple[float, ...]]) -> None:
    l1, l2, l3, other = zip(*credits, strict=True)
    rows, reworded_rows = levels({"l1": l1, "l2": l2, "l3": l3}), levels({"l2": other})
    (sides,) = paired_sides(reworded_rows, rows)
    both = {name: number.value or 0 for name, number in sides.both("s_l2", sides.couple.parts).items()}
    assert numbers([sides])["s_l2"] == pytest.approx(both["variant"] - both["original"])
    (turned,) = paired_sides(
        [row for row in rows if row.level == "l2"], [row for row in rows if row.level != "l2"] + reworded_rows
    )
    assert numbers([turned])["s_l2"] == pytest.approx(-(numbers([sides])["s_l2"] or 0))
