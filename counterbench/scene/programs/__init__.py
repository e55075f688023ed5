"""Programs: the part of a question that computes its answer for any scene. Data, so that a pair can hold its own.

shapes, signs           kinds of questions about shapes, one class each; and about the word on a sign
familiar                kinds of questions about the parts of familiar things
observations, facts     values that can be seen of the things of laws, and checks of them; `named` picks the things out
base                    base of all kinds, and traits by which a diagnosis groups errors
"""

from counterbench.scene.programs.facts import FactProgram
from counterbench.scene.programs.shapes import ShapeProgram

Program = ShapeProgram | FactProgram

__all__ = ["FactProgram", "Program", "ShapeProgram"]
