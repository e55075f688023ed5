"""Comparisons: a pair's two pictures and a prompt of each; their truth, and the faults that show on them."""

import re
from collections import Counter, defaultdict
from pathlib import Path

import msgspec
import pytest
from planted_runs import source_of
from scipy.stats import binomtest

from counterbench.answers.choices import EQUAL, FIRST, PREFERENCE, SECOND
from counterbench.errors import InputError
from counterbench.judges.planted import PlantedJudge
from counterbench.palette import COLOURS, SHAPES
from counterbench.runs.pair_queries import keys, keys_of, questions_of
from counterbench.runs.queries import on_one_sheet
from counterbench.scene.pairs import ROLES
from counterbench.suites.comparisons import (
    compared,
    comparison_question,
    misread,
    pair_of_comparison,
    preferred,
    prompts_of,
    style_of,
)
from counterbench.suites.families.control import OneSidedParams
from counterbench.suites.generation import generate
from counterbench.suites.sources import SuiteSource, open_source
from counterbench.suites.suite import load_suite
from counterbench.verification.verify import verify

SUITE = load_suite("pairwise")
NAMES = re.compile("|".join((*COLOURS, *SHAPES)))
PAIRS = list(SuiteSource(SUITE, 240))


def test_each_prompt_is_true_of_one_picture_and_the_first_is_as_often_right_as_the_second() -> None:
    first = Counter[bool]()
    for pair in PAIRS:
        own = pair_of_comparison(pair)
        assert compared(own) == pair
        if pair.relevant:
            assert {*pair.answers} == {FIRST, SECOND}
            true = [own.program.true_clause(scene).prompt for scene in own.scenes]
            assert prompts_of(pair) == (true if pair.answers[0] == FIRST else true[::-1])
            first[pair.answers[0] == FIRST] += 1
        else:
            assert pair.answers == (EQUAL, EQUAL)
    assert binomtest(first[True], first.total()).pvalue > 0.01  # by lot


def test_one_prompt_of_a_control_is_true_of_both_pictures_and_the_other_of_neither() -> None:
    true_first = Counter[bool]()
    for own, pair in ((pair_of_comparison(pair), pair) for pair in PAIRS if not pair.relevant):
        true = own.program.true_clause(own.scenes[0]).prompt
        assert prompts_of(pair).count(true) == 1
        true_first[prompts_of(pair)[0] == true] += 1
    assert abs(true_first[True] - true_first[False]) <= 4
    assert min(true_first.values()) > 8


def test_half_of_the_pairs_have_one_picture_in_a_richer_style() -> None:
    untreated = [pair for pair in PAIRS if pair.family not in ("treated", "one-sided")]
    rich = [pair for pair in PAIRS if pair.traits and pair.family != "one-sided"]
    assert len(rich) == pytest.approx(len(untreated) / 2, abs=len(PAIRS) / 10)
    assert [pair.id for pair in rich if pair not in untreated] == []
    roles = Counter(role for pair in rich for role in ROLES if style_of(pair, role, "flat") != "flat")
    assert roles[ROLES[0]] == pytest.approx(roles[ROLES[1]], abs=len(rich) / 10)
    assert roles.total() == len(rich)


@pytest.mark.slow
def test_the_words_of_a_prompt_do_not_say_which_picture_they_are_of() -> None:
    """Of prompts that differ in colours and kinds alone, half are of the first picture (exact binomial test)."""
    firsts = defaultdict[tuple[str, str, str], list[bool]](list)
    for suite in (SUITE, SUITE.reseeded(1), SUITE.reseeded(2)):
        for part in suite.parts[:-2]:
            for pair in (suite.sample(part, index) for index in range(part.count)):
                words = NAMES.sub("…", prompts_of(pair)[0])
                firsts[part.family, pair.form, words].append(pair.answers[0] == FIRST)
    p_values = {words: binomtest(sum(found), len(found)).pvalue for words, found in firsts.items()}
    assert len(p_values) > 40
    assert {words: p for words, p in p_values.items() if p < 0.05 / len(p_values)} == {}


def test_who_sees_what_is_usual_takes_two_pictures_of_a_familiar_thing_for_equal() -> None:
    for part in SUITE.parts:
        for index in range(4 if part.family.startswith("prior-") else 0):
            pair = SUITE.sample(part, index)
            assert [found.get("prior-bound") for found in misread(pair)] == ["equal", "equal"], pair.id
            assert [key.misreadings["prior-bound"] for key in keys_of(pair, "flat")] == ["equal", "equal"]


@pytest.mark.slow
def test_a_misreading_judge_compares_what_it_sees() -> None:
    """It takes a picture for one that shows the prompt if its wrong answer is the one that the prompt states."""
    shown = set[str]()
    by_role = [list(keys(SuiteSource(SUITE, 240)))[i::2] for i in (0, 1)]
    for pair, *both in zip(PAIRS, *by_role, strict=True):
        program, scenes = pair_of_comparison(pair).program, pair.scenes
        true = {program.true_clause(scene).prompt: program.answer(scene) for scene in scenes}
        for prompt, key in zip(prompts_of(pair), both, strict=True):
            stated = true.get(prompt, {"yes": "no", "no": "yes"}.get(program.answer(scenes[0])))
            for fault in key.misreadings.keys() - {"prettier-wins", "text-led", "prior-bound"}:
                is_a, is_b = ((program.misreadings(s).get(fault) or program.answer(s)) == stated for s in scenes)
                assert (EQUAL if is_a == is_b else FIRST if is_a else SECOND) == key.misreadings[fault] != key.expected
                shown.add(fault)
            styles = {style_of(pair, role, "flat") for role in ROLES} - {"flat"}
            assert key.traits.get("style", "") == "".join(styles)
    assert {"off-by-one", "colour-confusion", "left-right", "agreeable"} <= shown


def test_both_questions_show_the_same_pictures_in_the_same_order() -> None:
    source = source_of("pairwise", 1)
    pair = next(iter(source))
    first, second = questions_of(pair, source.pictures(pair))
    assert [picture.digest for picture in first.pictures] == [picture.digest for picture in second.pictures]
    assert (first.text, second.text) == pair.questions
    assert first.answer_type == second.answer_type == PREFERENCE


def test_a_single_picture_judge_gets_a_sheet_with_the_first_on_the_left() -> None:
    source = source_of("pairwise", 1)
    ahead, _ = questions_of(next(iter(source)), source.pictures(next(iter(source))))
    assert on_one_sheet(ahead, 2) is ahead
    (sheet,) = on_one_sheet(ahead, 1).pictures
    left, right = (picture.image() for picture in ahead.pictures)
    assert sheet.image().crop((0, 0, *left.size)) == left
    assert sheet.image().crop((sheet.image().width - right.width, 0, *sheet.image().size)) == right


@pytest.mark.slow
def test_one_sided_pairs_have_one_picture_in_the_style_of_their_cell() -> None:
    part = next(part for part in SUITE.parts if part.family == "one-sided")
    pairs = [SUITE.sample(part, index) for index in range(96)]
    sides = Counter(tuple(style_of(pair, role, "flat") == "flat" for role in ROLES) for pair in pairs)
    assert {style for pair in pairs for style in (pair.traits or {}).values()} == set(OneSidedParams.allowed)
    assert [pair.id for pair in pairs if [*(pair.traits or {}).values()] != [pair.cell.rpartition("/")[2]]] == []
    assert set(sides) == {(True, False), (False, True)}
    assert min(sides.values()) > 96 / 3


def test_a_generated_folder_has_the_richer_pictures(tmp_path: Path) -> None:
    generate(SUITE, tmp_path / "pairs", limit=44)
    assert verify(open_source(str(tmp_path / "pairs"))).holds


def test_comparisons_verify_and_an_altered_one_does_not() -> None:
    assert verify(SuiteSource(SUITE, 28)).holds
    answer, other = PAIRS[0].answers
    turned = msgspec.structs.replace(PAIRS[0], original_answer=other, intervened_answer=answer)
    assert compared(pair_of_comparison(turned)) != turned


def ids_of_wrong(spec: str) -> set[str]:
    """The ids of the pairs on which a planted judge is not right about both prompts."""
    known = list(keys(SuiteSource(SUITE, 240), PAIRS))
    judge = PlantedJudge(spec, known)
    queries = [query for pair in PAIRS for query in questions_of(pair)]
    return {query.group for query, key in zip(queries, known, strict=True) if judge.reply(query).text != key.expected}


def test_the_judges_first_bias_and_lazy_are_wrong_wherever_the_truth_differs() -> None:
    assert ids_of_wrong("first-bias?p=1") == {pair.id for pair in PAIRS}
    assert ids_of_wrong("lazy?p=1") == {pair.id for pair in PAIRS if pair.relevant}


def test_style_faults_are_wrong_where_one_picture_is_richer() -> None:
    assert ids_of_wrong("prettier-wins?p=1") == {pair.id for pair in PAIRS if pair.traits}
    assert ids_of_wrong("style-blind?p=1") < {pair.id for pair in PAIRS if pair.traits}
    assert len(ids_of_wrong("style-blind?p=1")) > len(PAIRS) / 4
    assert preferred("flat", "photograph") == SECOND
    assert preferred("textured", "flat") == FIRST
    assert preferred("blurred", "flat") == SECOND


def test_lettered_shapes_are_refused() -> None:
    lettered = next(pair for pair in source_of("certify") if pair.family == "spatial")
    with pytest.raises(InputError, match=r"names a shape by its letter: give 'spatial' the parameter letters = false"):
        compared(lettered)


@pytest.mark.slow
def test_a_control_with_an_open_question_is_refused() -> None:
    control = next(pair for pair in source_of("certify") if not pair.relevant and pair.form == "open")
    with pytest.raises(InputError, match=r"asked with yes or no: forms = \['yes-no'\]"):
        compared(control)


def test_a_forced_question_offers_no_tie() -> None:
    assert "equal" not in comparison_question("a cat", forced=True)


def test_painted_words_ask_for_one_of_the_two_pictures() -> None:
    part = next(part for part in SUITE.parts if part.family == "treated")
    painted = [pair for pair in (SUITE.sample(part, index) for index in range(84)) if pair.cell == "treated/writing"]
    asked_for = [tuple(key.misreadings["text-led"] for key in keys_of(pair, "flat")) for pair in painted]
    assert {*asked_for} == {(FIRST, FIRST), (SECOND, SECOND)}
    assert {pair.answers for pair in painted} == {(EQUAL, EQUAL)}
