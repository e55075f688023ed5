"""The questions of the protocol `pairwise`: two models' pictures of a prompt, in both orders.

A match is two models' pictures of one sample (a prompt and a number). `PairwiseQuestions` makes two questions of each
match ("ahead" and "back"), to which a judge says first, second or equal, and a key with the true answer where it is
known. `scores.ratings` rates the models from the answers. A picture's worth is the share of its checks that are right.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Self

import msgspec

from counterbench.answers.choices import EQUAL, FIRST, FORCED, PREFERENCE, SECOND
from counterbench.drawing.picture import Picture
from counterbench.drawing.styles import FLAT
from counterbench.errors import InputError
from counterbench.pictures.judging.picture_queries import PictureQuestions, Sample
from counterbench.pictures.protocols.ground_truth import TRUTH
from counterbench.pictures.protocols.pairwise import Pairwise
from counterbench.pictures.protocols.replies import Replied
from counterbench.pictures.scores.ratings import Match, matches
from counterbench.prompts.manifest import ImageRow, Images
from counterbench.prompts.prompt_set import Prompt, PromptSet
from counterbench.runs.queries import Key, Query
from counterbench.scene.seeds import Stream
from counterbench.suites.comparisons import SWAPPED, comparison_question, preferred
from counterbench.suites.shards import Shard

AHEAD, BACK = "ahead", "back"  # the two orders of a match


def matches_of(rows: Mapping[str, Sequence[ImageRow]], most: int | None) -> list[Match]:
    """The comparisons between models of their pictures of the same sample.

    `rows`: each model's manifest rows. `most`: the number of comparisons of each sample; None for all pairs of models.
    A refused or blank picture is compared too (without a question); a missing one is not.
    """
    models: dict[str, list[str]] = {}
    for model, model_rows in rows.items():
        for row in model_rows:
            if row.status in ("ok", "refused", "blank"):
                models.setdefault(row.id, []).append(model)
    return matches(list(rows), sorted(models.items()), most)


class PairwiseQuestions(PictureQuestions):
    """The questions about two models' pictures of a sample.

    `matches`: the number of comparisons of each sample (default: all pairs of models). `forced`: equal is no answer.
    InputError for fewer than two models, and as of `PictureQuestions`.
    """

    def __init__(
        self,
        images: Sequence[Images],
        prompts: PromptSet,
        *,
        forced: bool = False,
        matches: int | None = None,
        shard: Shard | None = None,
    ) -> None:
        """Find the sample of every model and prompt; prompts of the same words share pictures."""
        if len(images) < 2:
            raise InputError("pairwise compares models: name the folders of two or more (t2i judge IMAGES/A IMAGES/B)")
        super().__init__(images, prompts, Pairwise())
        self.forced, self.most, self.shard = forced, matches, shard
        identifying = msgspec.json.encode([self.digest, forced, matches])
        self.digest = hashlib.blake2b(identifying, digest_size=16).hexdigest()
        self._samples = {(sample.drawn_by.name, sample.row.id): sample for sample in self.things}
        for drawn in self.generators:  # prompts of the same words share pictures
            for row in drawn.images.rows:
                if row.status == "ok":
                    self._samples.setdefault((drawn.name, row.id), Sample(row.id, row, drawn))

    @cached_property
    def asked_matches(self) -> list[Match]:
        """The comparisons that a judge is asked for, in random order."""
        all_matches = matches_of({drawn.name: drawn.images.rows for drawn in self.generators}, self.most)
        with_pictures = [m for m in all_matches if all((name, m.sample) in self._samples for name in m[1:])]
        with_pictures.sort(key=lambda match: hashlib.blake2b(match.id.encode(), digest_size=8).digest())
        return with_pictures if self.shard is None else list(self.shard.part_of(with_pictures))

    def __len__(self) -> int:
        return 2 * len(self.asked_matches)

    def follow(self, run: Path, replied: Replied | None = None) -> None:
        """See `Following`: no question follows from a reply."""

    def next_batch(self) -> Self | None:
        """None: no question follows from a reply."""
        return None

    @property
    def answer_type(self) -> str:
        """The answer type of every question, with or without a tie."""
        return FORCED if self.forced else PREFERENCE

    def queries(self) -> Iterator[Query]:
        """Two questions for each comparison: in the order of the match, and turned."""
        for match, samples, prompt in self._matched():
            in_order = tuple(Picture.from_file(s.drawn_by.images.file(s.row), s.row.picture_digest) for s in samples)
            for role, pictures in ((AHEAD, in_order), (BACK, in_order[::-1])):
                yield Query(
                    id=f"{match.id}/{role}", group=match.id, role=role, pictures=pictures,
                    text=comparison_question(prompt.text, self.forced), answer_type=self.answer_type,
                )  # fmt: skip

    def keys(self) -> Iterator[Key]:
        """The keys of the questions; with the truth for pictures of planted generators, by their `worths`."""
        for match, samples, prompt in self._matched():
            worths = [sample.drawn_by.worths(sample.row) for sample in samples]
            truth = self._better(match, *(by_fault.get(TRUTH) for by_fault in worths))
            wrong = {} if truth is None else self._misread(match, samples, worths)
            for role in (AHEAD, BACK):
                expected = "" if truth is None else truth if role == AHEAD else SWAPPED[truth]
                misread = {fault: answer if role == AHEAD else SWAPPED[answer] for fault, answer in wrong.items()}
                yield Key(
                    id=f"{match.id}/{role}", group=match.id, role=role, expected=expected,
                    answer_type=self.answer_type, relevant=truth != EQUAL, family=prompt.law or prompt.group,
                    category=prompt.level, skill=Pairwise.name, form="open",
                    truth="unknown" if truth is None else "computed",
                    misreadings={fault: answer for fault, answer in misread.items() if answer != expected},
                    traits={name: value for sample in samples for name, value in sample.drawn_by.traits.items()},
                )  # fmt: skip

    def _matched(self) -> Iterator[tuple[Match, tuple[Sample, Sample], Prompt]]:
        """Each asked match with its two samples, in the order of the match, and their prompt."""
        for match in self.asked_matches:
            sample, other = (self._samples[name, match.sample] for name in (match.first, match.second))
            yield match, (sample, other), self.prompt(sample.row)

    def _better(self, match: Match, first: float | None, second: float | None) -> str | None:
        """The answer by two pictures' worths: first, second, or equal (by chance if forced); None without a worth."""
        if first is None or second is None:
            return None
        if first != second:
            return FIRST if first > second else SECOND
        return Stream("forced", match.id).choice((FIRST, SECOND)) if self.forced else EQUAL

    def _misread(self, match: Match, samples: Sequence[Sample], worth: Sequence[Mapping[str, float]]) -> dict[str, str]:
        """The answer of a judge with each known fault, by fault: it compares the two pictures as it misreads them."""
        faults = {fault for by_fault in worth for fault in by_fault if fault != TRUTH}
        answers = {}
        for fault in faults:
            answers[fault] = self._better(match, *(by_fault.get(fault, by_fault[TRUTH]) for by_fault in worth)) or ""
        if richer := preferred(*(sample.drawn_by.traits.get("style", FLAT) for sample in samples)):
            answers["prettier-wins"] = richer
        return answers
