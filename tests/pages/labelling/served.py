"""What tests of the labelling page share: runs to label, a page of one, and a server that can be killed."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pictures.carded import checklist, judged, prompt
from pictures.drawn import QUICK
from pictures.lawful import draw, of_laws
from PIL import Image, PngImagePlugin
from starlette.testclient import TestClient

from counterbench.pages.labelling.app import LabelPage
from counterbench.pages.labelling.questions import Labelling, labelling
from counterbench.pages.labelling.server import Guard
from counterbench.pictures.generation.generate import generate_images
from counterbench.pictures.generators.card import CardGenerator
from counterbench.pictures.judging.judged_run import load_models
from counterbench.pictures.labelling.pairs import model_pairs
from counterbench.pictures.labelling.sample import open_sample
from counterbench.pictures.labelling.units import LabelQuestion, ModelChecks
from counterbench.prompts.prompt_set import Check

ROOT = Path(__file__).parents[3]
HOST = "127.0.0.1:8765"
SECRET = "what the file tells"
CHECKS = (
    Check(id="red", text="Is the ball red?"),
    Check(id="scene", text="Is it all there?", answer_type="grade", expected="1", criteria="1: all of it. 0: nothing."),
    Check(id="many", text="How many balls are there?", answer_type="integer", expected="3"),
    Check(id="well", text="How well is it drawn?", answer_type="rating:1-5", expected="5"),
    Check(id="share", text="How much is sky?", answer_type="rating:0-100", expected="100"),
    Check(id="hue", text="What colour is the box?", answer_type="colour", expected="red"),
    Check(id="sign", text="What does the sign say?", answer_type="text", expected="open"),
    Check(id="place", text="Where is it?", answer_type="choice:a beach|a park", expected="a park"),
)
FITS = {
    "red": ("yes", "no"), "scene": ("0", "0.5", "1"), "many": ("3", "17"), "well": ("1", "5"), "share": ("0", "62.5"),
    "hue": ("red", "cyan"), "sign": ("open", "no entry"), "place": ("a park", "a beach"),
}  # fmt: skip
MISFITS = {
    "red": ("maybe", "0.5", ""), "scene": ("yes", "0.7"), "many": ("some", "2.5"), "well": ("6", "3.5"),
    "share": ("101", "lots"), "hue": ("beige",), "sign": ("",), "place": ("a forest",),
}  # fmt: skip


def cards_run(path: Path) -> None:
    """A run about two models' pictures with a check of every kind; the files of the pictures tell a secret."""
    prompts, images = checklist([prompt(f"g{i}", *CHECKS) for i in range(2)]), []
    for name in ("flux", "sdxl"):
        generator = CardGenerator("card", prompts)
        images.append(generate_images(prompts, generator, path / "images", samples=1, limits=QUICK, name=name).images)
    judged(images, path / "run")
    for file in (path / "images").rglob("*.png"):
        picture, text, exif = Image.open(file), PngImagePlugin.PngInfo(), Image.Exif()
        text.add_text("prompt", SECRET)
        exif[0x010E] = SECRET
        picture.save(file, pnginfo=text, exif=exif)


def laws_run(path: Path) -> None:
    """A run about the pictures of two planted models, one of which is often wrong."""
    laws = of_laws()
    judged([draw(laws, name, path / "images", 2) for name in ("literal", "noisy?l1=0.5&l2=0.5&l3=0.5")], path / "run")


def fresh(made: Path, to: Path) -> Path:
    """A copy of a run, without labels."""
    return Path(shutil.copytree(made / "run", to))


def sampled(run: Path) -> list[LabelQuestion]:
    """The questions of a run in their order."""
    units = open_sample(run, [ModelChecks(model_run) for model_run in load_models(run)])
    return [question for unit in units for question in unit.questions]


def open_labelling(run: Path, pairs: bool = False) -> Labelling:
    models = load_models(run)
    return labelling(run, models, model_pairs(models) if pairs else {q.id: q for q in sampled(run)}, pairs)


class Page:
    """A rater's page, without a browser."""

    def __init__(self, run: Labelling, rater: str = "ann", host: str = "127.0.0.1") -> None:
        self.at, self.guard, self.ids = f"/by/{rater}", Guard(host), list(run.questions)
        self.client = TestClient(LabelPage(run, self.guard).app, base_url=f"http://{HOST}", follow_redirects=False)

    def next(self) -> Any:
        return self.client.get(f"{self.at}/next").json()

    def post(self, to: str, sent: Any, **headers: str) -> Any:
        return self.client.post(f"{self.at}/{to}", json=sent, headers={"Origin": f"http://{HOST}"} | headers)

    def answer(self, id: str, label: str) -> Any:
        return self.post("answer", {"id": id, "label": label})


def rater_lines(run: Path, rater: str = "ann", begins: str = "by") -> list[dict[str, str]]:
    """The lines of a rater's file."""
    file = run / "labels" / f"{begins}-{rater}.jsonl"
    return [json.loads(line) for line in file.read_text().splitlines()] if file.is_file() else []


@contextlib.contextmanager
def serving(run: Path, *options: str, port: int = 0) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The command in a process of its own: the address, and the process, which may be killed."""
    words = [sys.executable, "-m", "counterbench", "label", str(run), "--port", str(port), "--json", *options]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environment)
    try:
        assert process.stdout is not None
        output = ""
        while not output.endswith("}\n"):
            line = process.stdout.readline()
            assert line, f"it ended: {output}"
            output += line
        started = json.loads(output)
        yield started["address"] + (started["token"] and f"?token={started['token']}"), process
    finally:
        process.kill()
        process.wait()
