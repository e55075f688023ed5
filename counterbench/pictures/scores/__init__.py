"""Judged checks as numbers, for all protocols: rows, tables, missing data, correction by labels and by known errors."""
