"""One spelling of every character, and text without its markup. The words of a reply stay."""

import re
import unicodedata

HEAD = 8_000
TAIL = 24_000
START, END = "\ue000", "\ue001"  # around a stretch that `explicit` marked as the answer

_SUPER = re.compile("[²³¹⁰-₟]")
_FRACTION = re.compile("[¼-¾⅐-⅟↉]")
_SINGLE = dict.fromkeys("‘’‚‛´ʼ′＇", "'")
_DOUBLE = dict.fromkeys("“”„‟«»‹›″「」『』＂", '"')
_DASH = {"‐": "-", "‑": "-", "‒": "–", "−": "-", "―": "—", "﹣": "-", "－": "-"}
_STOPS = {"。": ".", "｡": ".", "、": ",", "،": ",", "؛": ";", "؟": "?", "।": ".", "¿": " ", "¡": " "}
_NUMERIC = {"٫": ".", "٬": ",", "⁄": "/", "∕": "/", "×": "*", "✕": "*", "∗": "*"}
_SPACES = {"\r": "\n", "\x0b": "\n", "\x0c": "\n", "\x85": "\n", "\u2028": "\n", "\u2029": "\n", "\u200b": " "}
_MAP = str.maketrans({**_SINGLE, **_DOUBLE, **_DASH, **_STOPS, **_NUMERIC, **_SPACES})
_ODD = re.compile(rf"[^\x20-\x7e\n{START}{END}]")

_BLANKED = (
    re.compile(r"^[ \t]*(?:```|~~~)[ \t]*[a-z0-9_+-]{0,20}[ \t]*$", re.MULTILINE),  # code fences
    re.compile(r"```(?:json|text|markdown|python)?"),
    re.compile(r"^[ \t]*(?:[-*+•][ \t]+)?\[[ \t]*\][^\n]*$", re.MULTILINE),  # a box that is not ticked
    re.compile(r"~~[^~\n]{1,200}~~"),  # struck out: taken back by the writer
    re.compile(r"<\|[^|<>\n]{0,40}\|>|</?[a-z][^<>\n]{0,80}>"),  # special tokens and HTML
    re.compile(r"\\(?:boxed|fbox|text[a-z]{0,8}|math[a-z]{1,8}|mbox|rm|bf|displaystyle|left|right|quad)(?![a-z])"),
    re.compile(r"\\[()\[\],;! ]"),
    # Quotes, headings, bullets; but "> 3" is more than 3.
    re.compile(r"^(?:[ \t]|#(?!\d)|>(?![ \t]*\d)|[-*+•▪◦‣][ \t])+", re.MULTILINE),
    re.compile(r"[`_$\\{}\[\]|]|\*(?![ \t]*\d)|(?<!\d)(?<!\d )\*"),
    re.compile(r"\"|(?<![^\W\d_])'|'(?![^\W\d_])"),
)
_LATEX_FRACTION = re.compile(r"\\[dt]?frac[ ]*\{[ ]*(\d{1,9})[ ]*\}[ ]*\{[ ]*(\d{1,9})[ ]*\}")
_MARKER = re.compile(r"^[ \t]*\(?(\d{1,3})[.):](?=[ \t]|$)", re.MULTILINE)


def clip(text: str, head: int = HEAD, tail: int = TAIL) -> str:
    """`text`, or if it is very long its head and tail, where answers stand, around an ellipsis."""
    if len(text) <= head + tail:
        return text
    return f"{text[:head]}\n…\n{text[-tail:]}"


def clean(text: str) -> str:
    """Text with one spelling of width, case, digits, quotes, dashes and line ends, without emoji."""
    # Without these spaces NFKC turns 4² into 42, and 4½ into 41/2.
    text = _FRACTION.sub(r" \g<0>", _SUPER.sub(r" \g<0>", text.replace("\r\n", "\n")))
    # One character may become 18.
    text = clip(unicodedata.normalize("NFKC", text.translate(_MAP))).casefold().translate(_MAP)
    return _ODD.sub(_plain, text).strip()


def _plain(match: re.Match[str]) -> str:
    char = match[0]
    if char in "→⇒➡⟶⟹➜➔":
        return ">"
    category = unicodedata.category(char)
    if category == "Nd":
        return str(unicodedata.decimal(char))
    if category in ("Cf", "Me") or "\ufe00" <= char <= "\ufe0f":
        return ""  # joiners, direction marks, the box of a keycap
    # Other spaces, emoji, and codes that are no characters.
    return " " if category in ("Zs", "Cc", "So", "Sk", "Cs", "Co", "Cn") else char


def without_markup(text: str) -> str:
    """`text` (cleaned) with Markdown, HTML, LaTeX, quotes and the numbers of lists blanked, each run of spaces one."""
    text = _LATEX_FRACTION.sub(r" \1/\2", text)
    for pattern in _BLANKED:
        text = pattern.sub(" ", text)
    return re.sub(r"[ \t]+", " ", _without_list_markers(text))


def _without_list_markers(text: str) -> str:
    # "4. There are four" is no list: its markers count up from 1, and there are two of them at least.
    listed = [match for due, match in enumerate(_MARKER.finditer(text), 1) if int(match[1]) == due]
    if len(listed) < 2:
        return text
    kept, at = [], 0
    for match in listed:
        kept.append(text[at : match.start()])
        at = match.end()
    return " ".join([*kept, text[at:]])
