"""The pixel reader: a judge that sees pictures and words only, and so a second check of the truth.

It shares no question programs, phrasings, renderer or scenes with the rest, so that a mistake in one of
those (left for right) shows as a disagreement.
"""

from counterbench.judges.pixels.ink import CannotRead
from counterbench.judges.pixels.reader import PixelReader, PixelReading, read_answer
from counterbench.judges.pixels.statements import read_statement

__all__ = ["CannotRead", "PixelReader", "PixelReading", "read_answer", "read_statement"]
