"""Laws of physics, one a file."""
