"""One call of `probe` at work: questions go to a judge, records come back into the journal.

probe           the run in a folder, begun or resumed
runner          what is asked within one command: its journal, its progress and what it may spend
asker           workers that ask, retries, and what ends a run
replies         what counts as a reply
pace, budget    how fast, and how much
forecast        what it will take, from what it took so far
doctor          whether a judge can be asked at all

What a judge is, is in `judges/`; the files are in `runs/`. Pictures are asked for in the same way (`t2i/generation`).
"""
