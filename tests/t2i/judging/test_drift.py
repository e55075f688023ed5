"""Drift: some of a certificate's own pairs are asked again, and a judge that changed is told from one that did not."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from t2i.lawful import altered, certificate

from counterbench.asking.probe import probe
from counterbench.judges import open_judge
from counterbench.runs.folder import JOURNAL_FILE
from counterbench.runs.pair_queries import keys
from counterbench.suites.cells import cells_of
from counterbench.suites.suite import load_suite
from counterbench.t2i.judging.drift import LEVEL, PAIRS, Drift, drift, drift_run, pairs_again

LAWS = ("falling", "wind")


CELLS = len(cells_of(load_suite("laws")))


def asked(judge: str, out: Path) -> Drift:
    shown = certificate(laws=LAWS)
    source = pairs_again(shown)
    probe(source, open_judge(judge, lambda: keys(source)), out / "run")
    found = drift(out / "run", shown)
    assert found is not None
    return found


@pytest.mark.slow
def test_the_pairs_are_those_that_the_certificate_rests_on() -> None:
    shown = certificate(laws=LAWS)
    pairs = list(pairs_again(shown))
    assert len(pairs) == len({pair.id for pair in pairs}) == PAIRS
    assert {pair.law for pair in pairs} == set(LAWS)
    turns = {pair.id: pair.index // CELLS for pair in pairs}
    assert max(turns.values()) < max(cell.ccs.of for cell in shown.cells.values())  # so many of a cell were asked
    assert [pair.id for pair in pairs] == [pair.id for pair in pairs_again(shown)]
    again = altered(shown, time="2026-01-01T00:00:00+00:00")  # issued anew: no other pairs
    assert [pair.id for pair in pairs] == [pair.id for pair in pairs_again(again)]
    assert drift_run(Path("r"), shown, "end") == drift_run(Path("r"), again, "end")
    other = altered(shown, journal_digest="0" * 32)
    assert {pair.id for pair in pairs} != {pair.id for pair in pairs_again(other)}  # nobody knows them before


def test_only_what_the_certificate_admits_to_is_asked() -> None:
    shown = altered(certificate(laws=LAWS), admitted=["wind"])
    assert {pair.law for pair in pairs_again(shown)} == {"wind"}
    assert len(pairs_again(shown)) == PAIRS


def test_the_same_judge_has_not_changed(tmp_path: Path) -> None:
    found = asked("planted:oracle", tmp_path)
    assert (found.now.hits, found.now.of, found.then.of, found.changed) == (PAIRS, PAIRS, found.then.of, False)
    assert found.then.of >= 10 * 30
    of = f"{found.then.of} of {found.then.of}"
    assert found.words == f"right on 20 of 20 certified pairs, on {of} when certified (p = 1.00)"


@pytest.mark.parametrize("judge", ["planted:sticky", "planted:no-bias", "planted:noisy?p=0.3"])
def test_another_judge_has(judge: str, tmp_path: Path) -> None:
    found = asked(judge, tmp_path)
    assert found.p < LEVEL
    assert found.words.endswith(f"(p = under 0.0001), answering as {judge}")
    assert found.changed
    assert msgspec.structs.replace(found, p=1.0).changed  # another model id alone is one, too


def test_the_test_is_fisher_s(tmp_path: Path) -> None:
    from scipy.stats import fisher_exact

    found = asked("planted:noisy?p=0.1", tmp_path)
    now, then = found.now, found.then
    table = [[now.hits, now.of - now.hits], [then.hits, then.of - then.hits]]
    assert found.p == pytest.approx(fisher_exact(table, alternative="less").pvalue)
    assert now.of - now.hits > 0  # or nothing would be tested


def test_nothing_asked_is_nothing_found(tmp_path: Path) -> None:
    assert drift(tmp_path / "none", certificate()) is None
    asked("planted:oracle", tmp_path)
    (tmp_path / "run" / JOURNAL_FILE).write_bytes(b"")
    assert drift(tmp_path / "run", certificate(laws=LAWS)) is None
