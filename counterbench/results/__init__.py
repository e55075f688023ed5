"""Numbers from a run's replies and its keys (the truth).

rules           the named ways to compare a reply with a key; scores of probabilities
results         a run joined by id: the reply to each question, in little memory, and the result of each pair
frame           a run as a pandas DataFrame, with a row for each query
scores          accuracy, CCS, gap, stability, from counts
flips           one judge under several templates: answers that differ
measures        the names of the numbers of pairs and pictures, and the way to write them
contrasts       two runs by one number, and ranks: of judges and of models
comparison      judges side by side
people          people beside a judge, on the same pairs
advice          a line on the judge to take, from a comparison
judge_changes   a new judge against an old one: equivalent, changed or undecided

`answers/` reads replies, `diagnosis/` names a judge's faults, `evidence/` decides if it may score, and `pictures/`
scores text-to-image models.
"""
