"""What the site makes from the code while it is built: the command reference and the gallery."""
