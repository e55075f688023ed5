"""Clauses: what is true of a picture, as a statement, as a question and as the prompt of a picture."""

from typing import NamedTuple


class Clause(NamedTuple):
    """A subject, its verb ("is", or a plain verb with its third person) and the rest.

    `thing`: what the picture is said to have, if the clause says no more than that: "a red circle".
    """

    subject: str
    verb: str
    third: str
    rest: str
    thing: str = ""

    @property
    def statement(self) -> str:
        """Without a capital or a full stop: "the red ball rests on the floor"."""
        return f"{self.subject} {self.third} {self.rest}"

    @property
    def question(self) -> str:
        """Likewise: "does the red ball rest on the floor"."""
        if self.verb in ("is", "are"):
            return f"{self.verb} {self.subject} {self.rest}"
        return f"does {self.subject} {self.verb} {self.rest}"

    @property
    def prompt(self) -> str:
        """The picture of which the clause is true: "a picture in which the red ball rests on the floor"."""
        return f"a picture with {self.thing}" if self.thing else f"a picture in which {self.statement}"

    @property
    def negated(self) -> "Clause":
        """True where the clause is false: "the red ball does not rest on the floor"."""
        if self.verb in ("is", "are"):
            return self._replace(rest=f"not {self.rest}", thing="")
        return Clause(self.subject, "do", "does", f"not {self.verb} {self.rest}")


def there_is(thing: str, several: bool = False) -> Clause:
    """ "there is a red circle"; of several things "there are exactly two red circles"."""
    verb = "are" if several else "is"
    return Clause("there", verb, verb, thing, thing)


def missing(noun: str) -> Clause:
    """ "there is no red circle"."""
    return there_is(f"no {noun}")
