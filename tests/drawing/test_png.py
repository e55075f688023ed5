"""Pictures to PNG and back: every pixel kept, a digest of pixels alone, and nothing damaged or enormous read."""

import io
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from PIL import Image
from refusals import refusal
from scenery import saved
from strategies import seeded

from counterbench.drawing import png, reading
from counterbench.drawing.picture import Picture
from counterbench.drawing.render import render
from counterbench.errors import InputError
from counterbench.palette import COLOUR_RGB
from counterbench.scene.scene import Scene, Shape

SMALL = render(Scene(90, 70, 230, (Shape("a", "circle", "red", 40, 35, 25),)))


def decoded_or_error(data: bytes) -> Image.Image | str:
    """The picture, or the message that refuses it; any other error is a failure. So it is with its digest."""
    picture = Picture(lambda: data, "half.png")
    try:
        image = reading.decode(data, "half.png")
    except InputError as error:
        message = str(error)
    else:
        assert picture.digest == png.pixel_digest(image)
        return image
    assert picture.damage == message
    return message


@given(seeded(lambda r: r))
def test_any_pixels_survive_encoding(random: Random) -> None:
    width, height = random.randint(1, 40), random.randint(1, 40)
    data = random.randbytes(3 * width * height)
    image = Image.frombytes("RGB", (width, height), data)
    encoded = png.encode(image)
    again = reading.decode(encoded)
    assert (again.mode, again.size, again.tobytes()) == ("RGB", (width, height), data)
    assert Picture(lambda: encoded, "it").digest == png.pixel_digest(image)
    assert png.encode_and_digest(image) == (encoded, png.pixel_digest(image))


def test_a_file_known_by_its_digest_is_not_decoded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Another one is known by its pixels."""
    file, pixels = tmp_path / "it.png", png.pixel_digest(SMALL)
    file.write_bytes(written := png.encode(SMALL))
    SMALL.save(tmp_path / "repacked.png")
    for path, most in ((file, 0), (tmp_path / "repacked.png", 1)):
        decoded: list[object] = []
        with monkeypatch.context() as patch:
            whole = reading.decode
            patch.setattr(reading, "decode", lambda *args, log=decoded, whole=whole: log.append(args) or whole(*args))
            assert Picture.from_file(path, pixels, png.file_digest(written)).digest == pixels
        assert len(decoded) == most
    Image.new("RGB", SMALL.size).save(file)
    assert "is not the recorded picture" in Picture.from_file(file, pixels, png.file_digest(written)).damage


@pytest.mark.parametrize("first", ["png", "digest", "image"])
def test_a_drawn_picture_is_drawn_once_and_never_unpacked(monkeypatch: pytest.MonkeyPatch, first: str) -> None:
    monkeypatch.delattr(reading, "decode")
    drawn: list[Image.Image] = []

    def draw() -> Image.Image:
        drawn.append(SMALL.copy())
        return drawn[-1]

    picture = Picture(draw, "drawn")
    _ = getattr(picture, first)
    if first != "png":
        copy = picture.image()
        assert copy.tobytes() == SMALL.tobytes()
        copy.thumbnail((9, 9))  # a copy: another query may look at it
        assert picture.image().size == SMALL.size
    assert (picture.digest, picture.png) == (png.pixel_digest(SMALL), png.encode(SMALL))
    assert len(drawn) == 1


def test_the_digest_does_not_depend_on_the_compressor() -> None:
    for options in ({}, {"compress_level": 0}, {"compress_level": 9}, {"optimize": True}):
        data = saved(SMALL, **options)
        assert data != png.encode(SMALL)
        assert png.pixel_digest(reading.decode(data)) == png.pixel_digest(SMALL), options


def test_the_digest_is_of_size_and_pixels() -> None:
    def digest(width: int, height: int, value: int) -> str:
        return png.pixel_digest(Image.new("RGB", (width, height), (value,) * 3))

    assert digest(6, 4, 9) == digest(6, 4, 9)
    assert len({digest(6, 4, 9), digest(4, 6, 9), digest(12, 2, 9), digest(6, 4, 8)}) == 4
    image = Image.new("RGB", (6, 4), (9, 9, 9))
    image.putpixel((5, 3), (9, 9, 10))
    assert png.pixel_digest(image) != digest(6, 4, 9)
    assert png.pixel_digest(Image.new("RGB", (2, 1), (1, 2, 3))) == "8346deb1cdd15aba4d0824b430a2f15a"


def test_another_format_is_refused_under_any_file_name(tmp_path: Path) -> None:
    """Some of them Pillow hands to other programs: PostScript to Ghostscript."""
    script = b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\nshowpage\n"
    assert Image.open(io.BytesIO(script)).format == "EPS"
    for data in (script, b"<svg/>", b"", *(saved(SMALL, format) for format in ("GIF", "BMP", "TIFF", "PPM", "DDS"))):
        (tmp_path / "odd.png").write_bytes(data)
        for read in (reading.read, lambda path: Picture.from_file(path).digest):
            message = refusal(lambda read=read: read(tmp_path / "odd.png"), InputError)
            assert "odd.png: not a readable picture" in message
            assert "0x" not in message, "no address: the same file has the same message in every run"


@pytest.mark.parametrize("format", ["PNG", "JPEG", "WEBP"])
def test_a_truncated_picture_is_refused_wherever_it_ends(format: str) -> None:
    data = png.encode(SMALL) if format == "PNG" else saved(SMALL, format)
    for cut in range(0, len(data), 1 if format == "PNG" else 29):
        left = decoded_or_error(data[:cut])
        if isinstance(left, Image.Image) and format == "PNG":  # only check sums and the closing chunk are missing
            assert left.tobytes() == SMALL.tobytes()
            assert cut > len(data) - 24
        else:
            assert left.startswith("half.png: ")


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
