"""What an answer about a picture is marked as, wherever it is shown."""

from __future__ import annotations

from typing import Literal

# "noted" is neither right nor wrong: an award, which only says how much it adds.
Mark = Literal["right", "partly", "wrong", "lost", "noted"]
