"""The report on text-to-image models: their scores as the protocol's document has them, and a gallery of pictures.

gather      everything that is said, read once
plots       the numbers, by part, and at other thresholds of the gate
known       the pictures that a law's prompt is known to ask for, and those of habit
cards       the gallery's groups: pictures, checks, answers
models      the pictures, and the whole
page        the page

Nothing here knows a protocol, but for habit and the gate of CF-Eval.
"""
