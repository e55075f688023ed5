"""What was observed of a judge on the way, for the signatures: it changes what the numbers mean."""

from __future__ import annotations

from collections.abc import Iterator

from counterbench.runs.usage import Usage


def observed(seen: Usage | None) -> Iterator[tuple[str, str]]:
    """Names and values, only of what was seen."""
    if seen is None:
        return
    if seen.models:
        changed = "the model changed within the run: " if len(seen.models) > 1 else ""
        yield (
            "models returned",
            changed + ", ".join(f"{name} ({count:,} replies)" for name, count in seen.models.items()),
        )
    yield "attempts", f"{seen.attempts:,}" + _failures(seen.failed_attempts)
    if seen.finishes.get("length"):
        yield "cut off", f"{seen.finishes['length']:,} replies, at the length limit"
    if seen.dropped:
        yield "refused by the server", ", ".join(seen.dropped)
    if seen.canaries is not None:
        found = seen.canaries
        yield "canaries", f"{found.changed} of {found.replied} asked again at the end got another answer"
    if seen.cost:
        yield "cost", f"{seen.cost:.4f} US dollars"


def _failures(kinds: dict[str, int]) -> str:
    if not kinds:
        return ""
    return ", of which failed: " + ", ".join(f"{count:,} {kind}" for kind, count in kinds.items())
