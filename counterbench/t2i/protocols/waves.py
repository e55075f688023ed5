"""Questions about one picture or prompt, given the replies so far: wave after wave, until nothing is left.

The same function asks, resumes and scores: the same replies always lead to the same questions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from counterbench.t2i.protocols.asks import Ask, Said

Next = Callable[[dict[str, Said]], Sequence[Ask]]
# More waves than any protocol has; a protocol that never ends is faulty.
MOST = 100


class Asked(msgspec.Struct, frozen=True):
    """All questions that follow from the replies so far, in order, and these replies; both by id."""

    asks: dict[str, Ask]
    said: dict[str, Said]


def waves(following: Next, replied: Callable[[str], Said | None]) -> Asked:
    """Ask `following` for questions until it names no new one, or none of the new ones has a reply.

    `replied` gives the reply to a question by its id, None if there is none, or it failed.
    """
    asked = Asked({}, {})
    for _ in range(MOST):
        new = {ask.id: ask for ask in following(dict(asked.said)) if ask.id not in asked.asks}
        asked.asks.update(new)
        replies = {id: said for id in new if (said := replied(id)) is not None}
        asked.said.update(replies)
        if not replies:
            return asked
    raise ValueError(f"a protocol asked {MOST} waves of questions about one thing, and would go on")
