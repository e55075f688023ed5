"""Every variant of every law in two settings, against `worked_out.toml`; and what no single fact tells of some laws."""

import tomllib
from pathlib import Path

import pytest
from sweeping import swept

from counterbench.laws import STANDARD, law
from counterbench.laws.outcomes import facts, outcome
from counterbench.scene.figures import Figure

SEEN: dict[str, dict[str, list[str]]] = tomllib.loads(Path(__file__).with_name("worked_out.toml").read_text("utf-8"))


@swept("index", [0, 5])
@swept("name", STANDARD)
def test_each_variant_has_the_facts_worked_out_by_hand(name: str, index: int) -> None:
    tested = law(name)
    setting = tested.setting(3, index)
    values = {}
    for variant in tested.variants:
        subject, around = facts(tested, setting, variant.name)
        values[variant.name] = [fact.value for fact in (*subject, *around)]
    assert values == SEEN[name]


def figures_of(name: str, variant: str, index: int = 0) -> dict[str, Figure]:
    """The figures of an outcome by their ids."""
    found = law(name)
    return {figure.id: figure for figure in outcome(found, found.setting(3, index), variant).figures}


def variants(name: str) -> list[str]:
    """The names of a law's variants."""
    return [variant.name for variant in law(name).variants]


def test_two_of_the_four_loops_have_one_more_piece_of_wire_because_they_are_cut() -> None:
    wires = [name for name, figure in figures_of("circuits", "closed").items() if figure.noun == "wire"]
    assert [sum(wire.startswith(f"wire-{loop}-") for wire in wires) for loop in (1, 2, 3, 4)] == [4, 5, 4, 5]


def test_sinking_things_lie_on_the_bottom_and_floating_ones_stay_inside() -> None:
    drawn = figures_of("floating", "by-weight")
    inner = drawn["tank"].interior
    assert drawn["heavy"].box.bottom == inner.bottom - 2  # the floor's edge is seen
    assert inner.top <= drawn["subject"].box.top < inner.top + 20


def test_twice_the_load_stretches_by_one_more_step() -> None:
    drawn = figures_of("stretching", "stretch")
    post, spring, rope = (drawn[role].half_height for role in ("fixed", "subject", "companion"))
    assert spring == post * 14 // 10
    assert rope == spring * 14 // 10


@pytest.mark.parametrize("variant", ["stretch", "shrink", "rigid"])
def test_loads_hang_directly_under_their_carriers(variant: str) -> None:
    drawn = figures_of("stretching", variant)
    assert drawn["load-1"].box.top == drawn["subject"].box.bottom + 1
    assert drawn["load-2"].box.top == drawn["companion"].box.bottom + 1


def test_the_struck_thing_slides_until_the_end_stops_it() -> None:
    drawn = figures_of("collision", "handed-on")
    assert drawn["struck"].box.right + 1 == drawn["right_end"].box.left
    assert drawn["subject"].box.right + 1 == 256 - drawn["subject"].half_width


@pytest.mark.parametrize(("name", "noun"), [("warmth", "thermometer"), ("melting", "cup")])
def test_three_things_of_one_noun_differ_in_colour(name: str, noun: str) -> None:
    setting = law(name).setting(3, 0)
    compared = [setting[role] for role in ("subject", "companion", "fixed")]
    assert {thing.noun for thing in compared} == {noun}
    assert len({thing.colour for thing in compared}) == 3
    assert setting.fill("{subject}") == f"{compared[0].colour} {noun}"


def test_cooled_things_of_any_size_lie_on_the_ice() -> None:
    for variant in variants("expansion"):
        drawn = figures_of("expansion", variant)
        assert drawn["cooled"].box.bottom + 1 == drawn["ice"].box.top


def test_the_screen_shows_no_light_and_no_hole() -> None:
    assert set(figures_of("pinhole", "turned")) == {"subject", "companion", "other", "fixed"}


def test_both_things_lie_inside_their_glasses() -> None:
    drawn = figures_of("lenses", "larger")
    assert drawn["subject"].box.within(drawn["lens-1"].interior)
    assert drawn["companion"].box.within(drawn["lens-2"].interior)


def test_a_shadow_has_the_size_of_its_thing_and_lies_beside_it() -> None:
    drawn = figures_of("shadows", "away")
    shadow, thing = drawn["subject"], drawn["thing"]
    assert (shadow.half_width, shadow.half_height, shadow.y) == (thing.half_width, thing.half_height, thing.y)
    assert 0 < shadow.box.left - thing.box.right < 12


@swept("variant", variants("mirrors"))
def test_light_starts_at_its_mirror(variant: str) -> None:
    drawn = figures_of("mirrors", variant)
    for role, mirror in (("subject", "mirror-1"), ("companion", "mirror-2")):
        assert drawn[role].box.touches(drawn[mirror].box.grown(8))


@swept("variant", ["near-end", "far-end", "lower-edge", "by-shape", "across"])
def test_iron_that_a_magnet_holds_lies_against_it(variant: str) -> None:
    for index in range(20):
        magnet, _, *iron = figures_of("magnet-poles", variant, index).values()
        assert [piece for piece in iron if not piece.box.grown(1).touches(magnet.box)] == []
        assert [piece for piece in iron if piece.box.touches(magnet.box)] == []


@pytest.mark.parametrize(("variant", "blocks"), [("melts", 0), ("lasting", 3), ("thirsty", 0), ("double", 0)])
def test_ice_is_gone_once_it_has_melted(variant: str, blocks: int) -> None:
    assert sum(figure.noun == "ice" for figure in figures_of("melting", variant).values()) == blocks


def test_orbiting_bodies_keep_their_distance_from_the_sun() -> None:
    numbers = law("orbits").setting(3, 0).numbers
    for variant in variants("orbits"):
        sun, *bodies = figures_of("orbits", variant).values()
        reaches = [abs(body.x - sun.x) + abs(body.y - sun.y) for body in bodies]
        assert reaches == [numbers["near"], numbers["far"]]


def test_comparisons_of_two_step_rules_hold_in_every_setting() -> None:
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
    tested = law(name)
    return {element.id: element for element in tested.start(tested.setting(3, index)) if isinstance(element, Figure)}


def test_dividing_cells_stay_in_their_tank() -> None:
    for index in range(20):
        drawn = figures_of("dividing-cells", "three", index)
        tanks = {"cell": drawn["vessel-1"].interior, "bacterium": drawn["vessel-2"].interior}
        assert [cell for cell in drawn.values() if cell.noun in tanks and not cell.box.within(tanks[cell.noun])] == []


def test_plants_grow_by_two_fifths_a_drop_and_stay_on_the_ground() -> None:
    drawn = figures_of("watering", "grow")
    once = law("watering").setting(3, 0).numbers["half"] * 7 // 5
    assert (drawn["companion"].half_height, drawn["subject"].half_height) == (once, once * 7 // 5)
    assert len({drawn[role].box.bottom for role in ("subject", "companion", "stick", "wall")}) == 1
