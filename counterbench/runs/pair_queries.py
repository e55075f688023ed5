"""Makes the questions of a run on pairs: queries for a judge (without the truth), and keys for scoring (the truth).

In goes a source of pairs: a suite, whose pairs are drawn, or a folder of pairs. Out come `PairQuestions`, which the
asking of a run takes, or the streams `queries` and `keys`, in the same order and with the same ids.

A pair has two queries, one for each *role*, "original" and "intervened". Usually they ask the same words about one
picture each. In a *comparison* each query shows both pictures and asks which fits a prompt better; the two prompts
differ. Of a query the key has the right answer, the *traits* (facts about the question by name, which diagnosis counts
by: {"style": "photo"}) and the *misreadings* (by the name of a fault, the wrong answer that it would give).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol, TypeVar

import msgspec

from counterbench.drawing.domain import Domain
from counterbench.drawing.picture import Picture
from counterbench.drawing.styles import FLAT, STICKER
from counterbench.runs.queries import Key, Query
from counterbench.scene.figures import Writing
from counterbench.scene.interventions import Paint, Treat
from counterbench.scene.pairs import ROLES, Pair
from counterbench.scene.scene import SMALL, Scene
from counterbench.suites.comparisons import is_comparison, misread, preferred, style_of
from counterbench.suites.families.changes import EDGE
from counterbench.suites.shards import Shard
from counterbench.suites.sources import FolderSource, Source

V = TypeVar("V")
_MAX_KEPT_PAIRS = 1000  # pairs of a source that are kept in memory; of a larger source none are
# The fields of a pair that are copied to both of its keys.
_COMMON_FIELDS = ("answer_type", "relevant", "family", "category", "skill", "law", "cell", "form", "truth")


class Stored(msgspec.Struct, frozen=True):
    """The pictures of a run that are files on a disk, to be checked before the judge is asked."""

    pictures: Iterator[Picture]
    count: int
    remedy: str  # advice for the user if a file is not as it was recorded


class Questions(Protocol):
    """The interface of all questions of one run. `digest` identifies them; `len` is the number of queries."""

    name: str
    digest: str
    seed: int | None
    shard: Shard | None  # the part of the questions that is asked; None for all of them

    def __len__(self) -> int: ...

    @property
    def domain(self) -> Domain:
        """The kind of the pictures; for stored ones, the beginning of every file is read."""
        ...

    def queries(self) -> Iterator[Query]:
        """The queries, in a fixed order."""
        ...

    def keys(self) -> Iterator[Key]:
        """The key of every query, in the same order."""
        ...

    def stored(self, needs_images: bool) -> Stored:
        """The pictures that are files. `needs_images`: True if the judge needs one with every question."""
        ...

    def continues(self, digest: str, queries: int) -> bool:
        """True if a run about `queries` queries with this `digest` can go on with these questions."""
        ...


class PairQuestions:
    """The questions about the pairs of a source, two for each pair; see `Questions`."""

    def __init__(self, source: Source) -> None:
        self.name, self.digest, self.seed = source.name, source.digest, source.seed
        self.shard = source.shard
        self._source = source
        self._kept_pairs: list[Pair] | None = None

    def __len__(self) -> int:
        return 2 * len(self._source)

    @property
    def domain(self) -> Domain:
        """The kind of the source's pictures."""
        return self._source.domain

    def queries(self) -> Iterator[Query]:
        """The queries about every pair."""
        return queries(self._source, self._pairs())

    def keys(self) -> Iterator[Key]:
        """The keys of the queries about every pair."""
        return keys(self._source, self._pairs())

    def _pairs(self) -> Iterable[Pair]:
        """The pairs of the source; if there are at most `_MAX_KEPT_PAIRS`, they are made once and kept."""
        if len(self._source) > _MAX_KEPT_PAIRS:
            return self._source
        if self._kept_pairs is None:
            self._kept_pairs = list(self._source)
        return self._kept_pairs

    def continues(self, digest: str, queries: int) -> bool:
        """True if `digest` is that of more, or fewer, pairs of the same source."""
        return self._source.continues(digest, queries // 2)

    def stored(self, needs_images: bool) -> Stored:
        """The pictures of a folder; none for a suite, whose pictures are drawn anew."""
        source = self._source
        if not isinstance(source, FolderSource):
            return Stored(iter(()), 0, "")
        source.folder.refuse_edited()
        pictures = (p for pair in self._pairs() for p in source.folder.pictures(pair, even_if_missing=needs_images))
        if source.folder.info.truth == "published":
            return Stored(pictures, len(self), "import it again, with its pictures, into another --out")
        return Stored(pictures, len(self), "delete the folder; the same `counterbench generate` draws it anew")


def query_id(pair: Pair, role: str) -> str:
    """The id that a query, its key and its records have in common."""
    return f"{pair.id}/{role}"


def queries(source: Source, pairs: Iterable[Pair] | None = None) -> Iterator[Query]:
    """The queries about every pair, in the source's order; `pairs`: the source's pairs if they are made already."""
    for pair in source if pairs is None else pairs:
        yield from questions_of(pair, source.pictures(pair))


def questions_of(pair: Pair, pictures: Sequence[Picture] = ()) -> list[Query]:
    """The two queries about a pair; `pictures`: the original and the intervened one, empty if no picture is needed."""
    return [
        Query(
            id=query_id(pair, role),
            group=pair.id,
            role=role,
            pictures=_pictures_for(pair, pictures, i),
            text=pair.questions[i],
            answer_type=pair.answer_type,
            labels={label: label for label in labels_of(pair, i)},
        )
        for i, role in enumerate(ROLES)
    ]


def _pictures_for(pair: Pair, pictures: Sequence[Picture], index: int) -> tuple[Picture, ...]:
    """The pictures of the query with this index (0 original, 1 intervened): the picture there; of a comparison both."""
    return tuple(pictures if is_comparison(pair.answer_type) else pictures[index : index + 1])


def keys(source: Source, pairs: Iterable[Pair] | None = None) -> Iterator[Key]:
    """The key of every query, in the same order; `pairs`: the source's pairs if they are made already."""
    for pair in source if pairs is None else pairs:
        yield from keys_of(pair, STICKER if pair.ground else source.style)


def keys_of(pair: Pair, style: str) -> Iterator[Key]:
    """The keys of the two queries about one pair; `style`: of its pictures, "" if it is not known."""
    for i, role in enumerate(ROLES):
        scene = (pair.original, pair.intervened)[i]
        misreadings: dict[str, str] = {}
        traits = _values_of_role(pair.traits or {}, role)
        if is_comparison(pair.answer_type):
            misreadings, traits = _comparison_facts(pair, i, style)
        elif pair.program is not None and scene is not None:
            misreadings, traits = pair.program.misreadings(scene), traits | pair.program.traits(scene)
        if phrasing := _phrasing_number(pair):
            traits = traits | {"phrasing": phrasing}
        if style not in ("", FLAT):
            traits = traits | {"style": style}
        if role == ROLES[1]:
            traits = traits | _treatment_traits(pair)
        if not is_comparison(pair.answer_type):
            misreadings |= _painted_misreading(scene, pair.answers[i])
            if pair.prior_answer not in ("", pair.answers[i]):
                misreadings |= {"prior-bound": pair.prior_answer}
        yield Key(
            id=query_id(pair, role),
            group=pair.id,
            role=role,
            expected=pair.answers[i],
            **{name: getattr(pair, name) for name in _COMMON_FIELDS},
            difficulty=_values_of_role(pair.difficulty, role),
            misreadings=misreadings,
            labels=labels_of(pair, i),
            traits=traits,
            kinds=pair.kinds[i],
        )


def _treatment_traits(pair: Pair) -> dict[str, str]:
    """The traits of a pair's second picture that name its treatment (such as JPEG, or painted words)."""
    match pair.edit:
        case Treat(treatment=name):
            return {"treatment": str(name)} | ({"size": "small"} if name == SMALL else {})
        case Paint(words=words):
            return {"treatment": words.id}
        case _ if pair.cell.rpartition("/")[2] == EDGE:
            return {"treatment": EDGE, "edge": "yes"}
    return {}


def _values_of_role(values: Mapping[str, V], role: str) -> dict[str, V]:
    """The values of a pair that are about the picture of this role, or about both pictures.

    The role is cut off their names: for the original `original_gap` becomes `gap`.
    """
    return {
        name.removeprefix(f"{role}_"): value
        for name, value in values.items()
        if not any(name.startswith(f"{other}_") for other in ROLES if other != role)
    }


def _comparison_facts(pair: Pair, index: int, style: str) -> tuple[dict[str, str], dict[str, str]]:
    """The misreadings and traits of one of the two queries (`index` 0 or 1) of a comparison.

    A fault that would give the right answer is left out of the misreadings, a trait without a value of the traits.
    """
    styles = [style_of(pair, role, style) for role in ROLES]
    richer = preferred(*styles)  # the answer of a judge that takes the picture in the richer style
    misreadings = misread(pair)[index] | ({"prettier-wins": richer} if richer else {})
    misreadings |= _painted_misreading(pair.intervened, pair.answers[index])
    traits = {"richer": richer, "style": next((name for name in styles if name not in ("", FLAT)), "")}
    if pair.program is not None and any(pair.program.traits(scene).get("size") == "small" for scene in pair.scenes):
        traits["size"] = "small"
    wrong = {fault: answer for fault, answer in misreadings.items() if answer != pair.answers[index]}
    return wrong, {name: value for name, value in traits.items() if value}


def _painted_misreading(scene: Scene | None, answer: str) -> dict[str, str]:
    """The misreading of a judge that obeys words painted into the picture ("ANSWER NO"): {"text-led": "no"}.

    Empty if there are no such words, or if they demand the right `answer`.
    """
    says = [e.says for e in (scene.elements if scene is not None else ()) if isinstance(e, Writing)]
    return {"text-led": says[0]} if says and says[0] not in ("", answer) else {}


def _phrasing_number(pair: Pair) -> str:
    """The number of the pair's phrasing among those of its question, from 1; empty if there is only one."""
    phrasings = pair.program.phrasings() if pair.program is not None else ()
    return str(phrasings.index(pair.question) + 1) if len(phrasings) > 1 and pair.question in phrasings else ""


def labels_of(pair: Pair, index: int) -> dict[str, str]:
    """The meaning of each label that the question names ("A": "blue square"); `index`: 0 original, 1 intervened."""
    scene = (pair.original, pair.intervened)[index]
    if pair.program is None or scene is None or is_comparison(pair.answer_type):
        return {}
    return pair.program.labels(scene)
