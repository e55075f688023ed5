"""The example files that a page of the docs speaks of, made as it says, so that its commands can be run."""

from __future__ import annotations

import re
from pathlib import Path

from t2i.drawn import painting

PICTURES = (".png", ".jpg")


def make_examples(page: Path, folder: Path) -> None:
    """Every file that a page shows (its name, a colon, and a block), and every picture that it names by its path."""
    text = page.read_text()
    for name, block in re.findall(r"`([\w./-]+)`:\n\n```(?:csv|json)\n(.*?)```", text, re.DOTALL):
        put(folder / name, block.encode())
    listed = [line for block in re.findall(r"```text\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]
    named = re.findall(r"`([\w.-]+/[\w./-]+)`", text)
    for name in (*listed, *named):
        if name.endswith(PICTURES):
            put(folder / name, painting(name, 0, (64, 64)))


def put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
