"""Asking until decided: however often it is stopped or killed, the same questions, none twice, one certificate."""

import functools
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from asked import probe
from asking.fakes import FAILURE, snapshot
from planted_runs import read_journal

from counterbench.asking.asker import Limits
from counterbench.asking.runner import Progress
from counterbench.errors import InputError
from counterbench.evidence.document import Certificate
from counterbench.evidence.issue import certify
from counterbench.evidence.policies import Policy, load_policy
from counterbench.evidence.sequential import UntilDecided
from counterbench.files import formats
from counterbench.judges import open_judge
from counterbench.judges.base import Judge, Reply
from counterbench.judges.panel import PanelJudge
from counterbench.runs.folder import read_keys, read_run_info
from counterbench.runs.pair_queries import keys
from counterbench.runs.queries import Query, cell_of
from counterbench.suites.folder import Folder
from counterbench.suites.generation import generate
from counterbench.suites.sources import FolderSource, SuiteSource, attempt_seed
from counterbench.suites.suite import Suite, load_suite, parse_suite

SMOKE = load_suite("smoke")
NOISY = "planted:noisy?p=0.2"
# Asks little, so that it is quick: 4 pairs of a cell show it if all are right.
QUICK = msgspec.structs.replace(load_policy("exploratory"), name="quick", ccs=0.4, control=0.4, alpha=0.3, most=16)


@pytest.fixture(autouse=True, scope="module")
def undrawn() -> Iterator[None]:
    """No picture is drawn, and each pair is made once: planted judges look at none. tests/e2e has real ones."""
    with pytest.MonkeyPatch.context() as patched:
        made = functools.cache(lambda suite, family, index: sample(suite, parts[family], index))
        parts = {part.family: part for part in SMOKE.parts}
        sample = Suite.sample
        same = functools.cache(lambda seed, side: load_suite("smoke", seed, side))
        patched.setattr(Suite, "sample", lambda self, part, i: made(same(self.seed, self.side), part.family, i))
        patched.setattr(SuiteSource, "pictures", lambda self, pair: ())
        yield


def ask_until_decided(
    out: Path,
    judge: str | Callable[[UntilDecided], Judge] = NOISY,
    *,
    policy: Policy = QUICK,
    laws: tuple[str, ...] = (),
    **options: Any,
) -> Progress:
    """One call that asks about the suite smoke until all is decided."""
    adaptive = UntilDecided(SuiteSource(SMOKE), policy, out, laws)
    chosen = open_judge(judge, adaptive.keys) if isinstance(judge, str) else judge(adaptive)
    return probe(adaptive.source, chosen, out, adaptive=adaptive, **options)


def timeless_certificate(run: Path) -> Certificate:
    """Its certificate, but for when and in which order the replies came."""
    found = certify(run, QUICK)
    return msgspec.structs.replace(found, journal_digest="", asked_from="", asked_until="", time="", digest="")


def answer_counts(run: Path) -> Counter[tuple[str, int]]:
    """How often each question, and repeat, got its reply."""
    return Counter((record.id, record.repeat) for record in read_journal(run) if record.final)


def assert_same(run: Path, whole: Path) -> None:
    """One run is as another, that was never stopped."""
    for name in ("run.json", "keys.jsonl"):
        assert (run / name).read_bytes() == (whole / name).read_bytes()
    assert answer_counts(run) == answer_counts(whole)
    assert set(answer_counts(run).values()) == {1}
    assert timeless_certificate(run) == timeless_certificate(whole)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that was never stopped."""
    out = tmp_path_factory.mktemp("whole") / "run"
    assert ask_until_decided(out).complete
    return out


# ---- stopped, killed, resumed


def test_a_run_asks_until_every_cell_is_decided(whole: Path) -> None:
    found = timeless_certificate(whole)
    pairs = Counter(cell_of(key) for key in read_keys(whole) if key.role == "original")
    assert found.attempt == 1
    assert {name: cell.ccs.of for name, cell in found.cells.items()} == {n: pairs[n] for n in found.cells}
    assert len({cell.ccs.of for cell in found.cells.values()}) > 1, "what is unclear was asked more about"
    for cell in found.cells.values():
        assert cell.verdict != "not-enough-evidence" or cell.ccs.of == QUICK.most
    assert read_run_info(whole).by_cells
    assert UntilDecided(SuiteSource(SMOKE), QUICK, whole).status == "8 of 8 cells done"


@pytest.mark.slow
def test_a_run_stopped_by_max_calls_asks_the_same_questions(out: Path, whole: Path) -> None:
    chance, ends = random.Random(0), 0
    while not ask_until_decided(out, limits=Limits(max_calls=chance.randint(1, 40))).complete:
        ends += 1
    assert ends > 3
    assert_same(out, whole)
    assert ask_until_decided(out).calls == 0


@pytest.mark.slow
def test_repeats_count_as_questions_and_are_asked_one_by_one(out: Path) -> None:
    never, repeats = out.with_name("whole"), 3
    assert ask_until_decided(never, repeats=repeats).complete
    while not ask_until_decided(out, repeats=repeats, limits=Limits(max_calls=61)).complete:
        pass
    assert_same(out, never)
    assert read_run_info(out).queries == repeats * len(list(read_keys(out))) == len(answer_counts(out))


class Killed(BaseException):
    """What ends a process wherever it is."""


@pytest.mark.parametrize("lost", ["run.json", "keys.jsonl", "both"])
def test_a_run_killed_in_growing_recovers(out: Path, whole: Path, lost: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the two writes, before and after them; and the keys gone back to what they were."""
    growths, before = 0, {}
    write = formats.write_json

    def killing(path: Path, value: Any) -> None:
        nonlocal growths
        if path.name == "run.json" and path.exists():
            growths += 1
            if growths == 2:
                if lost != "run.json":
                    write(path, value)
                if lost != "both":
                    raise Killed
        write(path, value)
        if path.name == "run.json":
            before.update(snapshot(out))
            if growths == 2:
                raise Killed

    monkeypatch.setattr(formats, "write_json", killing)
    with pytest.raises(Killed):
        ask_until_decided(out)
    monkeypatch.undo()
    if lost == "keys.jsonl":
        (out / "keys.jsonl").write_bytes(before["keys.jsonl"])
    assert ask_until_decided(out).complete
    assert_same(out, whole)


# ---- what failed


class Failing:
    """A judge that fails on some questions, as another would answer the rest."""

    max_batch, max_in_flight = 1, 1

    def __init__(self, inner: Judge, fails: Callable[[str], bool]) -> None:
        self.name, self._inner, self._fails = inner.name, inner, fails

    async def answer(self, batch: Sequence[Query]) -> list[Reply]:
        return [FAILURE if self._fails(query.id) else (await self._inner.answer([query]))[0] for query in batch]

    async def close(self) -> None:
        await self._inner.close()


def failing_judge(fails: Callable[[str], bool]) -> Callable[[UntilDecided], Judge]:
    return lambda adaptive: Failing(open_judge(NOISY, adaptive.keys), fails)


def test_failed_questions_are_asked_again_before_the_run_grows(out: Path, whole: Path) -> None:
    first = [key.id for key in read_keys(whole)][5]
    end = ask_until_decided(out, failing_judge(lambda id: id == first))
    assert (end.failed, end.complete) == (1, False)
    begun = len(list(read_keys(out)))
    assert end.total == begun < len(list(read_keys(whole)))
    again = [record.id for record in read_journal(out)]
    assert ask_until_decided(out).complete
    assert next(record.id for record in read_journal(out)[len(again) :]) == first
    assert_same(out, whole)


def test_a_judge_that_fails_for_good_on_a_question_is_not_certified_by_asking_more(out: Path) -> None:
    """A pair left out because its question failed is chosen by the failure."""
    for _ in range(3):
        end = ask_until_decided(out, failing_judge(lambda id: id == "counting-000001/intervened"))
        assert (end.failed, end.complete) == (1, False)
        assert list(end.lasting) == ["counting-000001/intervened"]
    found = certify(out, QUICK)
    assert (found.verdict, found.admitted) == ("not-enough-evidence", [])
    assert "run the same `counterbench probe` again" in found.run["failed"].reason
    assert len(list(read_keys(out))) == 2 * len(UntilDecided(SuiteSource(SMOKE), QUICK, out.with_name("new")).source)


# ---- how far it is


def test_progress_never_goes_back_and_is_exact_for_a_right_judge(out: Path) -> None:
    notes: list[tuple[int, int, int]] = []

    def note(p: Progress) -> None:
        notes.append((p.done + p.failed, p.total, p.total + p.min_remaining))

    calls, more = 0, load_policy("exploratory")  # which asks for more than it asks before the first look
    while not ask_until_decided(
        out, "planted:oracle", policy=more, repeats=2, limits=Limits(max_calls=150), on_progress=note
    ).complete:
        calls += 1
    assert calls > 1
    dones, totals, ends = zip(*notes, strict=True)
    assert list(dones) == sorted(dones)
    assert list(totals) == sorted(totals)
    assert set(ends) == {dones[-1]}, "as many questions as it said at once that it would be at least"


def test_a_resumed_run_knows_its_remaining_calls(out: Path, whole: Path) -> None:
    assert UntilDecided(SuiteSource(SMOKE), QUICK, whole).min_remaining == 0
    ask_until_decided(out, "planted:oracle", limits=Limits(max_calls=3))
    plan = UntilDecided(SuiteSource(SMOKE), QUICK, out)
    new = UntilDecided(SuiteSource(SMOKE), QUICK, out.with_name("new"))
    assert (len(plan.source), plan.min_remaining) == (len(new.source), new.min_remaining)


# ---- with plain runs


@pytest.mark.slow
@pytest.mark.parametrize(("limit", "calls"), [(5, 7), (None, None)])
def test_a_plain_run_is_extended_cell_by_cell(out: Path, whole: Path, limit: int | None, calls: int | None) -> None:
    plain = SuiteSource(SMOKE, limit)
    probe(plain, open_judge(NOISY, lambda: keys(plain)), out, limits=Limits(max_calls=calls))
    before, replies = {key.id for key in read_keys(out)}, read_journal(out)
    assert not read_run_info(out).by_cells
    assert ask_until_decided(out).complete
    assert read_journal(out)[: len(replies)] == replies
    assert set(answer_counts(out).values()) == {1}
    # Of the controls, all together, other ones may have been asked already.
    new, never = ({id for id, _ in answer_counts(run) if not id.startswith("control-")} for run in (out, whole))
    assert new == never | {id for id in before if not id.startswith("control-")}
    assert read_run_info(out).by_cells
    assert timeless_certificate(out).cells.keys() == timeless_certificate(whole).cells.keys()


def test_a_plain_probe_into_a_run_by_cells_is_refused_and_loses_nothing(whole: Path) -> None:
    before = snapshot(whole)
    for limit in (None, 3):
        plain = SuiteSource(SMOKE, limit)
        with pytest.raises(
            InputError, match=r"was asked cell by cell, \d+ questions so far: `validate` goes on with it; to ask"
        ):
            probe(plain, open_judge(NOISY, functools.partial(keys, plain)), whole)
    assert snapshot(whole) == before


@pytest.mark.parametrize("other", ["judge", "attempt", "size"])
def test_another_run_in_its_folder_is_refused(whole: Path, other: str) -> None:
    seed, side = attempt_seed(SMOKE, 2) if other == "attempt" else SMOKE.seed, 256 if other == "size" else None
    adaptive = UntilDecided(SuiteSource(load_suite("smoke", seed, side)), QUICK, whole)
    judge = open_judge("planted:oracle" if other == "judge" else NOISY, adaptive.keys)
    before = snapshot(whole)
    with pytest.raises(InputError, match="holds another run"):
        probe(adaptive.source, judge, whole, adaptive=adaptive)
    assert snapshot(whole) == before


def test_another_policy_extends_the_same_run(out: Path) -> None:
    ask_until_decided(out, "planted:oracle")
    before = len(list(read_keys(out)))
    stricter = msgspec.structs.replace(QUICK, ccs=0.5)
    assert ask_until_decided(out, "planted:oracle", policy=stricter).complete
    after = list(read_keys(out))
    assert len(after) > before
    assert ask_until_decided(out, "planted:oracle").calls == 0
    assert list(read_keys(out)) == after


def test_a_run_may_ask_about_chosen_laws_only(out: Path) -> None:
    assert ask_until_decided(out, laws=("counting",)).complete
    found = timeless_certificate(out)
    assert set(found.laws) == {"counting"}
    assert found.control.pairs > 0
    with pytest.raises(InputError, match="unknown law 'gravity'; choose from: arrow, "):
        ask_until_decided(out, laws=("gravity",))


# ---- what has no cells, or is of no attempt


def test_only_the_pairs_of_an_attempt_are_asked(out: Path, tmp_path: Path) -> None:
    generate(SMOKE, tmp_path / "pairs", workers=1, limit=4)
    for source, why in (
        (FolderSource(Folder(tmp_path / "pairs")), "pairs are drawn as they are needed; name the suite"),
        (SuiteSource(load_suite("smoke", 9)), "suite 'smoke', seed 9: is of no attempt"),
    ):
        with pytest.raises(InputError, match=why):
            UntilDecided(source, QUICK, out)
    few = {"name": "spatial", "count": 3, "forms": ["yes-no"]}
    mine = {"format": "counterbench.suite/1", "seed": SMOKE.seed, "family": [few]}
    for name in ("mine", "smoke"):  # a shipped one's name, and seed, make no shipped suite
        own = parse_suite({**mine, "name": name}, "mine.toml")
        with pytest.raises(InputError, match=f"suite '{name}', seed 1: is of no attempt"):
            UntilDecided(SuiteSource(own), QUICK, out)


# ---- a panel of judges, asked about the pairs that all its members were asked


def test_a_panel_is_asked_what_all_its_members_were_asked_and_no_more(whole: Path, tmp_path: Path) -> None:
    ask_until_decided(tmp_path / "oracle", "planted:oracle")
    members = [whole, tmp_path / "oracle"]
    pairs = [Counter(cell_of(key) for key in read_keys(run) if key.role == "original") for run in members]
    panel = PanelJudge(members, "all")
    assert panel.first_pairs() == pairs[0] & pairs[1]
    adaptive = UntilDecided(SuiteSource(SMOKE), QUICK, tmp_path / "panel", answerable=panel.first_pairs())
    assert adaptive.most == 2 * panel.first_pairs().total()
    end = probe(adaptive.source, panel, tmp_path / "panel", adaptive=adaptive)
    assert end.complete
    assert end.total == adaptive.most
    certificate = certify(tmp_path / "panel", QUICK)
    assert certificate.judge == "panel:all(planted:noisy?p=0.2, planted:oracle)"
    undecided = {name for name, cell in certificate.cells.items() if cell.verdict == "not-enough-evidence"}
    assert undecided, "the noisy judge was asked on where the oracle was decided"
    wrong = {id for id, _ in _wrong(tmp_path / "panel")}
    assert wrong <= {id for run in members for id, _ in _wrong(run)}, "what was not asked is not wrong"


def _wrong(run: Path) -> set[tuple[str, str | None]]:
    """The questions with a wrong reply."""
    expected = {key.id: key.expected for key in read_keys(run)}
    return {(r.id, r.reply) for r in read_journal(run) if r.reply != expected[r.id]}
