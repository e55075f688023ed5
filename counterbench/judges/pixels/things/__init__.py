"""Reading pictures of things (laws' outcomes): what is asked, what can be seen, and the answer. Code of its own."""
