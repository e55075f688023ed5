"""The cost of a call, by the library of prices, given ones, or the server; and limits on money over HTTP."""

import socket
import sys
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import NoReturn

import pytest
from judges.openai.dots import Dots, ask, echo
from loopback import Amend, LoopbackServer, Say, by_attempt
from sweeping import swept

from counterbench.asking.asker import Limits
from counterbench.errors import InputError
from counterbench.judges.openai.sdk import find_price, given_price

OPENAI = "https://api.openai.com/v1"


def dollars(model: str, url: str, draws: bool = False) -> tuple[float, float]:
    """For a million tokens in, and out, in small calls."""
    price = find_price(model, url, draws=draws)
    assert price.source == f"genai-prices {version('genai-prices')}"
    return 1e3 * price.cost(1000, 0), 1e3 * price.cost(0, 1000)


@pytest.mark.parametrize(
    ("model", "url"),
    [
        ("gpt-4o-mini", OPENAI),
        ("openai/gpt-4o-mini", "https://openrouter.ai/api/v1"),
        ("gpt-4o-mini", "https://mine.openai.azure.com/openai/v1"),
    ],
)
def test_the_price_of_a_model_depends_on_its_provider(model: str, url: str) -> None:
    assert dollars(model, url) == pytest.approx((0.15, 0.6))


@swept(
    ("model", "url"),
    [
        ("gpt-4o-mini", "http://127.0.0.1:8000/v1"),
        ("nosuch-model", OPENAI),
        ("dall-e-3", OPENAI),
        ("text-embedding-3-small", "https://mine.openai.azure.com/openai/v1"),
        ("gpt-4o-mini", "https://api.githubcopilot.com"),
    ],
)
def test_an_unknown_price_is_not_zero(model: str, url: str) -> None:
    assert find_price(model, url) is None


def test_picture_tokens_have_the_price_of_pictures() -> None:
    as_text, as_pictures = dollars("gpt-image-1.5", OPENAI), dollars("gpt-image-1.5", OPENAI, draws=True)
    assert as_pictures[1] > 2 * as_text[1]


def test_given_prices_override_the_library_without_reading_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "genai_prices", None)
    price = find_price("gpt-4o-mini", OPENAI, 2.5, 10.0)
    assert (price.charge(1_000_000, 100_000), price.charge(None, 1), price.source) == (3.5, None, "")
    alone = find_price("m", OPENAI, price_in=2.0)
    assert alone.charge(1_000_000, 5) == 2.0


def test_prices_are_looked_up_without_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> NoReturn:
        raise AssertionError("asked the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    assert find_price("gpt-4o", OPENAI) is not None


def test_a_given_price_is_parsed() -> None:
    assert given_price("") == {}
    assert given_price("0.15,0.6") == {"price_in": 0.15, "price_out": 0.6}
    assert given_price("0,0") == {"price_in": 0.0, "price_out": 0.0}
    assert given_price("0.04", a_picture=True) == {"price": 0.04}
    assert given_price("5,40", a_picture=True) == {"price_in": 5.0, "price_out": 40.0}


@swept("text", ["1", "1,2,3", "cheap", "1;2", "-1,2", "nan,1", "inf,1", ","])
def test_a_malformed_price_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(InputError, match=r"two amounts, US dollars .* such as --price 0.15,0.6"):
        given_price(text)


def test_the_cost_of_a_malformed_reply_is_counted(tmp_path: Path) -> None:
    """An upstream that fails after it was paid: choices are empty, usage.cost is there."""
    dear = Amend({"choices": []}, replace(Say(echo), cost=0.05))
    with LoopbackServer(by_attempt([dear, dear, replace(Say(echo), cost=0.05)])) as server:
        limits = Limits(max_cost=0.4, concurrency=4, backoff=0.01)
        progress = ask(Dots(20), server, tmp_path / "run", "price_in=0", limits)
        assert len(server.questions) == 8
    assert progress.cost == pytest.approx(8 * 0.05)


def test_a_cost_the_server_reported_earlier_serves_as_the_price(tmp_path: Path) -> None:
    with LoopbackServer(replace(Say(echo), cost=0.25)) as server:
        ask(Dots(3), server, tmp_path / "run", limits=Limits(max_calls=1))
        progress = ask(Dots(3), server, tmp_path / "run", limits=Limits(max_cost=0.5, concurrency=1))
        assert len(server.log) == 3
    assert progress.stopped.startswith("the limit of 0.5 USD is reached")
    assert progress.figures.cost == 0.75
