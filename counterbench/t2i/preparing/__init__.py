"""Texts that a language model writes about prompts, once: a protocol's questions, or other words for the prompts.

writing          the questions about a prompt, and the text made from the replies
prompt_queries   these questions as the queries of a run
prepare          the run, and the prompt file that is made from it
"""
