"""Prompt sets: texts for text-to-image models, and the checks of each picture.

prompt_set          prompts, checks, groups and levels
files               a set by its name, or from a file of any kind; writes a set as lines
from_laws           sets from laws (TOML)
items               the rows of a table that people wrote, under our names of its columns
table               a prompt set from such rows
known_tables        tables of published benchmarks, recognised by their columns
geneval             one of these tables: GenEval's
imports/            sets from the files of published benchmarks
claims              the claim that a question makes, if the whole question has a known form
forms               these forms, as patterns
nouns               phrases that may stand for things in them
skills              the skill that a judge needs for a question, and the drawn pairs that test it
manifest            a generator's pictures of prompts, in a folder
"""
