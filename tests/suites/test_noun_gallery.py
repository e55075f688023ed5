"""A sheet of all nouns, each with its name."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

from counterbench.scene.nouns import NOUNS
from counterbench.suites.noun_gallery import nouns_sheet


def test_every_noun_is_on_the_sheet(tmp_path: Path) -> None:
    assert nouns_sheet(tmp_path / "nouns.png") == len(NOUNS)
    picture = np.asarray(Image.open(tmp_path / "nouns.png"))
    wide, high = 96 + 12, 96 + 22 + 12
    for i in range(len(NOUNS)):
        left, top = 12 + i % 12 * wide, 12 + i // 12 * high
        assert (picture[top : top + 96, left : left + 96] != 255).any(), i
        assert (picture[top + 98 : top + 118, left : left + 96] < 128).any(), i
