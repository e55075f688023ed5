"""The manifest: read and checked; names of folders that any file system takes."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pictures.drawn import QUICK, Painter, prompt_set

from counterbench.errors import FormatError, InputError
from counterbench.files import formats
from counterbench.pictures.generation.generate import generate_images
from counterbench.prompts.manifest import MANIFEST_FILE, Images, folder_names, plain_name, read_manifest


@pytest.fixture
def images(tmp_path: Path) -> Images:
    return generate_images(prompt_set(1), Painter(), tmp_path, samples=2, limits=QUICK).images


def change_line(images: Images, line: int, **fields: Any) -> None:
    """Change a line of the manifest on disk."""
    path = images.path / MANIFEST_FILE
    rows = [msgspec.json.decode(text) for text in path.read_bytes().splitlines()]
    rows[line] |= fields
    formats.write_lines(path, rows)


@pytest.mark.parametrize("fields", [{"status": "fine"}, {"sample": -1}, {"colour": "red"}])
def test_a_damaged_line_is_named(images: Images, fields: dict[str, Any]) -> None:
    change_line(images, 2, **fields)
    with pytest.raises(FormatError, match=r"manifest.jsonl, line 3"):
        read_manifest(images.path)


@pytest.mark.parametrize("name", ["../../secret.png", "{}/secret.png", "g0000/link.png"])
def test_a_picture_outside_of_the_folder_is_refused(images: Images, tmp_path: Path, name: str) -> None:
    secret = tmp_path / "secret.png"
    secret.write_bytes(images.file(images.rows[0]).read_bytes())
    (images.path / "g0000").mkdir(exist_ok=True)
    (images.path / "g0000" / "link.png").symlink_to(secret)
    change_line(images, 0, path=name.format(tmp_path))
    with pytest.raises(InputError, match="leads outside"):
        read_manifest(images.path)
    change_line(images, 0, path=images.rows[0].path, picture_digest="")
    with pytest.raises(InputError, match=r"line 1: .* has a picture without its digest"):
        read_manifest(images.path)


def test_a_folder_without_a_manifest_is_no_folder_of_pictures(images: Images, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such folder"):
        read_manifest(tmp_path / "nowhere")
    with pytest.raises(InputError, match=r"has no images.json; name one that it holds: \S+/painter$"):
        read_manifest(tmp_path)


@given(st.lists(st.text(max_size=100), max_size=8))
def test_every_text_gets_a_safe_name_of_its_own(texts: list[str]) -> None:
    names = folder_names(texts)
    assert names.keys() == set(texts)
    assert len({name.lower() for name in names.values()}) == len(set(texts))
    for name in names.values():
        assert name == plain_name(name)
        assert 0 < len(name) < 100


def test_a_plain_name_is_kept_and_any_other_changed_always_alike() -> None:
    kept, *others = "box", "a/b", "Ω", "con", "x" * 300, "..", "a b", "nul.txt", "-", "Ball", "ball"
    names = folder_names([kept, *others])
    assert (names[kept], [name for name in others if names[name] == name]) == (kept, [])
    assert all(names[name] == folder_names([name])[name] for name in others[:-2])


def test_an_impossible_number_of_samples_is_refused(images: Images) -> None:
    for number in (0, 2147483648, 2**64):
        info = msgspec.json.decode((images.path / "images.json").read_bytes()) | {"samples": number}
        (images.path / "images.json").write_bytes(msgspec.json.encode(info))
        with pytest.raises(FormatError, match=r"images\.json: .*samples"):
            read_manifest(images.path)
