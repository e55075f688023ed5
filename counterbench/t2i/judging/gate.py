"""The gate: only a judge that was shown to see what a prompt set's checks ask for may score pictures with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from counterbench.certificate import Certificate, mismatches, problems
from counterbench.certificate.conditions import at_most
from counterbench.certificate.policies import laxer, load_policy
from counterbench.t2i.prompts.files import drawn_skills, names
from counterbench.t2i.prompts.prompt_set import Check, PromptSet

# The shipped suite that asks for the skills of the shipped prompt sets.
SUITE = "laws"
# The least that a certificate must have been held to, skill by skill.
FLOOR = "standard"
# Of a set of nothing but checks that cannot be drawn.
UNVERIFIABLE = "none of its checks can be drawn, so no certificate can cover them: label pictures by hand (--labels)"


def needed_skills(prompts: PromptSet) -> tuple[str, ...]:
    """The skills that the checks ask for, of checks whose truth can be drawn, and so certified."""
    found = {check.skill for prompt in prompts.prompts for check in prompt.checks if check.program is not None}
    return tuple(sorted(found))


def openings(certificate: Certificate) -> dict[str, list[str]]:
    """Whether a certificate lets its judge, asked as it was, score pictures of each shipped prompt set: its objections.

    Of sets that have checks whose truth can be drawn: no certificate is of any other.
    """
    needed = {name: skills for name in names() if (skills := drawn_skills(name))}
    return {
        name: objections(
            certificate,
            skills,
            judge=certificate.judge,
            wording_digest=certificate.wording_digest,
            votes=certificate.votes,
            prompt_shown=False,
        )
        for name, skills in needed.items()
    }


def unverified(checks: Iterable[Check]) -> float:
    """The share of the weight, 0 … 1, of checks that nothing can be drawn for: no certificate says who sees them."""
    weights = [(check.weight, check.program is None) for check in checks]
    total = sum(weight for weight, _ in weights)
    return sum(weight for weight, without in weights if without) / total if total else 0.0


def objections(
    certificate: Certificate | None,
    skills: Sequence[str],
    *,
    judge: str,
    wording_digest: str,
    votes: int,
    prompt_shown: bool,
    models: Iterable[str] = (),
) -> list[str]:
    """Why a judge may not score, in words; nothing if it may. `models`: the ids that the server returned, if known.

    A set whose checks cannot be drawn needs no certificate: `unverified` tells how much rests on trust. A certificate
    counts if what it was held to is FLOOR or stricter. No certificate covers a judge that is shown the prompts:
    drawn pictures are probed without.
    """
    if not skills:
        return []
    if prompt_shown:
        return ["the judge is shown the prompts, and no certificate says how far it believes them"]
    if certificate is None:
        return [f"there is no certificate; the checks need: {', '.join(skills)}"]
    found = [f"the certificate does not hold together: {problem}" for problem in problems(certificate)]
    found += mismatches(certificate, judge=judge, wording_digest=wording_digest, votes=votes, models=models)
    uncovered = [skill for skill in skills if not certificate.covers(skill)]
    if uncovered:
        whole = [name for name, condition in certificate.run.items() if condition.verdict != "pass"]
        if certificate.control.verdict != "pass":
            whole.append("controls")
        if whole:
            found.append(f"the certificate's run does not pass as a whole ({', '.join(whole)}), so no skill is covered")
        else:
            found.append(f"skills not covered by the certificate: {', '.join(uncovered)}")
    lax = laxer(certificate.policy, load_policy(FLOOR), skills)
    if lax:
        more = f" (and {len(lax) - 1} more)" if len(lax) > 1 else ""
        found.append(f"its policy {certificate.policy.name!r} asks for less than {FLOOR!r}: {lax[0]}{more}")
    if not certificate.truth_checked:
        found.append(f"the certificate's truth was not drawn again: {certificate.truth_note}")
    return found


def losses(outcomes: Mapping[str, int], certificate: Certificate | None) -> list[str]:
    """Why too few replies could be used, in words: what a policy bounds in a run that certifies, it bounds here too.

    `outcomes`: the checks of all pictures that are there, by outcome. The policy is the certificate's, FLOOR without.
    """
    policy = certificate.policy if certificate is not None else load_policy(FLOOR)
    asked = sum(outcomes.values())
    found = [
        f"{reason} (policy {policy.name})"
        for what in ("unparsed", "refused")
        if (reason := at_most(what, outcomes[what], asked, getattr(policy.outcomes, what)).reason)
    ]
    open_ = {what: outcomes[what] for what in ("unasked", "failed")}
    if any(open_.values()):
        left = ", ".join(f"{count} {what}" for what, count in open_.items() if count)
        found.append(f"of {asked} questions {left}: the same `t2i judge` asks them")
    return found
