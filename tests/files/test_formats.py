"""Our files: errors name file and place, newer formats say so, writing is all or nothing, torn ends are passed over."""

from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sweeping import swept

from counterbench.errors import FormatError, InputError
from counterbench.files import formats


class Thing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    n: int
    format: Literal["counterbench.thing/2"] = "counterbench.thing/2"


class Plain(msgspec.Struct, frozen=True):
    n: int


@swept(
    ("data", "message"),
    [
        (b"", "truncated"),
        (b'{"n": 1', "truncated"),
        (b'{"n": "x", "format": "counterbench.thing/2"}', "$.n"),
        (b'{"format": "counterbench.thing/2", "n": 1, "m": 2}', "unknown field `m`"),
        (b"[]", "Expected `object`"),
        (b'{"n": "new", "format": "counterbench.thing/3", "more": 1}', "newer format 'counterbench.thing/3'"),
        (b'{"n": 1, "format": "counterbench.thing/1"}', "its format is 'counterbench.thing/1'"),
        (b'{"n": 1, "format": "counterbench.other/3"}', "its format is 'counterbench.other/3', not"),
        (b"\xff\xfe", "here: "),
        (b'{"n": ' + b"[" * 100_000, "Expected `int`"),
        (b'{"n": ' + b"9" * 5000 + b"}", "out of range"),
        (b'{"n": 1, "format": "counterbench.thing/' + b"9" * 5000 + b'"}', "its format is"),
    ],
)
def test_unreadable_json_is_a_format_error_that_names_the_place(data: bytes, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        formats.decode(data, Thing, "here")
    assert str(caught.value).startswith("here: ")
    assert message in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "nowhere.json"
    for read in (
        lambda: formats.read_json(path, Thing),
        lambda: formats.read_toml(path),
        lambda: list(formats.read_lines(path, Thing)),
    ):
        with pytest.raises(InputError, match="cannot be read") as caught:
            read()
        assert str(tmp_path) in str(caught.value)


@pytest.mark.parametrize(
    ("data", "message"),
    [(b"a = 1\nb = = 2", "line 2"), (b"\xff", "decode"), (b"a = " + b"[" * 5000, "it is nested too deeply")],
)
def test_broken_toml_is_named_with_its_line(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(data)
    with pytest.raises(InputError, match=f"not valid TOML: .*{message}") as caught:
        formats.read_toml(path)
    assert str(caught.value).startswith(str(path))


class TomlPart(msgspec.Struct, frozen=True):
    n: int
    kind: Literal["whole", "half"] = "whole"
    more: tuple[Thing, ...] = ()


class File(msgspec.Struct, frozen=True, tag_field="is", tag="file"):
    format: Literal["counterbench.file/1"]
    part: TomlPart
    parts: dict[str, TomlPart] = {}


GOOD: dict[str, Any] = {"format": "counterbench.file/1", "part": {"n": 1}}


@swept(
    ("more", "message"),
    [
        ({"prat": 1}, "mine.toml: unknown key 'prat' (did you mean 'part'?); choose from: format, part, parts"),
        ({"part": {"m": 1}}, "mine.toml, part: unknown key 'm'; choose from: kind, more, n"),
        ({"parts": {"a": {"n": 1}, "b": {"m": 1}}}, "mine.toml, parts 'b': unknown key 'm'; choose"),
        ({"part": {"n": 1, "more": [{"n": 1}, {"m": 1}]}}, "mine.toml, part, more 2: unknown key 'm'; choose from:"),
        ({"part": {"n": 1, "more": [{"name": "a", "m": 1}]}}, "mine.toml, part, more 'a': unknown key 'name'"),
        ({"part": {"n": 1, "kind": "hlaf"}}, "mine.toml, part: unknown kind 'hlaf' (did you mean 'half'?); choose"),
        ({"part": {"n": "x"}}, "mine.toml: Expected `int`, got `str` - at `$.part.n`"),
        ({"part": 3, "parts": 4}, "mine.toml: Expected `object`, got `int` - at `$.part`"),
    ],
)
def test_a_wrong_toml_table_is_named_with_place_and_choices(more: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        formats.convert(GOOD | more, File, "mine.toml")
    assert str(caught.value).startswith(message)


def test_toml_tables_are_typed_and_may_have_a_tag(tmp_path: Path) -> None:
    assert formats.convert(GOOD | {"is": "file"}, File, "mine.toml").part == TomlPart(1)
    path = tmp_path / "mine.toml"
    path.write_text('format = "counterbench.file/1"\n[part]\nn = 2\n')
    assert formats.read_typed_toml(path, File, "counterbench.file/1").part.n == 2
    with pytest.raises(InputError, match=r"mine\.toml: its format is 'counterbench\.file/1', not"):
        formats.read_typed_toml(path, File, "counterbench.other/1")


def test_unknown_options_and_refused_values_are_named_with_their_place() -> None:
    class Picky(msgspec.Struct):
        n: int = 0

        def __post_init__(self) -> None:
            if self.n:
                raise InputError("n must be 0")

    with pytest.raises(InputError, match=r"^here: unknown option 'm'; choose from: n$"):
        formats.convert({"m": 1}, Picky, "here", "option")
    with pytest.raises(InputError, match=r"^here: n must be 0$"):
        formats.convert({"n": 1}, Picky, "here")


@given(st.lists(st.integers()))
def test_written_lines_are_read_back(tmp_path_factory: pytest.TempPathFactory, numbers: list[int]) -> None:
    path = tmp_path_factory.getbasetemp() / "lines.jsonl"
    formats.write_lines(path, [Plain(n) for n in numbers])
    assert [p.n for p in formats.read_lines(path, Plain)] == numbers


@pytest.mark.parametrize("torn", ['{"n": 3', '{"n": 3}', "{", '{"n": "x"}'])
def test_a_torn_last_line_is_skipped_only_on_request(tmp_path: Path, torn: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"n": 1}\n{"n": 2}\n' + torn)
    assert [p.n for p in formats.read_lines(path, Plain, torn_end=True)] == [1, 2]
    if torn == '{"n": 3}':
        assert [p.n for p in formats.read_lines(path, Plain)] == [1, 2, 3]
    else:
        with pytest.raises(FormatError, match="line 3"):
            list(formats.read_lines(path, Plain))


def test_a_damaged_line_is_named_and_those_before_it_are_read(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"n": 1}\n   \n{"n": 2}\nnonsense\n{"n": 4}\n')
    lines = formats.read_lines(path, Plain, torn_end=True)
    assert next(lines) == Plain(1)
    assert next(lines) == Plain(2)
    with pytest.raises(FormatError, match="line 4") as caught:
        next(lines)
    assert str(path) in str(caught.value)


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"before")

    def full(fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(formats.os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        formats.write_atomically(path, b"after")
    monkeypatch.undo()
    assert (path.read_bytes(), [*tmp_path.iterdir()]) == (b"before", [path])
    formats.write_atomically(path, b"after")
    assert (path.read_bytes(), [*tmp_path.iterdir()]) == (b"after", [path])


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (OSError(28, "No space left on device"), "out: writing failed: No space left on device"),
        (PermissionError(13, "Permission denied", "there/x"), "there/x: writing failed: Permission denied"),
        (OSError("odd"), "out: writing failed: odd"),
    ],
)
def test_operating_system_errors_become_one_message(error: OSError, message: str) -> None:
    with pytest.raises(InputError) as caught, formats.clear_os_errors(Path("out"), "writing"):
        raise error
    assert str(caught.value) == message
