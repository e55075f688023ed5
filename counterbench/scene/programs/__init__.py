"""Programs: the part of a question that computes its answer for any scene. Data, so that a pair can hold its own.

shapes, signs           kinds of questions about shapes, one class each; and about the word on a sign
fine                    a part that shows behind another shape, nearly like colours
familiar                kinds of questions about the parts of familiar things
observations, facts     values that can be seen of the things of laws, and checks of them; `named` picks the things out
prompts                 whole prompts: several clauses in one question
clauses                 what is true of a picture, as a statement, a question and a prompt
base                    base of all kinds, and traits by which a diagnosis groups errors
"""

from counterbench.scene.programs.facts import FactProgram
from counterbench.scene.programs.fine import FineProgram
from counterbench.scene.programs.prompts import ShowsAll
from counterbench.scene.programs.shapes import ShapeProgram

Program = ShapeProgram | FineProgram | FactProgram | ShowsAll

__all__ = ["FactProgram", "FineProgram", "Program", "ShapeProgram"]
