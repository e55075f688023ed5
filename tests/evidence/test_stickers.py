"""A judge is tested by stickers on pictures: asked about the pictures alone first, then about pairs on the others."""

import re
from pathlib import Path

import pytest
from PIL import Image
from skimage import data

from counterbench.asking.asker import Limits
from counterbench.errors import InputError
from counterbench.evidence.cells import PairCount, cell_result, needed_e_value
from counterbench.evidence.policies import load_policy
from counterbench.evidence.stickers import StickerResult, StickerTest, kept_result, redecided
from counterbench.judges.pixels import CannotRead, read_answer


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("grounds")
    for name in ("chelsea", "rocket", "coffee", "brick"):
        picture = Image.fromarray(getattr(data, name)()).convert("RGB")
        picture.thumbnail((400, 400))
        picture.save(folder / f"{name}.jpg")
    for shade in range(30):
        Image.new("RGB", (300, 280), (8 * shade, 120, 90)).save(folder / f"plain-{shade:02}.png")
    return [file for file in sorted(folder.iterdir()) if min(Image.open(file).size) >= 256]


def seen_in(image: Image.Image, question: str) -> str:
    try:
        return read_answer(image, question)
    except CannotRead as error:
        return error.plain


def sticker_result(test: StickerTest) -> StickerResult:
    for asking in test.askings():
        asking.run()
        assert asking.complete
    return test.conclude()


@pytest.mark.slow
def test_a_seeing_judge_passes_without_a_second_round(files: list[Path], tmp_path: Path) -> None:
    test = StickerTest("pixels", files, tmp_path / "run")
    calls = test.plan().calls
    assert calls == len(set(test.grounds)) + 120
    result = sticker_result(test)
    assert (result.verdict, result.left_out, result.objections) == ("pass", 0, [])
    assert result.finding.admitted
    assert result.finding.ccs.value == 1.0
    assert result.declined["jpeg"] > 0  # it cannot read these
    assert 50 <= result.finding.pairs == 60 - sum(result.declined.values())
    assert kept_result(tmp_path / "run") == result
    again = StickerTest("pixels", files, tmp_path / "run")
    assert list(again.askings()) == []
    assert again.plan().calls == 0


@pytest.mark.slow
def test_a_judge_that_sees_only_on_plain_grounds_is_refused(files: list[Path], tmp_path: Path) -> None:
    result = sticker_result(StickerTest("planted:style-blind?p=1", files, tmp_path / "run"))
    assert result.verdict == "fail"
    assert re.search(r"\d+ of 60 pairs right, shown to be no more than 85 %", result.objections[0])


@pytest.mark.slow
def test_pictures_with_stickers_already_are_left_out_and_many_fail_the_test(files: list[Path], tmp_path: Path) -> None:
    def sees_things(image: Image.Image, question: str) -> str:
        if question.startswith("Is there a sticker"):
            return "yes" if image.getpixel((5, 5))[0] in with_stickers else "no"  # type: ignore[index]
        return seen_in(image, question)

    with_stickers: tuple[int, ...] = (8,)
    some = sticker_result(StickerTest(sees_things, files, tmp_path / "few"))
    assert 0 < some.left_out <= 0.1 * some.grounds
    assert some.verdict == "pass"
    grounds = {pair.name for pair in (tmp_path / "few" / "pairs" / "grounds").iterdir()}
    assert grounds
    with_stickers = tuple(range(0, 240, 16))
    many = sticker_result(StickerTest(sees_things, files, tmp_path / "many"))
    assert many.verdict == "fail"
    assert "it did not say that" in many.reason
    assert not (tmp_path / "many" / "pairs").exists()  # nothing was drawn and nothing more asked


@pytest.mark.slow
def test_the_option_by_family_tests_each_family_as_its_own_cell(files: list[Path], tmp_path: Path) -> None:
    test = StickerTest(
        "planted:colour-confusion?p=1", files, tmp_path / "run", families=("presence", "attribute"), by_family=True
    )
    assert test.pairs == 180  # and as many that must not change
    result = sticker_result(test)
    assert {name: cell.verdict for name, cell in result.cells.items()} == {
        "stickers/presence": "pass",
        "stickers/attribute": "fail",
        "stickers/control": result.cells["stickers/control"].verdict,
    }
    assert result.reason.startswith("attribute: ")


def test_verdicts_on_several_cells_are_adjusted_for_their_number() -> None:
    least = needed_e_value(load_policy("standard"), 1)
    fails, passes, open_ = (cell_result(PairCount(*count), 0.85, least) for count in ((18, 12), (30, 0), (27, 3)))
    assert (fails.verdict, passes.verdict) == ("fail", "pass")
    assert redecided({"one": fails}, least)["one"].verdict == "fail"
    six = redecided({"one": fails, "two": passes, **{f"{n}": open_ for n in range(4)}}, least)
    assert {cell.verdict for cell in six.values()} == {"not-enough-evidence"}
    assert redecided({"one": cell_result(PairCount(0, 60), 0.85, least), "two": open_}, least)["one"].verdict == "fail"


@pytest.mark.slow
def test_a_killed_sticker_test_resumes_and_asks_nothing_twice(files: list[Path], tmp_path: Path) -> None:
    questions: list[tuple[str, bytes]] = []

    def judge(image: Image.Image, question: str) -> str:
        questions.append((question, image.tobytes()))
        return "no" if question.startswith("Is there a sticker") else seen_in(image, question)

    for most in (5, 40, None):
        test = StickerTest(judge, files, tmp_path / "run", limits=Limits(max_calls=most))
        for asking in test.askings():
            asking.run()
            if not asking.complete:
                break
        else:
            test.conclude()
    assert len(questions) == len(set(questions)) or len(questions) == len(set(test.grounds)) + 120
    assert kept_result(tmp_path / "run") is not None


@pytest.mark.slow
def test_a_result_counts_only_for_its_own_judge_template_and_pictures(files: list[Path], tmp_path: Path) -> None:
    result = sticker_result(StickerTest("planted:oracle", files, tmp_path))
    assert StickerTest("planted:oracle", files, tmp_path).saved() == result
    for what, other in {
        "judge": StickerTest("planted:noisy", files, tmp_path),
        "template": StickerTest("planted:oracle", files, tmp_path, template="default"),
        "pictures": StickerTest("planted:oracle", files[1:], tmp_path),
    }.items():
        with pytest.raises(InputError, match=f"with another {what}"):
            other.saved()
    assert StickerTest("planted:oracle", files[1:], tmp_path).saved(of_others=True) == result
