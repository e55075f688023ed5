"""Amounts in words: calls, tokens, money and time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from counterbench.text import about

if TYPE_CHECKING:
    from counterbench.asking.limits import Forecast
    from counterbench.runs.folder import Figures
    from counterbench.runs.usage import Usage


def basis_of(figures: Figures | Usage, prices: str = "") -> str:
    """The tokens and prices behind a cost, in brackets, after a space; empty if none is known.

    `prices`: the list of prices from which costs are computed, if any.
    """
    basis = _tokens(figures.tokens_in, figures.tokens_out)
    basis += [f"{count(figures.tokens_reasoning)} of them for reasoning"] if basis and figures.tokens_reasoning else []
    basis += [f"prices of {prices}"] if prices else []
    return f" ({', '.join(basis)})" if basis else ""


def forecast_words(f: Forecast, prices: str = "", grows: bool = False) -> str:
    """ "3,200 calls, 1.9 M tokens in, 13 k out, 0.290 USD (prices of …), about 6 min": a forecast in words.

    `grows`: a wrong answer brings more calls, so that these are the least.
    """
    parts = [f"{f.calls:,} calls", *_tokens(f.tokens_in, f.tokens_out)]
    parts += [usd(f.cost) + (f" (prices of {prices})" if prices else "")] if f.cost else []
    parts += [about(f.seconds)] if f.seconds is not None else []
    return ", ".join(parts) + (" if all answers are right, more if not" if grows else "")


def _tokens(tokens_in: int | None, tokens_out: int | None) -> list[str]:
    """The numbers of tokens in and out, in words; empty unless both are known."""
    if tokens_in is None or tokens_out is None:
        return []
    return [f"{count(tokens_in)} tokens in", f"{count(tokens_out)} out"]


def count(number: int) -> str:
    """A large number, rounded: "1,234", "13 k", "1.9 M"."""
    if number < 10_000:
        return f"{number:,}"
    return f"{number / 1e3:.0f} k" if number < 999_500 else f"{number / 1e6:,.1f} M"


def usd(amount: float) -> str:
    """An amount of US dollars with its unit, to the cent or to three figures."""
    return f"{dollars(amount)} USD"


def dollars(amount: float) -> str:
    """An amount of US dollars without the unit, for tables: to the cent or to three figures."""
    places = 2 if amount >= 1 or not amount else 2 - math.floor(math.log10(amount))
    return f"{amount:,.{places}f}"
