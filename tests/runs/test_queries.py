"""Queries hold no truth, and their digests are of words and pixels; pictures are read once, and only when needed."""

import pytest
from PIL import Image
from scenery import saved

from counterbench.drawing.picture import Picture
from counterbench.errors import InputError
from counterbench.runs.queries import Query


def picture(shade: int = 200) -> Picture:
    return Picture(lambda: saved(Image.new("RGB", (8, 6), (shade, 10, 20))), "p")


def query(**fields: object) -> Query:
    given = {"id": "q", "group": "g", "role": "original", "text": "Is it?", "answer_type": "yes-no"}
    return Query(**{**given, "pictures": (picture(),), **fields})  # type: ignore[arg-type]


def test_a_querys_digest_covers_its_words_and_pictures() -> None:
    plain = query()
    assert query(id="other", group="other", role="intervened", repeat=3).digest == plain.digest
    words = [{"text": "A cat."}, {"answer_type": "integer"}, {"system": "Look."}, {"prompt": "A cat."}, {"prompt": "A"}]
    shown = [(), (picture(201),), (picture(), picture())]
    changed = [*(query(**change) for change in words), *(query(pictures=pictures) for pictures in shown)]
    assert len({plain.digest, *(other.digest for other in changed)}) == 9


def test_a_picture_is_made_once_and_only_when_needed() -> None:
    made: list[int] = []
    data = picture().png

    def source() -> bytes:
        made.append(1)
        return data

    lazy = Picture(source, "lazy")
    lazy_query = query(pictures=(lazy,))
    assert made == []
    digest = lazy_query.digest
    assert lazy.png == data
    assert lazy.image().size == (8, 6)
    assert made == [1]
    lazy.forget()
    assert lazy_query.digest == digest  # the digest stays
    assert made == [1]
    assert lazy.png == data
    assert made == [1, 1]


@pytest.mark.parametrize("field", ["text", "prompt", "system"])
def test_words_with_a_nul_are_refused(field: str) -> None:
    with pytest.raises(InputError, match="q: its words have a NUL"):
        query(**{field: "a\0b"})
