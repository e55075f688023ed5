"""Whole prompts: does a picture show all that a prompt says of it?"""

from counterbench.scene.programs.base import BaseProgram, stated, yes_no
from counterbench.scene.programs.clauses import Clause
from counterbench.scene.programs.shapes import Equals, Exists, IsInside, Relates
from counterbench.scene.scene import Scene, Shape
from counterbench.text import listed

PromptPart = Exists | Relates | IsInside | Equals


class ShowsAll(BaseProgram, frozen=True, tag="shows-all"):
    """Does the picture show all that a prompt says? Yes if the answer to each of `parts`, one for a clause, is yes."""

    parts: tuple[PromptPart, ...]

    @property
    def prompt(self) -> str:
        """ "a picture with a red circle and exactly two green squares, in which the blue triangle is above …".

        What is not there comes after what is: "no" before a list of things may seem to be about all of them.
        """
        clauses = [part.clause("yes") for part in self.parts]
        things = sorted((clause.thing for clause in clauses if clause.thing), key=lambda thing: thing.startswith("no "))
        statements = [clause.statement for clause in clauses if not clause.thing]
        with_things = f"with {listed(things)}" if things else ""
        in_which = f"in which {listed(statements)}" if statements else ""
        return f"a picture {', '.join(filter(None, (with_things, in_which)))}"

    def answer(self, scene: Scene) -> str:
        answers = [part.answer(scene) for part in self.parts]  # each must be clear
        return yes_no(set(answers) == {"yes"})

    def phrasings(self) -> tuple[str, ...]:
        """One phrasing: the words in which `counterbench evaluate` asks about a prompt that has no questions."""
        return (f'Does the picture show this: "{self.prompt}"?',)

    def clause(self, value: str) -> Clause:
        return stated(Clause("the picture", "show", "shows", f'this: "{self.prompt}"'), value)

    def true_clause(self, scene: Scene) -> Clause:
        """See `BaseProgram`; with "not" where the picture breaks the prompt, since its parts describe the shapes."""
        return self.clause(self.answer(scene))

    def asks_about(self, shape: Shape, scene: Scene) -> bool:
        return any(part.asks_about(shape, scene) for part in self.parts)

    def misreadings(self, scene: Scene) -> dict[str, str]:
        """See `BaseProgram`: a judge says yes if it takes every clause for true, those that it misreads included."""
        misread = [part.misreadings(scene) for part in self.parts]
        truths = [part.answer(scene) for part in self.parts]
        faults = {fault for answers in misread for fault in answers}
        return {
            fault: yes_no(all(a.get(fault, truth) == "yes" for a, truth in zip(misread, truths, strict=True)))
            for fault in sorted(faults)
        }

    def traits(self, scene: Scene) -> dict[str, str]:
        return {"clauses": str(len(self.parts))}
