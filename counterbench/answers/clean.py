"""One spelling of every character: width, case, digits, quotes, dashes, emoji. What a reply says is not touched."""

from __future__ import annotations

import re
import unicodedata

HEAD = 8_000
TAIL = 24_000

_SUPER = re.compile("[²³¹⁰-₟]")
_FRACTION = re.compile("[¼-¾⅐-⅟↉]")
_SINGLE = dict.fromkeys("‘’‚‛`´ʼ′＇", "'")
_DOUBLE = dict.fromkeys("“”„‟«»‹›″「」『』＂", '"')
_DASH = {"‐": "-", "‑": "-", "‒": "–", "−": "-", "―": "—", "﹣": "-", "－": "-"}
_STOPS = {"。": ".", "｡": ".", "、": ",", "،": ",", "؛": ";", "؟": "?", "।": ".", "¿": " ", "¡": " "}
_NUMERIC = {"٫": ".", "٬": ",", "⁄": "/", "∕": "/", "×": "*", "✕": "*", "∗": "*"}
_SPACES = {"\r": "\n", "\x0b": "\n", "\x0c": "\n", "\x85": "\n", "\u2028": "\n", "\u2029": "\n", "\u200b": " "}
_MAP = str.maketrans({**_SINGLE, **_DOUBLE, **_DASH, **_STOPS, **_NUMERIC, **_SPACES})
_ODD = re.compile(r"[^\x20-\x7e\n]")
_ARROWS = dict.fromkeys("→⇒➡⟶⟹➜➔", ">")


def clean(text: str) -> str:
    """Cleaned and case-folded text; of a very long one its head and its tail, where answers stand."""
    text = clip(text).replace("\r\n", "\n")
    # Without this NFKC would make 42 of 4², and 41/2 of 4½.
    text = _SUPER.sub(lambda m: f" {m[0]}", text)
    text = _FRACTION.sub(lambda m: f" {m[0]}", text)
    text = text.replace("`", "\0").translate(_MAP).replace("\0", "`")  # backticks are markup
    text = clip(unicodedata.normalize("NFKC", text)).casefold().translate(_MAP_AFTER)  # one character may become 18
    return _ODD.sub(_plain, text).strip()


# After folding, backticks are left alone: `markup` reads them.
_MAP_AFTER = {key: value for key, value in _MAP.items() if key != ord("`")}


def clip(text: str) -> str:
    """`text`, or its head and tail around a line with an ellipsis if it is very long."""
    if len(text) <= HEAD + TAIL:
        return text
    return f"{text[:HEAD]}\n…\n{text[-TAIL:]}"


def _plain(match: re.Match[str]) -> str:
    char = match[0]
    if char in _ARROWS:
        return _ARROWS[char]
    category = unicodedata.category(char)
    if category == "Nd":
        return str(unicodedata.decimal(char))
    if category == "Zs" or category == "Cc":
        return " "
    if category in ("Cf", "Me") or "\ufe00" <= char <= "\ufe0f":
        return ""  # joiners, direction marks, the box of a keycap
    if category in ("So", "Sk", "Cs", "Co", "Cn"):
        return " "  # emoji and what is no character
    return char
