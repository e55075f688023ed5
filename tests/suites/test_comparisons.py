"""Comparisons: a pair's pictures in one question, in both orders; their truth, and the faults that show on them."""

from collections import Counter

import msgspec
import pytest
from planted_runs import source_of

from counterbench.answers.choices import EQUAL, FIRST, PREFERENCE, SECOND
from counterbench.errors import InputError
from counterbench.judges.planted import PlantedJudge
from counterbench.runs.pair_queries import keys, questions_of
from counterbench.runs.queries import on_one_sheet
from counterbench.scene.pairs import ROLES
from counterbench.suites.comparisons import (
    SWAPPED,
    compared,
    comparison_question,
    pair_of_comparison,
    preferred,
    style_of,
)
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite
from counterbench.verification.verify import verify

SUITE = load_suite("pairwise")
PAIRS = list(SuiteSource(SUITE, 112))


def test_the_picture_with_the_stated_answer_is_the_better_one_in_both_orders() -> None:
    stated = Counter[bool]()
    for pair in PAIRS:
        own = pair_of_comparison(pair)
        said = pair.question.split('" is "')[1].split('"')[0]
        if pair.relevant:
            better = own.answers.index(said)
            assert pair.answers == ((FIRST, SECOND), (SECOND, FIRST))[better]
            stated[better == 0] += 1
        else:
            assert pair.answers == (EQUAL, EQUAL)
        assert compared(own) == pair
    assert abs(stated[True] - stated[False]) <= 12


def test_both_pictures_of_a_control_show_the_prompt_or_neither_does() -> None:
    shown = Counter(
        pair.question.split('" is "')[1].startswith(pair_of_comparison(pair).original_answer + '"')
        for pair in PAIRS
        if not pair.relevant
    )
    assert shown[True] == shown[False] > 0


def test_half_of_the_pairs_have_the_worse_picture_in_a_richer_style() -> None:
    rich = [pair for pair in PAIRS if pair.traits]
    assert len(rich) == pytest.approx(len(PAIRS) / 2, abs=len(PAIRS) / 10)
    for pair in (pair for pair in rich if pair.relevant):
        better = ROLES[pair.answers.index(FIRST)]
        assert [style_of(pair, role, "flat") == "flat" for role in ROLES] == [role == better for role in ROLES]


def test_a_misreading_judge_compares_what_it_sees() -> None:
    """It takes a picture for one that shows the prompt if its wrong answer is the stated one."""
    shown = set[str]()
    for pair, key, back in zip(PAIRS, *(list(keys(SuiteSource(SUITE, 112)))[i::2] for i in (0, 1)), strict=True):
        program, said = pair_of_comparison(pair).program, pair.question.split('" is "')[1].split('"')[0]
        assert back.misreadings.keys() == key.misreadings.keys()
        for fault in key.misreadings.keys() - {"prettier-wins"}:
            one, other = ((program.misreadings(s).get(fault) or program.answer(s)) == said for s in pair.scenes)
            expected = EQUAL if one == other else FIRST if one else SECOND
            assert expected == key.misreadings[fault] != key.expected
            assert back.misreadings[fault] == SWAPPED[expected]
            shown.add(fault)
        styles = {style_of(pair, role, "flat") for role in ROLES} - {"flat"}
        assert key.traits.get("style", "") == "".join(styles)
    assert {"off-by-one", "colour-confusion", "left-right", "agreeable"} <= shown


def test_a_question_has_both_pictures_the_other_way_round_for_the_other_role() -> None:
    source = source_of("pairwise", 1)
    pair = next(iter(source))
    ahead, back = questions_of(pair, source.pictures(pair))
    assert [of.digest for of in ahead.pictures] == [of.digest for of in back.pictures][::-1]
    assert (ahead.text, ahead.answer_type) == (back.text, PREFERENCE)


def test_a_single_picture_judge_gets_a_sheet_with_the_first_on_the_left() -> None:
    source = source_of("pairwise", 1)
    ahead, back = questions_of(next(iter(source)), source.pictures(next(iter(source))))
    assert on_one_sheet(ahead, 2) is ahead
    (sheet,) = on_one_sheet(ahead, 1).pictures
    left, right = (picture.image() for picture in ahead.pictures)
    assert sheet.image().crop((0, 0, *left.size)) == left
    assert sheet.image().crop((sheet.image().width - right.width, 0, *sheet.image().size)) == right
    assert sheet.digest != on_one_sheet(back, 1).pictures[0].digest


def test_comparisons_verify_and_an_altered_one_does_not() -> None:
    assert verify(SuiteSource(SUITE, 28)).holds
    turned = msgspec.structs.replace(PAIRS[0], original_answer=SECOND, intervened_answer=FIRST)
    assert compared(pair_of_comparison(turned)) != turned


def ids_of_wrong(spec: str) -> set[str]:
    """The ids of the pairs on which a planted judge is not right about both orders."""
    known = list(keys(SuiteSource(SUITE, 112), PAIRS))
    judge = PlantedJudge(spec, known)
    asked = [query for pair in PAIRS for query in questions_of(pair)]
    return {query.group for query, key in zip(asked, known, strict=True) if judge._reply(query).text != key.expected}


def test_first_bias_and_lazy_are_wrong_wherever_the_truth_differs() -> None:
    assert ids_of_wrong("first-bias?p=1") == {pair.id for pair in PAIRS}
    assert ids_of_wrong("lazy?p=1") == {pair.id for pair in PAIRS if pair.relevant}


def test_style_faults_are_wrong_where_one_picture_is_richer() -> None:
    assert ids_of_wrong("prettier-wins?p=1") == {pair.id for pair in PAIRS if pair.traits}
    assert ids_of_wrong("style-blind?p=1") < {pair.id for pair in PAIRS if pair.traits}
    assert len(ids_of_wrong("style-blind?p=1")) > len(PAIRS) / 4
    assert preferred("flat", "photograph") == SECOND
    assert preferred("textured", "flat") == FIRST
    assert preferred("blurred", "flat") == ""


def test_a_control_with_an_open_question_is_refused() -> None:
    control = next(pair for pair in source_of("certify") if not pair.relevant and pair.form == "open")
    with pytest.raises(InputError, match=r"asked with yes or no: forms = \['yes-no'\]"):
        compared(control)


def test_a_forced_question_offers_no_tie() -> None:
    assert "equal" not in comparison_question("a cat", forced=True)
