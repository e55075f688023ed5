"""A vision-language model on this machine, through transformers: `transformers:ID_OR_PATH[?option=value&…]`.

Nothing heavy is imported here: torch and transformers (the extra `local`) are imported when a judge is built.
"""
