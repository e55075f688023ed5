"""Files: reading, writing, finding and fetching them.

formats             our own files and folders: typed, versioned, written whole
catalog             shipped files
locks               one process at a time
foreign, rows       files of others: safe paths and sizes, rows of tables; `data_warnings` on what is unusual in them
addresses           other places (s3://…): fetching and uploading
installation        the command that installs an extra, for messages

The meaning of a file is defined with its format (a suite in `suites/`, a run in `runs/`), not here.
"""
