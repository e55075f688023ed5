"""Text-to-image models, judged by a judge that passed.

generators/         models that draw; generation/ is one call of `t2i generate` at work
importing/          pictures of one's own
scores/             judged checks as numbers: the part that all protocols share
protocols/          questions about pictures, and scores from replies; one file or folder a protocol
preparing/          texts that a language model writes about prompts, once
judging/            a judge over pictures, asked by a protocol
auditing/           answers that cannot all be right
run_scores          a judged run's document
comparing/          models, judges and people side by side; labelling/: people's answers
evaluation, answer  the job of `evaluate`, and what it says
options             the options of all jobs here
"""
