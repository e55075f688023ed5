"""Decides which checks of a prompt set a judge may score: those that its certificate shows it to answer rightly.

In go a certificate (the judge's results on pairs of pictures that we drew), a prompt set and the way in which the judge
is asked. Out comes an `Admission`: the laws that the judge may score, what is left out and why, or the objections to
the judge as a whole. Scores of pictures, `t2i judge` and `evaluate` go by it. `admission_of` is the main function; most
others give it its reasons, each as a text.

A *check* is a question about a picture that a model draws for a prompt. If the check has a program, we can draw pairs
that ask the same: it belongs to a law and a cell ("<law>/<check>"). Any other check belongs to a *skill*, such as
counting, which drawn pairs with questions of their own test. A check is *tested* if some drawn pair, or a person's
label of a picture, is about its cell or skill. It is *left out* if that test was not passed. Scores rest on the checks
that are tested and not left out. A judge that passed is *admitted* to score other pictures; its numbers are *certified*
if these pictures are of the same kind as those of the test.
"""

from collections.abc import Collection, Mapping
from typing import TypeGuard

import msgspec

from counterbench.drawing.domain import Domain, unlike
from counterbench.evidence.cells import unit, units
from counterbench.evidence.document import FAIL, MIN_GAPS, PASS, Certificate
from counterbench.evidence.findings import at_most
from counterbench.evidence.issue import WayOfAsking, mismatches, outlived, problems
from counterbench.evidence.ladders import LadderResults
from counterbench.evidence.policies import Policy, laxer, load_policy
from counterbench.evidence.prompt_checks import (
    counted_checks,
    is_out,
    is_tested,
    laws_out,
    needed_cells,
    share_of_weight,
    skills_out,
    tested_by,
    undrawn_share,
    untested_shares,
)
from counterbench.evidence.rungs import rungs_out
from counterbench.evidence.shown import Evidence, evidence_of
from counterbench.evidence.treatments import declined_treatments, lost_treatments
from counterbench.evidence.verdict import IN_PART, NOT_SUPPORTED, SUPPORTED, Verdict
from counterbench.judges.raters import rater_name, rating_template
from counterbench.judges.specs import RATER, gives_numbers
from counterbench.prompts.manifest import MIN_TESTED_SIDE
from counterbench.prompts.prompt_set import Check, Prompt, PromptSet, cell_of
from counterbench.prompts.skills import skill_of
from counterbench.scene.scene import SMALL
from counterbench.suites.suite import suite_for
from counterbench.text import counted, some

# The shipped suites of drawn pairs for the shipped prompt sets: for laws, and for rules in symbols.
SUITE, RULES = "laws", "rules"
# For checks without a program: the suite of drawn pairs that test skills, and its family (a kind of pairs) that shows
# that a judge sees at all.
BASIC, SEES = "certify", "presence"
# The suite of drawn comparisons, for judges that compare pictures.
COMPARISONS = "pairwise"
NOTHING_PASSED = "it passed the drawn test for nothing that the checks ask"  # an objection
# The objection to a judge of which nothing is known, for or against: it may be asked, but nothing supports its numbers.
NOTHING_TESTED = "nothing that the checks ask was tested: no drawn pair asks it, and no human labels show it"
# The least strict policy that a certificate may have.
FLOOR = "standard"


class Admission(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome for a judge and a prompt set: what the judge may score."""

    objections: list[str]  # the reasons against it, in words; empty for a judge that may score
    laws: list[str]  # that the judge may score; empty if no check has a program
    # By name the laws, cells, skills and rungs (levels of difficulty) that are not scored, with the reason.
    left_out: dict[str, str]
    covered: float  # the share of the checks' weight, 0 … 1, that was tested and is not left out
    evidence: Evidence  # about what the checks ask, by law or, for prompts about no law, by skill
    not_tested: dict[str, float]  # by law or skill, the share of the weight of checks that are not tested
    tested: frozenset[str] | None = None  # the cells and skills that some pair, or label, is about; None: all

    @property
    def admitted(self) -> bool:
        """True if the judge may score at least some laws or skills."""
        return not self.objections

    @property
    def nothing_tested(self) -> bool:
        """True if the only objection is that no check is tested."""
        return self.objections == [NOTHING_TESTED]

    def counts(self, prompt: Prompt, check: Check) -> bool:
        """True if a check is scored: it is tested and not left out."""
        return self.tests(prompt, check) and not is_out(self.left_out, prompt, check)

    def tests(self, prompt: Prompt, check: Check) -> bool:
        """True if some pair, or label, is about what a check asks."""
        return self.tested is None or is_tested(self.tested, prompt, check)


def admission_of(
    certificate: Certificate | None,
    prompts: PromptSet,
    way: WayOfAsking,
    *,
    revoked: Mapping[str, str] = {},
    ladders: LadderResults | None = None,
    smallest: int | None = None,
    labelled: Collection[str] = (),
) -> Admission:
    """The admission of a judge to score the pictures of a prompt set.

    `way`: the judge and the way in which it is asked, which must be those of the certificate.

    The pictures: `smallest`: the shorter side of the smallest, in pixels, if known; `labelled`: the skills that
    people's labels show the judge to see there.

    Other results on the judge: `revoked`: laws and skills that an audit took back, with the reasons; `ladders`: the
    highest difficulties that it was shown to see. A certificate counts if its policy is FLOOR or stricter.
    """
    # 1. The objections to the judge; the certificate is valid if it is of this judge and unchanged.
    needed, valid_certificate = needed_cells(prompts.prompts), None
    if way.prompt_shown:
        objections = ["the judge is shown the prompts, and no certificate says how far it believes them"]
    elif certificate is None:
        objections = ["there is no certificate"]
    else:
        differing = mismatches(certificate, way)
        objections = [*barred(certificate, way.asked_at), *differing]
        objections += not_basic(certificate) if undrawn_share(prompts) else []
        objections += too_small(certificate, smallest)
        valid_certificate = None if differing or problems(certificate) else certificate
    # 2. The laws, cells, skills and rungs that are not scored; without a certificate all laws.
    left_out = dict.fromkeys(needed, "")
    if certificate is not None:
        left_out = laws_out(certificate, needed) | skills_out(certificate, prompts) | dict(revoked)
        left_out |= rungs_out(ladders, prompts.prompts)
    if needed and not objections and all(law in left_out for law in needed):
        laws_with_reasons = some(f"{law} ({why})" for law, why in left_out.items())
        objections.append(f"none of the laws that the checks ask about is admitted: {laws_with_reasons}")
    # 3. The checks that are scored, and their share of the weight.
    tested = tested_by(valid_certificate, labelled)
    admission = Admission(
        objections=objections, laws=[], left_out=left_out, covered=0, evidence=Evidence(),
        not_tested=untested_shares(tested, prompts), tested=tested,
    )  # fmt: skip
    scored = sum(check.weight for prompt in prompts.prompts for check in counted_checks(prompt, admission.counts))
    covered = scored / sum(check.weight for prompt in prompts.prompts for check in prompt.checks)
    if not covered and not objections:
        tested_any = any(admission.tests(prompt, check) for prompt in prompts.prompts for check in prompt.checks)
        taken_back = some(f"{name} ({why})" for name, why in revoked.items())
        lost = f"nothing is left that it may score: {taken_back}" if revoked else NOTHING_PASSED
        objections.append(lost if tested_any else NOTHING_TESTED)
    # 4. The evidence about what the checks ask; a law or skill that is not scored is not admitted there either.
    evidence = Evidence() if valid_certificate is None else evidence_of(valid_certificate, needed)
    skills = {skill_of(check) for prompt in prompts.prompts for check in prompt.checks}
    if not needed and skills & evidence.drawn.keys():  # of whole prompts, all that was tested counts
        evidence = Evidence(drawn={name: finding for name, finding in evidence.drawn.items() if name in skills})
    refused = left_out if objections in ([], [NOTHING_TESTED]) else evidence.drawn  # laws or skills, by name
    return msgspec.structs.replace(
        admission,
        laws=[] if objections else [law for law in needed if law not in left_out],
        covered=covered,
        evidence=Evidence(
            drawn={
                name: msgspec.structs.replace(finding, admitted=finding.admitted and name not in refused)
                for name, finding in evidence.drawn.items()
            }
        ),
    )


def admission_to_compare(certificate: Certificate | None, way: WayOfAsking) -> Admission:
    """The admission of a judge to compare two pictures for one prompt, by a certificate of the suite COMPARISONS.

    The prompt stands in each question, so no template need show it.
    """
    objections, evidence = ["there is no certificate"], Evidence()
    if way.prompt_shown:
        objections = ["the question has the prompt already: leave out the template that shows it once more"]
    elif certificate is not None:
        differing = mismatches(certificate, way)
        objections = [*barred(certificate, way.asked_at), *differing]
        if certificate.suite != COMPARISONS:
            objections.append(f"the certificate is of the suite {certificate.suite!r}, not of {COMPARISONS}")
        objections += [f"{name}: {law.verdict}" for name, law in certificate.laws.items() if law.verdict != PASS]
        evidence = Evidence() if differing or problems(certificate) else evidence_of(certificate, {})
    return Admission(objections=objections, laws=[], left_out={}, covered=1.0, evidence=evidence, not_tested={})


def is_of_ratings(certificate: Certificate | None) -> TypeGuard[Certificate]:
    """True for a certificate of a rater, a judge whose ratings of two pictures were compared."""
    return certificate is not None and certificate.judge.startswith(f"{RATER}:")


def admission_to_rank(certificate: Certificate, way: WayOfAsking) -> Admission:
    """The admission of a judge to rank models by its ratings of one picture each, by its certificate as a rater.

    The question and the template must be the rater's, which shows the prompt.
    """
    rater = way._replace(judge=rater_name(way.judge), template_digest=certificate.template_digest, prompt_shown=False)
    ranks = admission_to_compare(certificate, rater)
    if way.template_digest == rating_template().digest:
        return ranks
    return msgspec.structs.replace(ranks, objections=[*ranks.objections, "raters are tested with --template default"])


def refutes(certificate: Certificate, prompts: PromptSet, way: WayOfAsking) -> bool:
    """True if a certificate shows that this judge, asked in this way, cannot answer any of the checks.

    Then its attempt is over: further questions about the same pairs cannot admit it to any of their laws.
    """
    needed = needed_cells(prompts.prompts)
    if certificate.attempt is None or certificate.suite != suite_for(needed):
        return False
    if mismatches(certificate, way):
        return False
    if not needed or certificate.control.verdict == FAIL:
        return certificate.verdict == FAIL
    return all(law in certificate.laws and certificate.laws[law].verdict == FAIL for law in needed)


def certificate_verdict(c: Certificate) -> tuple[Verdict, str]:
    """The verdict that a certificate gives by itself, before any picture is judged, and why."""
    total = counted(len(c.laws), unit(c.cells), units(c.cells))
    if why := barred(c):
        return NOT_SUPPORTED, why[0]
    if not c.admitted:
        return NOT_SUPPORTED, f"the judge was shown to see none of {total}"
    closed = f", without {counted(len(c.closed), 'cell')}" if c.closed else ""
    declined = f"; it declines {some(names)}" if (names := declined_treatments(c)) else ""
    shown, end = "the judge was shown to see", ", on drawn pictures"
    if gives_numbers(c.judge):
        shown, end = "the judge was shown to order drawn pictures by", "; the level of its numbers was not tested"
    if c.suite == COMPARISONS and len(c.admitted) < len(c.laws):
        return NOT_SUPPORTED, f"{shown} {len(c.admitted)} of {total}, and comparing takes all of them{declined}"
    if len(c.admitted) == len(c.laws) and not c.closed:
        return SUPPORTED, f"{shown} {all_laws(c)}{end}{declined}"
    return IN_PART, f"{shown} {len(c.admitted)} of {total}{closed}{end}{declined}"


def all_laws(c: Certificate) -> str:
    """The laws, families or skills of a certificate in words: "all 9 families"."""
    count = len(c.laws)
    return f"the one {unit(c.cells)} asked" if count == 1 else f"all {counted(count, unit(c.cells), units(c.cells))}"


def barred(certificate: Certificate, asked_at: str = "") -> list[str]:
    """The reasons why a certificate admits its judge to nothing; empty if it may admit to something.

    `asked_at`: the time of the last question about the pictures (ISO 8601; empty: now), for the certificate's age.
    """
    reasons = [f"the certificate is not valid: {problem}" for problem in problems(certificate)]
    if not certificate.truth_checked:
        reasons.append(f"the certificate's truth was not computed again: {certificate.truth_note}")
    elif certificate.attempt is None:
        reasons.append("the certificate is of no attempt: somebody chose its pairs")
    if lax := laxer(certificate.policy, load_policy(FLOOR)):
        rest = f" (and {len(lax) - 1} more)" if len(lax) > 1 else ""
        reasons.append(f"its policy {certificate.policy.name!r} asks for less than {FLOOR!r}: {lax[0]}{rest}")
    if age_notice := outlived(certificate, asked_at):
        reasons.append(f"the certificate is too old: {age_notice}")
    right = certificate.control.accuracy
    shortfalls = [condition.reason or name for name, condition in certificate.run.items() if condition.verdict != PASS]
    shortfalls += lost_treatments(certificate)
    if certificate.numbers is not msgspec.UNSET and certificate.numbers.lacks_margin:
        shortfalls.append(f"controls gave fewer than {MIN_GAPS} pairs of numbers, too few for a margin")
    if certificate.control.verdict != PASS and certificate.margin is None:
        shortfalls.append(f"controls: {right.hits} of {right.of} right")
    if shortfalls:
        verdicts = [certificate.control.verdict, *(condition.verdict for condition in certificate.run.values())]
        verdicts += [result.verdict for result in certificate.treatments.values()]
        if FAIL not in verdicts and {law.verdict for law in certificate.laws.values()} == {FAIL}:
            return [*reasons, f"the judge failed in {all_laws(certificate)}"]  # so asking ended, with few controls
        state = "does not pass as a whole" if FAIL in verdicts else "has too few pairs"
        reasons.append(f"the certificate admits to nothing: its run {state} ({some(shortfalls)})")
    return reasons


def too_small(certificate: Certificate, smallest: int | None) -> list[str]:
    """The objection that pictures are smaller than the drawn ones, in a list; empty if they are not.

    `smallest`: the shorter side of the smallest picture, in pixels; None if unknown.
    """
    tested_sides = certificate.domain.sides if certificate.domain is not None else []  # pixels, the smallest first
    small = certificate.treatments.get(SMALL)
    if small is not None and small.verdict != PASS:
        tested_sides = tested_sides[1:]  # the judge declines small pictures, or errs on them
    if smallest is None or not tested_sides or max(smallest, MIN_TESTED_SIDE) >= tested_sides[0]:
        return []
    if small is not None:
        verb = "declines" if small.declined else "did not pass the test on"
        return [f"a picture has a shorter side of {smallest} pixels, and the judge {verb} drawn pictures so small"]
    return [
        f"a picture has a shorter side of {smallest} pixels, and the drawn test's have {tested_sides[0]} or more; "
        "`validate --for IMAGES` also tests smaller ones"
    ]


def untested(certificate: Certificate, prompts: PromptSet, met: Domain) -> list[str]:
    """The reasons why an admitted judge's numbers about these checks and pictures are not certified; empty if they are.

    `met`: the kind of the pictures to score, to be compared with the kind that the test had.
    """
    tested = tested_by(certificate, ())
    part = share_of_weight(prompts, lambda p, c: not cell_of(p, c) and not is_tested(tested, p, c))
    words = "the checks" if part == 1 else f"checks of {100 * part:.1f} % of the weight"
    reasons = [f"{words} cannot be drawn, so no pair shows that the judge sees what they ask"] if part else []
    if certificate.domain is None:
        return [*reasons, "the certificate does not say what its pictures are like"]
    # If the model drew nothing, the judge is asked nothing.
    differences = "; ".join(unlike(certificate.domain, met)) if met.file_format else ""
    return [*reasons, differences] if differences else reasons


def policy_of(certificate: Certificate | None) -> Policy:
    """The policy of a certificate, or FLOOR without one."""
    return load_policy(FLOOR) if certificate is None else certificate.policy


def losses(outcomes: Mapping[str, int], certificate: Certificate | None) -> list[str]:
    """The objections to the number of replies without an answer: more than the certificate's policy allows of a run.

    `outcomes`: of the checks of all pictures that are there, the number by outcome ("answer", "unparsed", …).
    """
    policy = policy_of(certificate)
    total = sum(outcomes.values())
    reasons = [
        f"{reason} (policy {policy.name})"
        for outcome in ("unparsed", "refused")
        if (reason := at_most(outcome, outcomes[outcome], total, getattr(policy.outcomes, outcome)).reason)
    ]
    unsettled_counts = {outcome: outcomes[outcome] for outcome in ("unasked", "failed")}
    if any(unsettled_counts.values()):
        unsettled = ", ".join(f"{count} {outcome}" for outcome, count in unsettled_counts.items() if count)
        reasons.append(f"of {total} questions {unsettled}: the same `t2i judge` asks them")
    return reasons


def not_basic(certificate: Certificate) -> list[str]:
    """The reasons why a certificate does not show that its judge sees at all (the family SEES); empty if it does."""
    if certificate.suite != BASIC:
        return [f"the certificate is of the suite {certificate.suite!r}, not of {BASIC}, whose pairs test skills"]
    if SEES not in certificate.laws:
        return [f"the certificate does not test {SEES}"]
    verdict = certificate.laws[SEES].verdict  # where it passes, `barred` names what else fails
    return [] if verdict == PASS else [f"{SEES} is not passed ({verdict})"]
