"""How many answers hang on the template: counted by hand, question by question, whoever is right."""

import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from planted_runs import edit_info, read_journal, rewrite, write_run

from counterbench.answers.outcomes import Failed
from counterbench.errors import InputError
from counterbench.results.flips import Flips, flips_of
from counterbench.runs.folder import Record, template_path, templates_in
from counterbench.stats.intervals import wilson

YES_NO = {"yes": "No.", "no": "Yes."}


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """The oracle on 12 pairs."""
    return write_run(tmp_path / "run", "planted:oracle", "smoke", 12)


def ask_reworded(run: Path, name: str, change: Callable[[list[Record]], list[Record]] = list) -> Path:
    path = template_path(run, name)
    shutil.copytree(run, path, ignore=shutil.ignore_patterns("templates"))
    put = [msgspec.structs.replace(r, asked=f"{r.asked} under {name}") for r in read_journal(path)]
    rewrite(path, change(put))
    edit_info(path, template=name, template_digest=f"digest of {name}")
    return path


def with_reply(reply: str, *places: int) -> Callable[[list[Record]], list[Record]]:
    """The replies at these places are another."""

    def change(records: list[Record]) -> list[Record]:
        return [msgspec.structs.replace(r, reply=reply) if i in places else r for i, r in enumerate(records)]

    return change


def flips_in(run: Path) -> Flips:
    flips = flips_of(run, "default")
    assert flips is not None
    return flips


def test_a_run_under_one_template_has_no_flips(run: Path) -> None:
    assert flips_of(run, "default") is None
    (run / "templates" / "empty").mkdir(parents=True)
    assert templates_in(run) == []


def test_another_answer_is_a_flip_and_other_words_are_not(run: Path) -> None:
    ask_reworded(run, "same", lambda records: [msgspec.structs.replace(r, reply=f"It is {r.reply}.") for r in records])
    flips = flips_in(run)
    assert (flips.rate.hits, flips.rate.of, flips.left_out, flips.unanswered) == (0, 24, 0, 0)
    assert (flips.rate.low, flips.rate.high) == wilson(0, 12)
    assert {name: ccs.value for name, ccs in flips.templates.items()} == {"default": 1, "same": 1}
    ask_reworded(run, "unsure", with_reply("It depends.", 0, 1, 5))
    flips = flips_in(run)
    assert (flips.rate.hits, flips.unanswered) == (3, 3)
    assert flips.templates["unsure"].hits == 10


def test_questions_in_the_same_words_are_not_counted(run: Path) -> None:
    digests = [record.asked for record in read_journal(run)]

    def as_before(records: list[Record]) -> list[Record]:
        return [msgspec.structs.replace(r, asked=digests[i]) if i < 20 else r for i, r in enumerate(records)]

    ask_reworded(run, "nearly", as_before)
    flips = flips_in(run)
    assert (flips.rate.of, flips.alike, flips.left_out) == (4, 20, 0)


def test_the_rate_counts_questions_that_differ_under_any_two_templates(run: Path) -> None:
    ask_reworded(run, "a", with_reply("It depends.", 0))
    ask_reworded(run, "b", with_reply("It depends.", 1))
    assert flips_in(run).rate.hits == 2


def test_different_wrong_answers_are_a_flip_and_equal_ones_are_not(run: Path) -> None:
    records = read_journal(run)
    count = next(i for i, record in enumerate(records) if (record.reply or "").isdecimal())
    rewrite(run, with_reply("98", count)(records))
    ask_reworded(run, "a", with_reply("99", count))
    assert (flips_in(run).rate.hits, flips_in(run).unanswered) == (1, 0)
    shutil.rmtree(run / "templates")
    ask_reworded(run, "b")
    assert flips_in(run).rate.hits == 0


def test_a_question_without_a_reply_is_left_out(run: Path) -> None:
    def lost(records: list[Record]) -> list[Record]:
        failed = msgspec.structs.replace(records[0], reply=None, failure=Failed("http-500"), outcome="failed")
        return [failed, *records[2:]]

    ask_reworded(run, "a", lost)
    assert (flips_in(run).rate.of, flips_in(run).left_out) == (22, 2)
    assert (flips_in(run).rate.low, flips_in(run).rate.high) == wilson(0, 11)


def test_the_interval_counts_pairs_and_its_ends_are_rounded_outwards(run: Path) -> None:
    ask_reworded(run, "a", with_reply("It depends.", 0, 1, 5))
    rate = flips_in(run).rate
    low, high = wilson(1, 12), wilson(2, 12)  # 3 of 24 questions, so 1.5 of 12 pairs
    assert low is not None
    assert high is not None
    assert (rate.value, rate.low, rate.high) == (0.125, low[0], high[1])


def test_two_runs_under_one_template_are_refused(run: Path) -> None:
    edit_info(ask_reworded(run, "a"), template="default")
    with pytest.raises(InputError, match="a second run under the template 'default'"):
        flips_of(run, "default")


def test_a_templates_name_is_safe_as_a_folder_name(run: Path) -> None:
    assert template_path(run, "../default, prompt shown") == run / "templates" / "-default-prompt-shown"
