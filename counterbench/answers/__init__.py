"""Reading of a judge's reply as one of the answer types, or as no answer. It knows nothing of pairs or judges.

parsing             where a reply becomes an outcome: the judge's own words in it, and the list of answer types
explicit, plain     forms that mark their answer; the one value that sentences state, unless denied or left open;
                    replies that decline
outcomes            the four outcomes (Answer, Unparsed, Refused, Failed), and the base of the answer types
yes_no, numbers, colour_shape, rated, choices, text
                    the answer types: yes-no, verdict, finding; integer; colour, colour-shape (and labels of shapes);
                    grade, score, "rating:1-5", "ratings:1-5"; "choice:red|blue"; text, word, description
soft                probabilities of answers, from log-probabilities

`results/` decides if an answer is right.
"""

from counterbench.answers.choices import choice_type, choices_of
from counterbench.answers.outcomes import Answer, Outcome, Refused, Unparsed
from counterbench.answers.parsing import (
    ANSWER_TYPES,
    PARSER_VERSION,
    SUFFIXED,
    answer_type,
    canonical,
    in_json,
    in_line,
    kind_of,
    meant,
    parse,
    read_reply,
    reply_schema,
    scale_of,
    share,
)
from counterbench.answers.rated import graded, name_of

__all__ = [
    "ANSWER_TYPES",
    "PARSER_VERSION",
    "SUFFIXED",
    "Answer",
    "Outcome",
    "Refused",
    "Unparsed",
    "answer_type",
    "canonical",
    "choice_type",
    "choices_of",
    "graded",
    "in_json",
    "in_line",
    "kind_of",
    "meant",
    "name_of",
    "parse",
    "read_reply",
    "reply_schema",
    "scale_of",
    "share",
]
