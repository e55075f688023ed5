"""A generator's pictures on disk: the manifest."""
