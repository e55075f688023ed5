"""A judge over pictures: what it is asked (`picture_queries`), whether it may (`gate`), the run, what it said
(`results`).

`truth` is what is known of the pictures of planted generators. `conformance/` holds a protocol to its contract by
judging with it.
"""
