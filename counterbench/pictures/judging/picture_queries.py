"""The questions to a judge about generators' pictures, wave after wave, and the true answers that are known.

`PictureQuestions`, the main class, takes folders of pictures (`Images`), their prompts and a protocol. It gives the
questions (`Ask`), which depend on earlier replies, and a `Key` for each: its true answer, if one is known, and where it
counts. `judging.run` asks them. `DrawnBy`, which comes first, has the pictures of one generator and their truth: it is
known for planted generators, which draw with our code and a known share of mistakes, and for cards, pictures whose true
answers are made up. A sample is one picture of a prompt; a check is a question about it.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from typing import Any, NamedTuple

import msgspec

from counterbench.answers import kind_of, name_of, scale_of
from counterbench.answers.outcomes import Answer
from counterbench.drawing import domain, png
from counterbench.drawing.domain import Domain
from counterbench.drawing.picture import Picture
from counterbench.drawing.styles import FLAT
from counterbench.errors import CounterbenchError, InputError
from counterbench.pictures.generators.card import KIND, CardGenerator
from counterbench.pictures.generators.planted import PlantedGenerator
from counterbench.pictures.importing.pictures import IMPORTED
from counterbench.pictures.judging.negation import negated_check, negations
from counterbench.pictures.protocols import protocol as protocol_of
from counterbench.pictures.protocols.asks import Ask, CheckReply
from counterbench.pictures.protocols.base import Protocol
from counterbench.pictures.protocols.ground_truth import TRUTH, is_whole, rating, true_answer, worths
from counterbench.pictures.protocols.replies import Following, question_key, waves
from counterbench.prompts.from_laws import outcome_of
from counterbench.prompts.manifest import ImageRow, Images, smallest_side
from counterbench.prompts.prompt_set import Check, Prompt, PromptSet, cell_of
from counterbench.runs.pair_queries import Stored
from counterbench.runs.queries import Key
from counterbench.scene.scene import Scene
from counterbench.suites.shards import Shard

_OPPOSITE = {"yes": "no", "no": "yes"}


def asked_sample_ids(rows: Iterable[ImageRow], prompts: PromptSet) -> dict[str, str]:
    """For each sample, by id, the id of the sample that is asked about in its place: the first with the same picture.

    Prompts of the same words may share a picture's file. Samples share replies only if their prompts ask the same.
    """
    first: dict[tuple[str, Prompt], str] = {}  # by file and nameless prompt
    nameless = {
        prompt.id: msgspec.structs.replace(prompt, id="", group="", variant="", depth="") for prompt in prompts.prompts
    }
    return {row.id: first.setdefault((row.path or row.id, nameless[row.prompt_id]), row.id) for row in rows}


class Sample(NamedTuple):
    """One picture that is asked about."""

    id: str  # of its row; in a run about several generators it begins with the generator's name
    row: ImageRow
    drawn_by: "DrawnBy"


class DrawnBy:
    """One generator's pictures of the prompts that a set has in the same words, with their true answers.

    `samples` are asked about. Two counts of samples are left out: `elsewhere`, of prompts that the set does not have,
    and `reworded`, of prompts that it has in other words. `worths`: as of `_worths`, kept. InputError if no picture is
    of a prompt of the set in the same words.
    """

    def __init__(self, images: Images, prompts: PromptSet, several: bool) -> None:
        """Keep the pictures of the set's prompts; `several`: the run is about several generators."""
        of_set = [row for row in images.rows if row.prompt_id in prompts.by_id]
        if not of_set:
            raise InputError(
                f"{images.path}: its pictures are of other prompts, of {images.info.prompts!r}; {prompts.name!r} has "
                "none of them; choose other --prompts, or leave it out"
            )
        rows = tuple(row for row in of_set if row.prompt_digest == prompts.by_id[row.prompt_id].digest)
        if not rows:
            raise InputError(
                f"{images.path}: its pictures of {of_set[0].prompt_id!r} and all others were drawn from other words "
                f"than {prompts.name!r} has; choose other --prompts, or draw the new words into another --out"
            )
        self.name = images.path.name
        self.images = msgspec.structs.replace(images, rows=rows)
        self.elsewhere, self.reworded = len(images.rows) - len(of_set), len(of_set) - len(rows)
        self.digest = images_digest(self.images)
        self._prompts, self._planted = prompts, _planted(images, prompts)
        self.worths = lru_cache(maxsize=4096)(self._worths)  # needed for each comparison
        asked_ids = asked_sample_ids(rows, prompts)
        asked_rows = (row for row in rows if row.status == "ok" and asked_ids[row.id] == row.id)
        self.samples = [Sample(asked_id(self.name if several else "", row.id), row, self) for row in asked_rows]

    def domain(self, rows: Iterable[ImageRow], style: str) -> Domain:
        """The domain of these pictures; a planted generator draws with our renderer, in a style of its own."""
        files = [self.images.file(row) for row in rows if row.path]
        if isinstance(self._planted, PlantedGenerator):
            return domain.of_files(domain.our_renderer(), self._planted.manner.style, files)
        return domain.of_files(self.images.info.generator, style, files)

    def answers(self, row: ImageRow, prompt: Prompt) -> dict[str, str]:
        """The true answers about a sample, by check id; empty if none is known.

        A planted generator has them only if this version still draws exactly the same picture. A card's answers are
        made up. If the protocol asks for a rating of a card, it follows from the answers to the set's own checks.
        """
        if isinstance(self._planted, CardGenerator):
            answers = dict(self._planted.answers(prompt, row.sample))
            original = self.images.prompts.by_id.get(row.prompt_id)
            share = None if original is None or self._card is None else self._card.followed(original, row.sample)
            for check in prompt.checks:
                if original is not None and kind_of(check.answer_type) == "rating" and check not in original.checks:
                    low, high = map(float, scale_of(check.answer_type) or ("0", "1"))
                    answers |= {} if share is None else {check.id: f"{round(low + (high - low) * share)}"}
            return answers
        if self._planted is None:
            return {}
        image = self._planted.picture(self._drawn_prompt(row), row.sample)
        drawn = image is not None and png.pixel_digest(image) == row.picture_digest
        return self.truths(row, prompt) if drawn else {}

    @cached_property
    def _card(self) -> CardGenerator | None:
        """The generator of these cards, built with the checks of their own set; None if they are no cards."""
        generator = _planted(self.images, self.images.prompts)
        return generator if isinstance(generator, CardGenerator) else None

    def _drawn_prompt(self, row: ImageRow) -> Prompt:
        """The prompt of a sample as it was drawn, with the checks of its own set, on which its picture depends."""
        return self.images.prompts.by_id[row.prompt_id]

    def truths(self, row: ImageRow, prompt: Prompt) -> dict[str, str]:
        """The true answers, by check id, about the scene that a planted generator drew for a sample; else empty."""
        scene = self._scene(row)
        if scene is None:
            return {}
        answers = {check.id: true_answer(check, scene) for check in prompt.checks}
        by_fault = self.worths(row) if any(map(is_whole, prompt.checks)) else {}
        rated = {check.id: rating(by_fault[TRUTH], check) for check in prompt.checks if by_fault and is_whole(check)}
        return {id: answer for id, answer in answers.items() if answer is not None} | rated

    def _scene(self, row: ImageRow) -> Scene | None:
        """The scene that a planted generator drew for a sample; None for any other picture."""
        generator = self._planted
        return generator.scene(self._drawn_prompt(row), row.sample) if isinstance(generator, PlantedGenerator) else None

    def _worths(self, row: ImageRow) -> dict[str, float]:
        """The worth, 0 … 1, of a planted generator's picture: its share of right checks, by the checks of its prompt.

        By name: TRUTH has the true worth, and each fault has the worth to a judge with this fault. It is computed from
        the scene, without the pixels. Empty for any other picture.
        """
        prompt, scene = self._drawn_prompt(row), self._scene(row)
        if scene is None:
            return {}
        truth = {check.id: answer for check in prompt.checks if (answer := true_answer(check, scene)) is not None}
        checked = (check for check in prompt.checks if check.id in truth)
        return worths(prompt, truth, {c.id: self._misreadings(row, prompt, c, truth[c.id]) for c in checked})

    def key(self, sample: Sample, prompt: Prompt, ask: Ask, answers: dict[str, str]) -> Key:
        """The key of a question about a sample; `answers`: the true answers about the sample, by check id.

        A question that negates a check (`negated_check`) has the opposite truth, and no cell or misreadings.
        """
        negated_id = negated_check(ask.id)
        checks = ask.checks or tuple(check for check in prompt.checks if check.id == negated_id)
        truth = true_reply(ask, checks, answers)
        if truth is not None and negated_id:
            truth = _OPPOSITE.get(truth, truth)
        fields: dict[str, Any] = {"law": prompt.law, "weight": sum(check.weight for check in checks)}
        if len(checks) == 1:
            fields["skill"] = checks[0].skill
        if len(checks) == 1 and not negated_id:
            fields["cell"] = cell_of(prompt, checks[0])
            if truth is not None and not checks[0].call:
                fields["misreadings"] = self._misreadings(sample.row, prompt, checks[0], truth)
        return question_key(sample.id, prompt, ask, truth, traits=self.traits, **fields)

    @property
    def traits(self) -> dict[str, str]:
        """The traits "style" and "size" of all pictures, of a planted generator that draws otherwise than usual."""
        if not isinstance(self._planted, PlantedGenerator):
            return {}
        manner = self._planted.manner
        return ({} if manner.style == FLAT else {"style": manner.style}) | ({"size": "small"} if manner.small else {})

    def _misreadings(self, row: ImageRow, prompt: Prompt, check: Check, truth: str) -> dict[str, str]:
        """By name of a fault: the answer of a judge with this fault, if it differs from the truth."""
        misreadings = {"prompt-led": check.expected}
        scene = self._scene(row)
        if scene is not None and check.program is not None:
            misreadings |= check.program.misreadings(scene)
        prior = outcome_of(self._prompts, prompt, prior=True) if prompt.law and self._prompts.seed is not None else None
        if prior is not None and (answer := true_answer(check, prior)) is not None:
            misreadings["prior-bound"] = answer
        if isinstance(self._planted, PlantedGenerator) and self._planted.kind == "vandal" and not is_whole(check):
            misreadings["text-led"] = "yes"
        if is_whole(check):
            misreadings = {fault: rating(worth, check) for fault, worth in self.worths(row).items()} | misreadings
        return {fault: answer for fault, answer in misreadings.items() if answer != truth}


def asked_id(generator: str, sample: str) -> str:
    """The id of a sample in a run; `generator`: its name in a run about several generators, else empty."""
    return f"{generator}/{sample}" if generator else sample


class PictureQuestions(Following[Sample]):
    """The questions of a protocol about every picture that can be seen, given the replies so far.

    `images`: a generator's folder, or several, whose pictures are asked about in a random order, which depends on
    nothing but their ids. `prompts`: a set's prompts with the checks that the protocol makes of them. `negated`: the
    share of yes/no checks that are also asked negated. `shard`: only that part of the pictures. InputError as of
    `DrawnBy`, if two folders have the same name, or if the set does not fit the protocol.

    The attributes `name`, `digest` and `seed` identify the run; `things` are its samples, in the order of asking.
    """

    def __init__(
        self,
        images: Images | Sequence[Images],
        prompts: PromptSet,
        protocol: Protocol | None = None,
        *,
        negated: float = 0.0,
        shard: Shard | None = None,
    ) -> None:
        """Put the samples of all folders into one order, and take the digest of what makes the run."""
        super().__init__()
        folders = [images] if isinstance(images, Images) else list(images)
        names = [folder.path.name for folder in folders]
        if repeated := next((name for name in names if names.count(name) > 1), ""):
            raise InputError(f"two folders of pictures are called {repeated!r}, as a generator's folder is; rename one")
        self.protocol = protocol or protocol_of(prompts.protocol)
        self.protocol.fits(prompts)
        self.prompts = prompts = _with_checks(self.protocol, prompts)
        self.generators = [DrawnBy(folder, prompts, len(folders) > 1) for folder in folders]
        self.negated = negated
        self.name = f"{prompts.name}--{'+'.join(names)}"
        self.seed: int | None = prompts.seed
        # Everything that makes another run: the pictures, the questions, and the way from replies to scores.
        identifying: list[object] = [self.drawn.digest, self.protocol.name, self.protocol.version, negated]
        digests = sorted((drawn.name, drawn.digest) for drawn in self.generators)
        self.digest = hashlib.blake2b(msgspec.json.encode([*digests, *identifying]), digest_size=16).hexdigest()
        all_samples = [sample for drawn in self.generators for sample in drawn.samples]
        if len(folders) > 1:
            all_samples.sort(key=lambda sample: hashlib.blake2b(sample.id.encode(), digest_size=8).digest())
        self.shard = shard
        self.things = all_samples if shard is None else shard.part_of(all_samples)

    @property
    def files(self) -> set[tuple[str, str]]:
        """The pictures of this part that have questions, by generator and file; prompts of the same words share one."""
        return {(drawn.name, row.path or row.id) for _, row, drawn in self.things if self.prompt(row).checks}

    @cached_property
    def smallest(self) -> int | None:
        """The shorter side of the smallest picture, in pixels; None if unknown."""
        return smallest_side(row for drawn in self.generators for row in drawn.images.rows)

    # Of comparisons, which a subclass asks for: True if they have no tie; the most of each sample, None for all.
    forced = False
    most: int | None = None

    def next_about(self, thing: Sample, replies: dict[str, CheckReply]) -> Sequence[Ask]:
        """The protocol's next questions about a sample."""
        return self.protocol.ask(self.prompt(thing.row), replies)

    def negations(self, thing: Sample) -> Sequence[Ask]:
        """The questions that ask some of a sample's checks negated."""
        return negations(self.prompt(thing.row), thing.id, self.negated)

    def shown(self, thing: Sample) -> tuple[Picture | None, str]:
        """The sample's picture, None if nobody has it here (imported replies), and its prompt."""
        return self._picture(thing) if thing.row.path else None, self.prompt(thing.row).text

    @property
    def min_remaining(self) -> int:
        """The number of questions that will follow from the present ones, if each of these has an answer."""
        reply = CheckReply(Answer("…"))  # to any question, only to count those that may follow
        totals = {
            prompt.id: len(waves(partial(self.protocol.ask, prompt), lambda id: reply).asks)
            for prompt in self.prompts.prompts
        }
        asked_count = sum(len(self.waves_of(sample).asks) for sample in self.things)
        return max(0, sum(totals[sample.row.prompt_id] for sample in self.things) - asked_count)

    @cached_property
    def domains(self) -> dict[str, Domain]:
        """By generator: the domain (size and style) of its pictures; all prompts of a set have one style."""
        rows: dict[str, list[ImageRow]] = {drawn.name: [] for drawn in self.generators}
        for sample in self.things:
            rows[sample.drawn_by.name].append(sample.row)
        return {drawn.name: drawn.domain(rows[drawn.name], self.prompts.prompts[0].style) for drawn in self.generators}

    @property
    def domain(self) -> Domain:
        """The domain of all pictures."""
        return domain.together(list(self.domains.values()))

    def prompt(self, row: ImageRow) -> Prompt:
        """The prompt of a sample."""
        return self.prompts.by_id[row.prompt_id]

    def _picture(self, sample: Sample) -> Picture:
        """The picture of a sample, read when it is needed."""
        return Picture.from_file(sample.drawn_by.images.file(sample.row), sample.row.picture_digest)

    def stored(self, needs_images: bool) -> Stored:
        """The pictures, with their digests in the manifest."""
        remedy = "put them back; or delete them, and the same `t2i generate` draws them anew"
        if all(drawn.images.info.generator.startswith(IMPORTED) for drawn in self.generators):
            remedy = "put them back; or have the new ones imported and judged into another --out"
        return Stored(map(self._picture, self.things), len(self.things), remedy)

    @cached_property
    def drawn(self) -> PromptSet:
        """The prompts of the set that were to be drawn, about which the run asks."""
        ids = {row.prompt_id for drawn in self.generators for row in drawn.images.rows}
        return self.prompts.holding([prompt for prompt in self.prompts.prompts if prompt.id in ids])

    def keys(self) -> Iterator[Key]:
        """The keys of all questions so far, in the questions' order; with a true answer where it is known."""
        for sample in self.things:
            prompt = self.prompt(sample.row)
            truths = sample.drawn_by.answers(sample.row, prompt)
            for ask in self.asks(sample):
                yield sample.drawn_by.key(sample, prompt, ask, truths)


def _with_checks(protocol: Protocol, prompts: PromptSet) -> PromptSet:
    """The set with the checks that a protocol makes itself.

    Prompts whose checks an author writes (`Protocol.prepare`) have them already.
    """
    changed = [
        prompt
        if protocol.prepare(prompt, {})
        else msgspec.structs.replace(prompt, checks=tuple(protocol.checks(prompt, {})))
        for prompt in prompts.prompts
    ]
    return prompts.holding(changed)


def images_digest(images: Images) -> str:
    """A hex digest of every sample's status and pixels; questions about them do not count."""
    pictures = sorted((row.id, row.status, row.picture_digest) for row in images.rows)
    return hashlib.blake2b(msgspec.json.encode(pictures), digest_size=16).hexdigest()


def true_reply(ask: Ask, checks: Sequence[Check], answers: Mapping[str, str]) -> str | None:
    """The true reply to a question about these checks; None if the true answer to one is not known."""
    if not checks or any(check.id not in answers for check in checks):
        return None
    if len(checks) == 1 and not checks[0].call:
        return answers[checks[0].id]
    grades = {name_of(check.id): json.loads(answers[check.id]) for check in checks}
    return json.dumps(grades, sort_keys=True, separators=(",", ":"))


def _planted(images: Images, prompts: PromptSet) -> CardGenerator | PlantedGenerator | None:
    """The planted generator that drew a folder's pictures, built anew; None if none did, or this version lacks it."""
    kind, _, spec = images.info.generator.partition(":")
    if kind != "planted":
        return None
    try:
        if spec.partition("?")[0] == KIND:
            return CardGenerator(spec, prompts, whole=False)
        return PlantedGenerator(spec, images.prompts)
    except CounterbenchError:
        return None
