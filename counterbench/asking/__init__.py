"""A run at work: questions go to a judge, records come back into the journal.

options         options of calls that ask, declared once for Python and the command line
job             the life of such a call: plan, runs, conclusion
asking          one run: questions, judge, template, folder; `plan` and `run`. A job makes one for each of its runs
probe           the job of `probe`, from names: a suite or folder, a judge
runner          the questions of one command: its journal, its progress and its budget
asker           workers that ask, check replies and retry, and the reasons to end a run
side_by_side    judges that are asked the same pairs, as long as replies decide nothing
limits          of speed, and of calls and money; the expected tokens, money and time, from those so far
doctor          a check that a judge can be asked at all

Judges are in `judges/`; the files are in `runs/`. Pictures are asked for in the same way (`pictures/generation`).
"""
