"""A judge over pictures: questions (`picture_queries`), `admission`, the run, answers (`results`).

`session` makes the run of `t2i judge`, and `validation` that of `validate`, which asks pairs for an admission.
`truth` has the known answers about pictures of planted generators. `conformance` tests that a protocol keeps its
contract, by judging with it.
"""
