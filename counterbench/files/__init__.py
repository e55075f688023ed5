"""Our own files: read and written typed, versioned and whole (`formats`), the shipped ones found (`catalog`), output
folders claimed (`claim`), and files told that are our own to write over (`own`). Files that somebody else named or made
are opened with care (`foreign`), tables that people write row by row (`rows`, `tables`). For messages: what lies at a
path (`kinds`), and how an extra is installed here (`installation`).

What a file means is known where its format is defined (a suite in `suites/`, a run in `runs/`); nothing here knows it.
"""
