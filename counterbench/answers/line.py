"""What a reply says after its one "Answer:" that begins a line: for judges that are asked to reason first."""

from __future__ import annotations

import re

from counterbench.answers.outcomes import Unparsed
from counterbench.answers.reasoning import own_words

# Marks of Markdown may stand around it: "**Answer:** yes", "### Final answer: yes". A key in JSON is in quotes.
_BEGINS = re.compile(r"^[ \t>#*_`-]*(?:final[ \t]+)?answer[ \t*_`]*[:：][*_`]*", re.IGNORECASE | re.MULTILINE)
NO_LINE = Unparsed("no line begins with 'Answer:'")


def in_line(answer: str) -> str:
    """An answer as it is asked for: in such a line."""
    return f"Answer: {answer}"


def after_answer(text: str) -> str | Unparsed:
    """All that follows "Answer:"; Unparsed if no line of the judge's own words begins so, or more than one does."""
    start, end = own_words(text)
    lines = list(_BEGINS.finditer(text, start, end))
    if not lines:
        return NO_LINE
    if len(lines) > 1:
        return Unparsed(f"{len(lines)} lines begin with 'Answer:'")
    return text[lines[0].end() : end]
