"""Questions to an author: a language model that writes the checks of a prompt, as a JSON list.

It is asked once more if its reply cannot be used. Nothing is corrected here: a reply with any fault is not used.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypeVar

import msgspec

from counterbench.answers.outcomes import Refused, Unparsed
from counterbench.pictures.protocols.asks import CONTEXT, Ask, CheckReplies
from counterbench.prompts.prompt_set import Check, Prompt

# A text that is not empty.
FilledText = Annotated[str, msgspec.Meta(pattern=r"\S")]
_LIST = re.compile(r"\[\s{0,99}\{")
_DECODER = json.JSONDecoder()
_MAX_FAULTS = 6  # the most faults that the author is told
_SHOWN = 2_000  # the most characters of a reply that are shown to its author again


class WrittenTexts(msgspec.Struct, frozen=True):
    """An item of the list that an author writes; a subclass gives `words` their name in the JSON."""

    words: FilledText  # which no two items of a list share

    def faults(self) -> Iterable[str]:
        """The faults of the item by itself, in words for the author."""
        return ()


class GradeWords(msgspec.Struct, frozen=True, rename={"full": "1", "half": "0.5", "none": "0"}):
    """The words for what a picture shows that earns each grade."""

    full: FilledText
    half: FilledText
    none: FilledText

    @property
    def lines(self) -> str:
        """A line for each grade, as the criteria of a check have them."""
        return "\n".join(f"{grade}: {one_line(words)}" for grade, words in msgspec.to_builtins(self).items())


class GradedQuestion(WrittenTexts, frozen=True, rename={"words": "question"}):
    """A question of a dimension with the words for its grades."""

    words: FilledText
    dimension: str
    criteria: GradeWords

    def faults(self) -> Iterator[str]:
        """Yield a sentence if two of the grades are for the same."""
        if len(set(map(plain, msgspec.structs.astuple(self.criteria)))) < 3:
            yield "two of its grades are for the same"

    def check(self, **fields: Any) -> Check:
        """The check that asks it, with the grade 1 as the right one; `fields`: the other fields."""
        text, criteria = one_line(self.words), self.criteria.lines
        return Check(dimension=self.dimension, text=text, criteria=criteria, expected="1", **fields)


T = TypeVar("T", bound=WrittenTexts)


@dataclass(frozen=True)
class AuthorQuestion(Generic[T]):
    """A question to an author, who sees no picture and answers in any number of words; it is asked twice at most."""

    id: str
    text: str
    system: str
    kind: type[T]  # the class of the items of the list that answers it
    called: str  # the word for an item in messages to the author
    faults_of: Callable[[Sequence[T]], Iterable[str]]  # the faults of a list whose items have none

    def asks(self, replies: CheckReplies) -> tuple[Ask, ...]:
        """The next question, if any: this one, then once more if its reply was cut off, empty or has a fault.

        An author that refused is not asked again.
        """
        ask = Ask(id=self.id, text=self.text, answer_type=CONTEXT, sees=False, system=self.system)
        if ask.id not in replies:
            return (ask,)
        reply = replies[ask.id]
        if _repeated_id(ask.id) in replies or isinstance(reply.outcome, Refused):
            return ()
        if reply.answer is not None:
            fault = "; ".join(self._read(reply.answer)[1][:_MAX_FAULTS])
        else:
            fault = reply.outcome.reason if isinstance(reply.outcome, Unparsed) else ""
        if not fault:
            return ()
        shown = f"\n\nYour reply was:\n{reply.answer[:_SHOWN]}" if reply.answer is not None else ""
        text = (
            f"{ask.text}{shown}\n\nThat reply cannot be used: {fault}. Write it anew, in the form that was asked for."
        )
        return (msgspec.structs.replace(ask, id=_repeated_id(ask.id), text=text, fault=fault),)

    def items(self, replies: CheckReplies) -> Sequence[T]:
        """The items of the reply that counts, the later of two; none if it has a fault."""
        reply = replies.get(_repeated_id(self.id), replies.get(self.id))
        items, faults = self._read(reply.answer if reply is not None and reply.answer is not None else "")
        return () if faults else items

    def _read(self, reply: str) -> tuple[list[T], list[str]]:
        """The items of the one JSON list of objects in a reply, and its faults in words for the author."""
        lists = list(_lists(reply))
        if len(lists) > 1:
            return [], [f"it has {len(lists)} JSON lists of {self.called}s and not one"]
        if not lists:
            return [], ["it has no such JSON list"]
        items, faults = [], []
        for number, item in enumerate(lists[0], 1):
            try:
                items.append(typed := msgspec.convert(item, self.kind))
            except msgspec.ValidationError as error:
                faults.append(f"{self.called} {number}: {error}")
            else:
                faults += [f"{self.called} {number}: {fault}" for fault in typed.faults()]
        words = [plain(item.words) for item in items]
        repeated = (item.words for place, item in enumerate(items) if words[place] in words[:place])
        duplicates = (f"its {self.called} {one_line(text)[:80]!r} is there twice" for text in repeated)
        return items, faults or [*self.faults_of(items), *duplicates]


def by_author(prompt: Prompt, question: AuthorQuestion[T], replies: CheckReplies) -> tuple[Ask, ...]:
    """The next question to an author about a prompt; none about a prompt that has checks."""
    return () if prompt.checks else question.asks(replies)


def settling(asks: Iterable[str]) -> list[str]:
    """The ids of the questions whose reply counts: where a question was asked once more, only the later one."""
    ids = [*asks]
    return [id for id in ids if _repeated_id(id) not in ids]


def one_line(text: str) -> str:
    """A text in one line that can be written to a file: broken surrogate pairs, which JSON can spell, are replaced."""
    return " ".join(text.encode(errors="replace").decode().split())


def plain(text: str) -> str:
    """A text for comparison: in one line, in lower case, without the mark at its end."""
    return one_line(text).casefold().rstrip(" .?!")


def _repeated_id(id: str) -> str:
    """The id of the question that is asked once more."""
    return f"{id}-again"


def _lists(reply: str) -> Iterator[list[Any]]:
    """Every different JSON list of objects that stands somewhere in a reply."""
    end, seen_lists = 0, []
    for start in _LIST.finditer(reply):
        if start.start() < end:  # within the last one
            continue
        try:
            value, end = _DECODER.raw_decode(reply, start.start())
        except ValueError:
            continue
        except RecursionError:  # no list of ours, and its inner lists are nested as deeply
            return
        if value not in seen_lists:
            seen_lists.append(value)
            yield value
