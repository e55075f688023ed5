"""The part of a question that computes its answer for any scene. Data, so that a pair can carry its own.

shapes                  kinds of questions about shapes, one class each
observations, facts     what can be seen of the things of laws, and that it is so; `named` picks them out
descriptions            words that pick out a shape
traits                  what a diagnosis may find errors to go with
base                    what every kind can do
"""

from counterbench.scene.programs.facts import FactProgram
from counterbench.scene.programs.shapes import ShapeProgram

Program = ShapeProgram | FactProgram

__all__ = ["FactProgram", "Program", "ShapeProgram"]
