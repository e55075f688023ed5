"""Reading of a judge's reply as one of the answer types, or as no answer. It knows nothing of pairs or judges.

parsing                 where a reply becomes an outcome (`outcomes`)
reasoning, clean        reasoning and further turns cut away, or all but the one line "Answer: …", if the question asks
                        for one; characters and markup made plain
explicit, plain         forms that mark their answer; the one value that sentences state, unless denied or left open;
                        replies that decline
objects                 JSON in replies
stated                  the words that must stand before a value that is stated
registry                the answer types: in yes_no, verdict (and finding), numbers (integer), colour_shape (and
                        colour), rated (grade, score, "rating:1-5", "ratings:1-5"), choices ("choice:red|blue"),
                        text (and description)
labelled                "A" or "Shape A", to a question that names its shapes by labels
soft                    probabilities of answers, from log-probabilities

`scoring/` decides if an answer is right.
"""

from counterbench.answers.base import AnswerType
from counterbench.answers.choices import choice_type, choices_of
from counterbench.answers.outcomes import OUTCOME_NAMES, Answer, Failed, Outcome, Refused, Unparsed
from counterbench.answers.parsing import PARSER_VERSION, meaning, meant, parse, read_reply
from counterbench.answers.rated import graded, name_of
from counterbench.answers.reasoning import in_line
from counterbench.answers.registry import ANSWER_TYPES, SUFFIXED, answer_type, canonical, kind_of, scale_of, share

__all__ = [
    "ANSWER_TYPES",
    "OUTCOME_NAMES",
    "PARSER_VERSION",
    "SUFFIXED",
    "Answer",
    "AnswerType",
    "Failed",
    "Outcome",
    "Refused",
    "Unparsed",
    "answer_type",
    "canonical",
    "choice_type",
    "choices_of",
    "graded",
    "in_line",
    "kind_of",
    "meaning",
    "meant",
    "name_of",
    "parse",
    "read_reply",
    "scale_of",
    "share",
]
