"""People's labels of a run's pictures: their choice, their files, and the scores and evidence that follow from them.

units            the questions that are labelled together, and the judge's best guess about each
sample           the order in which they are labelled: drawn once, with known chances
answers          each rater's answers on disk
pairs            two models' pictures of a prompt, of which people say the better one
people           people's answers about drawn pairs, as runs of their own
exchange         labels and preferences to and from other tools' files
sums             a model's numbers as sums over units, by the judge's guesses and by the labels
labelled_scores  the models' scores by people's standard, from the labels and the judge's guesses
evidence         the judge's sensitivity and specificity, by skill
scored           a run's scores with the labels, if there are any
label_words      how many labels there are, and what they say of the judge
forecast         how many labels a decision is likely to take
"""
