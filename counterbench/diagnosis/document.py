"""What a diagnosis says: the measures of a run, the faults they name, and the items that look broken. Data only."""

from __future__ import annotations

import msgspec

from counterbench.scoring.scores import Share, Signature
from counterbench.text import brief, counted

# A colour or count that was said where another was true: truth → said → how often.
Confusion = dict[str, dict[str, int]]


class YesShare(msgspec.Struct, frozen=True):
    """How often yes is said to the yes/no questions that got an answer, against how often yes is true."""

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
    """What happened, in counts.

    `flips`: the answer changed, of relevant pairs answered twice; `false_flips`: of irrelevant ones. `collapse`: the
    same answer to both, of relevant ones. `counts`: open count questions, truth → said; `colours`: the same of open
    colour questions. `arrows`: open arrow questions by what was named: "right", "nearest-tail", "most-central",
    "largest" (without following the arrow; one that is several of these counts in the first) or "other". `lost`:
    family → outcome → questions, of unparsed, refused and failed; families that lost none are left out. `phrasings`: of
    the questions with an answer, by which of the plain ways to ask the same they were asked in, those that are right.
    """

    flips: Share
    false_flips: Share
    collapse: Share
    yes: YesShare
    counts: Confusion
    colours: Confusion
    arrows: dict[str, int]
    lost: dict[str, dict[str, int]]
    phrasings: dict[str, Share]
    difficulty: list[Difficulty]


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """A fault from the closed list `FAULTS`. `effect`: the CCS lost to it, as a fraction (0.05 is five points).

    `dose`: on what share of the questions (or pairs) that it can touch it shows, as estimated. `evidence`: in words,
    with numbers. `pairs`: up to five ids of pairs that show it best. `p`: of the likelihood-ratio test against a judge
    without it; null for the faults that are simply counted (unparsed, refusing, failing).
    """

    name: str
    effect: float
    dose: float
    evidence: str
    pairs: list[str]
    p: float | None


# How a residual says what questions it is about, where the name of the trait alone would not tell.
_PLACES = {
    "mentioned": "answers that are mentioned {}",
    "count": "counts of {}",
    "size": "{} things",
    "column": "things in the {} column",
    "row": "things in the {} row",
    "colour": "{} things",
    "treatment": "pictures with {} treatment",
    "phrasing": "questions in phrasing {}",
    "truth": "questions whose answer is {}",
}


class Residual(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of question on which CCS is lost, clearly more than elsewhere, to errors that no fault explains.

    `where`: its law, cell, family, skill, form, traits or truth (`counterbench.diagnosis.residuals.KINDS`), or what a
    number of its difficulty is at least or most ({"gap to": "5"}), one or more of them ({"family": "arrow", "form":
    "open"}). `effect`: the CCS lost to them, as a fraction, a part of `unexplained`. `lost`: of the pairs with such a
    question, those that are lost at it without an explanation; `elsewhere`: the same of all other questions that no
    earlier residual tells of. `pairs`: up to five ids. `p`: at most the chance that any description of so many words
    would stand out so much among errors that lie nowhere (Bonferroni). `said`: where the truth is one of the words, all
    wrong answers of yes or no there whatever the truth, with how often each was said ({"no": 46, "yes": 1}).
    """

    where: dict[str, str]
    effect: float
    lost: Share
    elsewhere: Share
    pairs: list[str]
    p: float
    said: dict[str, int] = {}

    @property
    def place(self) -> str:
        """Where, in words: "law wind", "family arrow, form open", "small things"."""
        return ", ".join(_PLACES.get(kind, f"{kind} {{}}").format(name) for kind, name in self.where.items())

    @property
    def words(self) -> str:
        """That it is lost there: "family arrow, form open: 30 of 30 pairs lost, elsewhere 0 of 180"."""
        lost, elsewhere = self.lost, self.elsewhere
        wrong, most = sum(self.said.values()), max(self.said, key=self.said.__getitem__, default="")
        side = f'; "{most}" in {self.said[most]} of {wrong} wrong yes/no answers' if wrong else ""
        return f"{self.place}: {lost.hits} of {lost.of} pairs lost, elsewhere {elsewhere.hits} of {elsewhere.of}{side}"


class Diagnosis(msgspec.Struct, frozen=True, kw_only=True):
    """Of one run. `unexplained`: CCS lost to errors that no fault of the list accounts for, as a fraction; `residuals`:
    where they lie, if they lie somewhere more than elsewhere.

    `notes`: what this run cannot tell (kinds of questions that are not in it, faults that look alike there).
    `signature`: what the numbers are numbers of.
    """

    run: str
    judge: str
    suite: str
    faults: list[Fault]
    unexplained: float
    residuals: list[Residual]
    measures: Measures
    notes: list[str]
    signature: Signature
    complete: bool

    def __repr__(self) -> str:
        faults = ", ".join(f"{fault.name} (costs {100 * fault.effect:.1f} points)" for fault in self.faults)
        return brief(self, f"{self.signature.name or self.judge} on {self.suite}: {faults or 'no fault found'}")


class ItemProblem(msgspec.Struct, frozen=True, kw_only=True):
    """Something about the items and not about one judge, seen across runs.

    `kind`: "all-miss" (a pair that every judge gets wrong), "agreed" (replies agree on an answer that the truth
    denies), "all-zero" or "all-right" (a subtask on which every judge scores 0 or 1). `where`: the pair's id or the
    subtask; `evidence` in words.
    """

    kind: str
    where: str
    family: str
    evidence: str


class DiagnosisDocument(msgspec.Struct, frozen=True):
    """`diagnose --json`. `items` is empty for a single run: one judge cannot accuse an item."""

    runs: list[Diagnosis]
    items: list[ItemProblem]

    def __repr__(self) -> str:
        faulty = sum(bool(run.faults) for run in self.runs)
        runs = counted(len(self.runs), "run")
        return brief(self, f"of {runs}: {faulty} with faults, {counted(len(self.items), 'item')} in doubt")
