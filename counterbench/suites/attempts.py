"""Attempts: the samples of a suite that a certificate may rest on, the same for every judge.

A user who could choose the seed could try seeds until a judge passes. So attempt k has one seed, a hash of the suite's
name and k; attempt 1 has the suite's own seed.
"""

from counterbench.errors import InputError
from counterbench.files import catalog
from counterbench.suites.families.control import ControlParams
from counterbench.suites.families.laws import LawParams, chosen
from counterbench.suites.sources import Source, SuiteSource, names_folder
from counterbench.suites.suite import CERTIFY, Suite, hashed_seed, is_shipped, load_suite, suite_for

# The level of the test shrinks with k²: long before this attempt no judge can pass.
MOST = 1000


def attempt_seed(suite: Suite, attempt: int) -> int:
    """The seed of an attempt's pairs; `suite` is as shipped. InputError if `attempt` is not from 1 to MOST."""
    if not 1 <= attempt <= MOST:
        raise InputError(f"--attempt must be from 1 to {MOST}, not {attempt}")
    if attempt == 1:
        return suite.seed
    return hashed_seed(f"counterbench attempt {attempt} of {suite.name}")


def attempt_of(suite: Suite) -> int | None:
    """The attempt that a suite's seed belongs to; None if there is none, or if not only the seed was changed."""
    if not is_shipped(suite.name):
        return None
    shipped = load_suite(suite.name)
    if shipped.reseeded(suite.seed).sized(suite.side).styled(suite.style).digest != suite.digest:
        return None
    return next((k for k in range(1, MOST + 1) if attempt_seed(shipped, k) == suite.seed), None)


def attempted(source: Source, attempt: int | None, limit: int | None = None) -> Source:
    """A source with the first `limit` pairs of an attempt; `source` itself if `attempt` is None.

    InputError unless `source` is a shipped suite with its own seed.
    """
    if attempt is None:
        return source
    if not isinstance(source, SuiteSource) or attempt_of(source.suite) != 1:
        raise InputError(
            f"{source.name}: --attempt is for suites as they are shipped ({', '.join(catalog.names('scenes'))}, or "
            f"{CERTIFY}NAME,… of families and laws), without --seed: every attempt has pairs of its own"
        )
    return SuiteSource(source.suite.reseeded(attempt_seed(source.suite, attempt)), limit)


def certified_as(name: str) -> tuple[str, tuple[str, ...]]:
    """The suite that certifies judges for SUITE|DIR, and those of its families and laws to ask about (none: all).

    Of a suite file the families and laws are taken, and nothing else, so that nobody chooses the pairs.
    """
    if names_folder(name) or not name.endswith(".toml"):
        return name, ()
    named: dict[str, None] = {}
    for part in load_suite(name).parts:
        match part.params:
            case LawParams():
                named |= dict.fromkeys(chosen(part.params.laws))
            case ControlParams():
                named |= dict.fromkeys(part.params.bases)
            case _:
                named[part.family] = None
    return suite_for(named), tuple(named)
