"""An OpenAI-compatible server on loopback that speaks HTTP/1.1 itself and does wrong by script.

In a test, its event loop in a thread of its own:

    script = by_attempt([Status(429, headers={"retry-after": "1"}), Reset(after_bytes=20), Say()])
    with LoopbackServer(script) as server:
        ...  # ask server.url ("http://127.0.0.1:PORT/v1")
    assert set(server.answered_per_question().values()) == {1}

As a process of its own, for benchmarks: prints its URL, serves until its standard input ends, prints a line of counts:

    PYTHONPATH=tests python -m loopback --latency 0.2

It answers POST /v1/chat/completions, POST /v1/responses (streamed by `Streamed` alone), POST /v1/messages (Anthropic's
shape, by `Say` alone), POST /v1/images/generations (by `Draw`), and GETs of the pictures that it gives out. A script
takes what was asked (`Asked`) and returns how to respond: a message (`Say`, `Draw`, `Status`, `Raw`, `Amend`,
`Truncated`) or a fault on the wire (`Reset`, `CloseEarly`, `Stall`, `Trickle`) of a message. Only the standard library
is used, and nothing of counterbench: what the server saw is evidence of its own.
"""

# ruff: noqa: F401
from loopback import dialects
from loopback.asked import Asked, question_key
from loopback.faults import CloseEarly, Reset, Stall, Trickle, Verbatim
from loopback.images import MODERATED, Draw
from loopback.messages import (
    EMPTY_CHOICES,
    HTML,
    NULL_CHOICES,
    Amend,
    Message,
    Raw,
    Respond,
    Say,
    Status,
    Streamed,
    Truncated,
    error,
    refuse,
    yes_or_no,
)
from loopback.scripts import Script, after, by_attempt, every, out_of_order, refusing, where
from loopback.server import LoopbackServer
