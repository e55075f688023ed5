"""Clauses: what is true of a picture, as a statement, as a question and as the prompt of a picture."""

from typing import NamedTuple


class Clause(NamedTuple):
    """A sentence in parts: "the red ball", "rest", "rests", "on the floor".

    `verb`: as it stands in a question after "does"; `third`: as it stands in a statement. They are the same if the
    subject is several things, and if the verb is "is". `thing`: "a red circle", if the clause says only that the
    picture has it; else empty.
    """

    subject: str
    verb: str
    third: str
    rest: str
    thing: str = ""

    @property
    def statement(self) -> str:
        """The clause as a statement, without a capital or a full stop: "the red ball rests on the floor"."""
        return f"{self.subject} {self.third} {self.rest}"

    @property
    def question(self) -> str:
        """The clause as a question, without a capital or a question mark: "does the red ball rest on the floor"."""
        if self.verb in ("is", "are"):
            return f"{self.verb} {self.subject} {self.rest}"
        return f"{self._helper} {self.subject} {self.verb} {self.rest}"

    @property
    def prompt(self) -> str:
        """The clause as the prompt for a picture: "a picture in which the red ball rests on the floor"."""
        return f"a picture with {self.thing}" if self.thing else f"a picture in which {self.statement}"

    @property
    def negated(self) -> "Clause":
        """The clause that is true where this one is false: "the red ball does not rest on the floor"."""
        if self.verb in ("is", "are"):
            return self._replace(rest=f"not {self.rest}", thing="")
        return Clause(self.subject, "do", self._helper, f"not {self.verb} {self.rest}")

    @property
    def _helper(self) -> str:
        """The helping verb: "do" of several things, "does" of one."""
        return "do" if self.verb == self.third else "does"


def there_is(thing: str, several: bool = False) -> Clause:
    """ "there is a red circle"; with `several` "there are exactly two red circles"."""
    verb = "are" if several else "is"
    return Clause("there", verb, verb, thing, thing)


def missing(noun: str) -> Clause:
    """ "there is no red circle"."""
    return there_is(f"no {noun}")
