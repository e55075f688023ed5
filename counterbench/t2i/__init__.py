"""Text-to-image models, judged by a judge that passed.

prompts/            what is to be drawn, and the checks of each picture
generators/         who draws; generation/ is one call of `t2i generate` at work
images/             the pictures on disk
judging/            what a judge is asked about them, and the gate
scores/, protocols/     judged checks as numbers; one module a protocol
run_scores, baselines   a judged run's document; the true numbers of planted models beside it
"""
