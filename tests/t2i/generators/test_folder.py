"""`folder:` generators: each layout, and everything that does not fit it said by name."""

import json
from pathlib import Path

import pytest
from t2i.drawn import QUICK, painting, painting_digest, prompt_set, requests_of

from counterbench.errors import InputError
from counterbench.t2i.generation.generate import Generated, generate_images
from counterbench.t2i.generators import open_generator
from counterbench.t2i.generators.folder import FolderGenerator
from counterbench.t2i.images.manifest import ImageRow
from counterbench.t2i.prompts.prompt_set import PromptSet
from counterbench.testing import check_generator


def put(folder: Path, name: str, seed: int = 0) -> bytes:
    """A picture of its name and the seed."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data := painting(name, seed))
    return data


def opened(folder: Path, prompts: PromptSet, options: str = "") -> FolderGenerator:
    generator = open_generator(f"folder:{folder}{options}", prompts)
    assert isinstance(generator, FolderGenerator)
    return generator


def taken(folder: Path, prompts: PromptSet, out: Path, options: str = "") -> Generated:
    generator = opened(folder, prompts, options)
    return generate_images(prompts, generator, out, samples=generator.samples, limits=QUICK)


def by_id(made: Generated) -> dict[str, ImageRow]:
    return {row.id: row for row in made.images.rows}


def ok(made: Generated) -> set[str]:
    return {row.id for row in made.images.rows if row.status == "ok"}


def mapped(folder: Path, text: str, name: str = "mapping.csv") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)
    return folder


@pytest.mark.parametrize("name", ["mapping.csv", "mapping.jsonl"])
def test_a_mapping_says_which_file_is_which(tmp_path: Path, name: str) -> None:
    """A sample that is left out is the prompt's next; a file that is not there stays wanted, with its line."""
    folder = tmp_path / "drawn"
    lines = [("my/b.png", "g0/l1", "1"), ("my/c.png", "g0/l1", ""), ("a.jpg.png", "g0/l1", "0"), ("x.png", "g0/l2", "")]
    for path, *_ in lines[:3]:
        put(folder, path)
    put(folder, "forgotten.png")
    rows = [dict(zip(("path", "prompt", "sample"), line, strict=True)) for line in lines]
    if name.endswith("csv"):
        mapped(folder, "path,prompt,sample\n" + "".join(",".join(line) + "\n" for line in lines))
    else:
        mapped(folder, "".join(json.dumps({k: v for k, v in row.items() if v}) + "\n" for row in rows), name)
    assert opened(folder, prompt_set(1)).notes == ["not used: forgotten.png: no line of the mapping names it"]
    made = by_id(taken(folder, prompt_set(1), tmp_path / "out"))
    for sample, path in enumerate(("a.jpg.png", "my/b.png", "my/c.png")):
        assert made[f"g0/l1/{sample}"].picture_digest == painting_digest(path, 0)
    line = 5 if name.endswith("csv") else 4
    assert made["g0/l2/0"].message == f"missing: {folder / name}, line {line}: there is no file 'x.png'"
    put(folder, "x.png")
    assert by_id(taken(folder, prompt_set(1), tmp_path / "out"))["g0/l2/0"].status == "ok"


def test_a_mapping_without_samples(tmp_path: Path) -> None:
    for name in "abc":
        put(tmp_path, f"{name}.png")
    mapped(tmp_path, "prompt,path\ng0/l1,c.png\ng0/l2,a.png\ng0/l1,b.png\n")
    assert opened(tmp_path, prompt_set(1)).samples == 2
    mapped(tmp_path, '{"path": "a.png", "prompt": "g0/l1"}\n', "mapping.jsonl")
    with pytest.raises(InputError, match=r"has mapping\.csv and mapping\.jsonl; keep the one"):
        opened(tmp_path, prompt_set(1))


def test_a_mapping_line_of_no_prompt_is_named_and_the_others_are_taken(tmp_path: Path) -> None:
    put(tmp_path, "a.png")
    put(tmp_path, "b.png")
    mapped(tmp_path, "path,prompt,sample\na.png,g0/l1,0\nb.png,g0/l9,0\n")
    where = f"{tmp_path / 'mapping.csv'}, line 3"
    assert opened(tmp_path, prompt_set(1)).notes == [f"not used: b.png: no prompt is called g0/l9 ({where})"]
    mapped(tmp_path, "path,prompt\na.png,the coin\n")
    with pytest.raises(InputError, match=r"nothing in it belongs .*a\.png: no prompt is called the coin .*line 2"):
        opened(tmp_path, prompt_set(1))


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("../a.png,g0/l2,0", r"mapping\.csv, line 3: the path '\.\./a\.png' leads outside"),
        ("out.png,g0/l1,1", r"mapping\.csv, line 3: the path 'out\.png' leads outside"),
        ("b.png,g0/l1,0", r"line 3: a second line of 'g0/l1/0' \(the first: .*line 2\); each sample has one"),
        ("./a.png,g0/l2,0", r"line 3: 'a\.png' is named already \(.*line 2\); a picture is one sample's"),
        ("b.png,g0/l2,one", r"line 3, column 'sample': 'one' is no sample's number, which begin at 0"),
        ("b.png,,0", r"line 3, column 'prompt': it is empty"),
    ],
)
def test_a_mapping_at_fault(tmp_path: Path, lines: str, message: str) -> None:
    folder = tmp_path / "drawn"
    put(folder, "a.png")
    put(folder, "b.png")
    put(tmp_path, "out.png")
    (folder / "out.png").symlink_to(tmp_path / "out.png")
    mapped(folder, f"path,prompt,sample\na.png,g0/l1,0\n{lines}\n")
    with pytest.raises(InputError, match=message):
        opened(folder, prompt_set(1))


@pytest.mark.parametrize(
    ("prompts", "files", "samples", "unused"),
    [
        (
            prompt_set(["falling.up.00", "C-MI-001"]),
            {
                "falling.up.00-l1.png": "falling.up.00/l1/0",
                "falling.up.00-l1-1.png": "falling.up.00/l1/1",
                "falling.up.00/l2.png": "falling.up.00/l2/0",
                "falling.up.00_l3/1.png": "falling.up.00/l3/1",
                "c-mi-001/l1/0.png": "C-MI-001/l1/0",
                "c-mi-001.png": "",
            },
            2,
            ["not used: c-mi-001.png: no prompt is called so"],
        ),
        (  # a prompt that has one level is called by its group
            prompt_set(["three", "C-MI", "C-MI-1"], ["image"]),
            {
                "three.png": "three/image/0",
                "three-1.png": "three/image/1",
                "three/2.png": "three/image/2",
                "three-image-3.png": "three/image/3",
                "C-MI-1-2.png": "C-MI-1/image/2",
                "C-MI-1.png": "",
            },
            4,
            ["not used: C-MI-1.png: it may be any of C-MI-1/image, C-MI/image"],
        ),
    ],
)
def test_paths_go_by_the_ids(
    prompts: PromptSet, files: dict[str, str], samples: int, unused: list[str], tmp_path: Path
) -> None:
    for name in files:
        put(tmp_path / "made", name)
    generator = opened(tmp_path / "made", prompts)
    assert (generator.samples, generator.notes) == (samples, unused)
    assert ok(taken(tmp_path / "made", prompts, tmp_path / "out")) == {*files.values()} - {""}


def test_corebench(tmp_path: Path) -> None:
    prompts = prompt_set(["C-MI-001", "C-MI-002"], ["image"])
    for name in ("C-MI/C-MI-001-0.png", "C-MI/C-MI-001-3.png", "C-MI/C-MI-002-0.png", "C-MI/C-MI-009-0.png"):
        put(tmp_path, name)
    made = taken(tmp_path, prompts, tmp_path / "out", "?layout=corebench")
    assert made.images.info.samples == 4
    assert ok(made) == {"C-MI-001/image/0", "C-MI-001/image/3", "C-MI-002/image/0"}


def test_two_files_of_one_sample_are_ambiguous_and_neither_is_taken(tmp_path: Path) -> None:
    put(tmp_path / "d", "g0/l1/0.png")
    put(tmp_path / "d", "g0/l1/00.png")
    put(tmp_path / "d", "g0/l2/0.png")
    assert opened(tmp_path / "d", prompt_set(1)).notes == ["ambiguous: g0/l1/0.png, g0/l1/00.png are all g0/l1/0"]
    row = by_id(taken(tmp_path / "d", prompt_set(1), tmp_path / "out"))["g0/l1/0"]
    assert (row.status, row.message) == (
        "missing",
        "ambiguous: several files are this sample: g0/l1/0.png, g0/l1/00.png",
    )


def test_a_file_called_by_its_date_is_no_sample(tmp_path: Path) -> None:
    """Else every prompt would be asked for twenty trillion samples."""
    put(tmp_path, "g0/l1/0.png")
    put(tmp_path, "g0/l1/20240501123045.png")
    generator = opened(tmp_path, prompt_set(1))
    assert generator.samples == 1
    assert generator.notes == [
        "not used: g0/l1/20240501123045.png: would be sample 20240501123045 of g0/l1; samples are 0 to 999"
    ]
    (tmp_path / "g0/l1/0.png").rename(tmp_path / "g0/l1/1000.png")
    with pytest.raises(InputError, match=r"nothing in it belongs .*1000\.png: would be sample 1000 of g0/l1"):
        opened(tmp_path, prompt_set(1))


@pytest.mark.parametrize(
    ("folder", "message"),
    [
        ("made?layout=corebnch", r"unknown layout 'corebnch' \(did you mean 'corebench'\?\)"),
        ("made?colour=red", "unknown option 'colour'"),
        ("made?layout=corebench", r"nothing in it belongs to prompt set 'small' in layout 'corebench' \(model/g0/l1/0"),
        ("nowhere", "there is no such folder"),
        ("made/empty", "it has no PNG, JPEG or WebP files"),
    ],
)
def test_options_and_folders_at_fault(tmp_path: Path, folder: str, message: str) -> None:
    put(tmp_path / "made", "model/g0/l1/0.png")
    (tmp_path / "made" / "empty").mkdir()
    with pytest.raises(InputError, match=message):
        opened(tmp_path / folder, prompt_set(1))


def test_the_contract(tmp_path: Path) -> None:
    for k in range(3):
        put(tmp_path, f"g0/l1/{k}.png", k)
    check_generator(lambda: opened(tmp_path, prompt_set(1)), requests_of(prompt_set(1).prompts[:1], 4))
