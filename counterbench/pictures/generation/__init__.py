"""One call of `t2i generate` at work: prompts go to a generator, pictures come into a folder.

generate    the folder, started or continued; asked by the runner of `asking/`
samples     the wanted samples and their state by the journal; a generator as that runner sees it
"""
