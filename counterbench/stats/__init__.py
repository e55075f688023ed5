"""Pure statistics: numbers in, numbers out, with no import of other packages. Tests compare them with outside values.

The callers know what the numbers mean.
"""
