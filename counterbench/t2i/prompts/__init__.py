"""Prompt sets: texts for text-to-image models, and the checks of each picture.

prompt_set          prompts, checks, groups and levels
files               a set by its name or from a file: from_laws and kinds (TOML); lists (CSV, JSON Lines)
lines, export       a whole set as lines, read and written; prompts alone, for people who draw elsewhere
imports/            sets from the files of published benchmarks
"""
