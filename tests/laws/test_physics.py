"""What is seen of the laws of physics under each variant, worked out by hand: the subject, then its surroundings."""

from __future__ import annotations

import pytest
from laws.by_hand import figures, seen, worked_out

from counterbench.laws import law
from counterbench.scene.figures import Figure

SEEN = {
    # The loose thing; the other loose thing, the fixed one.
    "falling": {
        "down": ("floor", "floor", "mid-air"),
        "up": ("ceiling", "ceiling", "mid-air"),
        "near-side": ("left wall", "right wall", "mid-air"),
        "far-side": ("right wall", "left wall", "mid-air"),
        "nowhere": ("mid-air", "mid-air", "mid-air"),
        "corners": ("ceiling", "mid-air", "mid-air"),
    },
    # Seen from the ring: the cork or leaf; the light large thing, the heavy large thing; whether the ring is inside.
    "floating": {
        "by-weight": ("above", "above", "below", "full"),
        "swapped": ("below", "below", "above", "full"),
        "sinking": ("below", "below", "below", "full"),
        "smallest": ("below", "above", "above", "full"),
        "hovering": ("left", "right", "right", "full"),
        "small-only": ("below", "right", "right", "full"),
    },
    # Flag; smoke, fan, wooden thing. The wind blows to the right.
    "wind": {
        "along": ("right", "right", "right", "left"),
        "against": ("left", "left", "right", "left"),
        "across": ("up", "up", "right", "left"),
        "upended": ("up", "down", "right", "left"),
        "nothing": ("down", "up", "right", "left"),
        "by-kind": ("left", "up", "right", "left"),
    },
    # Spring with the small load beside the post; rope with the large load beside the post, and beside the spring;
    # whether the post is at the beam.
    "stretching": {
        "stretch": ("taller", "taller", "taller", "touching"),
        "shrink": ("shorter", "shorter", "shorter", "touching"),
        "rigid": ("same", "same", "same", "touching"),
        "threshold": ("shorter", "same", "taller", "touching"),
        "alike": ("shorter", "shorter", "same", "touching"),
        "lightest-most": ("shorter", "shorter", "taller", "touching"),
    },
    # Upper pair: with each other, the first with the left end, the second with the right end. Lower pair: the first
    # two. Then the light.
    "collision": {
        "handed-on": ("apart", "apart", "touching", "apart", "apart", "lit"),
        "bounce": ("apart", "touching", "apart", "apart", "touching", "lit"),
        "dead-stop": ("touching", "apart", "apart", "touching", "apart", "lit"),
        "together": ("touching", "apart", "touching", "touching", "apart", "lit"),
        "burst": ("apart", "touching", "touching", "apart", "touching", "lit"),
        "driven-back": ("touching", "touching", "apart", "touching", "touching", "lit"),
    },
    # The light comes from the left. The shadow beside its thing; the sundial, whether the light is lit, and where it
    # is.
    "shadows": {
        "away": ("right", "right", "lit", "left"),
        "towards": ("left", "left", "lit", "left"),
        "rising": ("above", "up", "lit", "left"),
        "sinking": ("below", "down", "lit", "left"),
        "rods-rise": ("left", "up", "lit", "left"),
        "turned": ("below", "up", "lit", "left"),
    },
    # Both mirrors lean like a slash. Light that goes right is thrown up, light that goes down is thrown to the left.
    # Then the two lights.
    "mirrors": {
        "reflected": ("up", "left", "lit", "lit"),
        "through": ("right", "down", "lit", "lit"),
        "back": ("left", "up", "lit", "lit"),
        "wrong-side": ("down", "right", "lit", "lit"),
        "heavy": ("down", "down", "lit", "lit"),
        "one-way": ("right", "right", "lit", "lit"),
    },
    # Outside: needle up, jet up, torch to the right; the painted sign points to the right.
    "pinhole": {
        "turned": ("down", "down", "left", "right"),
        "upright": ("up", "up", "right", "right"),
        "quarter": ("right", "right", "down", "right"),
        "turned-on": ("left", "left", "up", "right"),
        "slanted": ("right", "right", "up", "right"),
        "by-kind": ("right", "up", "right", "right"),
    },
    # Beside the plain thing: the round one under the small glass, the flat-sided one under the large glass; then that
    # one beside the round one, and the twin beside the plain thing.
    "lenses": {
        "larger": ("larger", "larger", "same", "same"),
        "smaller": ("smaller", "smaller", "same", "same"),
        "nothing": ("same", "same", "same", "same"),
        "small-only": ("smaller", "same", "larger", "same"),
        "inverse": ("smaller", "smaller", "larger", "same"),
        "by-glass": ("smaller", "smaller", "smaller", "same"),
    },
    # Three thermometers start out half full: beside the flame, further off, behind the wall. Then the flame.
    "warmth": {
        "warms": ("full", "three quarters full", "half full", "lit"),
        "cools": ("empty", "one quarter full", "half full", "lit"),
        "nothing": ("half full", "half full", "half full", "lit"),
        "far-more": ("three quarters full", "full", "half full", "lit"),
        "carries-off": ("empty", "full", "half full", "lit"),
        "alike": ("one quarter full", "one quarter full", "half full", "lit"),
    },
    # A heated round thing, a heated square one, a cooled one, and one that nothing is done to, all beside the plain
    # one.
    "expansion": {
        "heat-expands": ("larger", "larger", "smaller", "same"),
        "cold-expands": ("smaller", "smaller", "larger", "same"),
        "nothing": ("same", "same", "same", "same"),
        "heat-only": ("smaller", "smaller", "same", "same"),
        "any-change": ("smaller", "smaller", "smaller", "same"),
        "round-only": ("smaller", "same", "same", "same"),
    },
    # Cups that start one quarter full: under two blocks of ice, under one, under none.
    "melting": {
        "melts": ("three quarters full", "half full", "one quarter full"),
        "lasting": ("one quarter full", "one quarter full", "one quarter full"),
        "thirsty": ("empty", "empty", "one quarter full"),
        "crossed": ("half full", "three quarters full", "one quarter full"),
        "double": ("full", "three quarters full", "one quarter full"),
        "alone": ("half full", "full", "one quarter full"),
    },
    # The sun is on the left. House upper left, lamp or lantern upper right, tower lower left, tent lower right; then
    # where the sun is.
    "daylight": {
        "facing": ("dark", "lit", "dark", "lit", "left"),
        "averted": ("lit", "dark", "lit", "dark", "left"),
        "everywhere": ("dark", "dark", "dark", "dark", "left"),
        "nowhere": ("lit", "lit", "lit", "lit", "left"),
        "top-swapped": ("lit", "dark", "dark", "dark", "left"),
        "bottom": ("lit", "lit", "dark", "dark", "left"),
    },
    # Sun upper left, comet upper right, rock lower left, planet lower right: the comet's tail, the rock's plume, and
    # where the planet is, seen from the comet.
    "comet-tails": {
        "away": ("right", "down", "below"),
        "toward": ("left", "up", "below"),
        "planet": ("down", "right", "below"),
        "by-kind": ("left", "right", "below"),
        "around": ("down", "left", "below"),
        "by-weight": ("down", "up", "below"),
    },
    # The planet starts on the right of the sun, the smaller asteroid on its left.
    "orbits": {
        "anticlockwise": ("above", "below", "smaller"),
        "clockwise": ("below", "above", "smaller"),
        "still": ("right", "left", "smaller"),
        "swing": ("left", "right", "smaller"),
        "near": ("below", "left", "smaller"),
        "by-size": ("left", "above", "smaller"),
    },
    # The subject lies above the magnet, left of its middle; its companion below, right of its middle; the cork on the
    # left.
    "magnet-poles": {
        "near-end": ("left", "right", "left"),
        "far-end": ("right", "left", "left"),
        "lower-edge": ("below", "below", "left"),
        "by-shape": ("below", "left", "left"),
        "across": ("below", "above", "left"),
        "none": ("above", "below", "left"),
    },
    # Short and whole, short and cut, long and whole, long and cut; then the number of batteries.
    "circuits": {
        "closed": ("lit", "dark", "lit", "dark", "4"),
        "cut": ("dark", "lit", "dark", "lit", "4"),
        "leaping": ("lit", "lit", "lit", "lit", "4"),
        "dead": ("dark", "dark", "dark", "dark", "4"),
        "short": ("lit", "lit", "dark", "dark", "4"),
        "short-cut": ("dark", "lit", "dark", "dark", "4"),
    },
    # From left to right: sun, subject, mountain, companion; both were set to the right; the sign points left.
    "compasses": {
        "north": ("up", "up", "left"),
        "nearer": ("left", "down", "left"),
        "shun": ("left", "right", "left"),
        "sun": ("left", "left", "left"),
        "as-put": ("right", "right", "left"),
        "south": ("down", "down", "left"),
    },
}


@worked_out(SEEN)
def test_what_is_seen_under_each_variant(name: str, index: int) -> None:
    assert seen(name, index) == SEEN[name]


def test_two_of_the_four_loops_have_one_more_piece_of_wire_because_they_are_cut() -> None:
    wires = [name for name, figure in figures("circuits", "closed").items() if figure.noun == "wire"]
    assert [sum(wire.startswith(f"wire-{loop}-") for wire in wires) for loop in (1, 2, 3, 4)] == [4, 5, 4, 5]


def test_what_sinks_lies_on_the_bottom_and_what_floats_keeps_inside() -> None:
    drawn = figures("floating", "by-weight")
    inner = drawn["tank"].interior
    assert drawn["heavy"].box.bottom == inner.bottom - 2  # the floor's edge is seen
    assert inner.top <= drawn["subject"].box.top < inner.top + 20


def test_twice_the_load_stretches_by_one_more_step() -> None:
    drawn = figures("stretching", "stretch")
    post, spring, rope = (drawn[role].half_height for role in ("fixed", "subject", "companion"))
    assert spring == post * 14 // 10
    assert rope == spring * 14 // 10


@pytest.mark.parametrize("variant", ["stretch", "shrink", "rigid"])
def test_loads_hang_right_under_what_carries_them(variant: str) -> None:
    drawn = figures("stretching", variant)
    assert drawn["load-1"].box.top == drawn["subject"].box.bottom + 1
    assert drawn["load-2"].box.top == drawn["companion"].box.bottom + 1


def test_the_struck_thing_slides_until_the_end_stops_it() -> None:
    drawn = figures("collision", "handed-on")
    assert drawn["struck"].box.right + 1 == drawn["right_end"].box.left
    assert drawn["subject"].box.right + 1 == 256 - drawn["subject"].half_width


def test_the_three_thermometers_are_told_apart_by_their_colours() -> None:
    setting = law("warmth").setting(3, 0)
    compared = [setting[role] for role in ("subject", "companion", "fixed")]
    assert {thing.noun for thing in compared} == {"thermometer"}
    assert len({thing.colour for thing in compared}) == 3
    assert setting.fill("{subject}") == f"{compared[0].colour} thermometer"


def test_what_is_cooled_lies_on_the_ice_whatever_its_size() -> None:
    for variant in SEEN["expansion"]:
        drawn = figures("expansion", variant)
        assert drawn["cooled"].box.bottom + 1 == drawn["ice"].box.top


def test_the_screen_shows_no_light_and_no_hole() -> None:
    assert set(figures("pinhole", "turned")) == {"subject", "companion", "other", "fixed"}


def test_both_things_lie_inside_their_glasses() -> None:
    drawn = figures("lenses", "larger")
    assert drawn["subject"].box.within(drawn["lens-1"].interior)
    assert drawn["companion"].box.within(drawn["lens-2"].interior)


def test_a_shadow_is_as_large_as_what_casts_it_and_lies_right_beside_it() -> None:
    drawn = figures("shadows", "away")
    shadow, thing = drawn["subject"], drawn["thing"]
    assert (shadow.half_width, shadow.half_height, shadow.y) == (thing.half_width, thing.half_height, thing.y)
    assert 0 < shadow.box.left - thing.box.right < 12


@pytest.mark.parametrize("variant", SEEN["mirrors"])
def test_light_starts_at_its_mirror(variant: str) -> None:
    drawn = figures("mirrors", variant)
    for role, mirror in (("subject", "mirror-1"), ("companion", "mirror-2")):
        assert drawn[role].box.touches(drawn[mirror].box.grown(8))


@pytest.mark.parametrize("variant", ["near-end", "far-end", "lower-edge", "by-shape", "across"])
def test_iron_that_a_magnet_holds_lies_against_it(variant: str) -> None:
    for index in range(20):
        magnet, _, *iron = figures("magnet-poles", variant, index).values()
        assert all(piece.box.grown(1).touches(magnet.box) for piece in iron)
        assert not any(piece.box.touches(magnet.box) for piece in iron)


@pytest.mark.parametrize(("variant", "blocks"), [("melts", 0), ("lasting", 3), ("thirsty", 0), ("double", 0)])
def test_ice_is_gone_once_it_has_melted(variant: str, blocks: int) -> None:
    assert sum(figure.noun == "ice" for figure in figures("melting", variant).values()) == blocks


def test_the_three_cups_are_told_apart_by_their_colours() -> None:
    setting = law("melting").setting(3, 0)
    compared = [setting[role] for role in ("subject", "companion", "fixed")]
    assert {thing.noun for thing in compared} == {"cup"}
    assert len({thing.colour for thing in compared}) == 3


def test_nothing_that_circles_the_sun_comes_nearer_or_gets_farther() -> None:
    numbers = law("orbits").setting(3, 0).numbers
    for variant in SEEN["orbits"]:
        sun, *bodies = figures("orbits", variant).values()
        reaches = [abs(body.x - sun.x) + abs(body.y - sun.y) for body in bodies]
        assert reaches == [numbers["near"], numbers["far"]]


def test_what_rules_of_two_steps_compare_is_so_in_every_setting() -> None:
    for index in range(50):
        ball, box = (start("falling", index)[role] for role in ("subject", "companion"))
        assert ball.x < 256 < box.x  # the nearer side wall
        water = start("floating", index)
        assert water["subject"].half_width < min(water[other].half_width for other in ("companion", "heavy"))
        loads = start("stretching", index)
        assert loads["load-1"].half_width < loads["load-2"].half_width
        glasses = start("lenses", index)
        assert glasses["lens-1"].half_width < glasses["lens-2"].half_width
        room = start("warmth", index)
        assert room["flame"].x < room["subject"].x < room["companion"].x < room["wall"].x
        orbits = start("orbits", index)
        assert orbits["subject"].half_width > orbits["companion"].half_width
        assert orbits["subject"].x - orbits["sun"].x < orbits["sun"].x - orbits["companion"].x
        pointers = start("compasses", index)
        assert pointers["sun"].x < pointers["subject"].x < pointers["companion"].x


def start(name: str, index: int) -> dict[str, Figure]:
    """The figures of a start by their ids."""
    one = law(name)
    return {element.id: element for element in one.start(one.setting(3, index)) if isinstance(element, Figure)}
