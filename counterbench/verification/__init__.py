"""Truth, checked twice: by the programs, and by the pixel reader.

checks          what must hold of one pair
folder_check    what must hold of a folder: its lines and pictures are those that its suite draws
verify          all of it over a suite or a folder

A certificate is held against its run in `certificate/recheck`.
"""
