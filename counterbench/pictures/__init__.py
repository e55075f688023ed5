"""Text-to-image models, judged by a judge that passed.

generators/         models that draw; generation/ is one call of `t2i generate` at work
importing/          pictures of one's own
scores/             judged checks as numbers: the part that all protocols share
protocols/          questions about pictures, and scores from replies; one file or folder a protocol
preparing           texts that a language model writes about prompts, once: `rewriting` their own words
judging/            a run: a judge answers a protocol's questions about pictures
auditing/           further questions, whose answers show how many must be wrong: answers that cannot all be right
run_scores          the numbers of a judged run, as a document
comparing/          models, judges and people side by side
words/              words about the scores of runs
labelling/          people's answers
evaluation_jobs     the jobs of which `evaluate` is made
evaluation, answer  the job of `evaluate`, and the answer that it gives
panels              several judges evaluated one by one, then as one
options             the options of all jobs here
"""
