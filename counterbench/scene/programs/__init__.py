"""Programs: the part of a question that computes its answer for any scene. Data, so that a pair can hold its own.

A kind of question is a class; an object of it is one question.

shapes          questions about plain shapes
signs           questions about the word on a sign
fine            questions about small differences: a part that shows behind another shape, two nearly equal colours
familiar        questions about the parts of familiar things, such as the legs of a dog
observations    values that can be seen in the outcome of a law, such as the place of a ball
facts           questions whether an observation has a value
named           names of the things in such outcomes, and the search for them in a scene
prompts         whole prompts: several clauses in one question
clauses         what is true of a picture, as a statement, a question and a prompt
base            base of all kinds, and traits by which a diagnosis groups errors
"""

from counterbench.scene.programs.facts import FactProgram
from counterbench.scene.programs.fine import FineProgram
from counterbench.scene.programs.prompts import ShowsAll
from counterbench.scene.programs.shapes import ShapeProgram

Program = ShapeProgram | FineProgram | FactProgram | ShowsAll

__all__ = ["FactProgram", "FineProgram", "Program", "ShapeProgram"]
