"""The page on which people label a run's pictures, or answer its drawn pairs: one question at a time.

questions   the words, ways to answer and pictures that a rater sees
app         the page and its few addresses, by Starlette
server      the page served from this machine, by uvicorn, and who may ask for it

Needs the extra `label`, imported when a page is served.
"""
