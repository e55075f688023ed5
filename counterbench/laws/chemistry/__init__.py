"""Laws of chemistry, one a file."""
