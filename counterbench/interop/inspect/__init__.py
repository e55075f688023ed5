"""inspect_ai: pairs as its tasks (`tasks`, the entry point), our scorer with its metrics, its logs as runs (`log`).

All but `log` import inspect_ai: the extra `inspect`.
"""
