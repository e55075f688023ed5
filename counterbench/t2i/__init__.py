"""Text-to-image models, judged by a judge that passed.

prompts/            texts to draw, and the checks of each picture
generators/         models that draw; generation/ is one call of `t2i generate` at work
images/             the pictures on disk
scores/             judged checks as numbers: the part that all protocols share
protocols/          questions about pictures, and scores from replies; one file or folder a protocol
preparing/          texts that a language model writes about prompts, once
judging/            a judge over pictures: asking by a protocol, and its admission
run_scores          a judged run's document
"""
