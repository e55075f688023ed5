"""Answer types, and the parser that reads a judge's reply as one of them."""

from counterbench.answers.base import AnswerType
from counterbench.answers.outcomes import OUTCOME_NAMES, Answer, Failed, Outcome, Refused, Unparsed
from counterbench.answers.parsing import PARSER_VERSION, parse
from counterbench.answers.reading import meaning, read_reply
from counterbench.answers.registry import ANSWER_TYPES, answer_type, canonical

__all__ = [
    "ANSWER_TYPES",
    "OUTCOME_NAMES",
    "PARSER_VERSION",
    "Answer",
    "AnswerType",
    "Failed",
    "Outcome",
    "Refused",
    "Unparsed",
    "answer_type",
    "canonical",
    "meaning",
    "parse",
    "read_reply",
]
