"""Numbers and findings in words, as the page and its plots print them."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from counterbench.evidence.cells import units
from counterbench.evidence.document import Certificate
from counterbench.results.scores import Share, band
from counterbench.runs.folder import RunInfo
from counterbench.runs.usage import distinct, short_names
from counterbench.text import HIDDEN, listed, points

UNDEFINED = "–"
NO_NAME = "(no name)"
_HIDDEN = re.compile(f"[{HIDDEN}]")  # gallery.js has the same


def visible(text: str) -> str:
    """Text from data, made safe for the page: hidden characters, and characters that turn text, become code points.

    >>> visible("gpt\u202e4")
    'gpt⟨U+202E⟩4'
    """
    return _HIDDEN.sub(lambda match: f"⟨U+{ord(match[0]):04X}⟩", text.replace("\r\n", "\n"))


def named(name: str) -> str:
    """A name, made safe for the page; "(no name)" for an empty one."""
    return visible(name) if name.strip() else NO_NAME


def percent(value: float | None, digits: int = 1) -> str:
    """A fraction in per cent, as a number without the sign "%": "57.5"; a dash where it is undefined."""
    return UNDEFINED if value is None else f"{100 * value:.{digits}f}"


def interval(share: Share) -> str:
    """A share's 95 % interval in per cent; empty where it is undefined."""
    if share.low is None or share.high is None:
        return ""
    return f"{100 * share.low:.1f} to {100 * share.high:.1f}"


def signed(difference: float) -> str:
    """A difference of fractions in points, with its sign: "+46.4", "−28.2"."""
    return f"{100 * difference:+.1f}".replace("-", "−")


def p_value(p: float | None) -> str:
    """A p value with three digits, or "< 0.001"; a dash where it is undefined."""
    return UNDEFINED if p is None else "<\u00a00.001" if p < 0.001 else f"{p:.3f}"


def counted(count: int, noun: str, many: str = "") -> str:
    """A count of things: "1 pair", "1,200 replies"; the plural is `noun` with an s unless `many` is given."""
    return f"{count:,} {noun if count == 1 else many or noun + 's'}"


def dollars(usd: float) -> str:
    """A price in US dollars, with the digits that matter.

    >>> dollars(0), dollars(0.0342), dollars(12.5)
    ('$0', '$0.034', '$12.50')
    >>> dollars(0.2)
    '$0.20'
    """
    return "$0" if usd == 0 else f"${usd:,.2f}" if usd >= 0.1 else f"${usd:.2g}"


# Verdicts of certificates, in words.
VERDICTS = {"pass": "passed", "fail": "failed", "not-enough-evidence": "not enough evidence"}


def admitted(certificate: Certificate) -> str:
    """The number of laws, or families, that a certificate admits a judge to: "admitted to 3 of 12 laws"."""
    shown, all_ = len(certificate.admitted), len(certificate.laws)
    return f"admitted to {shown:,} of {all_:,} {units(certificate.cells)}"


def sentence(text: str, capital: bool = True) -> str:
    """Text as a sentence: a capital first, unless a name begins it, and a full stop.

    >>> sentence("no yes/no questions"), sentence("none of 4 judges", capital=False)
    ('No yes/no questions.', 'none of 4 judges.')
    """
    words = text[:1].upper() + text[1:] if capital else text
    return words if not words or words.endswith((".", "!", "?")) else f"{words}."


def run_labels(runs: Sequence[tuple[Path, RunInfo]]) -> list[str]:
    """A label for each run, all different: the judge's short name; then, only where needed, more.

    More is the template, then the run's folder, then its number.
    """
    return distinct(
        [named(name) for name in short_names([info for _, info in runs])],
        [f" · {named(info.template)}" for _, info in runs],
        [f" · {visible(path.resolve().name)}" for path, _ in runs],
        [f" · run {n}" for n in range(1, len(runs) + 1)],
    )


# The filters of every page's templates, by their names.
FILTERS: dict[str, Callable[..., Any]] = {
    f.__name__: f
    for f in (admitted, band, counted, dollars, interval, listed, named, p_value, percent, points, sentence, signed)
}
