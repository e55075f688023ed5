"""The report on text-to-image models: their scores as the protocol's document has them, and a gallery of pictures.

gather      all data, read once
plots       the numbers, and by part
cards       the gallery's groups: pictures, checks, answers; the right picture for a law's prompt, and the prior's
models      the pictures, and the whole report
page        the page

These modules know no protocol, except for the prior of CF-Eval.
"""
