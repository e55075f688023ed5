"""Checks of arguments: possible counts, confidences from 0 to 1, lists of the same length."""

from __future__ import annotations

from collections.abc import Sized


def check_share(hits: int, of: int, label: str = "") -> None:
    """ValueError unless 0 <= `hits` <= `of`; `label` names the share in the message."""
    name = f"{label}: " if label else ""
    if of < 0:
        raise ValueError(f"{name}a total of {of}; it cannot be negative")
    if not 0 <= hits <= of:
        raise ValueError(f"{name}{hits} hits of {of}; hits must be from 0 to the total")


def check_counts(**counts: int) -> None:
    """ValueError, naming the count, unless none is negative."""
    for name, count in counts.items():
        if count < 0:
            raise ValueError(f"{name} is {count}; a count cannot be negative")


def check_fraction(name: str, value: float) -> None:
    """ValueError unless 0 < `value` < 1: a confidence, a level, a power."""
    if not 0 < value < 1:
        raise ValueError(f"{name} is {value}; it must be between 0 and 1, such as 0.95 or 0.05")


def check_lengths(one: Sized, other: Sized) -> None:
    """ValueError unless both have the same length."""
    if len(one) != len(other):
        raise ValueError(f"lists of different lengths, {len(one)} and {len(other)}; each item needs a value in both")
