"""Our own files: read and written typed, versioned and whole (`formats`), the shipped ones found (`catalog`), and
output folders claimed (`claim`).

What a file means is known where its format is defined (a suite in `suites/`, a run in `runs/`); nothing here knows it.
"""
