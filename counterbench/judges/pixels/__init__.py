"""The pixel reader: a judge that sees pictures and words only, and so a second check of the truth.

It shares no question programs, phrasings, renderer or scenes with the rest, so that a mistake in one of
those (left for right) shows as a disagreement.
"""

from counterbench.judges.pixels.ink import CannotRead
from counterbench.judges.pixels.reader import PixelReader, read_answer

__all__ = ["CannotRead", "PixelReader", "read_answer"]
