"""Reading pictures of things (laws' outcomes): the question, the visible things, and the answer, by separate code."""
