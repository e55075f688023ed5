"""Laws of biology, one a file."""
