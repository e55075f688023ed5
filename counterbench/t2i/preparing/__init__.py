"""Questions that a language model writes about prompts, once, as a protocol asks for them.

prompt_queries   what it is asked about prompts, as the queries of a run
prepare          the run, and the prompt file that is made from it
"""
