"""A judge over pictures: questions (`picture_queries`), the run (`run`), answers (`judged_run`).

`imported_replies` makes that run from replies given elsewhere. `conformance` tests that a protocol keeps its contract,
by judging with it.
"""
