"""Safe display of texts by others: no character in them acts on a terminal, turns text around or is invisible."""

import html
import re
import shlex
import textwrap
from collections.abc import Iterable, Sequence

# Characters that are invisible or act on a terminal, as the inside of a class of a regular expression: controls (not
# tab and line end), separators, those that turn text around, those without width, tags, half surrogate pairs.
HIDDEN = (
    r"\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f"
    r"\u180b-\u180d\u180f\u2028-\u202e\u2060-\u206f\u2800\u3164\ud800-\udfff\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
# Joiners of letters and emoji are visible between those, but not between letters of ASCII, which never join.
_JOINERS = r"(?<![^\x00-\x7f])[\u200c\u200d]|[\u200c\u200d](?![^\x00-\x7f])|(?<=[A-Za-z])[\ufe0e\ufe0f]"
_IN_A_LINE = re.compile(rf"[\t\n{HIDDEN}]|{_JOINERS}")
_IN_JSON = re.compile(rf"[{HIDDEN}]|{_JOINERS}")
# The first characters of a formula, also as Japanese keyboards write them.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")
_LONGEST_REPR = 120  # characters
_SHORT = {"\t": r"\t", "\n": r"\n", "\r": r"\r"}


def visible(text: str) -> str:
    r"""Text for one line of a terminal: each hidden character and line end as its escape; all else unchanged.

    >>> print(visible("gpt\x1b[2J\u202e4\nnext: né 図 👍"))
    gpt\x1b[2J\u202e4\nnext: né 図 👍
    """
    return _IN_A_LINE.sub(lambda match: _escape(match[0]), text)


def visible_json(document: str) -> str:
    """A JSON document with hidden characters as JSON's own escapes: the same values to every reader of JSON."""
    return _IN_JSON.sub(lambda match: re.sub("....", r"\\u\g<0>", _units(match[0])), document)


def counted(count: int, singular: str, plural: str = "") -> str:
    """A number of things: "1 reply", "2 replies"; the plural is `singular` with an s unless `plural` is given.

    >>> counted(1, "pair"), counted(2, "pair"), counted(0, "reply", "replies")
    ('1 pair', '2 pairs', '0 replies')
    """
    return f"{count} {singular if count == 1 else plural or singular + 's'}"


def points(effect: float) -> str:
    """A difference of fractions in percentage points.

    >>> points(0.052)
    '5.2 points'
    """
    return f"{100 * effect:.1f} points"


def listed(names: Iterable[str], last: str = "and") -> str:
    """The names as a list in a sentence, with `last` before the last of them.

    >>> listed(["a", "b", "c"]), listed(["a", "b"], "or")
    ('a, b and c', 'a or b')
    """
    *most, end = list(names) or [""]
    return f"{', '.join(most)} {last} {end}" if most else end


def some(names: Iterable[str], most: int = 3) -> str:
    """The first names, and the number of the others.

    >>> some("abcde")
    'a, b, c and 2 more'
    """
    every = list(names)
    return ", ".join(every[:most]) + (f" and {len(every) - most} more" if len(every) > most else "")


def duration(seconds: float) -> str:
    """A time in rounded seconds, minutes or hours."""
    if seconds < 90:
        return f"{max(1, seconds):.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def about(seconds: float) -> str:
    """A forecast time in words: below a minute it is not named, since drawing and starting take seconds too."""
    return "less than a minute" if seconds < 60 else f"about {duration(seconds)}"


def wrapped(line: str, columns: int = 80) -> list[str]:
    """The parts of a line that fit into a terminal, the later ones indented; a word that is too long stays whole."""
    if len(line) <= columns:
        return [line]
    return textwrap.wrap(line, columns, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def slug(text: str, most: int = 60) -> str:
    """A text as a part of an id; "" if no letter or digit of ASCII is in it.

    >>> slug("Text Rendering"), slug("A red cube, on a box.", 10)
    ('text-rendering', 'a-red-cube')
    """
    return "-".join(re.findall("[a-z0-9]+", text.lower()))[:most].strip("-")


def brief(thing: object, identity: str) -> str:
    """A `repr` of one line, of at most 120 characters, for a large object: its class, and a text that identifies it."""
    line = f"<{type(thing).__name__} {visible(identity)}>"
    return line if len(line) <= _LONGEST_REPR else f"{line[: _LONGEST_REPR - 2]}…>"


def title(thing: object) -> str:
    """The text in the `brief` repr of a thing, after its class."""
    return repr(thing).strip("<>").partition(" ")[2]


def html_table(title: str, headers: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A small table for a notebook with escaped texts; the columns after the first are right-aligned."""

    def row(tag: str, cells: Sequence[str]) -> str:
        """A row of the table, whose cells have this tag."""
        sides = ("left", *["right"] * (len(cells) - 1))
        tags = (
            f'<{tag} style="text-align:{side}">{html.escape(visible(cell))}</{tag}>'
            for side, cell in zip(sides, cells, strict=True)
        )
        return f"<tr>{''.join(tags)}</tr>"

    body = "".join(row("td", cells) for cells in rows)
    caption = f'<caption style="text-align:left;font-weight:bold">{html.escape(visible(title))}</caption>'
    return f"<table>{caption}<thead>{row('th', headers)}</thead><tbody>{body}</tbody></table>"


def literal(text: str) -> str:
    """A text as a cell of a CSV file; if a spreadsheet would take it for a formula, it gets a ' in front.

    >>> literal("=2+3"), literal("a=b")
    ("'=2+3", 'a=b')
    """
    return f"'{text}" if text.startswith(_FORMULA) else text


def quoted(word: object) -> str:
    r"""A word of a command, quoted for a shell (bash, zsh) and safe to show in a terminal.

    >>> print(quoted("my run"), quoted("a\x1b'b"))
    'my run' $'a\x1b\'b'
    """
    text = str(word)
    if not _IN_A_LINE.search(text):
        return shlex.quote(text)
    return "$'" + visible(text.replace("\\", "\\\\").replace("'", "\\'")) + "'"


def _escape(character: str) -> str:
    r"""A character as an escape such as \x1b or \u202e."""
    code = ord(character)
    if code < 0x80:
        return _SHORT.get(character, f"\\x{code:02x}")
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _units(character: str) -> str:
    """The UTF-16 code units of a character, as hexadecimal digits."""
    return character.encode("utf-16-be", "surrogatepass").hex()
