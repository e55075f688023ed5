"""The diagnosis as data: the measures of a run, the named faults, and the items that look broken."""

import msgspec

from counterbench.results.scores import Provenance, Share
from counterbench.text import brief, counted, points

MIN_SHOWN = 0.0005  # of CCS: less is 0.0 points
# Colours or counts that were said: truth → said → number of answers.
Confusion = dict[str, dict[str, int]]


class YesShare(msgspec.Struct, frozen=True):
    """The share of yes among the answers to yes/no questions, and the share of yes among their truths."""

    said: Share
    true: Share


class Bin(msgspec.Struct, frozen=True):
    """The CCS of the pairs whose parameter is from `low` to `high`, both included."""

    low: float
    high: float
    ccs: Share


class Difficulty(msgspec.Struct, frozen=True):
    """CCS of one family's relevant pairs against one of its difficulty parameters."""

    family: str
    parameter: str
    bins: list[Bin]


class Measures(msgspec.Struct, frozen=True, kw_only=True):
    """The measures of a run, in counts."""

    flips: Share  # relevant pairs whose answer changed, of those with two answers
    false_flips: Share  # the same for irrelevant pairs
    yes: YesShare
    counts: Confusion  # open count questions
    colours: Confusion  # open colour questions
    lost: dict[str, dict[str, int]]  # family → unparsed, refused or failed → questions; families without are left out
    difficulty: list[Difficulty]


class DiagnosedFault(msgspec.Struct, frozen=True, kw_only=True):
    """A fault that a judge shows."""

    name: str  # from the closed lists `FAULTS` and `PLAIN`
    effect: float  # the CCS lost to it, as a fraction (0.05 is five points)
    dose: float  # the estimated share of questions (or pairs) that show it, of those that can
    evidence: str  # in words, with numbers
    pairs: list[str]  # up to five ids of pairs that show it best
    p: float | None  # of the test against a judge without it; null if it is only counted (unparsed, refusing, failing)


# The words for the questions of a residual, for traits whose name alone would not be clear.
_PLACES = {
    "mentioned": "answers that are mentioned {}",
    "count": "counts of {}",
    "size": "{} things",
    "column": "things in the {} column",
    "row": "things in the {} row",
    "colour": "{} things",
    "naming": "questions with the thing {}",
    "treatment": "pictures with {} treatment",
    "phrasing": "questions in phrasing {}",
    "truth": "questions whose answer is {}",
}


class Residual(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of question on which clearly more CCS is lost than elsewhere, to errors that no fault explains."""

    # One or more of law, cell, family, skill, form, traits and truth (`counterbench.diagnosis.residuals.KINDS`), and
    # bounds of difficulty numbers: {"family": "arrow", "form": "open"}, {"gap to": "5"}.
    where: dict[str, str]
    effect: float  # the CCS lost to these errors, as a fraction; a part of `unexplained`
    lost: Share  # pairs lost at such a question without an explanation, of those that have one
    elsewhere: Share  # the same for all other questions that are in no earlier residual
    pairs: list[str]  # up to five ids
    p: float  # an upper bound (Bonferroni) for any description of as many words, if errors lie nowhere in particular
    said: dict[str, int] = {}  # if `where` has the truth: wrong yes/no answers there, with any truth, by answer

    @property
    def place(self) -> str:
        """The kind of question in words: "law wind", "family arrow, form open", "small things"."""
        return ", ".join(_PLACES.get(kind, f"{kind} {{}}").format(name) for kind, name in self.where.items())

    @property
    def words(self) -> str:
        """The residual in words: "family arrow, form open: 30 of 30 pairs lost, elsewhere 0 of 180"."""
        lost, elsewhere = self.lost, self.elsewhere
        wrong, most = sum(self.said.values()), max(self.said, key=self.said.__getitem__, default="")
        side = f'; "{most}" in {self.said[most]} of {wrong} wrong yes/no answers' if wrong else ""
        return f"{self.place}: {lost.hits} of {lost.of} pairs lost, elsewhere {elsewhere.hits} of {elsewhere.of}{side}"


class Above(Share, frozen=True):
    """The share `hits` of `of` cases, less the share `mirrored` of as many with the reverse error; and its interval."""

    mirrored: int = 0


class PriorStrength(msgspec.Struct, frozen=True):
    """The share of altered familiar things that a judge takes for usual, above that of usual ones taken for altered.

    A judge that errs at random, or does not look, errs both ways alike. Of pairs that were answered twice; the interval
    of `overall` is over things, and no narrower than over pairs.
    """

    overall: Above  # the mean over things
    by_naming: dict[str, Above]  # "named", "unnamed", "lied to": the words of the question
    by_thing: dict[str, Above] = {}


class Diagnosis(msgspec.Struct, frozen=True, kw_only=True):
    """The diagnosis of one run."""

    run: str
    judge: str
    suite: str
    # The symptom that stands out first: "always yes", "always no", "near chance", "right on 98.4 % of pairs"; or none.
    head: str = ""
    faults: list[DiagnosedFault]
    unexplained: float  # the CCS lost to errors that no fault of the list explains, as a fraction
    residuals: list[Residual]  # the kinds of questions with clearly more of these errors
    measures: Measures
    prior_strength: PriorStrength | None  # null without pictures of altered things
    notes: list[str]  # limits of this run: kinds of questions that it lacks, faults that look alike in it
    provenance: Provenance
    complete: bool

    def __repr__(self) -> str:
        """The faults in a line."""
        faults = ", ".join(f"{fault.name} (costs {points(fault.effect)})" for fault in self.faults)
        return brief(self, f"{self.provenance.name or self.judge} on {self.suite}: {faults or 'no fault found'}")


class ItemProblem(msgspec.Struct, frozen=True):
    """A problem of items, not of one judge, seen across runs."""

    # "all-miss" (every judge gets the pair wrong), "agreed" (replies agree on an answer that the truth denies),
    # "all-zero" or "all-right" (every judge scores 0 or 1 on the subtask)
    kind: str
    where: str  # the pair's id, or the subtask
    family: str
    evidence: str  # in words


class DiagnosisDocument(msgspec.Struct, frozen=True):
    """`diagnose --json`. `items` is empty for a single run: one judge cannot accuse an item."""

    runs: list[Diagnosis]
    items: list[ItemProblem]

    def __repr__(self) -> str:
        """The numbers of faulty judges and of items in doubt."""
        faulty = sum(bool(run.faults) for run in self.runs)
        runs = counted(len(self.runs), "run")
        return brief(self, f"of {runs}: {faulty} with faults, {counted(len(self.items), 'item')} in doubt")
