"""Geometry where the shapes of scenes do not reach: corners in either order, and neighbours by one pixel."""

from __future__ import annotations

from counterbench.scene.geometry import polygon_contains


def test_a_polygon_contains_its_edges_and_nothing_beside_them_in_either_order() -> None:
    corners = ((0, 0), (1, 0), (1, 1), (0, 1))
    for order in (corners, corners[::-1]):
        grid = [(x, y) for x in range(-2, 4) for y in range(-2, 4)]
        assert [p for p in grid if polygon_contains(order, p)] == [(0, 0), (0, 1), (1, 0), (1, 1)]
