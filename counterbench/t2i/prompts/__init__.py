"""Prompt sets: what text-to-image models are asked to draw, and the checks of each picture.

prompt_set      prompts, checks, groups and levels
files           a set from a file; from_laws: a set from the laws
imports/        sets from the files of published benchmarks
"""
