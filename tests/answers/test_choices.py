"""Multiple choice: which choices there can be. How replies name them: `forms.jsonl`."""

import pytest
from sweeping import swept

from counterbench.answers import answer_type, choice_type
from counterbench.errors import InputError


@swept("choices", [["a"], ["red", "Red"], ["red", "a red"], ["red", ""], ["C", "C++"], ["1", "1"]])
def test_choices_that_read_alike_are_refused(choices: list[str]) -> None:
    with pytest.raises(InputError, match="it needs two choices or more that differ in letters or digits"):
        choice_type(choices)


def test_the_list_of_types_says_how_choices_are_written() -> None:
    with pytest.raises(InputError, match=r"choose from: choice:ONE\|OTHER"):
        answer_type("choice")
