"""Laws of geography, one a file."""
