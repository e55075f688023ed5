"""Laws of society, one a file."""
