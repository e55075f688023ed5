"""The price of a call to a model at an address: as given by the user, else from a library.

The library (genai-prices) contains its data and uses no network. It is loaded only when a price is needed. Its data
has no date: its version is given instead. Prices are full ones, without discounts for cached input, so a sum is at
most a little too high.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version

import msgspec

from counterbench.errors import InputError

LIBRARY = "genai-prices"


class Price(msgspec.Struct, frozen=True):
    """The price of a call by its tokens (in, out), in US dollars, and its `source`, empty if the user gave it.

    `each`: the price of every call besides its tokens.
    """

    cost: Callable[[int, int], float] | None = None
    source: str = ""
    each: float | None = None

    def of(self, tokens_in: int | None, tokens_out: int | None) -> float | None:
        """The cost of a call; None if its tokens cost something and their number is not known."""
        if self.cost is None or tokens_in is None or tokens_out is None:
            return self.each
        return self.cost(tokens_in, tokens_out)


def find_price(
    model: str, url: str, price_in: float | None = None, price_out: float | None = None, draws: bool = False
) -> Price | None:
    """The price of `model` at the address `url`; None if it is not known.

    `price_in` and `price_out` (US dollars for a million tokens) come before the library's. `draws`: its tokens out are
    pictures, which some models count at a price of their own.
    """
    if price_in is not None or price_out is not None:
        each_in, each_out = price_in or 0.0, price_out or 0.0
        return Price(
            lambda tokens_in, tokens_out: (tokens_in * each_in + tokens_out * each_out) / 1e6,
            each=0.0 if price_in == 0 == price_out else None,
        )
    from genai_prices import Usage, calc_price

    def calculated(tokens_in: int, tokens_out: int) -> float:
        pictures = {"output_image_tokens": tokens_out} if draws else {}
        usage = Usage(input_tokens=tokens_in, output_tokens=tokens_out, **pictures)
        return float(calc_price(usage, model, provider_api_url=url).total_price)

    try:
        prices = calc_price(Usage(input_tokens=1, output_tokens=1), model, provider_api_url=url).model_price
    except LookupError:
        return None
    if prices.input_mtok is None or prices.output_mtok is None:  # known, without a price of such calls
        return None
    return Price(calculated, f"{LIBRARY} {version(LIBRARY)}")


def given_price(text: str, a_picture: bool = False) -> dict[str, float]:
    """The value of `--price` as options of a judge or, with `a_picture`, of a generator, which may have one amount.

    InputError for anything else.
    """
    if not text:
        return {}
    parts = text.split(",")
    names = ("price_in", "price_out") if len(parts) == 2 else ("price",) if a_picture and len(parts) == 1 else ()
    try:
        amounts = [float(part) for part in parts]
    except ValueError:
        amounts = []
    if not names or not amounts or not all(0 <= amount < float("inf") for amount in amounts):
        one = "; or one amount, for a picture, such as --price 0.04" if a_picture else ""
        raise InputError(
            f"--price {text!r}: it is two amounts, US dollars for a million tokens in and out, such as "
            f"--price 0.15,0.6{one}"
        )
    return dict(zip(names, amounts, strict=True))
