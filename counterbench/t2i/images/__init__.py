"""A generator's pictures on disk: the manifest, and pictures as they are kept."""
