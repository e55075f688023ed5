"""The report on text-to-image models: their scores as the protocol's document has them, and a gallery of pictures.

gather      all data, read once
plots       the numbers, by part, and at other thresholds of the gate
known       the right pictures for a law's prompt, and those of the prior
cards       the gallery's groups: pictures, checks, answers
models      the pictures, and the whole report
page        the page

These modules know no protocol, except for the prior and the gate of CF-Eval.
"""
