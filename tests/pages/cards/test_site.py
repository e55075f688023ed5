"""The index over cards: derived anew, filtered by needs, and without any run that was changed."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import browser, opened
from commands import call, done
from planted_runs import read_journal

from counterbench.errors import CounterbenchError
from counterbench.files import formats
from counterbench.pages.cards.checks import checked
from counterbench.pages.cards.document import CardDocument
from counterbench.pages.cards.site import Index, Listed, site_page
from counterbench.results.results import load_results
from counterbench.runs.folder import RunInfo
from counterbench.suites.families.ladders import LADDERS

Edit = tuple[str, str, Callable[[Path], None]]  # the run, a name, and what changes its folder


def _json(file: str, *place: str | int, to: Any) -> Callable[[Path], None]:
    def edit(run: Path) -> None:
        path = run / file
        whole = json.loads(path.read_text())
        at = whole
        for step in place[:-1]:
            at = at[step]
        assert at[place[-1]] != to
        at[place[-1]] = to
        path.write_text(json.dumps(whole))

    return edit


def _line(file: str, number: int, change: Callable[[dict[str, Any]], None] | None) -> Callable[[Path], None]:
    """An edit of one line, which is cut without a `change`."""

    def edit(run: Path) -> None:
        lines = (run / file).read_text().splitlines(keepends=True)
        if change is None:
            del lines[number]
        else:
            record = json.loads(lines[number])
            change(record)
            lines[number] = json.dumps(record) + "\n"
        (run / file).write_text("".join(lines))

    return edit


def _doubled(run: Path) -> None:
    journal = run / "journal.jsonl"
    journal.write_text(journal.read_text() + journal.read_text().splitlines(keepends=True)[3])


def _looks_doubled(run: Path) -> None:
    looks = json.loads((run / "watch/watch.json").read_text())["looks"]
    _json("watch/watch.json", "looks", to=looks * 2)(run)


def _set(name: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda record: record.__setitem__(name, value)


def _other(record: dict[str, Any]) -> None:
    record["reply"] = '{"answer": "no"}' if "yes" in record["reply"] else '{"answer": "yes"}'


def _fails(record: dict[str, Any]) -> None:
    record |= {"reply": None, "failure": {"kind": "made-up", "message": ""}, "outcome": "failed"}


INFO: dict[str, Any] = {
    "suite": "smoke", "suite_digest": "0" * 32, "seed": 1, "judge": "openai:gpt-best", "template": "default",
    "template_digest": "1" * 32, "votes": 3, "queries": 2, "by_cells": None, "shard": "0/2", "domain": None,
    "format": "counterbench.run/9",
}  # fmt: skip
KEY: dict[str, Any] = {
    "id": "x", "group": "x", "role": "other", "expected": "maybe", "relevant": None, "skill": "x", "family": "x",
    "category": "x", "answer_type": "integer", "difficulty": {"x": 1}, "cell": "x/y", "truth": "published",
    "misreadings": {"left-right": "x"}, "traits": {"x": "y"}, "kinds": ["swapped"], "labels": {"a": "b"},
}  # fmt: skip
OTHERS: dict[str, Any] = {
    "str": "x", "int": 12345, "float": 0.5, "bool": False, "list": ["spatial"], "dict": {"x": 1}, "NoneType": 1,
}  # fmt: skip
RECORD: dict[str, Any] = {"time": "x", "id": "x", "identity": "2" * 32, "asked": "3" * 32, "vote": 1}


def edits(kept: Path) -> Iterator[Edit]:
    """Single edits that are not carried through to the replies."""
    for name in ("ladder", "certify"):
        info = json.loads((kept / name / "run.json").read_text())
        for field, to in INFO.items():
            value = not info[field] if field == "by_cells" else to
            yield name, f"run.json {field}", _json("run.json", field, to=value)
        yield name, "run.json template of one's own", _json("run.json", "template", to="mine")
        yield name, "a reply doubled", _doubled
        yield name, "run.json suite of one's own", _json("run.json", "suite", to="mine")
        for field, to in {"size": "300x300", "style": "textured", "file_format": "jpeg", "renderer": "x"}.items():
            yield name, f"run.json domain.{field}", _json("run.json", "domain", field, to=to)
        for at in (0, 77, -1):
            first = json.loads((kept / name / "keys.jsonl").read_text().splitlines()[at])
            for field, to in KEY.items():
                value = not first["relevant"] if field == "relevant" else to
                yield name, f"key {at} {field}", _line("keys.jsonl", at, _set(field, value))
            yield name, f"key {at} cut", _line("keys.jsonl", at, None)
            for field, to in RECORD.items():
                yield name, f"record {at} {field}", _line("journal.jsonl", at, _set(field, to))
            yield name, f"record {at} cut", _line("journal.jsonl", at, None)
        yield name, "journal halved", lambda run: _halve(run / "journal.jsonl")
        yield name, "keys halved", lambda run: _halve(run / "keys.jsonl")
        yield name, "journal gone", lambda run: (run / "journal.jsonl").unlink()
        yield name, "keys gone", lambda run: (run / "keys.jsonl").unlink()
        yield name, "another's journal", lambda run, name=name: _swap(kept, run, name, "journal.jsonl")
        yield name, "another's keys", lambda run, name=name: _swap(kept, run, name, "keys.jsonl")
        # Of pairs that were right: a reply turned, and nothing else, contradicts what was counted from it.
        for at in _right(kept / name)[:4]:
            yield name, f"reply {at} turned", _line("journal.jsonl", at, _other)
            yield name, f"reply {at} failed", _line("journal.jsonl", at, _fails)
    for field, to in {
        "judge": "x", "template_digest": "x", "attempt": 7, "bound": 0.5, "threshold": 1.0, "lost": "x",
        "policy": "floor",
    }.items():  # fmt: skip
        yield "ladder", f"ladders.json {field}", _json("ladders.json", field, to=to)
    for field, to in {"granted": 8, "says": "counts up to 8"}.items():
        yield "ladder", f"ladders.json {field}", _json("ladders.json", "ladders", "count", field, to=to)
    for field, to in {"level": 8, "right": 1000, "of": 1001, "verdict": "pass"}.items():
        edit = _json("ladders.json", "ladders", "count", "rungs", 0, field, to=to)
        yield "ladder", f"ladders.json rung {field}", edit
    certificate = json.loads((kept / "certify" / "certificate-standard.json").read_text())
    for field, value in certificate.items():
        to = OTHERS[type(value).__name__]
        yield "certify", f"certificate {field}", _json("certificate-standard.json", field, to=to)
    watch = "watch/watch.json"
    for place, value in {
        ("verdict",): "changed", ("what",): "judge", ("judge",): "x", ("suite",): "x", ("bank",): 9,
        ("since",): "2020-01-01", ("looks", 0, "at"): "2020-01-01",
        ("overall", "pairs"): 999, ("overall", "difference", "value"): 0.5, ("looks",): [],
    }.items():  # fmt: skip
        yield "certify", f"watch {place}", _json(watch, *place, to=value)
    yield "certify", "watch looks doubled", _looks_doubled
    for side in ("first", "again"):
        at = _right(kept / "certify" / "watch" / side)[0]
        yield "certify", f"watch {side} reply turned", _line(f"watch/{side}/journal.jsonl", at, _other)
        yield "certify", f"watch {side} record cut", _line(f"watch/{side}/journal.jsonl", 0, None)
        yield "certify", f"watch {side} seed", _json(f"watch/{side}/run.json", "seed", to=5)


def _right(run: Path) -> list[int]:
    """The lines of the journal with replies to relevant pairs that were right on both pictures."""
    right = {key.id for pair in load_results(run).pairs if pair.consistent and pair.key.relevant for key in pair.keys}
    return [n for n, record in enumerate(read_journal(run)) if record.id in right]


def _halve(file: Path) -> None:
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(lines[: len(lines) // 2]))


def _swap(kept: Path, run: Path, name: str, file: str) -> None:
    shutil.copy(kept / ("certify" if name == "ladder" else "ladder") / file, run / file)


def _refused(kept: Path, tmp_path: Path, chosen: list[Edit]) -> list[str]:
    """The edits that were not refused by name."""
    unseen = []
    for number, (name, what, edit) in enumerate(chosen):
        run = tmp_path / f"run-{number}"
        shutil.copytree(kept / name, run)
        edit(run)
        try:
            checked(run, strict=True)
            unseen.append(f"{name}: {what}")
        except CounterbenchError as error:
            if str(run) not in str(error):
                unseen.append(f"{name}: {what}: without its name: {error}")
        shutil.rmtree(run)
    return unseen


def test_some_edits_are_refused(kept, tmp_path):
    assert _refused(kept, tmp_path, list(edits(kept))[3::23]) == []


@pytest.mark.slow
def test_200_edits_are_refused(kept, tmp_path):
    every = list(edits(kept))
    assert len(every) >= 200
    assert _refused(kept, tmp_path, every) == []


def test_a_changed_run_is_left_out_and_named(kept, tmp_path):
    shutil.copytree(kept / "certify", tmp_path / "acme-run")
    _line("journal.jsonl", 3, None)(tmp_path / "acme-run")
    result = call("site", kept / "ladder", tmp_path / "acme-run", "--out", tmp_path / "site")
    assert result.exit_code == 1
    assert "acme-run" in result.stderr
    index = formats.read_json(tmp_path / "site" / "index.json", Index)
    assert (len(index.judges), index.left_out) == (1, 1)
    page = (tmp_path / "site" / "index.html").read_text()
    assert "1 run left out" in page
    assert "acme-run" not in page
    assert "forged" in page
    # Built again, without the cards of judges that are no longer there.
    done("site", kept / "certify", "--out", tmp_path / "site")
    assert [path.name.partition("-")[0] for path in (tmp_path / "site").iterdir() if path.is_dir()] == ["planted"]
    (folder,) = (path for path in (tmp_path / "site").iterdir() if path.is_dir())
    assert formats.read_json(folder / "card.json", CardDocument).who.judge == "planted:sticky?price=2"


def test_edits_that_change_nothing_on_a_card_are_the_users_own(kept, tmp_path):
    shutil.copytree(kept / "ladder", tmp_path / "run")
    info = formats.read_json(tmp_path / "run" / "run.json", RunInfo)
    before = checked(kept / "ladder", strict=True)
    _json("run.json", "versions", "counterbench", to="99")(tmp_path / "run")
    after = checked(tmp_path / "run", strict=True)
    assert after.results.pairs == before.results.pairs
    assert info.judge == after.info.judge


@pytest.mark.slow
def test_a_reader_finds_a_judge_by_needs(kept, tmp_path):
    done("site", kept / "ladder", "--out", tmp_path / "one")
    (one,) = formats.read_json(tmp_path / "one" / "index.json", Index).judges
    board = Index(judges=[_planted(one, name, *of) for name, of in BOARD.items()], left_out=0)
    page_file = tmp_path / "board.html"
    page_file.write_text(site_page(board))
    with browser() as chromium, opened(chromium, page_file) as page:
        page.locator("#need-count").select_option(label="8")
        page.fill("#need-usd", "1")
        assert page.inner_text("#board-status") == "1 of 4 judges"
        assert page.locator("#board tbody tr:visible th a").all_inner_texts() == ["thrifty"]
        page.click("#filter-clear")
        page.click("#board button[name=usd]")
        names = page.locator("#board tbody tr th a").all_inner_texts()
        assert names == ["cheap and blind", "thrifty", "sharp and dear", "unpriced"]


_COUNTS = LADDERS["count"].levels
_EIGHT = _COUNTS.index(8)
# By name: up to which count, and the price.
BOARD = {
    "sharp and dear": (_COUNTS[-1], 9.0),
    "unpriced": (_COUNTS[-1], None),
    "cheap and blind": (_COUNTS[_EIGHT - 1], 0.1),
    "thrifty": (_COUNTS[_EIGHT + 1], 0.8),
}


def _planted(one: Listed, name: str, seen: int, usd: float | None) -> Listed:
    from msgspec.structs import replace

    card = one.card
    assert card.ladders is not None
    assert card.rates is not None
    ladders = {**card.ladders, "count": replace(card.ladders["count"], granted=seen)}
    who, rates = replace(card.who, called=name), replace(card.rates, usd=usd)
    return Listed(slug=name.replace(" ", "-"), card=replace(card, ladders=ladders, who=who, rates=rates))
