"""Is it still the judge that was certified? Some of its certificate's pairs, asked again before and after pictures.

A name behind an API may serve another model from one day to the next. So `t2i judge` asks 20 pairs that the certificate
rests on once more, as runs of their own in the run's folder: `drift-start` and `drift-end`.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from counterbench.certificate import Certificate
from counterbench.runs.folder import RUN_FILE
from counterbench.scene.seeds import Stream
from counterbench.scoring.results import load_results
from counterbench.scoring.scores import Share, share
from counterbench.suites.cells import CellSource, in_turn
from counterbench.suites.suite import load_suite

START, END = FOLDERS = ("drift-start", "drift-end")
PAIRS = 20
# How unlikely so few right must be, of a judge that has not changed.
LEVEL = 0.01


class Drift(msgspec.Struct, frozen=True, kw_only=True):
    """On how many pairs the judge was right `now`, and `then`, on all pairs of the cells that these are of.

    `p`: how likely so few are right now if it is as it was (Fisher's exact test, one-sided: the hypergeometric tail).
    """

    now: Share
    then: Share
    p: float

    @property
    def changed(self) -> bool:
        """Whether the judge is another than it was certified as."""
        return self.p < LEVEL

    @property
    def words(self) -> str:
        """What was found: "right on 12 of 20 certified pairs, on 598 of 600 when it was certified (p = 0.00001)"."""
        p = "under 0.0001" if self.p < 1e-4 else f"{self.p:.4f}" if self.p < LEVEL else f"{self.p:.2f}"
        now, then = self.now, self.then
        return f"right on {now.hits} of {now.of} certified pairs, on {then.hits} of {then.of} when certified (p = {p})"


def pairs_again(certificate: Certificate) -> CellSource:
    """The pairs that are asked again: of cells drawn by the certificate's digest from those that it admits to."""
    stream = Stream("drift", certificate.digest)
    cells = sorted(cell for law in certificate.admitted for cell in certificate.laws[law].cells)
    chosen = stream.shuffled(cells)[:PAIRS]
    first, counts = {}, {}
    for i, cell in enumerate(chosen):
        asked = certificate.cells[cell].ccs.of
        counts[cell] = min(asked, PAIRS // len(chosen) + (i < PAIRS % len(chosen)))
        first[cell] = stream.below(asked - counts[cell] + 1)
    side = certificate.domain.side if certificate.domain is not None else None
    return CellSource(load_suite(certificate.suite, certificate.seed, side), in_turn(counts), first)


def drift(run: Path, certificate: Certificate) -> Drift | None:
    """What the pairs asked again in the folder `run` show; None if there is none, or none of them has both replies."""
    if not (run / RUN_FILE).is_file():
        return None
    pairs = load_results(run, certificate.scoring).pairs
    right = [pair.consistent for pair in pairs if pair.consistent is not None]
    if not right:
        return None
    cells = {pair.key.cell for pair in pairs}
    then = [certificate.cells[cell].ccs for cell in cells if cell in certificate.cells]
    hits, of = sum(part.hits for part in then), sum(part.of for part in then)
    from scipy.stats import hypergeom

    p = float(hypergeom.cdf(sum(right), of + len(right), hits + sum(right), len(right)))
    return Drift(now=share(sum(right), len(right)), then=share(hits, of), p=p)
