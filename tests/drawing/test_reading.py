"""Pictures that come from elsewhere: kept as pixels alone, or refused with one clear message."""

import io
import struct
import zlib

import numpy as np
import PIL
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loopback.images import chunk
from loopback.images import png as small_png
from PIL import Image
from scenery import saved
from sweeping import swept

from counterbench.drawing import png, reading
from counterbench.drawing.png import MAX_PIXELS
from counterbench.drawing.reading import normalised
from counterbench.errors import InputError

RED, BLUE = (250, 10, 10), (10, 10, 250)


def two_halves(mode: str = "RGB") -> Image.Image:
    image = Image.new("RGB", (10, 6), RED)
    image.paste(BLUE, (0, 0, 5, 6))
    return image.convert(mode)


def test_a_plain_png_is_kept_byte_for_byte() -> None:
    data = png.encode(two_halves())
    kept = normalised(data)
    assert kept.png == data
    assert (kept.width, kept.height, kept.blank) == (10, 6, False)
    assert kept.digest == png.pixel_digest(two_halves())


def test_text_metadata_is_dropped_and_pixels_are_kept() -> None:
    secret = b"draw the ball on the ceiling"
    data = small_png(RED, BLUE, chunks=chunk(b"tEXt", b"prompt\0" + secret))
    kept = normalised(data)
    assert secret in data
    assert secret not in kept.png
    assert kept.digest == normalised(small_png(RED, BLUE)).digest == png.pixel_digest(reading.decode(kept.png))


@swept(("kind", "how"), [("PNG", {}), ("WEBP", {"lossless": True})])
@swept("mode", ["RGB", "RGBA", "P"])
def test_equal_pixels_have_one_digest_in_any_file(kind: str, how: dict[str, object], mode: str) -> None:
    image = two_halves("P").convert("RGB") if mode == "P" else two_halves()
    kept = normalised(saved(image.convert(mode), kind, **how))
    assert kept.digest == png.pixel_digest(image)
    assert Image.open(io.BytesIO(kept.png)).mode == "RGB"


def deep(colour_type: int, *pixels: int, chunks: bytes = b"") -> bytes:
    """A PNG of sixteen bits a channel and one line."""
    width = len(pixels) // {0: 1, 2: 3}[colour_type]
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, 1, 16, colour_type, 0, 0, 0))
    line = zlib.compress(b"\0" + struct.pack(f">{len(pixels)}H", *pixels))
    return b"\x89PNG\r\n\x1a\n" + head + chunks + chunk(b"IDAT", line) + chunk(b"IEND", b"")


GREYS = (0, 255, 256, 1000, 40000, 65279, 65280, 65535)


def test_sixteen_bit_grey_keeps_its_shades() -> None:
    kept = normalised(deep(0, *GREYS))
    assert not kept.blank
    shown = np.asarray(reading.decode(kept.png))
    assert shown[0].tolist() == [[value >> 8] * 3 for value in GREYS]
    assert kept.digest == normalised(deep(2, *(value for value in GREYS for _ in range(3)))).digest


def test_one_sixteen_bit_grey_is_blank_and_transparency_is_white() -> None:
    assert normalised(deep(0, 40000, 40001)).blank
    clear = normalised(deep(0, *GREYS, chunks=chunk(b"tRNS", struct.pack(">H", 1000))))
    assert [tuple(p) for p in np.asarray(reading.decode(clear.png))[0]][2:5] == [(1,) * 3, (255,) * 3, (156,) * 3]


@swept("kind", ["JPEG", "PNG", "WEBP"])
@swept(("turn", "corner"), [(1, (0, 0)), (3, (31, 47)), (6, (47, 0)), (8, (0, 31))])
def test_a_picture_is_rotated_as_its_exif_says(kind: str, turn: int, corner: tuple[int, int]) -> None:
    """A red corner, first in the file, lands where a viewer shows it."""
    image = Image.new("RGB", (32, 48), BLUE)
    image.paste(RED, (0, 0, 16, 16))
    exif = Image.Exif()
    exif[0x0112] = turn
    kept = normalised(saved(image, kind, exif=exif))
    shown = reading.decode(kept.png)
    assert shown.size == (kept.width, kept.height) == ((32, 48) if turn in (1, 3) else (48, 32))
    assert kept.digest == png.pixel_digest(reading.decode(kept.png))
    at = shown.getpixel(corner)
    assert abs(at[0] - RED[0]) < 30, "red"
    assert "exif" not in Image.open(io.BytesIO(kept.png)).info


@pytest.mark.filterwarnings("ignore:Corrupt EXIF data")
def test_a_picture_with_damaged_exif_is_read() -> None:
    plain, spoilt = saved(two_halves(), "JPEG"), saved(two_halves(), "JPEG", exif=b"Exif\0\0II*\0\xff\xff\xff\x7f")
    assert normalised(spoilt).digest == normalised(plain).digest


def test_transparent_pixels_become_white() -> None:
    image = Image.new("RGBA", (4, 4), (0, 0, 0, 0))
    image.paste((*RED, 255), (0, 0, 2, 4))
    shown = Image.open(io.BytesIO(normalised(saved(image, "PNG")).png))
    assert shown.getpixel((3, 0)) == (255, 255, 255)
    assert shown.getpixel((0, 0)) == RED


@pytest.mark.parametrize("colour", ["black", "white", (7, 8, 9)])
def test_a_picture_of_one_colour_is_blank(colour: object) -> None:
    image = Image.new("RGB", (9, 9), colour)
    assert normalised(saved(image, "PNG")).blank
    image.putpixel((8, 8), (1, 2, 3))
    assert not normalised(saved(image, "PNG")).blank


def test_a_decompression_bomb_is_refused_before_it_is_unpacked(recwarn: pytest.WarningsRecorder) -> None:
    head = struct.pack(">IIBBBBB", 60000, 60000, 8, 2, 0, 0, 0)
    bomb = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", b"") + chunk(b"IEND", b"")
    with pytest.raises(InputError, match=f"60000×60000 pixels is more than counterbench reads .{MAX_PIXELS}"):
        normalised(bomb)
    assert not recwarn.list


@given(st.data())
def test_a_file_damaged_anywhere_is_read_or_an_input_error(data: st.DataObject) -> None:
    whole = bytearray(saved(two_halves(), data.draw(st.sampled_from(["PNG", "JPEG", "WEBP"]))))
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    try:
        kept = normalised(bytes(whole))
    except InputError:
        return
    assert png.pixel_digest(reading.decode(kept.png)) == kept.digest


@pytest.mark.parametrize("named", ["a GIF", "a TIFF", "a BMP", "an AVIF"])
def test_a_picture_in_another_format_is_named_by_it(named: str) -> None:
    Image.init()
    if (format := named.split()[1]) not in Image.SAVE:
        pytest.skip(f"Pillow {PIL.__version__} writes no {format}")
    with pytest.raises(InputError, match=f"it is {named}; save it as PNG"):
        normalised(saved(two_halves(), format))
