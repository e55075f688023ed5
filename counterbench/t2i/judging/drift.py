"""Is it still the judge that was certified? Some of its certificate's pairs, asked again before and after pictures.

A name behind an API may serve another model from one day to the next. So `t2i judge` asks 20 pairs that the certificate
rests on once more, as runs of their own in the run's folder.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, get_args

import msgspec

from counterbench.certificate import Certificate
from counterbench.runs.folder import DRIFT_FOLDER, RUN_FILE
from counterbench.scene.seeds import Stream
from counterbench.scoring.results import load_results
from counterbench.scoring.scores import Share, share
from counterbench.suites.cells import CellSource, in_turn
from counterbench.suites.suite import load_drawn

When = Literal["start", "end"]
PAIRS = 20
# How unlikely so few right must be, of a judge that has not changed.
LEVEL = 0.01


class Drift(msgspec.Struct, frozen=True, kw_only=True):
    """On how many pairs the judge was right `now`, and `then`, on all pairs of the cells that these are of.

    `p`: how likely so few are right now if it is as it was (Fisher's exact test, one-sided: the hypergeometric tail).
    `strangers`: model ids under which it answered now, and not then. `complete`: every pair has both replies.
    """

    now: Share
    then: Share
    p: float
    strangers: list[str] = []
    complete: bool = True

    @property
    def changed(self) -> bool:
        """Whether the judge is another than it was certified as."""
        return self.p < LEVEL or bool(self.strangers)

    @property
    def words(self) -> str:
        """What was found: "right on 12 of 20 certified pairs, on 598 of 600 when it was certified (p = 0.00001)"."""
        p = "under 0.0001" if self.p < 1e-4 else f"{self.p:.4f}" if self.p < LEVEL else f"{self.p:.2f}"
        now, then = self.now, self.then
        found = f"right on {now.hits} of {now.of} certified pairs, on {then.hits} of {then.of} when certified (p = {p})"
        return f"{found}, answering as {', '.join(self.strangers)}" if self.strangers else found


def can_be_asked(certificate: Certificate) -> bool:
    """Whether a certificate's judge can be asked anything anew: a replay cannot."""
    return certificate.kind != "replay"


def pairs_again(certificate: Certificate) -> CellSource:
    """The pairs that are asked again: of cells that it admits to, drawn by the digest of its journal."""
    stream = Stream("drift", certificate.journal_digest)
    cells = sorted(cell for law in certificate.admitted for cell in certificate.laws[law].cells)
    chosen = stream.shuffled(cells)[:PAIRS]
    first, counts = {}, {}
    for i, cell in enumerate(chosen):
        asked = certificate.cells[cell].ccs.of
        wanted = min(asked, PAIRS // len(chosen) + (i < PAIRS % len(chosen)))
        first[cell] = stream.below(asked - wanted + 1)
        counts[cell] = wanted
    drawn = load_drawn(certificate.suite, certificate.seed, certificate.domain)
    return CellSource(drawn, in_turn(counts), first)


def drift_run(run: Path, certificate: Certificate, when: When) -> Path:
    """Where a run about pictures keeps the pairs of a certificate that were asked again."""
    return run / DRIFT_FOLDER / f"{_named(certificate)}-{when}"


def drifts(run: Path, certificate: Certificate) -> dict[str, Drift]:
    """What was found before and after the pictures of the run in `run`, as far as that was asked, by its folder's name.

    Also of pairs that an earlier certificate of the same judge had asked again: no new one undoes what they showed.
    """
    folder = run / DRIFT_FOLDER
    found = ((path.name, drift(path, certificate)) for path in (sorted(folder.iterdir()) if folder.is_dir() else ()))
    return {name: each for name, each in found if each is not None}


def unasked(run: Path, certificate: Certificate, found: Mapping[str, Drift]) -> list[When]:
    """When, of before and after the pictures, the pairs of a certificate are still to be asked again, by `drifts`."""
    names = {when: drift_run(run, certificate, when).name for when in get_args(When)}
    return [when for when, name in names.items() if name not in found or not found[name].complete]


def _named(certificate: Certificate) -> str:
    """What the pairs depend on: the replies that a certificate rests on and what it admits to; not its date."""
    parts = msgspec.json.encode((certificate.journal_digest, certificate.admitted))
    return hashlib.blake2b(parts, digest_size=4).hexdigest()


def drift(run: Path, certificate: Certificate) -> Drift | None:
    """What the pairs asked again in the folder `run` show; None if there is none, or none of them has both replies."""
    if not (run / RUN_FILE).is_file():
        return None
    asked = load_results(run, certificate.scoring, part=True)
    pairs = asked.pairs
    right = [pair.consistent for pair in pairs if pair.consistent is not None]
    if not right:
        return None
    cells = {pair.key.cell for pair in pairs}
    then = [certificate.cells[cell].ccs for cell in cells if cell in certificate.cells]
    hits, of = sum(part.hits for part in then), sum(part.of for part in then)
    from scipy.stats import hypergeom

    p = float(hypergeom.cdf(sum(right), of + len(right), hits + sum(right), len(right)))
    strangers = [model for model in asked.observed.models if model not in certificate.models]
    return Drift(
        now=share(sum(right), len(right)), then=share(hits, of), p=p, strangers=strangers, complete=asked.complete
    )
