"""A judge over pictures: what it is asked (`picture_queries`), whether it may (`gate`), the run, what it said
(`results`).

`waves` is the engine: what is asked follows from the replies so far. `truth` is what is known of the pictures of
planted generators. `conformance/` holds a protocol to its contract by judging with it.
"""
