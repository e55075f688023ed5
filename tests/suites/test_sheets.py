"""Text on contact sheets keeps to its place, whatever it is."""

from __future__ import annotations

import pytest

from counterbench.suites import sheets


@pytest.mark.parametrize("width", [60, 240, 1000])
@pytest.mark.parametrize(
    "text", ["Draw a red coin and a green parcel. " * 9, "gravity.up.00/level-" * 200, "W" * 5000, "a b"]
)
def test_no_line_is_wider_or_more_than_it_may_be(text: str, width: int) -> None:
    lines = sheets.wrapped(text, 16, width, 5)
    assert 1 <= len(lines) <= 5
    assert all(sheets.font(16).getlength(line) <= width + 2 for line in lines)
    whole = "".join(sheets.wrapped(text, 16, width, 10_000)).replace(" ", "")
    assert whole == text.replace(" ", "")
    assert lines[-1].endswith(" …") == ("".join(lines).replace(" ", "") != whole)


def test_ids_break_between_their_parts() -> None:
    width = int(sheets.font(22).getlength("collision.drawn-back/ru"))
    assert sheets.wrapped("collision.drawn-back/rule", 22, width, 2) == ["collision.drawn-back/", "rule"]


def test_what_the_font_has_not_is_written_with_what_it_has() -> None:
    assert sheets.wrapped("café – 3 × 4\n\x1b[2J", 16, 500, 2) == ["cafe - 3 x 4 \\x1b[2J"]
