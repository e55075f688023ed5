"""Our own files: read and written typed, versioned and whole (`formats`), and the shipped ones found (`catalog`).

What a file means is known where its format is defined (a suite in `suites/`, a run in `runs/`); nothing here knows it.
"""
