"""The doctor on scorers with known faults, and on raters, which it asks to compare."""

from collections.abc import Callable
from typing import Any

import pytest
from asking.fakes import held_by_name, message_of
from PIL import Image

import counterbench as cb
from counterbench.asking.doctor import Checkup, check_up
from counterbench.judges.scorers import ScorerJudge
from counterbench.runs.queries import load_template

INKS = {"red": (230, 60, 60), "blue": (60, 60, 230)}
Scoring = Callable[[Image.Image, str], Any]


def shade(image: Image.Image) -> dict[str, float]:
    """The share of a picture's pixels that are nearly red, and nearly blue."""
    small = image.resize((32, 32))
    pixels = [small.getpixel((x, y)) for x in range(32) for y in range(32)]
    return {
        "red": sum(r > 180 and g < 110 and b < 110 for r, g, b in pixels) / 1024,
        "blue": sum(b > 180 and r < 110 and g < 110 for r, g, b in pixels) / 1024,
    }


def good(image: Image.Image, text: str) -> float:
    """The share of the colour that a text names last; other words count a little."""
    named = [word for word in text.replace(",", "").split() if word in INKS]
    shares = shade(image)
    return (shares[named[-1]] if named else shares["red"]) + len(text) * (0.001 + shares["blue"] / 1000)


def noisy() -> Scoring:
    calls = iter(range(10**6))
    return lambda image, text: good(image, text) + 1e-4 * (next(calls) % 5)


def checked(scorer: Scoring, **options: Any) -> Checkup:
    return check_up(cb.scorer(scorer, name="mine", **options), load_template())


def test_a_scorer_that_sees_and_reads_is_able() -> None:
    found = checked(good)
    assert found.able
    assert [finding.name for finding in found.findings] == ["finite", "repeats", "sees", "reads", "sign", "long texts"]
    assert message_of(found, "finite").startswith("24 numbers, from ")
    assert message_of(found, "long texts") == "the end of a text of 200 words counts"
    assert found.expected.calls == 1000
    assert found.expected.seconds is not None


@pytest.mark.parametrize(
    ("scorer", "failing"),
    [
        (lambda image, text: -good(image, text), {"sign"}),
        (lambda image, text: float(len(text)), {"sees", "sign"}),
        (lambda image, text: shade(image)["red"], {"reads", "sign"}),
        (lambda image, text: good(image, " ".join(text.split()[:8])), {"long texts"}),
        (lambda image, text: float("nan"), {"finite"}),
    ],
    ids=["reversed", "blind", "deaf", "cuts", "nan"],
)
def test_each_check_finds_its_fault(scorer: Scoring, failing: set[str]) -> None:
    found = checked(scorer)
    assert {name for name, holds in held_by_name(found).items() if not holds} == failing
    assert not found.able


def test_a_reversed_sign_is_said() -> None:
    assert "return its negative" in message_of(checked(lambda image, text: -good(image, text)), "sign")


def test_texts_that_are_cut_late_are_told_and_do_not_fail() -> None:
    found = checked(lambda image, text: good(image, " ".join(text.split()[:60])))
    assert "a text of 100 words does not count" in message_of(found, "long texts")
    assert held_by_name(found)["long texts"]


def test_a_scorer_that_repeats_roughly_is_told_the_margin() -> None:
    assert "margin=0.000" in message_of(checked(noisy()), "repeats")
    assert "margin" not in message_of(checked(noisy(), margin=0.001), "repeats")
    assert "margin" not in message_of(checked(good), "repeats")


def test_a_scorer_that_fails_the_second_time_is_told_why() -> None:
    calls = iter(range(10**6))
    found = checked(lambda image, text: good(image, text) if next(calls) < 48 else float("nan"))
    (only,) = found.findings
    assert (only.name, only.holds) == ("finite", False)
    assert "asked a second time, " in only.message
    assert "the scorer returned nan, not a finite number" in only.message


def test_a_check_that_could_not_be_made_fails_nothing() -> None:
    """A scorer that takes no picture of 256 pixels."""
    found = checked(lambda image, text: good(image, text) if image.width != 256 else float("nan"))
    assert (held_by_name(found)["sign"], held_by_name(found)["long texts"]) == (None, None)


def test_numbers_are_asked_for_anew() -> None:
    texts: list[str] = []

    def counted(image: Image.Image, text: str) -> float:
        texts.append(text)
        return good(image, text)

    judge: ScorerJudge = cb.scorer(counted, name="counted")
    check_up(judge, load_template())
    assert max(map(texts.count, texts)) >= 4  # two pictures, twice


def test_raters_and_planted_scorers_are_asked_to_compare() -> None:
    for name in ("rater:planted:oracle", "scorer:planted:oracle"):
        found = check_up(name, load_template())
        assert found.able
        assert [finding.name for finding in found.findings] == ["answers", "sees", "together", "again"]
    assert not check_up("rater:planted:constant", load_template()).able
