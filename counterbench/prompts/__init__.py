"""Prompt sets: texts for text-to-image models, and the checks of each picture.

prompt_set          prompts, checks, groups and levels
files               a set by its name, or from a file of any kind; writes a set as lines
from_laws           sets from laws (TOML)
items               a table's rows, by our names of columns
table               a set from such rows
known_tables        tables of the field, recognised by their columns
geneval             one of these: GenEval's
imports/            sets from the files of published benchmarks
claims              what a question says, if the whole of it has a known form
forms               these forms of questions
nouns               the nouns in them
skills              what a judge needs for a question
manifest            the pictures of prompts in a folder
"""
