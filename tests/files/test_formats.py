"""Our files: errors name file and place, newer formats say so, writing is all or nothing, torn ends are passed over."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbench.errors import FormatError, InputError
from counterbench.files import formats


class Thing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    n: int
    format: Literal["counterbench.thing/2"] = "counterbench.thing/2"


class Plain(msgspec.Struct, frozen=True):
    n: int


def test_a_value_comes_back() -> None:
    assert formats.decode(formats.encode(Thing(3)), Thing, "here") == Thing(3)
    assert b"\n" not in formats.encode({"a": "x\ny"})


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "truncated"),
        (b'{"n": 1', "truncated"),
        (b'{"n": "x", "format": "counterbench.thing/2"}', "$.n"),
        (b'{"format": "counterbench.thing/2", "n": 1, "m": 2}', "unknown field `m`"),
        (b'{"n": "x"}', "no 'format' field"),
        (b"[]", "Expected `object`"),
        (b'{"n": 1, "format": "counterbench.thing/3"}', "newer format 'counterbench.thing/3'"),
        (b'{"n": 1, "format": "counterbench.thing/10"}', "newer format"),
        (b'{"n": 1, "format": "counterbench.thing/1"}', "its format is 'counterbench.thing/1'"),
        (b'{"n": 1, "format": "counterbench.other/3"}', "its format is 'counterbench.other/3', not"),
        (b'{"n": 1, "format": ""}', "no 'format' field"),
        (b'{"n": 1, "format": 3}', "$.format"),
        (b"\xff\xfe", "here: "),
    ],
)
def test_what_cannot_be_read_is_a_format_error_that_names_the_place(data: bytes, said: str) -> None:
    with pytest.raises(FormatError) as caught:
        formats.decode(data, Thing, "here")
    assert str(caught.value).startswith("here: ")
    assert said in str(caught.value)


def test_a_newer_file_says_so_before_its_unknown_fields() -> None:
    with pytest.raises(FormatError, match="update counterbench"):
        formats.decode(b'{"format": "counterbench.thing/3", "n": "new", "more": 1}', Thing, "here")


def test_a_type_without_format_is_read_too() -> None:
    with pytest.raises(FormatError, match=r"\$\.n"):
        formats.decode(b'{"n": "x", "format": "counterbench.thing/9"}', Plain, "here")


@pytest.mark.parametrize("version", ["²", "1²", "①"])
def test_a_version_in_other_digits_is_another_format(version: str) -> None:
    found = f"counterbench.thing/{version}"
    assert "its format is" in formats.format_message("f", found, "counterbench.thing/2")


@given(st.text(max_size=30) | st.integers().map(lambda n: f"counterbench.thing/{n}"))
def test_any_format_text_gives_a_message(found: str) -> None:
    assert formats.format_message("f", found, "counterbench.thing/2").startswith("f: ")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "nowhere.json"
    for read in (
        lambda: formats.read_json(path, Thing),
        lambda: formats.read_toml(path),
        lambda: list(formats.read_lines(path, Thing)),
        lambda: formats.read_json(tmp_path, Thing),
        lambda: list(formats.read_lines(tmp_path, Thing)),
    ):
        with pytest.raises(InputError, match="cannot be read") as caught:
            read()
        assert str(tmp_path) in str(caught.value)


def test_toml_from_an_editor_that_marks_its_encoding(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_bytes(b"\xef\xbb\xbfa = 1")
    assert formats.read_toml(tmp_path / "x.toml") == {"a": 1}


@pytest.mark.parametrize("data", [b"a = ", b"\xff", b"a = 1\na = 2", b"\0"])
def test_broken_toml_is_named(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(data)
    with pytest.raises(InputError, match="not valid TOML") as caught:
        formats.read_toml(path)
    assert str(path) in str(caught.value)


def test_broken_toml_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text("a = 1\nb = 2\nc = = 3\n")
    with pytest.raises(InputError, match="line 3"):
        formats.read_toml(path)


# lines


@given(st.lists(st.integers()))
def test_lines_come_back(tmp_path_factory: pytest.TempPathFactory, numbers: list[int]) -> None:
    path = tmp_path_factory.getbasetemp() / "lines.jsonl"
    formats.write_lines(path, [Plain(n) for n in numbers])
    assert [p.n for p in formats.read_lines(path, Plain)] == numbers


def test_blank_lines_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('\n{"n": 1}\n   \n{"n": 2}\n\n')
    assert [p.n for p in formats.read_lines(path, Plain)] == [1, 2]


@pytest.mark.parametrize("torn", ['{"n": 3', '{"n": 3}', "{", '{"n": "x"}'])
def test_a_torn_end_is_passed_over_only_on_demand(tmp_path: Path, torn: str) -> None:
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
    path.write_text('{"n": 1}\n\n{"n": 2}\nnonsense\n{"n": 4}\n')
    lines = formats.read_lines(path, Plain, torn_end=True)
    assert next(lines) == Plain(1)
    assert next(lines) == Plain(2)
    with pytest.raises(FormatError, match="line 4") as caught:
        next(lines)
    assert str(path) in str(caught.value)


def test_a_line_of_a_newer_format_says_so(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"n": 1}\n{"n": 1, "format": "counterbench.thing/3"}\n')
    with pytest.raises(FormatError, match=r"line 2.*newer format"):
        list(formats.read_lines(path, Thing))


# writing


def test_writing_replaces_the_whole_file_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "x"
    formats.write_atomically(path, b"long before")
    formats.write_atomically(path, b"after")
    assert path.read_bytes() == b"after"
    assert list(tmp_path.iterdir()) == [path]


def test_a_leftover_of_a_killed_writer_does_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "x"
    (tmp_path / ".x.partial").write_bytes(b"torn, and longer than what is written")
    formats.write_atomically(path, b"whole")
    assert path.read_bytes() == b"whole"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"before")

    def full(fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(formats.os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        formats.write_atomically(path, b"after")
    assert path.read_bytes() == b"before"


def test_a_failed_write_leaves_no_partial_file(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    with pytest.raises(IsADirectoryError):
        formats.write_atomically(tmp_path / "x", b"data")
    assert [p.name for p in tmp_path.iterdir()] == ["x"]


def test_json_is_readable_and_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    formats.write_json(path, Thing(3))
    text = path.read_text()
    assert text.endswith("}\n")
    assert len(text.splitlines()) > 2
    assert formats.read_json(path, Thing) == Thing(3)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(28, "No space left on device"), "out: writing failed: No space left on device"),
        (PermissionError(13, "Permission denied", "there/x"), "there/x: writing failed: Permission denied"),
        (OSError("odd"), "out: writing failed: odd"),
    ],
)
def test_operating_system_errors_become_one_message(error: OSError, said: str) -> None:
    with pytest.raises(InputError) as caught, formats.clear_os_errors(Path("out"), "writing"):
        raise error
    assert str(caught.value) == said


def test_other_errors_pass() -> None:
    def fail(error: Exception) -> Any:
        with formats.clear_os_errors(Path("out"), "writing"):
            raise error

    with pytest.raises(InputError, match="mine"):
        fail(InputError("mine"))
    with pytest.raises(ValueError, match="x"):
        fail(ValueError("x"))
