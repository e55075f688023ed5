"""Panels: the answers of several judges' runs joined by a rule, and nothing claimed that not all members were asked."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from asked import probe
from asking.fakes import FAILURE, Paper, Scripted
from hypothesis import given
from hypothesis import strategies as st
from planted_runs import edit_info

import counterbench as cb
from counterbench.answers import ANSWER_TYPES, Answer, Unparsed, read_reply
from counterbench.errors import InputError
from counterbench.judges import is_spec, open_judge
from counterbench.judges.base import Reply
from counterbench.judges.panel import PanelJudge, _no_answer, joined_answer
from counterbench.runs.folder import last_records, read_run_info
from counterbench.runs.queries import load_template
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite

VALUES = st.lists(st.sampled_from(["yes", "no", "uncertain", None]), min_size=2, max_size=7)
PAPER = Paper(3)


@given(VALUES)
def test_a_majority_is_more_than_half_of_all_members(values: list[str | None]) -> None:
    shares = {value: values.count(value) / len(values) for value in values if value is not None}
    above = [value for value, share in shares.items() if share > 0.5]
    assert joined_answer(values, "verdict", "majority") == (above[0] if above else None)


@given(VALUES)
def test_all_is_yes_only_if_all_say_yes_and_no_if_any_says_no(values: list[str | None]) -> None:
    expected = "no" if "no" in values else values[0] if len(set(values)) == 1 else None
    assert joined_answer(values, "verdict", "all") == expected


def test_all_of_other_types_is_what_all_give() -> None:
    assert joined_answer(["4", "4"], "integer", "all") == "4"
    assert joined_answer(["no", "yes"], "word", "all") is None
    assert joined_answer(["4", "5"], "rating:1-5", "majority") is None


TYPES = [*(set(ANSWER_TYPES)), "rating:1-5", "ratings:1-5", "choice:first|second|equal"]


@given(
    st.lists(st.one_of(st.none(), st.text(max_size=60), st.sampled_from(["yes", "</think> yes", "[/think]4"]))),
    st.sampled_from(sorted(TYPES)),
    st.booleans(),
)
def test_the_reply_of_a_panel_without_an_answer_is_unparsed(values: list[str | None], kind: str, line: bool) -> None:
    assert isinstance(read_reply(_no_answer(values, "majority"), kind, answer_line=line), Unparsed)


def run_of(path: Path, says: Callable[[str], Reply], name: str, source: object = PAPER, **options: object) -> Path:
    judge = Scripted(lambda id, times: says(id))
    judge.name = name
    probe(source, judge, path, **options)  # type: ignore[arg-type]
    return path


@pytest.fixture
def members(tmp_path: Path) -> list[Path]:
    yes = {"a": {"0", "1", "2"}, "b": {"0", "1"}, "c": {"0"}}
    return [
        run_of(tmp_path / name, lambda id, yes=yes[name]: Reply(text="yes" if id[1] in yes else "no"), f"judge-{name}")
        for name in yes
    ]


@pytest.mark.parametrize(("how", "expected"), [("majority", ["yes", "yes", "no"]), ("all", ["yes", "no", "no"])])
def test_a_panel_joins_its_members_answers(how: str, expected: list[str], members: list[Path], tmp_path: Path) -> None:
    judge = open_judge(f"panel:{','.join(map(str, members))}?how={how}")
    assert judge.name == f"panel:{how}(judge-a, judge-b, judge-c)"
    assert probe(PAPER, judge, tmp_path / "panel").complete  # type: ignore[arg-type]
    found = {r.id: r.reply for r in last_records(tmp_path / "panel" / "journal.jsonl").values()}
    assert [found[f"p{i}/original"] for i in range(3)] == expected


def test_a_panel_is_known_by_its_judges_and_its_rule_wherever_their_runs_lie(
    members: list[Path], tmp_path: Path
) -> None:
    names = {PanelJudge(paths).name for paths in (members, members[::-1])}
    shutil.copytree(members[0], tmp_path / "elsewhere")
    assert names == {PanelJudge([tmp_path / "elsewhere", *members[1:]]).name}
    assert PanelJudge(members, "all").name not in names
    assert PanelJudge(members[:2]).name not in names


def test_a_panel_under_the_templates_phrasing_is_read_as_it_was_joined(tmp_path: Path) -> None:
    template = load_template("structured")
    paths = [
        run_of(tmp_path / name, lambda id: Reply(text='I see it.\n{"answer": "no"}'), name, template=template)
        for name in "ab"
    ]
    assert probe(PAPER, PanelJudge(paths), tmp_path / "panel", template=template).complete  # type: ignore[arg-type]
    (text,) = {r.reply for r in last_records(tmp_path / "panel" / "journal.jsonl").values()}
    assert text == '{"answer": "no"}'
    assert read_reply(text, "yes-no") == Answer("no")


def test_a_panels_replies_are_as_old_and_as_changed_as_its_members(members: list[Path], tmp_path: Path) -> None:
    """A certificate holds for some days from the first reply, and for one model."""
    old = "2020-01-01T00:00:00.000+00:00"
    lines = (members[1] / "journal.jsonl").read_text().splitlines()
    changed = [json.loads(line) | {"time": old, "model": f"m{n % 2}"} for n, line in enumerate(lines)]
    (members[1] / "journal.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in changed))
    judge = PanelJudge(members)
    assert judge.replies_from == old
    probe(PAPER, judge, tmp_path / "panel")  # type: ignore[arg-type]
    assert read_run_info(tmp_path / "panel").replies_from == old
    models = {r.model for r in last_records(tmp_path / "panel" / "journal.jsonl").values()}
    assert models == {"?+m0+?", "?+m1+?"}


def test_people_and_runs_of_another_suite_are_no_members(members: list[Path], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="panel: suite"):
        probe(Paper(2, "other"), PanelJudge(members), tmp_path / "panel")  # type: ignore[arg-type]
    edit_info(members[0], judge="person:ann")
    with pytest.raises(InputError, match="people's answers are no member"):
        PanelJudge(members)


def test_a_failed_member_makes_a_question_failed_and_an_unread_one_only_unparsed(tmp_path: Path) -> None:
    a = run_of(tmp_path / "a", lambda id: FAILURE if id[1] == "0" else Reply(text="yes"), "a")
    b = run_of(tmp_path / "b", lambda id: Reply(text="Hard to tell." if id[1] == "1" else "yes"), "b")
    progress = probe(PAPER, PanelJudge([a, b]), tmp_path / "panel")  # type: ignore[arg-type]
    assert (progress.done, progress.failed) == (4, 2)
    assert progress.figures.outcomes == {"answer": 2, "unparsed": 2}
    last = {r.id: r for r in last_records(tmp_path / "panel" / "journal.jsonl").values()}
    assert last["p0/original"].failure is not None
    assert last["p0/original"].failure.message == f"of {a}: this question failed"
    assert (
        last["p1/original"].reply == "<think>the panel has no answer by majority; its members: yes, no answer</think>"
    )


def test_a_pair_that_a_member_was_not_asked_is_undecided_and_never_wrong(tmp_path: Path) -> None:
    a = run_of(tmp_path / "a", lambda id: Reply(text="yes"), "judge-a", limits=cb.Limits(max_calls=4, concurrency=1))
    b = run_of(tmp_path / "b", lambda id: Reply(text="yes"), "judge-b")
    progress = probe(PAPER, PanelJudge([a, b]), tmp_path / "panel")  # type: ignore[arg-type]
    assert (progress.done, progress.failed) == (4, 2)
    why = f"not-asked of {a}: counterbench probe paper --judge judge-a --template default --out {a} asks the rest"
    assert set(progress.lasting.values()) == {why}
    assert cb.score(tmp_path / "panel").overall.answered == 2


def test_members_that_do_not_fit_together_are_refused_before_anything_is_written(
    members: list[Path], tmp_path: Path
) -> None:
    bare = run_of(tmp_path / "bare", lambda id: Reply(text="no"), "bare", template=load_template("bare"))
    twice = run_of(tmp_path / "twice", lambda id: Reply(text="no"), "twice", repeats=2)
    other = run_of(tmp_path / "other", lambda id: Reply(text="no"), "other", source=Paper(2, "other"))
    for path, why in (
        (bare, r"template 'default' in .*/a and 'bare' in .*/bare: a panel joins runs of the same questions"),
        (twice, r"repeats 1 in .*/a and 2 in .*/twice"),
        (other, r"suite 'paper' in .*/a and 'other' in .*/other"),
        (members[0], "was named twice"),
        (tmp_path / "none", "there is no such run folder"),
    ):
        with pytest.raises(InputError, match=why):
            PanelJudge([members[0], path])
    with pytest.raises(InputError, match="a panel has two or more runs"):
        open_judge(f"panel:{members[0]}")
    with pytest.raises(InputError, match=r"unknown how .median.*all, majority"):
        open_judge(f"panel:{members[0]},{members[1]}?how=median")
    for options in ({"template": load_template("bare")}, {"repeats": 2}):
        with pytest.raises(InputError, match=r"in .*/a and .* in this call"):
            probe(PAPER, PanelJudge(members), tmp_path / "panel", **options)  # type: ignore[arg-type]
    assert not (tmp_path / "panel").exists()


def test_a_panels_run_is_of_these_replies_of_its_members(members: list[Path], tmp_path: Path) -> None:
    probe(PAPER, PanelJudge(members), tmp_path / "panel")  # type: ignore[arg-type]
    assert probe(PAPER, PanelJudge(members), tmp_path / "panel").calls == 0  # type: ignore[arg-type]
    assert {*json.loads((tmp_path / "panel" / "run.json").read_text())["members"]} == {str(path) for path in members}
    assert "members" not in json.loads((members[0] / "run.json").read_text())
    journal = members[1] / "journal.jsonl"
    journal.write_text(journal.read_text().replace('"reply":"yes"', '"reply":"no"'))
    with pytest.raises(InputError, match="its panel has other members now, or they have other replies"):
        probe(PAPER, PanelJudge(members), tmp_path / "panel")  # type: ignore[arg-type]


def test_a_panel_cannot_be_opened_by_the_name_in_its_run(members: list[Path]) -> None:
    name = PanelJudge(members).name
    assert is_spec(f"panel:{members[0]},{members[1]}")
    with pytest.raises(InputError, match="there is no such run folder"):
        open_judge(name)


def test_a_panel_of_judges_that_take_one_picture_at_once_takes_their_sheets(tmp_path: Path) -> None:
    """Two pictures of a question are one sheet to such a judge, so it was asked about another picture."""
    source = SuiteSource(load_suite("pairwise"), 1)
    judge = Scripted(lambda id, times: Reply(text="first"))
    judge.max_pictures = 1  # type: ignore[attr-defined]
    probe(source, judge, tmp_path / "sheets")
    judge = Scripted(lambda id, times: Reply(text="first"))
    judge.max_pictures = 2  # type: ignore[attr-defined]
    probe(source, judge, tmp_path / "both")
    assert probe(source, PanelJudge([tmp_path / "sheets", tmp_path / "both"]), tmp_path / "panel").complete


def test_a_panel_stands_beside_its_members_in_compare(members: list[Path], tmp_path: Path) -> None:
    probe(PAPER, PanelJudge(members), tmp_path / "panel")  # type: ignore[arg-type]
    found = cb.compare(tmp_path / "panel", *members)
    assert found.runs[0].judge == "majority of 3 judges"
    assert {(c.first, c.second) for c in found.overall.contrasts if "majority" in c.first} == {
        ("majority of 3 judges", f"judge-{name}") for name in "abc"
    }
    assert found.runs[0].costs.usd is None  # it takes the money of all its members
