"""A picture in which a thing has changed that no variant changes: it turned, went dark, moved, grew …

A judge that is asked if *everything* obeys must look at the unaffected things, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from counterbench.errors import AmbiguousError, InputError
from counterbench.laws.base import SIDE
from counterbench.laws.flaws import free_colours
from counterbench.laws.layout import overlaps
from counterbench.palette import SHAPES
from counterbench.scene.figures import FACINGS, MIN_HALF, MOST_QUARTERS
from counterbench.scene.nouns import NOUNS
from counterbench.scene.programs.named import Named, find, matching
from counterbench.scene.programs.observations import ColourSeen, Number, Observation
from counterbench.scene.scene import Scene
from counterbench.scene.seeds import Stream

_PLACES = 150


def strayed(
    scene: Scene, bystanders: Sequence[Observation], others: Sequence[Observation], stream: Stream
) -> Scene | None:
    """`scene` with another value of one of `bystanders`, and `others` as they were; None if there is none."""
    for of in stream.shuffled(bystanders):
        kept = [other for other in (*others, *bystanders) if other != of]
        before, stays = of.value(scene), [other.value(scene) for other in kept]
        for changed in _changes(scene, of, stream):
            try:
                if of.value(changed) != before and [other.value(changed) for other in kept] == stays:
                    return changed
            except AmbiguousError:
                continue
    return None


def _changes(scene: Scene, of: Observation, stream: Stream) -> Iterator[Scene]:
    """Pictures in which the observed thing has changed, visibly or not."""
    if isinstance(of, Number):
        one = matching(scene, of.things)[0]
        yield scene.with_elements(*(e for e in scene.elements if e is not one))
        return
    named: Named = getattr(of, of.__struct_fields__[0])
    thing = find(scene, named)
    noun = NOUNS[thing.noun]
    changes: list[dict[str, object]] = []
    if isinstance(of, ColourSeen):  # a colour that no other thing has
        changes += [{"colour": colour} for colour in stream.shuffled(free_colours(scene.figures, ()))]
    changes += [{"facing": direction} for direction in stream.shuffled(FACINGS) if noun.faces]
    changes += [{"lit": not thing.lit}] if noun.lights else []
    changes += [{"quarters": q} for q in stream.shuffled(range(MOST_QUARTERS + 1)) if noun.fills]
    changes += [{"form": form} for form in stream.shuffled(SHAPES) if noun.forms]
    for _ in range(_PLACES):
        changes.append({"x": stream.integer(20, SIDE - 21), "y": stream.integer(20, SIDE - 21)})
    for times, by in ((7, 5), (5, 7), (2, 1), (1, 2), (3, 1), (4, 1)):
        half_width, half_height = (
            thing.half_width * times // by,
            thing.half_height * times // by,
        )
        if min(half_width, half_height) >= MIN_HALF:
            changes.append({"half_width": half_width, "half_height": half_height})
            changes.append({"half_height": half_height})
            changes.append({"half_height": half_height, "y": thing.box.bottom - half_height})  # on its foot
    for fields in changes:
        changed = msgspec.structs.replace(thing, **fields)
        try:
            other = scene.replaced(changed)
        except InputError:  # off the picture
            continue
        if changed != thing and not any(overlaps(other)):
            yield other
