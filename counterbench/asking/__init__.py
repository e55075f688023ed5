"""One call of `probe` at work: questions go to a judge, records come back into the journal.

probe           the run in a folder, begun or resumed
runner          the questions of one command: its journal, its progress and its budget
asker           workers that ask, retries, and the reasons to end a run
replies         checks of replies before they go into the journal
pace, budget    limits of speed, and of calls and money
forecast        the expected tokens, money and time, from those so far
doctor          a check that a judge can be asked at all

Judges are in `judges/`; the files are in `runs/`. Pictures are asked for in the same way (`t2i/generation`).
"""
