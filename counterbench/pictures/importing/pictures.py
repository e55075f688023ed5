"""Writes folders of a model's pictures from pictures that were found: read once, digested, and named where they lie.

`import_pictures` takes the pictures that `places` found (each with its model, prompt and sample number) and their
prompts, and gives a folder (`Images`, see `prompts.manifest`) for each model, which judging takes.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import msgspec

from counterbench.drawing.reading import MAX_BYTES
from counterbench.errors import InputError
from counterbench.files import foreign, formats
from counterbench.files.addresses import fetched, refuse_address
from counterbench.pictures.generators.downloads import download
from counterbench.pictures.importing.places import FoundPicture
from counterbench.prompts.files import read_prompt_set, write_prompt_set
from counterbench.prompts.manifest import (
    IMAGES_FILE,
    MANIFEST_FILE,
    PROMPTS_FILE,
    ImageRow,
    Images,
    ImagesInfo,
    elsewhere,
    folder_names,
    kept_fields,
    missing_row,
    read_manifest,
    sample_id,
)
from counterbench.prompts.prompt_set import PromptSet
from counterbench.text import listed

# Before a model's name in `images.json`: no generator of ours.
IMPORTED = "imported:"
NO_PICTURE = "no picture of this sample"


def import_pictures(
    pictures: Sequence[FoundPicture],
    prompts: PromptSet,
    out: Path,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
    settled: bool = False,
) -> list[Images]:
    """Write a folder `out/<model>` for each model and return all of them, in the order of the models.

    Pictures are read once, in threads, and stay where they are; only those that come as bytes or from an address are
    written. A folder that names the same places already is returned as it is. Samples keep the numbers that they came
    with, which need not begin at 0. Of each prompt every model gets a row for every sample that any model has; one
    without a picture is "missing". `settled`: a run has asked about the pictures in `out`, so there must be no others.
    InputError if a folder holds other pictures, and if there is none to import; that folder stays as it is.
    """
    if not pictures:
        raise InputError(f"{out}: no picture belongs to a prompt, so there is nothing to import")
    samples: dict[str, set[int]] = {}
    for picture in pictures:
        samples.setdefault(picture.prompt, set()).add(picture.sample)
    used = prompts.holding([prompt for prompt in prompts.prompts if prompt.id in samples])
    by_model: dict[str, dict[tuple[str, int], FoundPicture]] = {}
    for picture in pictures:
        by_model.setdefault(picture.model, {})[picture.prompt, picture.sample] = picture
    names_by_model, done = folder_names(by_model), 0
    if settled:
        _refuse_other_models(out, names_by_model)
    imported = []
    for model, of_model in by_model.items():
        folder = out / names_by_model[model]
        images = _kept_images(folder, model, of_model)
        if images is None:
            with formats.claim(folder, "a folder of generated pictures", (IMAGES_FILE,), lambda: None):
                rows = {}
                with ThreadPoolExecutor() as threads:
                    for count, row in enumerate(threads.map(partial(_row, used, folder), of_model.values()), done + 1):
                        on_progress(count, len(pictures))
                        rows[row.id] = row
                all_rows = tuple(
                    rows.get(sample_id(prompt.group, prompt.level, k)) or missing_row(prompt, k, 0, NO_PICTURE)
                    for prompt in used.prompts
                    for k in sorted(samples[prompt.id])
                )
                if settled:
                    _refuse_other_pictures(folder, all_rows)
                    _refuse_other_prompts(folder, used)
                images = _write_folder(folder, model, used, max(map(len, samples.values())), all_rows)
        done += len(of_model)
        imported.append(images)
    return imported


def _kept_images(folder: Path, model: str, pictures: dict[tuple[str, int], FoundPicture]) -> Images | None:
    """The folder as it is, if it was imported from the same places; InputError if it holds other pictures."""
    if not (folder / IMAGES_FILE).is_file() or not (folder / MANIFEST_FILE).is_file():
        return None
    info = formats.read_json(folder / IMAGES_FILE, ImagesInfo)
    if info.generator != f"{IMPORTED}{model}":
        raise InputError(f"{folder}: holds pictures of {info.generator!r}; choose another --out")
    try:
        images = read_manifest(folder)
    except InputError:  # it came from another machine, or a picture is gone
        return None
    paths_there = {(row.prompt_id, row.sample): row.path for row in images.rows if row.status != "missing"}
    paths_wanted = {place: _path(picture, folder) for place, picture in pictures.items()}
    return images if paths_there == paths_wanted else None


def _path(picture: FoundPicture, folder: Path) -> str:
    """The path of a picture for the manifest: where it lies, or where it is written in the folder."""
    if isinstance(picture.source, Path):
        return str(picture.source.absolute())
    group, _, level = picture.prompt.rpartition("/")
    return f"{folder_names([group])[group]}/{folder_names([level])[level]}/{picture.sample}.png"


def _row(prompts: PromptSet, folder: Path, picture: FoundPicture) -> ImageRow:
    """The row of the manifest about one picture, which is read; the message says why if it cannot be seen."""
    row = missing_row(prompts.by_id[picture.prompt], picture.sample, picture.seed, NO_PICTURE)
    try:
        data = _read_bytes(picture.source)
    except InputError as error:
        return msgspec.structs.replace(row, message=f"{picture.where}: {error}")
    stays = isinstance(picture.source, Path)
    fields = kept_fields(data, _path(picture, folder), "read as if converted", None if stays else folder)
    if fields["status"] != "ok":
        fields["message"] = f"{picture.where}: {fields['message']}"
    return msgspec.structs.replace(row, **fields)


def _read_bytes(source: Path | str | bytes) -> bytes:
    """The bytes of a picture: as they are, downloaded from an address, or read from a file."""
    if isinstance(source, bytes):
        return source
    if isinstance(source, str) and source.startswith(("http://", "https://")):
        refuse_address(source)
        return download(source)
    return foreign.read_bytes(source if isinstance(source, Path) else fetched(source), MAX_BYTES)


def _refuse_other_models(out: Path, names_by_model: Mapping[str, str]) -> None:
    """InputError if the folders of pictures in `out` are not those of these models, by the names of their folders."""
    kept = {file.parent.name for file in out.glob(f"*/{MANIFEST_FILE}")}
    new = [model for model, name in names_by_model.items() if name not in kept]
    gone = sorted(kept - {*names_by_model.values()})
    if new or gone:
        changes = [f"has pictures of {listed(new)}"] * bool(new) + [f"has none of {listed(gone)}"] * bool(gone)
        raise InputError(
            f"{out.parent}: the table {' and '.join(changes)}, unlike the table that this run was asked about; choose "
            "another --out"
        )


def _refuse_other_pictures(folder: Path, rows: Sequence[ImageRow]) -> None:
    """InputError if a folder holds other pictures than these rows name; the same ones may lie elsewhere now."""
    kept, now = (
        {row.id: (row.status, row.picture_digest) for row in of_time}
        for of_time in (formats.read_lines(folder / MANIFEST_FILE, ImageRow), rows)
    )
    if other := [id for id in kept | now if kept.get(id) != now.get(id)]:
        raise InputError(
            f"{folder}: the table has other pictures than this run was asked about ({len(other)} of {len(now)}, such "
            f"as that of {other[0]}); put them back, or choose another --out"
        )


def _refuse_other_prompts(folder: Path, prompts: PromptSet) -> None:
    """InputError if a folder holds pictures of other prompts, or with other questions, than these."""
    kept = read_prompt_set(folder / PROMPTS_FILE).by_id
    if other := [id for id in kept | prompts.by_id if kept.get(id) != prompts.by_id.get(id)]:
        raise InputError(
            f"{folder}: the table's prompts or questions are not those that this run was asked about, such as those of "
            f"{other[0]}; put them back, or choose another --out"
        )


def _write_folder(folder: Path, model: str, prompts: PromptSet, samples: int, all_rows: tuple[ImageRow, ...]) -> Images:
    """Write a model's folder: its prompts, `images.json` and the manifest; `samples`: the most of a prompt."""
    info = ImagesInfo(
        prompts=prompts.name,
        generator=f"{IMPORTED}{model}",
        samples=samples,
        seed=0,
        versions={},
        elsewhere=elsewhere(folder, all_rows) if any(Path(row.path).is_absolute() for row in all_rows) else "",
    )
    write_prompt_set(folder / PROMPTS_FILE, prompts)
    formats.write_json(folder / IMAGES_FILE, info)
    formats.write_lines(folder / MANIFEST_FILE, all_rows)
    return Images(folder, info, all_rows, prompts)
