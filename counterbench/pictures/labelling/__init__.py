"""People's labels of a run's pictures: which to ask for, where they are kept, and what they show.

units            the questions that are labelled together, and the judge's best guess about each
sample           the order in which they are labelled: drawn once, with known chances
answers          each rater's answers on disk
pairs            two models' pictures of a prompt, of which people say the better one
exchange         labels and preferences to and from other tools' files
labelled_scores  the models' scores by people's standard, from the labels and the judge's guesses
evidence         the judge's sensitivity and specificity, by skill
label_words      how many labels there are, and what they say of the judge
forecast         how many labels a decision is likely to take
"""
