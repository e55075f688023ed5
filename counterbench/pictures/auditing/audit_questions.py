"""The questions of an audit's runs, about drawn pictures and about a model's.

An audit asks a judge further questions about pictures (`Extra`, made by relations), often about an edited picture.
`AuditItem` is one of them with its picture; `AuditQuestions` has those of a run, in the form that `Asking` takes.
`picture_questions` makes them for the groups (audited questions) of a model; `drawn.drawn_questions` for drawn scenes.
"""

import hashlib
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from counterbench.drawing.domain import Domain
from counterbench.drawing.picture import Picture
from counterbench.pictures.auditing.edits import edited
from counterbench.pictures.auditing.groups import AuditGroup
from counterbench.pictures.auditing.relations import RELATIONS, Extra
from counterbench.runs.pair_queries import Stored
from counterbench.runs.queries import Key, Query
from counterbench.suites.shards import Shard

# Advice for an error message where pictures have changed.
REMEDY = "put them back; or have the new ones judged into another --out, and audit that"


class AuditItem(NamedTuple):
    """A question of an audit about a picture, and its true answer if anybody knows it."""

    group: str  # the id of the audited picture, or of the drawn one
    question: Extra
    picture: Picture
    truth: str = ""  # "yes" or "no"; empty where nobody knows
    skill: str = ""

    @property
    def id(self) -> str:
        """The question's id in the run."""
        return f"{self.group}/{self.question.name}"


class AuditQuestions:
    """The questions of one of an audit's runs, in the form that `Asking` takes.

    `files`: the model's own pictures that the questions are about, whose digests are checked. The digest of the run is
    of `identifying` alone. So a larger audit is the same run: it asks only the questions that are new.
    """

    shard: Shard | None = None

    def __init__(
        self, name: str, items: Sequence[AuditItem], domain: Domain, identifying: str, files: Sequence[Picture]
    ) -> None:
        self.name, self.items, self.domain = name, items, domain
        self.seed: int | None = None
        self.digest = hashlib.blake2b(identifying.encode(), digest_size=16).hexdigest()
        self._files = files

    def __len__(self) -> int:
        return len(self.items)

    def queries(self) -> Iterator[Query]:
        """The queries, in their order."""
        for item in self.items:
            yield Query(
                id=item.id,
                group=item.group,
                role=item.question.name,
                pictures=(item.picture,),
                text=item.question.text,
                answer_type="yes-no",
            )

    def keys(self) -> Iterator[Key]:
        """The keys, with the truth where it is known."""
        for item in self.items:
            yield Key(
                id=item.id,
                group=item.group,
                role=item.question.name,
                expected=item.truth,
                answer_type="yes-no",
                relevant=False,
                family="audit",
                category=item.question.name.partition(".")[0],
                skill=item.skill,
                form="yes-no",
                truth="computed" if item.truth else "unknown",
            )

    def stored(self, needs_images: bool) -> Stored:
        """The model's pictures, with their digests."""
        return Stored(iter(self._files), len(self._files), REMEDY)

    def continues(self, digest: str, queries: int) -> bool:
        """Return False: questions with another digest never continue a run."""
        return False


def picture_questions(
    name: str,
    groups: Sequence[AuditGroup],
    relations: Sequence[str],
    domain: Domain,
    identifying: str,
    known_ids: Collection[str],
) -> AuditQuestions:
    """The questions about a model's pictures: for each group those of all `relations`, and one to measure noise.

    The last one repeats a question about a picture with a change that changes no truth (`AuditGroup.unchanged`).
    `known_ids`: of the questions that the run has already. A group may have a partner, a second picture for relations
    of two. If this larger audit audits a former partner itself (`AuditGroup.former_partner`), the group has none now,
    but its known questions about the former partner stay in the run.
    """
    items, files = list[AuditItem](), list[Picture]()
    for group in groups:
        group_items, pictures = _group_questions(group, relations)
        if group.former_partner is not None:
            all_items, pictures = _group_questions(group._replace(partner=group.former_partner), [*RELATIONS])
            kept_ids = {item.id for item in group_items} | {item.id for item in all_items if item.id in known_ids}
            group_items = [item for item in all_items if item.id in kept_ids]
        items += group_items
        files += pictures
    return AuditQuestions(name, items, domain, identifying, files)


def _group_questions(group: AuditGroup, relations: Sequence[str]) -> tuple[list[AuditItem], list[Picture]]:
    """The questions of one group, and the stored pictures that these are about: its own, and its partner's."""
    pictures = [picture for picture in (group.picture, group.partner) if picture is not None]
    files = [Picture.from_file(picture.file, picture.row.picture_digest) for picture in pictures]
    extras = [*group.extras(relations).values(), group.unchanged()]
    return [AuditItem(group.picture.id, extra, edited(extra.edit, *files), "", group.skill) for extra in extras], files
