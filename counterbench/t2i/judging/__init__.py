"""A judge over pictures: questions (`picture_queries`), `admission`, the run, answers (`results`).

`run` makes the run of `t2i judge`, and `validation` that of `validate`, which asks pairs for an admission.
`imported_replies` makes that run from replies given elsewhere. `conformance` tests that a protocol keeps its contract,
by judging with it.
"""
