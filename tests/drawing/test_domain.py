"""Domains: what pictures are like, read from their files' heads, and what is different about others."""

from pathlib import Path

import msgspec
from PIL import Image
from sweeping import swept

from counterbench.drawing.domain import Domain, of_files, unlike

TESTED = Domain(renderer="counterbench/1", style="flat", size="512x512", file_format="png")


@swept(
    ("change", "sentence"),
    [
        ({"renderer": "openai:x"}, "renderer: tested on counterbench/1, these pictures are openai:x"),
        ({"style": "photo"}, "style: tested on flat, these pictures are photo"),
        ({"style": ""}, "style: tested on flat, these pictures are of no known style"),
        ({"size": "1024x768"}, "size: tested on 512x512, these pictures are 1024x768"),
        ({"size": "512x512, 768x768"}, "size: tested on 512x512, these pictures are 512x512, 768x768"),
        ({"size": "various"}, "size: tested on 512x512, these pictures are of various sizes"),
        ({"file_format": "jpeg"}, "file format: tested on png, these pictures are jpeg"),
    ],
)
def test_each_difference_of_domains_states_both_values(change: dict[str, str], sentence: str) -> None:
    assert unlike(TESTED, msgspec.structs.replace(TESTED, **change)) == [sentence]


def test_a_domain_is_like_itself_and_its_parts() -> None:
    several = msgspec.structs.replace(TESTED, size="512x512, 1024x1024")
    assert unlike(TESTED, TESTED) == unlike(several, several) == []
    assert unlike(several, msgspec.structs.replace(several, size="1024x1024")) == []
    nobody_knows = msgspec.structs.replace(TESTED, style="", size="various")
    assert len(unlike(nobody_knows, nobody_knows)) == 2


def test_sizes_and_formats_come_from_files_and_not_from_names(tmp_path: Path) -> None:
    def save(number: int, size: tuple[int, int], kind: str) -> Path:
        Image.new("RGB", size).save(path := tmp_path / f"{number}.png", kind)
        return path

    broken, gone = tmp_path / "broken.png", tmp_path / "gone.png"
    broken.write_bytes(b"no picture")
    files = [save(1, (1024, 768), "JPEG"), save(2, (64, 64), "PNG"), save(3, (64, 64), "WEBP"), broken, gone]
    found = of_files("openai:x", "photo", files)
    expected = Domain(renderer="openai:x", style="photo", size="64x64, 1024x768", file_format="jpeg, png, webp")
    assert (found, found.side) == (expected, None)
    assert of_files("imported", "", [gone]).size == ""
    assert of_files("x", "", [save(4, (1024, 768), "PNG")]).side == 768
    assert of_files("x", "", [save(n, (8, 8 + n), "PNG") for n in range(5)]).size == "various"
