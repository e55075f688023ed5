"""A run at work: questions go to a judge, records come back into the journal.

asking          one run: questions, judge, the way to ask, folder; `plan` and `run`. Every command that asks makes one
probe           the run of `probe`, from names: a suite or folder, a judge
folder          the run's folder: begun, resumed, refused for another run
runner          the questions of one command: its journal, its progress and its budget
asker           workers that ask, retries, and the reasons to end a run
replies         checks of replies before they go into the journal
limits          of speed, and of calls and money
forecast        the expected tokens, money and time, from those so far
doctor          a check that a judge can be asked at all

Judges are in `judges/`; the files are in `runs/`. Pictures are asked for in the same way (`t2i/generation`).
"""
