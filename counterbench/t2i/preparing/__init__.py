"""Texts that a language model writes about prompts, once: a protocol's questions, or other words for the prompts.

writing          what is asked about a prompt, and what its replies come to
prompt_queries   the same as the questions of a run
prepare          the run, and the prompt file that is made of it
"""
