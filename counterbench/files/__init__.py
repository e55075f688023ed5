"""Files: reading, writing, finding and fetching them.

formats                 our own files: typed, versioned, written whole
catalog, claim          shipped files; output folders, and files of ours that may be replaced
foreign, rows, tables   files of others: safe paths and sizes, rows and tables that people write
addresses, remote       addresses of other places (s3://…), and fetching and uploading
kinds, installation     for messages: the kind of folder at a path, and the command that installs an extra

The meaning of a file is defined with its format (a suite in `suites/`, a run in `runs/`), not here.
"""
