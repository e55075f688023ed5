"""Batches under way at an asker: as many at once as it allows, begun while there is room, waited for at the end."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from counterbench.asking.asker import Asker, Due

# When the asker cannot go on at all, what is in flight has so many seconds to come back.
_LAST_REPLIES = 5.0


class Flight:
    """What an asker has in flight. Leave by `land`, and by `abandon` whatever happened."""

    def __init__(self, asker: Asker) -> None:
        self.asker = asker
        self._in_flight: set[asyncio.Task[None]] = set()

    async def launch(self, batch: Sequence[Due]) -> None:
        """Begin to ask a batch, in parts where there is not room for all of it, or nothing once the asker stops."""
        asker = self.asker
        while batch and not asker.stopped:
            room = asker.room(len(batch)) if len(self._in_flight) < asker.at_once else 0
            if room:
                self._in_flight.add(asker.start(batch[:room]))
                batch = batch[room:]
            elif self._in_flight:
                await self._some(None)
            else:
                asker.out_of_budget()

    async def land(self) -> None:
        """Wait for what is in flight; only shortly if the judge cannot be asked at all."""
        while self._in_flight:
            some = await self._some(_LAST_REPLIES if self.asker.fatal else None)
            if self.asker.fatal and not some:
                return

    async def _some(self, timeout: float | None) -> bool:
        """Wait until something comes back, and raise what it raised; False if nothing did in time."""
        finished, self._in_flight = await asyncio.wait(
            self._in_flight, timeout=timeout, return_when=asyncio.FIRST_COMPLETED
        )
        await asyncio.gather(*finished)
        return bool(finished)

    async def abandon(self) -> None:
        """Cancel what is still in flight."""
        for task in self._in_flight:
            task.cancel()
        await asyncio.gather(*self._in_flight, return_exceptions=True)
