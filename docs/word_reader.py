"""A judge that reads words and sees nothing else: RapidOCR, whose models come with its package.

pip install rapidocr-onnxruntime; then --judge python:word_reader:WordReader, called in this folder. It says yes
where it reads what a question quotes, and no to every other question.

With rapidocr-onnxruntime 1.4.4 on two cores (half a second a picture) it was shown to read letters down to 7
thousandths of the side, the last rung, and not to count to 1.
"""

import io
import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.metadata import version
from typing import Any

import numpy as np
from PIL import Image

from counterbench.judges import Reply
from counterbench.runs.queries import Query

PACKAGE = "rapidocr-onnxruntime"


class WordReader:
    """Answers from the text in a picture alone."""

    name = "python:word_reader:WordReader"
    max_batch = 1
    max_in_flight = 1

    def __init__(self) -> None:
        from rapidocr_onnxruntime import RapidOCR

        self._engine: Any = RapidOCR()
        self._read = lru_cache(4)(self._reading)
        self._model = f"{PACKAGE} {version(PACKAGE)}"

    async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
        """Yes where the quoted word is read, else no."""
        return [self._reply(query) for query in batch]

    def _reply(self, query: Query) -> Reply:
        read = self._read(query.pictures[0].png)
        quoted = re.search(r'"([^"]+)"', query.text)  # the first: a template may quote words after the question
        yes = quoted is not None and plain(quoted[1]) in read
        return Reply(text=query.phrased("yes" if yes else "no"), model=self._model)

    def _reading(self, png: bytes) -> str:
        found, _ = self._engine(np.asarray(Image.open(io.BytesIO(png)).convert("RGB")))
        return " ".join(plain(text) for _, text, _ in found or [])

    async def close(self) -> None:
        """Nothing to release."""


def plain(text: str) -> str:
    """Capital letters and digits alone."""
    return re.sub(r"[^A-Z0-9]", "", text.upper())
