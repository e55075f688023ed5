"""Each pair of a shipped suite is made once for all tests here: making the pairs of laws is most of their time."""

from collections.abc import Iterator

import pytest

from counterbench.scene.pairs import Pair
from counterbench.suites.suite import Part, Suite


@pytest.fixture(autouse=True, scope="session")
def made_once() -> Iterator[None]:
    made: dict[tuple[object, ...], Pair] = {}
    sample = Suite.sample

    def remembered(suite: Suite, part: Part, index: int) -> Pair:
        key = (suite.name, suite.seed, suite.size, suite.style, repr(part), index)
        if key not in made:
            made[key] = sample(suite, part, index)
        return made[key]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Suite, "sample", remembered)
        yield
