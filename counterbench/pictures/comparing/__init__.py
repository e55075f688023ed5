"""Text-to-image models side by side, and judges beside people.

models               runs paired group by group: the better model by each number, and what would decide a tie
judges               two judges on the same pictures
people               judges, and metrics, beside people: `joining` makes rows, `people_numbers` numbers of them
swap, watch          a judge replaced, and a judge over time: drawn pairs (`evidence/`), and what it means for models
preferences          people's preferences between models' pictures, or between judges' verdicts

The scores of a single run are in `run_scores`.
"""
