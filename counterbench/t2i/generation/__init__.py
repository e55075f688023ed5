"""One call of `t2i generate` at work: prompts go to a generator, pictures come into a folder."""
