"""What is seen of the laws of chemistry under each variant, worked out by hand: the subject, then its surroundings."""

from __future__ import annotations

from laws.by_hand import seen, worked_out

SEEN = {
    # A large vessel: red under yellow, stirred with green; a small one: pink under blue, stirred with pink; something
    # dry and cyan.
    "mixing": {
        "between": ("orange", "purple", "cyan"),
        "lighter": ("yellow", "pink", "cyan"),
        "first": ("red", "pink", "cyan"),
        "last": ("yellow", "blue", "cyan"),
        "stick": ("green", "pink", "cyan"),
        "vessel": ("green", "blue", "cyan"),
    },
    # A little light oil poured into much water; a little heavy syrup poured into much tea; a thing on the right.
    "layers": {
        "light-top": ("above", "below", "right"),
        "heavy-top": ("below", "above", "right"),
        "heavy-left": ("right", "left", "right"),
        "first-left": ("right", "right", "right"),
        "little-left": ("left", "left", "right"),
        "greasy-sweet": ("below", "left", "right"),
    },
    # Salt in a wide vessel under a lamp, alum in a narrow one in the cool; the lamp.
    "crystals": {
        "own": ("square", "diamond", "lit"),
        "swapped": ("diamond", "square", "lit"),
        "round": ("circle", "circle", "lit"),
        "spire": ("triangle", "triangle", "lit"),
        "warmth": ("triangle", "circle", "lit"),
        "width": ("circle", "triangle", "lit"),
    },
    # 3 spoonfuls in 2 glasses in a large vessel, 4 spoonfuls in 1 glass in a small one; how full that one is.
    "fizz": {
        "soda": ("6", "8", "half full"),
        "vinegar": ("8", "4", "half full"),
        "single": ("1", "1", "half full"),
        "threshold": ("2", "3", "half full"),
        "swallowing": ("4", "2", "half full"),
        "vessel": ("9", "3", "half full"),
    },
}


@worked_out(SEEN)
def test_what_is_seen_under_each_variant(name: str, index: int) -> None:
    assert seen(name, index) == SEEN[name]
