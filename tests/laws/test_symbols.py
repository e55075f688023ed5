"""Laws told of plain symbols: nothing else is drawn, the facts are the law's own, and pixels tell them."""

import pytest
from sweeping import swept

from counterbench.drawing.render import render
from counterbench.errors import AmbiguousError
from counterbench.judges.pixels import read_answer
from counterbench.laws import STANDARD, SYMBOLS_SUFFIX, law
from counterbench.laws.outcomes import RULED, checks, facts, kind_of, outcome, references
from counterbench.scene.nouns import SYMBOLS
from counterbench.scene.seeds import Stream


@swept("name", STANDARD)
def test_a_law_in_symbols_has_the_facts_of_the_plain_law(name: str) -> None:
    plain, symbolic = law(name), law(name + SYMBOLS_SUFFIX)
    setting, symbols = plain.setting(5, 1), symbolic.setting(5, 1)
    assert symbols.numbers == setting.numbers
    for variant in plain.variants:
        assert {figure.noun for figure in outcome(symbolic, symbols, variant.name).figures} <= SYMBOLS.keys()
        same = zip(facts(plain, setting, variant.name), facts(symbolic, symbols, variant.name), strict=True)
        assert [(a, b) for a, b in same if [f.value for f in a] != [f.value for f in b]] == []


def agreed(name: str, variant: str, index: int) -> int:
    """How many questions the pixel reader answers as the programs do, on right and wrong pictures: all."""
    symbolic, count = law(name + SYMBOLS_SUFFIX), 0
    setting = symbolic.setting(41, index)
    programs = {id: program for id, program in checks(symbolic, setting, variant).items() if kind_of(id) in RULED}
    for picture, scene in references(symbolic, setting, variant, Stream(41, name, index)).items():
        if picture in ("right", "prior", "neither", "fracture", "missing"):
            image = render(scene)
            for program in programs.values():
                try:
                    answer = program.answer(scene)
                except AmbiguousError:
                    continue
                assert read_answer(image, program.phrasings()[0]) == answer, (variant, picture, program)
                count += 1
    return count


@pytest.mark.slow
@pytest.mark.parametrize("name", STANDARD)
def test_the_pixel_reader_reads_every_variant_of_a_rule(name: str) -> None:
    counts = [agreed(name, variant.name, index) for variant in law(name).variants for index in range(3)]
    assert min(counts) >= 1
    assert agreed(name, law(name).altered[0].name, 0) >= 6
