"""One call of `probe` at work: questions go to a judge, records come back into the journal.

probe           the run in a folder, begun or resumed
runner          what is still to ask, in flight, come back; `prefetch` and `flight` serve it
asker           retries, and what counts as a reply
pace, budget    how fast, and how much
canaries        the first questions, asked again at the end
doctor          whether a judge can be asked at all

What a judge is, is in `judges/`; the files are in `runs/`.
"""
