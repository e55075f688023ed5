"""The questions to a judge about a generator's pictures, through the same run as pairs: wave after wave."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, partial

import msgspec

from counterbench.answers.outcomes import Answer
from counterbench.drawing import domain
from counterbench.drawing.domain import Domain
from counterbench.drawing.picture import Picture
from counterbench.errors import InputError
from counterbench.runs.pair_queries import Stored
from counterbench.runs.queries import Key
from counterbench.suites.shards import Shard
from counterbench.t2i.images.manifest import ImageRow, Images
from counterbench.t2i.judging.negation import negations
from counterbench.t2i.judging.truth import Truth
from counterbench.t2i.prompts.prompt_set import Prompt, PromptSet
from counterbench.t2i.protocols import protocol as protocol_of
from counterbench.t2i.protocols.asks import Ask, Said
from counterbench.t2i.protocols.base import Protocol
from counterbench.t2i.protocols.replies import Following, waves


def asked_once(rows: Iterable[ImageRow], prompts: PromptSet) -> dict[str, str]:
    """The sample whose replies count for each sample, by its id: the first one that shows the same file.

    Prompts of the same words have the same pictures. A prompt with other questions is asked for itself.
    """
    first: dict[tuple[str, Prompt], str] = {}
    return {
        row.id: first.setdefault((row.path or row.id, _bare(prompts.by_id[_prompt_id(row)])), row.id) for row in rows
    }


def _bare(prompt: Prompt) -> Prompt:
    """A prompt without the fields that only name its group."""
    return msgspec.structs.replace(prompt, id="", group="", variant="", depth="")


class PictureQuestions(Following[ImageRow]):
    """The questions of a protocol about every picture of a generator that can be seen, given the replies so far.

    `prompts`: a set's prompts with the checks that the protocol makes of them. `images`: the samples of prompts that
    the set has in the same words; `elsewhere`: the number of samples of prompts that it does not have, `reworded`: of
    prompts that it has in other words. `name`, `digest` and `seed` sign the run. `negated`: the share of yes/no checks
    that are also asked in a frame that denies them. `shard`: only that part of the pictures. InputError if no picture
    is of a prompt of the set in the same words, or the set does not fit the protocol.
    """

    def __init__(
        self,
        images: Images,
        prompts: PromptSet,
        protocol: Protocol | None = None,
        *,
        negated: float = 0.0,
        shard: Shard | None = None,
    ) -> None:
        super().__init__()
        known = [row for row in images.rows if _prompt_id(row) in prompts.by_id]
        if not known:
            raise InputError(
                f"{images.path}: its pictures are of other prompts, of {images.info.prompts!r}; {prompts.name!r} has "
                "none of them; choose other --prompts, or leave it out"
            )
        rows = tuple(row for row in known if row.prompt_digest == prompts.by_id[_prompt_id(row)].digest)
        if not rows:
            raise InputError(
                f"{images.path}: its pictures of {_prompt_id(known[0])!r} and all others were drawn from other words "
                f"than {prompts.name!r} has; choose other --prompts, or draw the new words into another --out"
            )
        self.protocol = protocol or protocol_of(prompts.protocol)
        self.protocol.fits(prompts)
        prompts = _with_checks(self.protocol, prompts)
        self.images, self.prompts = msgspec.structs.replace(images, rows=rows), prompts
        self.elsewhere, self.reworded = len(images.rows) - len(known), len(known) - len(rows)
        self.negated = negated
        self.name = f"{prompts.name}--{images.path.name}"
        self.seed: int | None = prompts.seed
        self.drawn_digest = images_digest(self.images)
        # Everything that makes another run: the pictures, the questions, and the way from replies to scores.
        asked: list[object] = [self.drawn.digest, self.protocol.name, self.protocol.version, negated]
        self.digest = hashlib.blake2b(msgspec.json.encode([self.drawn_digest, *asked]), digest_size=16).hexdigest()
        once = asked_once(rows, prompts)
        shown = [row for row in rows if row.status == "ok" and once[row.id] == row.id]
        self.shard = shard
        self.things = shown if shard is None else shard.of(shown)
        self._truth = Truth(images, prompts)

    @property
    def files(self) -> set[str]:
        """The pictures of this part that have questions; prompts of the same words share theirs."""
        return {row.path or row.id for row in self.things if self.prompt(row).checks}

    def next_about(self, thing: ImageRow, said: dict[str, Said]) -> Sequence[Ask]:
        """The protocol's."""
        return self.protocol.ask(self.prompt(thing), said)

    def beside(self, thing: ImageRow) -> Sequence[Ask]:
        """The checks that are asked denied too."""
        return negations(self.prompt(thing), thing.id, self.negated)

    def shown(self, thing: ImageRow) -> tuple[Picture, str]:
        """The sample's picture and prompt."""
        return self._picture(thing), self.prompt(thing).text

    @property
    def min_remaining(self) -> int:
        """The number of questions that will follow from the present ones, if each of these has an answer."""
        whole = {
            prompt.id: len(waves(partial(self.protocol.ask, prompt), _answered).asks) for prompt in self.prompts.prompts
        }
        led = sum(len(self.waves_of(row).asks) for row in self.things)
        return max(0, sum(whole[_prompt_id(row)] for row in self.things) - led)

    @cached_property
    def domain(self) -> Domain:
        """The domain of the pictures; a planted generator draws with our renderer, and always flat."""
        files = map(self.images.file, self.things)
        if self._truth.drawn_by_us:
            return domain.of_files(domain.our_renderer(), "flat", files)
        return domain.of_files(self.images.info.generator, self.prompts.prompts[0].style, files)

    def prompt(self, row: ImageRow) -> Prompt:
        """The prompt of a sample."""
        return self.prompts.by_id[_prompt_id(row)]

    def _picture(self, row: ImageRow) -> Picture:
        return Picture.from_file(self.images.file(row), row.picture_digest)

    def stored(self, needs_images: bool) -> Stored:
        """The pictures, with their digests in the manifest."""
        remedy = "delete them, and the same `t2i generate` again draws them anew"
        return Stored(map(self._picture, self.things), len(self.things), remedy)

    @cached_property
    def drawn(self) -> PromptSet:
        """The prompts of the set that were to be drawn, about which the run asks."""
        ids = set(map(_prompt_id, self.images.rows))
        return self.prompts.of([prompt for prompt in self.prompts.prompts if prompt.id in ids])

    def keys(self) -> Iterator[Key]:
        """The keys of all questions so far, in the same order; with the truth for pictures of planted generators."""
        for row in self.things:
            prompt = self.prompt(row)
            known = self._truth.answers(row, prompt)
            for ask in self.asks(row):
                yield self._truth.key(row, prompt, ask, known)


def _with_checks(protocol: Protocol, prompts: PromptSet) -> PromptSet:
    """The set with the checks that a protocol makes by itself; it has an author's checks already."""
    changed = [
        prompt
        if protocol.prepare(prompt, {})
        else msgspec.structs.replace(prompt, checks=tuple(protocol.checks(prompt, {})))
        for prompt in prompts.prompts
    ]
    return prompts.of(changed)


def _answered(id: str) -> Said:
    """A reply to any question, used only to count the questions that may follow."""
    return Said(Answer("…"))


def _prompt_id(row: ImageRow) -> str:
    return f"{row.group}/{row.level}"


def images_digest(images: Images) -> str:
    """A hex digest of every sample's status and pixels, without any question about it."""
    seen = sorted((row.id, row.status, row.picture_digest) for row in images.rows)
    return hashlib.blake2b(msgspec.json.encode(seen), digest_size=16).hexdigest()
