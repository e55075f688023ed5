"""Other people's formats of pairs and replies, one file each; the dictionary below is the whole list of imports.

Imported data become folders and runs like our own (`imported`); no other part of the package knows their origin.
Prompts are imported in `prompts/imports`.
"""

# Format name to a description of its files.
IMPORTS: dict[str, str] = {
    "counterbench": "the original CounterBench release: its pairs and four models' replies",
    "pairs": "your own pairs, a CSV or JSONL file: pictures, a question, both answers",
    "inspect-log": "an inspect log of our tasks: a run",
    "replies": "replies to pairs that were collected elsewhere, a CSV or JSONL file: a run",
}
