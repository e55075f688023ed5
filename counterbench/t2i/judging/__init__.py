"""A judge over pictures: its questions (`picture_queries`), its admission (`gate`), the run, its answers (`results`).

`truth` has the known answers about pictures of planted generators. `conformance` tests that a protocol keeps its
contract, by judging with it.
"""
