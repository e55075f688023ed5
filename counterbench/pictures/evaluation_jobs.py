"""The jobs of which an evaluation is made: what they ask about, of whom, and in which folder they lie.

They are the drawn test (`Validation`), the ladder of counts, the test by stickers, the judging of the pictures; all are
made from the options of `evaluate`, and share its calls and money. `evaluation` says in which order they are asked.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from counterbench.asking.job import Job
from counterbench.errors import CounterbenchError, InputError
from counterbench.evidence.admission import Admission, barred, too_small
from counterbench.evidence.document import Certificate, kept_in, read_certificate
from counterbench.evidence.issue import WayOfAsking, mismatches
from counterbench.evidence.ladders import MIN_SIDE, kept_ladders
from counterbench.evidence.ladders import SUITE as LADDER
from counterbench.evidence.rungs import COUNT, LADDERS_FOLDER, most_counted
from counterbench.evidence.stickers import StickerTest
from counterbench.evidence.validation import Validation
from counterbench.files.addresses import fetched, written
from counterbench.judges.base import Judge, called
from counterbench.pictures.importing.pictures import IMPORTED, NO_PICTURE, import_pictures
from counterbench.pictures.importing.places import Material, read_material
from counterbench.pictures.judging.run import Judging
from counterbench.pictures.options import EvaluationOptions
from counterbench.pictures.preparing import Prepared, prepare
from counterbench.pictures.protocols import protocol
from counterbench.prompts.files import load_prompts
from counterbench.prompts.items import columns_given
from counterbench.prompts.manifest import MIN_TESTED_SIDE, Images, smallest_side
from counterbench.prompts.prompt_set import PromptSet
from counterbench.prompts.skills import sticker_families, whole_prompt
from counterbench.runs.folder import T2I_FILE, default_path
from counterbench.scene.scene import MAX_SIDE
from counterbench.suites.families.ladders import LADDERS
from counterbench.suites.stickers import STICKERS, with_room

TEMPLATE = "structured"  # the usual way to put questions
# The share of yes/no questions that are asked negated too ("is it false that …?"), and about the least number of them.
NEGATED_SHARE, MIN_NEGATED = 0.1, 20
POLICY = "standard"  # the rules by which the judge is certified
_IMAGES, DRAWN, _QUESTIONS = "images", "drawn", "questions.jsonl"
OnDone = Callable[[int, int], None]


@dataclass(frozen=True)
class EvaluationJobs(EvaluationOptions, Job):
    """The pictures and prompts of one call of `evaluate`, and the jobs that test a judge and ask it about them."""

    @cached_property
    def material(self) -> Material:
        """The prompts and the pictures, read from the table or folder; InputError if no picture belongs to a prompt."""
        questions = self.questions
        loaded = questions if isinstance(questions, PromptSet) or not questions else load_prompts(str(questions))
        prompts = loaded if isinstance(loaded, PromptSet) else None
        columns = columns_given(self.columns) if isinstance(self.columns, str) else self.columns
        return read_material(fetched(self.source), prompts, columns, self.allow_outside)

    @cached_property
    def path(self) -> Path:
        """The run's folder."""
        if self.out is not None:
            return written(self.out)
        return self.default_folder(called(self.opened_judge, self.name))

    def default_folder(self, judge: str) -> Path:
        """The folder in which a run by a judge of this name lies unless the user names another."""
        source = fetched(self.source)
        name = source.resolve().name if source.is_dir() else source.stem
        ending = "" if self.template == TEMPLATE else f"--{self.template}"
        ending += f"--{self.protocol}" if self.protocol else ""
        return default_path(name, judge, ending)

    @cached_property
    def prompts(self) -> PromptSet:
        """The prompts with the questions to ask about their pictures.

        These are an author's once written, else the prompts' own, else for each prompt one about the whole of it.
        """
        prompts = self.material.prompts
        if self.written_file.is_file() and self.author:
            return load_prompts(self.written_file)
        used = protocol(self.protocol or prompts.protocol)
        if used.compares:
            raise InputError(
                f"evaluate scores single pictures, and {used.name} compares them: import the pictures (t2i import) and "
                f"compare them with t2i judge IMAGES/A IMAGES/B --protocol {used.name}"
            )
        if any(prompt.checks for prompt in prompts.prompts) or used.shows_prompt:
            return prompts
        with_whole = [msgspec.structs.replace(prompt, checks=(whole_prompt(prompt),)) for prompt in prompts.prompts]
        return prompts.holding(with_whole)

    @property
    def written_file(self) -> Path:
        """The file of the questions that an author wrote."""
        return self.path / _QUESTIONS

    @property
    def needs_author(self) -> bool:
        """True if an author is named and its questions are not written yet."""
        return bool(self.author) and not self.written_file.is_file()

    def write_questions(self, on_progress: Callable[[Any], None] = lambda progress: None) -> Prepared:
        """Have the author (a language model) write the questions, once; the same call again resumes."""
        used = protocol(self.protocol or self.material.prompts.protocol)
        author = self.open_judge(self.author)
        self.path.mkdir(parents=True, exist_ok=True)
        return prepare(
            self.material.prompts, used, author, self.written_file, limits=self.limits, on_progress=on_progress
        )

    def import_pictures(self, on_progress: OnDone = lambda done, total: None) -> list[Images]:
        """The folders of the models' pictures, read and digested at the first call; kept in the run's folder."""
        material, settled = self.material, (self.path / T2I_FILE).is_file()
        return import_pictures(material.placed, material.prompts, self.path / _IMAGES, on_progress, settled)

    @property
    def job_options(self) -> dict[str, Any]:
        """The options that all its jobs have in common: the template, the budget and the options of the judge."""
        return {"template": self.template, "budget": self.spending} | self.of_judge

    @cached_property
    def validation(self) -> Validation:
        """The job of the drawn test, by which the judge is certified."""
        return Validation(
            self.judge, self.prompts, policy=POLICY, out=self.path / DRAWN, smallest=self._smallest, **self.job_options
        )

    @cached_property
    def _smallest(self) -> int | None:
        """The shorter side of the smallest picture, in pixels."""
        return smallest_side(row for images in self.import_pictures() for row in images.rows)

    def judging(self) -> Judging:
        """The job of judging the pictures, with a judge opened anew; the pictures must have been imported."""
        folders = [images.path for images in self.import_pictures()]
        return Judging(
            folders, self.judge, self.path, certificate=self.certificate, uncertified=True, prompts=self.prompts,
            protocol=self.protocol, negated=self.negated_share, stops_when_lost=True, **self.job_options,
        )  # fmt: skip

    @cached_property
    def ladder_test(self) -> Validation | None:
        """The job of the ladder of counts: drawn pictures with more and more things to count.

        It ends at the largest number that a question asks for. Its pictures are as large as the median given picture.
        None if no question asks for a number.
        """
        largest_count = most_counted(self.prompts.prompts)
        if not largest_count:
            return None
        sides = sorted(
            min(row.width, row.height) for folder in self.import_pictures() for row in folder.rows if row.width
        )
        side = min(max(sides[len(sides) // 2], MIN_SIDE), MAX_SIDE) if sides else None
        return Validation(
            self.judge, LADDER, policy=POLICY, out=self.path / LADDERS_FOLDER, size=side,
            ladders={COUNT: LADDERS[COUNT].up_to(largest_count)}, **self.job_options,
        )  # fmt: skip

    @property
    def ladders_due(self) -> Validation | None:
        """The ladder of counts, if it is needed and has no result yet."""
        return self.ladder_test if kept_ladders(self.path / LADDERS_FOLDER) is None else None

    @cached_property
    def sticker_test(self) -> StickerTest | None:
        """The job of the test by stickers (drawn things on these pictures); None if no picture has room."""
        images = self.import_pictures()
        files = [folder.file(row) for folder in images for row in folder.rows if row.status == "ok"]
        try:
            files, no_room = with_room(files, self.path / _IMAGES)
        except InputError:
            return None
        families = sticker_families(self.prompts.prompts)
        return StickerTest(
            self.judge, files, self.path / STICKERS, families=families, small=no_room, policy=POLICY, **self.job_options
        )

    @property
    def negated_share(self) -> float:
        """The share, from NEGATED_SHARE to 1, of yes/no questions that are asked negated too.

        It is above NEGATED_SHARE where that would give fewer than MIN_NEGATED of them.
        """
        yes_no = {prompt.id: sum(c.answer_type == "yes-no" for c in prompt.checks) for prompt in self.prompts.prompts}
        count = sum(yes_no.get(picture.prompt, 0) for picture in self.material.placed)
        return max(NEGATED_SHARE, min(1.0, round(MIN_NEGATED / max(count, 1), 2)))

    @property
    def certificate_file(self) -> Path | None:
        """The file of the judge's drawn test: this run's own, or the newest of an earlier run that serves."""
        own_file = kept_in(self.path / DRAWN, POLICY)
        if own_file.is_file():
            return own_file
        if (self.path / DRAWN).exists():
            return None
        earlier_files = filter(self._serves, Path("runs").glob(f"**/certificate-{POLICY}.json"))
        return max(earlier_files, key=lambda file: file.stat().st_mtime, default=None)

    @property
    def certificate(self) -> Certificate | None:
        """The certificate of the judge's drawn test; None before the test is complete."""
        return read_certificate(self.certificate_file) if self.certificate_file is not None else None

    def _serves(self, file: Path) -> bool:
        """True if an earlier certificate serves: same judge, same way to ask it, and all that the questions need."""
        try:
            earlier = read_certificate(file)
        except CounterbenchError:
            return False
        digest = self.validation.asked_by.digest
        faults = mismatches(earlier, WayOfAsking(self.opened_judge.name, digest, self.repeats))
        laws = set(self.validation.use.laws or earlier.laws)
        same_suite = earlier.suite == self.validation.use.suite and laws <= earlier.laws.keys()
        return same_suite and not faults and not barred(earlier) and not too_small(earlier, self._smallest)

    @cached_property
    def opened_judge(self) -> Judge:
        """The judge, opened to know its name and limits."""
        return self.open_judge(self.judge)

    @property
    def unread(self) -> list[str]:
        """A line for each picture that cannot be read, or is smaller than any drawn one, with the reason."""
        rows = [(model_name(images), row) for images in self.import_pictures() for row in images.rows]
        unreadable = [(model, row) for model, row in rows if row.status != "ok" and row.message != NO_PICTURE]
        small = [pair for pair in rows if (side := smallest_side([pair[1]])) is not None and side < MIN_TESTED_SIDE]
        size_text = f"smaller than the {MIN_TESTED_SIDE} pixels of the smallest drawn picture"
        return [f"{row.message} ({model}, {row.id})" for model, row in unreadable] + [
            f"{size_text}: {row.width}x{row.height} ({model}, {row.id})" for model, row in small
        ]

    @property
    def admission(self) -> Admission:
        """The judge's admission to the questions, by its drawn test."""
        return self.judging().admission


def model_name(images: Images) -> str:
    """The model that drew a folder of pictures: the user's own name, if the pictures were imported."""
    return images.info.generator.removeprefix(IMPORTED)
