"""What floats and what the wind carries: what is seen under each variant, worked out by hand."""

from __future__ import annotations

from laws.by_hand import figures, in_two_settings, seen

# Seen from the ring: the cork or leaf; the light large thing, the heavy large thing; whether the ring is inside.
FLOATING = {
    "by-weight": ("above", "above", "below", "inside"),
    "swapped": ("below", "below", "above", "inside"),
    "sinking": ("below", "below", "below", "inside"),
    "by-size": ("below", "above", "above", "inside"),
    "hovering": ("left", "right", "right", "inside"),
    "heavy-rises": ("left", "right", "above", "inside"),
}
# Flag; smoke, fan, wooden thing. The wind blows to the right.
WIND = {
    "along": ("right", "right", "right", "left"),
    "against": ("left", "left", "right", "left"),
    "lifting": ("up", "up", "right", "left"),
    "pressing": ("down", "down", "right", "left"),
    "nothing": ("down", "up", "right", "left"),
    "by-kind": ("left", "up", "right", "left"),
}


@in_two_settings
def test_what_floats_and_what_sinks(index: int) -> None:
    assert seen("floating", index) == FLOATING


@in_two_settings
def test_where_the_wind_carries_things(index: int) -> None:
    assert seen("wind", index) == WIND


def test_what_sinks_lies_on_the_bottom_and_what_floats_keeps_inside() -> None:
    drawn = figures("floating", "by-weight")
    inner = drawn["tank"].interior
    assert drawn["heavy"].box.bottom == inner.bottom
    assert inner.top <= drawn["subject"].box.top < inner.top + 20
