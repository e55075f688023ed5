"""One call of `t2i generate` at work: prompts go to a generator, pictures come into a folder.

generate    the folder, begun or gone on with; asked by the runner of `asking/`
samples     what is wanted, and what became of it by the journals
adapter     a generator as that runner sees it, and the record of a picture
"""
