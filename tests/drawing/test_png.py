"""Pictures to PNG and back: every pixel kept, a digest of pixels alone, and nothing damaged or enormous read."""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from PIL import Image
from refusals import refusal
from strategies import seeded

from counterbench.drawing import png, reading
from counterbench.drawing.picture import Picture
from counterbench.drawing.render import render
from counterbench.errors import InputError
from counterbench.palette import COLOUR_RGB
from counterbench.scene.scene import Scene, Shape

SMALL = render(Scene(90, 70, 230, (Shape("a", "circle", "red", 40, 35, 25),)))


def saved(image: Image.Image, format: str = "PNG", **options: int | bool) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, format, **options)
    return buffer.getvalue()


def decoded_or_error(data: bytes) -> Image.Image | str:
    """The picture, or the message that refuses it; any other error is a failure. So it is with its file's digest."""
    try:
        image = reading.decode(data, "half.png")
    except InputError as error:
        assert refusal(lambda: reading.file_digest(data, "half.png"), InputError).startswith("half.png: ")
        return str(error)
    assert reading.file_digest(data) == png.pixel_digest(image)
    return image


@given(seeded(lambda r: r))
def test_any_pixels_survive(random: Random) -> None:
    width, height = random.randint(1, 40), random.randint(1, 40)
    data = random.randbytes(3 * width * height)
    image = Image.frombytes("RGB", (width, height), data)
    encoded = png.encode(image)
    again = reading.decode(encoded)
    assert (again.mode, again.size, again.tobytes()) == ("RGB", (width, height), data)
    assert reading.file_digest(encoded) == png.pixel_digest(image)
    assert png.encode_and_digest(image) == (encoded, png.pixel_digest(image))


def test_a_drawn_picture_is_digested_without_decoding_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(reading, "decode")
    picture = Picture(lambda: SMALL, "drawn")
    assert (picture.png, picture.digest) == (png.encode(SMALL), png.pixel_digest(SMALL))


def test_the_digest_does_not_depend_on_the_compressor() -> None:
    for options in ({}, {"compress_level": 0}, {"compress_level": 9}, {"optimize": True}):
        data = saved(SMALL, **options)
        assert data != png.encode(SMALL)
        assert reading.file_digest(data) == png.pixel_digest(reading.decode(data)) == png.pixel_digest(SMALL), options


def test_the_digest_is_of_size_and_pixels() -> None:
    def digest(width: int, height: int, value: int) -> str:
        return png.pixel_digest(Image.new("RGB", (width, height), (value,) * 3))

    assert digest(6, 4, 9) == digest(6, 4, 9)
    assert len({digest(6, 4, 9), digest(4, 6, 9), digest(12, 2, 9), digest(6, 4, 8)}) == 4
    image = Image.new("RGB", (6, 4), (9, 9, 9))
    image.putpixel((5, 3), (9, 9, 10))
    assert png.pixel_digest(image) != digest(6, 4, 9)
    assert png.pixel_digest(Image.new("RGB", (2, 1), (1, 2, 3))) == "bc54852564e1c13d505d53d9bb5e0217"


def test_pictures_of_other_modes_and_formats_are_read_as_rgb() -> None:
    grey = Image.new("L", (20, 10), 255)
    for mode in ("L", "P", "RGBA", "LA", "1"):
        assert reading.decode(saved(grey.convert(mode))).tobytes() == b"\xff" * 600, mode
    for format in ("JPEG", "WEBP"):
        read = reading.decode(saved(SMALL, format))
        assert (read.mode, read.size) == ("RGB", (90, 70)), format


def test_no_other_format_is_opened_whatever_its_file_is_called(tmp_path: Path) -> None:
    """Some of them Pillow hands to other programs: PostScript to Ghostscript."""
    script = b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\nshowpage\n"
    assert Image.open(io.BytesIO(script)).format == "EPS"
    for data in (script, *(saved(SMALL, format) for format in ("GIF", "BMP", "TIFF", "PPM", "DDS"))):
        (tmp_path / "odd.png").write_bytes(data)
        for read in (reading.read, lambda path: Picture.from_file(path).digest):
            assert "odd.png: not a readable picture" in refusal(
                lambda read=read: read(tmp_path / "odd.png"), InputError
            )


def test_a_truncated_picture_is_refused_wherever_it_ends() -> None:
    data = png.encode(SMALL)
    for cut in range(len(data)):
        left = decoded_or_error(data[:cut])
        if isinstance(left, Image.Image):  # only check sums and the closing chunk are missing
            assert left.tobytes() == SMALL.tobytes()
            assert cut > len(data) - 24
        else:
            assert left.startswith("half.png: ")


def test_a_damaged_picture_is_read_or_refused_and_nothing_else() -> None:
    data = png.encode(SMALL)
    refused = 0
    for at in range(len(data)):
        left = decoded_or_error(data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :])
        if isinstance(left, str):
            assert left.startswith("half.png: ")
            refused += 1
    assert refused > len(data) * 3 // 4


def test_what_is_no_picture_is_refused() -> None:
    for data in (b"", b"GIF89a", b"not a picture at all", b"\x89PNG\r\n\x1a\n", b"\0" * 1000):
        assert "thing" in refusal(lambda data=data: reading.decode(data, "thing"), InputError), data


@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
def test_an_enormous_picture_is_refused_before_it_is_decoded() -> None:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    for side in (4097, 10_000, 12_000, 30_000, 2**31 - 1):
        header = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
        data = b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(b"\0" * 10)) + chunk(b"IEND", b"")
        for read in (reading.decode, reading.file_digest):
            assert "bomb" in refusal(lambda read=read, data=data: read(data, "bomb"), InputError), side


def test_a_missing_file_or_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"absent\.png"):
        reading.read(tmp_path / "absent.png")
    with pytest.raises(InputError, match="cannot be read"):
        reading.read(tmp_path)
    (tmp_path / "there.png").write_bytes(png.encode(SMALL))
    assert reading.read(tmp_path / "there.png").size == (90, 70)


def test_the_largest_picture_can_be_drawn_and_read() -> None:
    image = render(Scene(2048, 2048, 245, (Shape("a", "circle", "red", 1024, 1024, 1000),)))
    assert reading.decode(png.encode(image)).getpixel((1024, 1024)) == COLOUR_RGB["red"]
