"""Files of others: within their folder, regular, of bounded size; anything else is refused and never opened."""

import os
from pathlib import Path

import pytest
from refusals import refusal

from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.files.foreign import inside, read_bytes

OUTSIDE = ("../b.png", "/etc/passwd", "a/../../b.png", "..\\b.png", "C:\\b.png", "C:/b.png", "\\\\host\\b", "", "a\0b")
posix = pytest.mark.skipif(os.name != "posix", reason="pipes and devices are POSIX")


def test_a_name_that_leads_outside_is_refused(tmp_path: Path) -> None:
    for name in OUTSIDE:
        assert "here: the path" in refusal(lambda name=name: inside(tmp_path, name, "here"), InputError), name
    assert inside(tmp_path, "a/b.png", "here") == tmp_path / "a" / "b.png"


def test_an_impossible_file_name_is_named(tmp_path: Path) -> None:
    assert "here: the path 'xx" in refusal(lambda: inside(tmp_path, "x" * 300, "here"), InputError)


def test_links_are_followed_only_where_they_stay_inside(tmp_path: Path) -> None:
    folder, secret = tmp_path / "folder", tmp_path / "secret"
    folder.mkdir()
    secret.write_bytes(b"x")
    for name, target in (("there", "real"), ("out", secret), ("up", ".."), ("round", "round")):
        (folder / name).symlink_to(target)
    assert inside(folder, "there", "here") == folder / "there"
    for name in ("out", "up", "up/secret", "round"):
        assert "here: the path" in refusal(lambda name=name: inside(folder, name, "here"), InputError), name


@posix
def test_pipes_devices_and_folders_are_never_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "endless").symlink_to("/dev/zero")
    for name in ("pipe", "endless", "."):
        for read in (read_bytes, formats.file_digest, lambda path: list(formats.read_lines(path, dict))):
            message = refusal(lambda read=read, name=name: read(tmp_path / name), InputError)
            assert message.endswith("cannot be read (it is no regular file)"), name


def test_a_file_that_is_too_large_is_refused_before_it_is_read(tmp_path: Path) -> None:
    (tmp_path / "large").write_bytes(b"12345")
    assert read_bytes(tmp_path / "large", 5) == b"12345"
    with pytest.raises(InputError, match=r"large: its 5 bytes are more than counterbench reads of such a file .4."):
        read_bytes(tmp_path / "large", 4)


def test_writing_replaces_a_link_and_never_follows_it(tmp_path: Path) -> None:
    mine, out = tmp_path / "mine", tmp_path / "out"
    mine.write_text("precious")
    out.mkdir()
    for name in ("run.json", ".run.json.partial"):
        (out / name).symlink_to(mine)
    formats.write_json(out / "run.json", {"a": 1})
    assert (mine.read_text(), (out / "run.json").is_symlink()) == ("precious", False)
