"""A judge of one's own: a function of a picture and a question, for `--judge python:examples.judge:colours`."""

import numpy as np
from PIL import Image
from scipy import ndimage

COLOURS = {
    "red": (214, 40, 40), "green": (33, 150, 62), "blue": (0, 92, 230), "yellow": (255, 222, 0),
    "orange": (255, 140, 0), "purple": (142, 28, 178), "pink": (255, 128, 190), "cyan": (0, 206, 220),
}  # fmt: skip


def colours(picture: Image.Image, question: str) -> str:
    """Counts the patches of the first colour that the question names; it sees neither shapes nor where things are."""
    words = question.lower().replace("?", " ").split()
    colour = next((COLOURS[word] for word in words if word in COLOURS), (0, 0, 0))
    near = np.abs(np.asarray(picture.convert("RGB"), dtype=int) - colour).max(axis=2) < 40
    count = int(ndimage.label(near)[1])
    return str(count) if "many" in words or "count" in words else "yes" if count else "no"
