"""Text-to-image models, judged by a judge that passed.

prompts/            what is to be drawn, and the checks of each picture
generators/         who draws; generation/ is one call of `t2i generate` at work
images/             the pictures on disk
scores/             judged checks as numbers: what all protocols share
protocols/          what is asked, and what replies come to; one file or folder a protocol
preparing/          what a language model writes about prompts, once
judging/            a judge over pictures: asking by a protocol, and the gate
run_scores, fusion  a judged run's document; several judges' runs as one
"""
