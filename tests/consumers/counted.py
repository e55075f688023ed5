"""The CCS of our own `probe` and `score` with the judge on loopback, which a harness must come to as well."""

from pathlib import Path

from consumers.served import MODEL

import counterbench as cb
from counterbench.asking.asker import Limits
from counterbench.judges.openai.server_judge import OpenAIJudge
from counterbench.results.scores import Document
from counterbench.suites.suite import load_suite

SUITE, PAIRS = "counterbench-550", 100


def by_probe(address: str, out: Path, limit: int = PAIRS, repeats: int = 1) -> Document:
    """What our own `probe` and `score` say of so many pairs, the first 100 unless told otherwise."""
    model = OpenAIJudge(MODEL, {"base_url": address, "price_in": 0, "price_out": 0})
    cb.probe(load_suite(SUITE), model, out, limit=limit, repeats=repeats, limits=Limits(concurrency=16))
    return cb.score(out)
