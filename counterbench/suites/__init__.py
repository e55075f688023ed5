"""Pairs: sampled by families, listed by suites, drawn into folders, shown on contact sheets.

families/                   one module for each kind of pair
suite                       families with counts and a seed; `suite[i]` is a pure function
sources                     a suite, its cells or an attempt, or a folder, for code that takes any of them
folder, generation, workers     pairs and pictures on disk
sheets                              contact sheets

`verification/` checks the truth of pairs; `asking/` asks judges about them.
"""
