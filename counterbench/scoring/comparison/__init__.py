"""Judges side by side on the same pairs, joined by id: differences with exact tests, and ranks."""
