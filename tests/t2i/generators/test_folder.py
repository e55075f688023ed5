"""`folder:` generators: each layout, and everything that does not fit it said by name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image
from t2i.drawn import QUICK, Painter, painting, painting_digest, prompt_set

from counterbench.errors import FormatError, InputError
from counterbench.t2i.generation.generate import Generated, generate_images
from counterbench.t2i.generators import open_generator
from counterbench.t2i.generators.base import DrawingRequest
from counterbench.t2i.generators.conformance import check_generator
from counterbench.t2i.generators.folder import FolderGenerator
from counterbench.t2i.images.manifest import ImageRow
from counterbench.t2i.prompts.prompt_set import PromptSet


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


def test_our_own_paths(tmp_path: Path) -> None:
    prompts = prompt_set(["plain", "odd/name", "Ω"])
    there = generate_images(prompts, Painter(), tmp_path / "a", samples=2, limits=QUICK).images
    for row in there.rows:
        assert there.file(row).is_file()
    for name in ("manifest.jsonl", "images.json", "journal.jsonl"):
        (there.path / name).unlink()
    made = taken(there.path, prompts, tmp_path / "b")
    assert made.progress.complete
    assert {row.id: row.picture_digest for row in made.images.rows} == {r.id: r.picture_digest for r in there.rows}


def test_our_own_manifest_carries_refusals_over(tmp_path: Path) -> None:
    from t2i.generation.test_generate import odd_ones

    prompts = prompt_set(2)
    there = generate_images(prompts, Painter(odd_ones), tmp_path / "a", samples=1, limits=QUICK).images
    made = taken(there.path, prompts, tmp_path / "b")
    for before, now in zip(there.rows, made.images.rows, strict=True):
        status = "missing" if before.status == "unreadable" else before.status  # nothing of it was kept
        assert (now.id, now.status, now.picture_digest) == (before.id, status, before.picture_digest)
    assert by_id(made)["g1/l1/0"].message == "I would rather not."
    assert "not a readable picture" in by_id(made)["g1/l3/0"].message


def written(folder: Path, *lines: dict[str, object]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "manifest.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_a_manifest_written_by_hand(tmp_path: Path) -> None:
    put(tmp_path / "d", "x.png")
    row = {"group": "g0", "level": "l1", "sample": 0, "path": "x.png", "made_by": "me"}
    written(tmp_path / "d", row, row | {"level": "l2"}, row | {"level": "l3", "prompt_digest": "of other words"})
    generator = opened(tmp_path / "d", prompt_set(1))
    assert generator.notes == ["not used: x.png: made from other words than g0/l3 has now"]
    made = taken(tmp_path / "d", prompt_set(1), tmp_path / "out")
    assert [row.status for row in made.images.rows] == ["ok", "ok", "missing"]


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"path": "../x.png"}, InputError, r"manifest.jsonl, line 2: the path '../x.png' leads outside"),
        ({"path": "/x.png"}, InputError, r"line 2: the path '/x.png' leads outside"),
        ({"level": "l1"}, InputError, r"line 2: a second line of 'g0/l1/0'"),
        ({"sample": "one"}, FormatError, r"line 2: Expected `int`"),
    ],
)
def test_a_manifest_at_fault(tmp_path: Path, change: dict[str, object], error: type[Exception], message: str) -> None:
    put(tmp_path, "x.png")
    row = {"group": "g0", "level": "l1", "sample": 0, "path": "x.png"}
    written(tmp_path, row, row | {"level": "l2"} | change)
    with pytest.raises(error, match=message):
        opened(tmp_path, prompt_set(1))


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


def test_a_mapping_without_samples_or_with_samples_from_one(tmp_path: Path) -> None:
    for name in "abc":
        put(tmp_path, f"{name}.png")
    mapped(tmp_path, "prompt,path\ng0/l1,c.png\ng0/l2,a.png\ng0/l1,b.png\n")
    assert opened(tmp_path, prompt_set(1)).samples == 2
    mapped(tmp_path, "path,prompt,sample\na.png,g0/l1,1\nb.png,g0/l1,2\nc.png,g0/l2,1\n")
    assert opened(tmp_path, prompt_set(1), "?first=1").samples == 2


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
        ("/etc/a.png,g0/l2,0", r"mapping\.csv, line 3: the path '/etc/a\.png' leads outside"),
        ("out.png,g0/l1,1", r"mapping\.csv, line 3: the path 'out\.png' leads outside"),
        ("b.png,g0/l1,0", r"line 3: a second line of 'g0/l1/0' \(the first: .*line 2\); each sample has one"),
        ("./a.png,g0/l2,0", r"line 3: 'a\.png' is named already \(.*line 2\); a picture is one sample's"),
        ("b.png,g0/l2,one", r"line 3, column 'sample': 'one' is no sample's number, which begin at 0"),
        ("b.png,,0", r"line 3, column 'prompt': it is empty"),
        (",g0/l2,0", r"line 3, column 'path': it is empty"),
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


def test_a_folder_with_two_lists_is_refused(tmp_path: Path) -> None:
    put(tmp_path, "a.png")
    mapped(tmp_path, "path,prompt\na.png,g0/l1\n")
    written(tmp_path, {"group": "g0", "level": "l1", "sample": 0, "path": "a.png"})
    with pytest.raises(InputError, match=r"has mapping\.csv and manifest\.jsonl; keep the one"):
        opened(tmp_path, prompt_set(1))


def test_cf_world(tmp_path: Path) -> None:
    prompts = prompt_set(["Physics/Optics/1", "Physics/Optics/2", "Biology/Biology/1", "Optics/7"])
    model = tmp_path / "sdxl"
    for name in (
        "physics/Optics/1_l1.png",
        "physics/Optics/1_l2.png",
        "physics/Optics/2_L3.png",
        "Physics/Optics/7_l1.png",
    ):
        put(model, name)
    put(model, "biology/Biology/1_l2.jpg.png")
    put(model, "physics/Optics/9_l1.png")
    put(model, "readme.png")
    generator = opened(model, prompts, "?layout=cf-world")
    assert generator.samples == 1
    assert generator.notes == [
        "not used: biology/Biology/1_l2.jpg.png: no prompt is called so",
        "not used: physics/Optics/9_l1.png: no prompt is called so",
        "not used: readme.png: not [<discipline>/]<stem>/<source_id>[_<level>]",
    ]
    rows = by_id(taken(model, prompts, tmp_path / "out", "?layout=cf-world"))
    assert {id for id, row in rows.items() if row.status == "ok"} == {
        "Physics/Optics/1/l1/0",
        "Physics/Optics/1/l2/0",
        "Physics/Optics/2/l3/0",
        "Optics/7/l1/0",
    }
    assert rows["Physics/Optics/1/l2/0"].picture_digest == painting_digest("physics/Optics/1_l2.png", 0)


def test_cf_world_as_it_is_imported_and_as_its_authors_write_pictures(tmp_path: Path) -> None:
    """Physics is a folder of theirs, the other subjects are none; de-nominalised prompts have one level."""
    prompts = prompt_set(["Classical-Mechanics.52", "Chemical.47", "Chemical.4"])
    for name in ("physics/Classical Mechanics/52_l1.png", "Chemical/47_l2.jpg", "Chemical/Chemical/4_l3.png"):
        put(tmp_path / "made", name)
    rows = by_id(taken(tmp_path / "made", prompts, tmp_path / "out", "?layout=cf-world"))
    wanted = {"Classical-Mechanics.52/l1/0", "Chemical.47/l2/0", "Chemical.4/l3/0"}
    assert {id for id, row in rows.items() if row.status == "ok"} == wanted
    renamed = prompt_set(["Classical-Mechanics.52", "Chemical.47"], ["l2"])
    for name in ("physics/Classical Mechanics/52.png", "Chemical/47.png", "Chemical/47_l1.png"):
        put(tmp_path / "de-norm", name)
    generator = opened(tmp_path / "de-norm", renamed, "?layout=cf-world")
    assert generator.notes == ["not used: Chemical/47_l1.png: no prompt is called so"]
    assert taken(tmp_path / "de-norm", renamed, tmp_path / "out2", "?layout=cf-world").images.counts == {"ok": 2}


def test_plain_goes_by_the_ids(tmp_path: Path) -> None:
    prompts = prompt_set(["falling.up.00", "C-MI-001"])
    for name in ("falling.up.00-l1.png", "falling.up.00-l1-1.png", "falling.up.00/l2.png", "falling.up.00_l3/1.png",
                 "c-mi-001/l1/0.png", "c-mi-001.png"):  # fmt: skip
        put(tmp_path / "made", name)
    generator = opened(tmp_path / "made", prompts, "?layout=plain")
    assert (generator.samples, generator.notes) == (2, ["not used: c-mi-001.png: no prompt is called so"])
    rows = by_id(taken(tmp_path / "made", prompts, tmp_path / "out", "?layout=plain"))
    assert {id for id, row in rows.items() if row.status == "ok"} == {
        "falling.up.00/l1/0",
        "falling.up.00/l1/1",
        "falling.up.00/l2/0",
        "falling.up.00/l3/1",
        "C-MI-001/l1/0",
    }


def test_plain_calls_a_prompt_that_has_one_level_by_its_group(tmp_path: Path) -> None:
    prompts = prompt_set(["three", "C-MI", "C-MI-1"], ["image"])
    for name in ("three.png", "three-1.png", "three/2.png", "three-image-3.png", "C-MI-1.png", "C-MI-1-2.png"):
        put(tmp_path, name)
    generator = opened(tmp_path, prompts, "?layout=plain")
    assert generator.notes == ["not used: C-MI-1.png: it may be any of C-MI-1/image, C-MI/image"]
    rows = by_id(taken(tmp_path, prompts, tmp_path / "out", "?layout=plain"))
    taken_in = {id for id, row in rows.items() if row.status == "ok"}
    assert taken_in == {"C-MI-1/image/2", *(f"three/image/{k}" for k in range(4))}
    from_one = opened(tmp_path, prompts, "?layout=plain&first=1")
    assert "ambiguous: three-1.png, three.png are all three/image/0" in from_one.notes


def test_geneval_goes_by_the_words(tmp_path: Path) -> None:
    prompts = prompt_set(2, ["only"])
    for index, group in ((0, "g1"), (7, "g0")):  # the words say which, not the index
        for k in range(2):
            put(tmp_path, f"{index:05d}/samples/{k:04d}.png")
        words = prompts.by_id[f"{group}/only"].text
        (tmp_path / f"{index:05d}" / "metadata.jsonl").write_text(json.dumps({"tag": "x", "prompt": words}))
    put(tmp_path, "00009/samples/0000.png")
    put(tmp_path, "00003/samples/0000.png")
    (tmp_path / "00003" / "metadata.jsonl").write_text('{"prompt": "something else"}')
    put(tmp_path, "00000/grid.png")
    made = taken(tmp_path, prompts, tmp_path / "out", "?layout=geneval")
    assert by_id(made)["g1/only/1"].picture_digest == painting_digest("00000/samples/0001.png", 0)
    assert by_id(made)["g0/only/0"].picture_digest == painting_digest("00007/samples/0000.png", 0)
    assert opened(tmp_path, prompts, "?layout=geneval").notes[:3] == [
        "not used: 00000/grid.png: not <index>/samples/<k>",
        "not used: 00003/samples/0000.png: no prompt has its words",
        "not used: 00009/samples/0000.png: its folder has no metadata.jsonl that gives the prompt",
    ]


def test_geneval_of_prompts_that_share_their_words(tmp_path: Path) -> None:
    one, two = prompt_set(2, ["only"]).prompts
    import msgspec

    same = PromptSet("same", ["only"], [one, msgspec.structs.replace(two, text=one.text)])
    for index in ("00001", "00005"):
        put(tmp_path, f"{index}/samples/0000.png")
        (tmp_path / index / "metadata.jsonl").write_text(json.dumps({"prompt": one.text}))
    generator = opened(tmp_path, same, "?layout=geneval")
    assert generator.notes == ["not used: 00005/samples/0000.png: several prompts have its words"]
    assert by_id(taken(tmp_path, same, tmp_path / "out", "?layout=geneval"))["g1/only/0"].status == "ok"


def test_corebench(tmp_path: Path) -> None:
    prompts = prompt_set(["C-MI-001", "C-MI-002"], ["image"])
    for name in ("C-MI/C-MI-001-0.png", "C-MI/C-MI-001-3.png", "C-MI/C-MI-002-0.png", "C-MI/C-MI-009-0.png"):
        put(tmp_path, name)
    made = taken(tmp_path, prompts, tmp_path / "out", "?layout=corebench")
    assert made.images.info.samples == 4
    assert {id for id, row in by_id(made).items() if row.status == "ok"} == {
        "C-MI-001/image/0",
        "C-MI-001/image/3",
        "C-MI-002/image/0",
    }
    from_one = opened(tmp_path, prompts, "?layout=corebench&first=1")
    assert from_one.samples == 3
    assert "not used: C-MI/C-MI-001-0.png: '0' is no sample's number, which begin at 1" in from_one.notes


def test_r2i_bench(tmp_path: Path) -> None:
    prompts = prompt_set(["causal_cause_to_effect.1", "causal_cause_to_effect.12"], ["image"])
    for name in ("causal_cause_to_effect_1", "causal_cause_to_effect_12", "causal_cause_to_effect_2"):
        put(tmp_path, f"causal/cause_to_effect/{name}.png")
    put(tmp_path, "causal/causal_cause_to_effect_1.png")
    assert opened(tmp_path, prompts, "?layout=r2i-bench").notes == [
        "not used: causal/causal_cause_to_effect_1.png: not <category>/<subcategory>/<name>",
        "not used: causal/cause_to_effect/causal_cause_to_effect_2.png: no prompt is called so",
    ]
    made = taken(tmp_path, prompts, tmp_path / "out", "?layout=r2i-bench")
    assert {id: row.status for id, row in by_id(made).items()} == {
        "causal_cause_to_effect.1/image/0": "ok",
        "causal_cause_to_effect.12/image/0": "ok",
    }


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


def test_a_manifests_sample_below_zero_is_said(tmp_path: Path) -> None:
    put(tmp_path, "x.png")
    row = {"group": "g0", "level": "l1", "sample": 0, "path": "x.png"}
    written(tmp_path, row, row | {"sample": -1}, row | {"sample": 10**15})
    assert opened(tmp_path, prompt_set(1)).notes == [
        "not used: x.png: would be sample -1 of g0/l1; samples are 0 to 999",
        "not used: x.png: would be sample 1000000000000000 of g0/l1; samples are 0 to 999",
    ]


def test_pictures_that_are_not_read_are_named(tmp_path: Path) -> None:
    put(tmp_path, "g0/l1/0.png")
    for name in ("g0/l2/0.gif", "g0/l3/0.BMP", "notes.txt"):
        put(tmp_path, name)
    assert opened(tmp_path, prompt_set(1)).notes == [
        "not used: g0/l2/0.gif: no PNG, JPEG or WebP file; save it as one",
        "not used: g0/l3/0.BMP: no PNG, JPEG or WebP file; save it as one",
    ]
    (tmp_path / "g0/l1/0.png").unlink()
    with pytest.raises(InputError, match=r"g0/l2/0\.gif: no PNG, JPEG or WebP file"):
        opened(tmp_path, prompt_set(1))


@pytest.mark.parametrize("metadata", [b"{", b"\xff\xfe{}", b"[1]"])
def test_geneval_sets_a_folder_with_damaged_metadata_aside(tmp_path: Path, metadata: bytes) -> None:
    prompts = prompt_set(1, ["only"])
    for index in ("00000", "00001"):
        put(tmp_path, f"{index}/samples/0000.png")
    (tmp_path / "00000" / "metadata.jsonl").write_bytes(metadata)
    (tmp_path / "00001" / "metadata.jsonl").write_text(json.dumps({"prompt": prompts.prompts[0].text}))
    generator = opened(tmp_path, prompts, "?layout=geneval")
    assert len(generator.notes) == 1
    assert generator.notes[0].startswith(
        "not used: 00000/samples/0000.png: its folder's metadata.jsonl cannot be read (line 1: "
    )
    assert generator.samples == 1


def test_an_unreadable_picture_that_is_mended_is_read_again(tmp_path: Path) -> None:
    whole = put(tmp_path / "d", "g0/l1/0.png")
    (tmp_path / "d/g0/l1/0.png").write_bytes(whole[:40])
    prompts = prompt_set(1, ["l1"])
    first = taken(tmp_path / "d", prompts, tmp_path / "out")
    assert first.images.counts == {"unreadable": 1}
    assert not first.progress.complete
    assert taken(tmp_path / "d", prompts, tmp_path / "out").images == first.images
    (tmp_path / "d/g0/l1/0.png").write_bytes(whole)
    again = taken(tmp_path / "d", prompts, tmp_path / "out")
    assert again.images.counts == {"ok": 1}
    assert again.progress.complete


def test_what_was_taken_of_animations_and_transparency_is_in_the_manifest(tmp_path: Path) -> None:
    prompts, folder = prompt_set(2), tmp_path / "d"
    first, second = (Image.new("RGB", (8, 8), colour) for colour in ("red", "blue"))
    for frame in (first, second):
        frame.putpixel((0, 0), (0, 255, 0))
    clear = Image.new("RGBA", (8, 8), (0, 0, 0, 0))
    clear.putpixel((3, 3), (255, 0, 0, 255))
    for name in ("g0/l1", "g0/l2", "g0/l3", "g1/l1", "g1/l2"):
        (folder / name).mkdir(parents=True)
    first.save(folder / "g0/l1/0.png", save_all=True, append_images=[second])
    clear.save(folder / "g0/l2/0.png")
    clear.save(folder / "g0/l3/0.webp", lossless=True)
    first.convert("RGBA").save(folder / "g1/l1/0.png")  # nothing of it is transparent
    first.save(folder / "g1/l2/0.webp", lossless=True)
    made = by_id(taken(folder, prompts, tmp_path / "out"))
    frames, white = "converted: several frames, of which the first is taken", "converted: transparent, on white now"
    found = {id: row.message for id, row in made.items() if row.status == "ok"}
    assert found == {"g0/l1/0": frames, "g0/l2/0": white, "g0/l3/0": white, "g1/l1/0": "", "g1/l2/0": ""}
    assert made["g0/l1/0"].picture_digest == made["g1/l1/0"].picture_digest


def test_a_picture_that_is_brought_later_is_taken_on_resume(tmp_path: Path) -> None:
    put(tmp_path / "d", "g0/l1/0.png")
    first = taken(tmp_path / "d", prompt_set(1), tmp_path / "out")
    assert (first.progress.done, first.progress.failed) == (1, 2)
    assert "has no picture of this sample" in first.images.rows[1].message
    put(tmp_path / "d", "g0/l2/0.png")
    put(tmp_path / "d", "g0/l3/0.png")
    assert taken(tmp_path / "d", prompt_set(1), tmp_path / "out").images.counts == {"ok": 3}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("?layout=genval", r"unknown layout 'genval' \(did you mean 'geneval'\?\)"),
        ("?colour=red", "unknown option 'colour'"),
        ("?first=2", "option 'first'"),
        ("?layout=corebench", r"nothing in it belongs to prompt set 'small' in layout 'corebench' \(model/g0/l1/0"),
    ],
)
def test_options_and_folders_at_fault(tmp_path: Path, options: str, message: str) -> None:
    put(tmp_path, "model/g0/l1/0.png")
    with pytest.raises(InputError, match=message):
        opened(tmp_path, prompt_set(1), options)


def test_no_folder_and_an_empty_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such folder"):
        opened(tmp_path / "nowhere", prompt_set(1))
    with pytest.raises(InputError, match="it has no PNG, JPEG or WebP files"):
        opened(tmp_path, prompt_set(1))


def test_the_contract(tmp_path: Path) -> None:
    prompts = prompt_set(1)
    for k in range(3):
        put(tmp_path, f"g0/l1/{k}.png", k)
    requests = [
        DrawingRequest(id=f"g0/l1/{k}", group="g0", level="l1", sample=k, text=prompts.prompts[0].text, seed=k)
        for k in range(4)
    ]
    check_generator(lambda: opened(tmp_path, prompts), requests)
