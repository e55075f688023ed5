"""A judge's reply, read as one of the answer types, or as no answer: a leaf that knows nothing of pairs or judges.

parsing                 where a reply becomes an outcome (`outcomes`)
reading, objects        the one value of the judge's own words; JSON in them
reasoning, clean        reasoning and further turns cut away; characters and markup made plain
line                    what stands after the one "Answer:" that begins a line, where it was asked for so
explicit, plain         forms that mark their answer; the one value that sentences state, unless denied or left open
stated                  where a value must stand to count as said
refusal                 replies that decline
registry                the answer types, one file each: yes_no, integer, colour, colour_shape, grade, score, verdict,
                        finding, text, description; on a scale that the name says, rating and ratings ("rating:1-5")
labelled                "A" or "Shape A", to a question that names its shapes by labels
soft                    probabilities of answers, from log-probabilities

Whether an answer is right is decided in `scoring/`.
"""

from counterbench.answers.base import AnswerType
from counterbench.answers.line import in_line
from counterbench.answers.outcomes import OUTCOME_NAMES, Answer, Failed, Outcome, Refused, Unparsed
from counterbench.answers.parsing import PARSER_VERSION, meaning, meant, parse, read_reply
from counterbench.answers.ratings import graded, name_of
from counterbench.answers.registry import ANSWER_TYPES, SCALED, answer_type, canonical, kind_of, scale_of, share

__all__ = [
    "ANSWER_TYPES",
    "OUTCOME_NAMES",
    "PARSER_VERSION",
    "SCALED",
    "Answer",
    "AnswerType",
    "Failed",
    "Outcome",
    "Refused",
    "Unparsed",
    "answer_type",
    "canonical",
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
