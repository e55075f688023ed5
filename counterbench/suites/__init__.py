"""Pairs: sampled by families, listed by suites, drawn into folders, shown on contact sheets.

families/                   a kind of pair each
suite                       families with counts and a seed; `suite[i]` is a pure function
sources                     a suite or a folder, for whoever takes either
folder, generation, workers     pairs and pictures on disk
gallery, law_gallery, sheets        contact sheets, and their files

Whether what is here is true is checked in `verification/`; who is asked about it is none of its business.
"""
