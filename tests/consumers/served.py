"""A judge on loopback for harnesses: what it says of a picture hangs on its pixels, however they were encoded.

So a harness that sends another file of the same picture is told the same. It sees well and errs by a hash; `fails`
says which share of the questions it refuses with a 400 whose words end in a number, `moods` how many different things
it may say of one question, one after the other.
"""

import base64
import contextlib
import hashlib
import io
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from loopback import Asked, LoopbackServer, Respond, Say, Status, error
from PIL import Image
from processes import ran

from counterbench.drawing.png import pixel_digest
from counterbench.judges.pixels import CannotRead, read_answer

MODEL = "some-vlm"
_ERRS = 0.25


def run_page(heading: str, address: str, folder: Path, more: str = "") -> None:
    """Run the first bash block under a heading of docs/exports.md in `folder`; `more` ends its last line."""
    text = (Path(__file__).parents[2] / "docs" / "exports.md").read_text(encoding="utf-8")
    block = re.search(rf"^## {heading}\n.*?```bash\n(.*?)\n```", text, re.DOTALL | re.MULTILINE)
    ours = {"ADDRESS": address, "MODEL": MODEL, "HF_HOME": str(folder / "home")}
    ran("bash", "-euc", f"{block[1]} {more}", cwd=folder, stderr=subprocess.STDOUT, **ours)


@contextlib.contextmanager
def serve_judge(fails: float = 0.0, moods: int = 1) -> Iterator[str]:
    """The address of one."""

    def respond(request: Asked) -> Respond:
        image = Image.open(io.BytesIO(base64.b64decode(request.images[-1].partition(",")[2]))).convert("RGB")
        question = request.texts[-1]
        shown = f"{pixel_digest(image)} {question}"
        if _chance(f"fails {shown}") < fails:
            return Status(400, error("the picture is refused, for reason 3", "invalid_request_error"))
        mood = (request.attempt - 1) % moods
        wrong = _chance(f"errs {mood} {shown}") < _ERRS
        return Say(_answer_text(image, question, wrong), usage=(600, 3), reasoned=2)

    with LoopbackServer(respond) as server:
        yield server.url


def _answer_text(image: Image.Image, question: str, wrong: bool) -> str:
    try:
        answer = read_answer(image, question)
    except CannotRead as failure:
        answer = failure.plain
    if not wrong:
        return answer
    return {"yes": "no", "no": "yes"}.get(answer) or (str(int(answer) + 1) if answer.isdecimal() else "I cannot tell.")


def _chance(words: str) -> float:
    return int.from_bytes(hashlib.blake2b(words.encode(), digest_size=8).digest(), "big") / 2**64
