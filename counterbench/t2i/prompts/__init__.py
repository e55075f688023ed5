"""Prompt sets: texts for text-to-image models, and the checks of each picture.

prompt_set          prompts, checks, groups and levels
files               a set by its name or from a file: from_laws (TOML); a table
items               a table's rows by our names of columns; questions: one question as a check; table: a set of them
lines               a whole set as lines, read and written
imports/            sets from the files of published benchmarks; tables: formats that are recognised by their columns
"""
