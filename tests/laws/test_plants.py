"""Where plants lean, and how fruit ripens: what is seen under each variant, worked out by hand."""

from __future__ import annotations

from laws.by_hand import in_two_settings, seen

# Sprout, sunflower, sign. The lamp is on the left, the water below; the sign points right.
LEANING_PLANTS = {
    "light": ("left", "left", "right"),
    "dark": ("right", "right", "right"),
    "upright": ("up", "up", "right"),
    "water": ("down", "down", "right"),
    "heavy-heads": ("up", "down", "right"),
    "shy-flowers": ("down", "right", "right"),
}
# The large apple starts green, the small berry pink; the wooden thing faces left.
RIPENING = {
    "ripe": ("red", "blue", "left"),
    "never": ("green", "pink", "left"),
    "bleached": ("yellow", "cyan", "left"),
    "large": ("purple", "pink", "left"),
    "small": ("green", "cyan", "left"),
    "dusky": ("purple", "cyan", "left"),
}


@in_two_settings
def test_where_plants_lean(index: int) -> None:
    assert seen("leaning-plants", index) == LEANING_PLANTS


@in_two_settings
def test_which_colours_fruit_takes(index: int) -> None:
    assert seen("ripening", index) == RIPENING
