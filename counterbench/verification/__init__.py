"""Truth, checked twice: by the programs, and by the pixel reader.

checks          what must hold of one pair
verify          all of it over a suite or a folder, whose pairs and pictures are those that were written

A certificate is held against its run in `certificate/recheck`.
"""
