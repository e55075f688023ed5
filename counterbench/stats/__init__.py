"""Pure statistics: numbers in, numbers out, nothing of counterbench imported."""
