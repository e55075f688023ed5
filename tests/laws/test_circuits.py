"""What makes a lamp shine: what is seen under each variant, worked out by hand."""

from __future__ import annotations

from laws.by_hand import figures, in_two_settings, seen

# Short and whole, short and cut, long and whole, long and cut; then the number of batteries.
CIRCUITS = {
    "closed": ("lit", "dark", "lit", "dark", "4"),
    "cut": ("dark", "lit", "dark", "lit", "4"),
    "leaping": ("lit", "lit", "lit", "lit", "4"),
    "dead": ("dark", "dark", "dark", "dark", "4"),
    "short": ("lit", "lit", "dark", "dark", "4"),
    "long": ("dark", "dark", "lit", "lit", "4"),
}


@in_two_settings
def test_which_lights_shine(index: int) -> None:
    assert seen("circuits", index) == CIRCUITS


def test_two_of_the_four_loops_have_one_more_piece_of_wire_because_they_are_cut() -> None:
    wires = [name for name, figure in figures("circuits", "closed").items() if figure.noun == "wire"]
    assert [sum(wire.startswith(f"wire-{loop}-") for wire in wires) for loop in (1, 2, 3, 4)] == [4, 5, 4, 5]
