"""Prompt sets: texts for text-to-image models, and the checks of each picture.

prompt_set          prompts, checks, groups and levels
files               a set by its name or from a file: from_laws (TOML); a table; lines, which are also written
items               a table's rows by our names of columns; table: a set of them
known_tables        formats that are recognised by their columns; geneval is one
imports/            sets from the files of published benchmarks
claims              what a question says, if the whole of it is of a known form (forms, nouns); skills: what it needs
manifest            the pictures of prompts in a folder
"""
