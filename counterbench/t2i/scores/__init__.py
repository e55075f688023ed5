"""Judged checks as numbers, for all protocols: rows, tables, resampling, what is missing, correction by labels."""
