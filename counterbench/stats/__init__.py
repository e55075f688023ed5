"""Pure statistics: numbers in, numbers out, nothing of counterbench imported. Each is held against values from outside.

What is counted, and what a number means, is known where it is used.
"""
