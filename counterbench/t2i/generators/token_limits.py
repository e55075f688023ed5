"""How much of a prompt a pipeline's text encoders take: whatever is longer they cut off, and draw what is left.

Counted with the pipeline's own tokenizers. No pipeline says how many tokens it takes; the rules here are those by which
the pipelines of diffusers call their tokenizers.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

# Limits that pipelines have in their code and nowhere else, for each tokenizer by its name ("": all others).
_WRITTEN: dict[str, dict[str, int]] = {
    "IFPipeline": {"": 77},
    "KandinskyPipeline": {"": 77},
    "KandinskyCombinedPipeline": {"": 77},
    "Kandinsky3Pipeline": {"": 128},
    "HunyuanDiTPipeline": {"tokenizer": 77, "tokenizer_2": 256},
    "HunyuanDiTPAGPipeline": {"tokenizer": 77, "tokenizer_2": 256},
}
# A tokenizer without a limit of its own says 10³⁰ or so.
_NO_LIMIT = 10**6


class TokenLimits:
    """The tokenizers of a pipeline, by their names in it, each with the most tokens of a prompt that get through.

    Start and end marks count, as they do for the pipeline; what a pipeline writes around a prompt does not.
    """

    def __init__(self, pipe: Any) -> None:
        parts = pipe.components
        found = {
            name: getattr(part, "tokenizer", part)
            for name, part in parts.items()
            # Stable Diffusion 3 can do without its largest encoder, and then nobody reads what its tokenizer makes.
            if "tokenizer" in name and parts.get(name.replace("tokenizer", "text_encoder"), part) is not None
        }
        self._known = {
            name: (tokenizer, limit)
            for name, tokenizer in found.items()
            if _counts(tokenizer) and (limit := _limit(pipe, name, tokenizer)) is not None
        }
        self._silent = len(found) > len(self._known)  # one of unknown limit may read the whole prompt

    @property
    def limits(self) -> dict[str, int]:
        """The most tokens, by tokenizer; those without a known limit are left out."""
        return {name: limit for name, (_, limit) in self._known.items()}

    def cut(self, text: str) -> dict[str, tuple[int, int]]:
        """By tokenizer that cuts `text`: how many tokens get through, of how many."""
        counts = {name: _count(tokenizer, text) for name, (tokenizer, _) in self._known.items()}
        return {name: (self.limits[name], count) for name, count in counts.items() if count > self.limits[name]}

    def note(self, text: str) -> str:
        """What is to be said of a picture of `text`; empty if every encoder reads all of it."""
        cut = self.cut(text)
        if not cut:
            return ""
        said = ", ".join(f"after {most} of {count} tokens by {name}" for name, (most, count) in cut.items())
        whole = [name for name in self._known if name not in cut]
        return f"prompt cut {said}" + (f"; {', '.join(whole)} {_reads(whole)} all of it" if whole else "")

    def warning(self, texts: Sequence[str], label: str) -> str:
        """One line about the prompts that are longer than the encoders take; empty if none is."""
        cuts = [cut for text in texts if (cut := self.cut(text))]
        if not cuts:
            return ""
        everywhere = 0 if self._silent else sum(len(cut) == len(self._known) for cut in cuts)
        by = ", ".join(
            f"{name} ({limit} tokens) cuts {count}"
            for name, limit in self.limits.items()
            if (count := sum(name in cut for cut in cuts))
        )
        return (
            f"{label} does not read to the end {len(cuts)} of {len(texts)} prompts: {by}; no encoder reads the whole "
            f"of {everywhere} of them. The manifest says which; other encoders or shorter prompts help"
        )


def _reads(names: Sequence[str]) -> str:
    return "reads" if len(names) == 1 else "read"


def _limit(pipe: Any, name: str, tokenizer: Any) -> int | None:
    """The most tokens that get through a tokenizer of a pipeline; None if that is not known."""
    own = getattr(tokenizer, "model_max_length", None)
    own = own if isinstance(own, int) and own < _NO_LIMIT else None
    if "CLIP" in type(tokenizer).__name__:  # every pipeline gives these as much as their encoders have places for
        return own
    written = _WRITTEN.get(type(pipe).__name__, {})
    limit = written.get(name, written.get("")) or _asked(pipe)
    return limit if limit is not None else own


def _asked(pipe: Any) -> int | None:
    """The `max_sequence_length` that a pipeline uses unless told otherwise: it comes before what a tokenizer says."""
    for method in (type(pipe).__call__, getattr(type(pipe), "encode_prompt", None)):
        known = inspect.signature(method).parameters if method is not None else {}
        default = known["max_sequence_length"].default if "max_sequence_length" in known else None
        if isinstance(default, int):
            return default
    return None


def _count(tokenizer: Any, text: str) -> int:
    return len(tokenizer(text, truncation=False, verbose=False)["input_ids"])


def _counts(tokenizer: Any) -> bool:
    """Whether a tokenizer can be called as most are; of one that cannot, nothing is known."""
    try:
        return _count(tokenizer, "a") > 0
    except (TypeError, ValueError, AttributeError, KeyError, NotImplementedError):
        return False
