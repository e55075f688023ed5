"""`t2i generate` on the command line: exit codes, notes, JSON, resumption, and one message for what is at fault."""

import json
import re
from pathlib import Path

from commands import call, document, done, fails
from loopback import MODERATED, Draw, LoopbackServer, Status
from PIL import Image

from counterbench.prompts.files import load_prompts
from counterbench.prompts.manifest import read_manifest


def test_generate_json_counts_the_drawn_pictures() -> None:
    small = ("--limit", 1, "--samples", 1)
    found = document("t2i", "generate", "laws", "--generator", "planted:refuser", "--out", "i", *small)
    assert found["images"] == "i/planted-refuser"
    assert (found["complete"], found["counts"], found["notes"]) == (True, {"refused": 3}, [])
    assert found["progress"]["done"] == found["progress"]["total"] == 3


def test_a_limit_exits_with_3_and_the_same_command_resumes() -> None:
    with LoopbackServer(Draw(cost=0.125, usage=(1, 1))) as server:
        common = ("t2i", "generate", "laws", "--generator", "openai:m", "--base-url", server.url, "--out", "i")
        small = ("--limit", 1, "--samples", 2)
        first = done(*common, *small, "--max-calls", 2, code=3)
        assert "stopped: the limit of 2 calls is reached" in first
        assert "spent: 0.250 USD (2 tokens in, 2 out)" in first
        assert "next: run the same command again: it resumes, with up to 2 more calls" in first
        second = call(*common, *small, code=0)
        assert re.search(r"pictures to draw with openai:m\S*: 4\b", second.stderr)
        assert len(server.questions) == 6
        assert "spent: 0.500 USD now, 0.750 USD in all" in second.stdout


def test_refused_and_failed_samples_are_named_with_their_reasons_and_stop_no_others() -> None:
    first, second, _ = load_prompts("laws").prompts[:3]
    faults = {first.text: Status(400), second.text: MODERATED}
    with LoopbackServer(lambda request: faults.get(request.body["prompt"], Draw())) as server:
        result = call(
            *("t2i", "generate", "laws", "--generator", "openai:m", "--base-url", server.url, "--out", "i"),
            *("--limit", 1, "--samples", 1, "--concurrency", 1),
        )
    assert result.exit_code == 3, result.output
    assert "2 of 3 pictures, 3 requested now; in the folder: 1 ok, 1 refused, 1 missing" in result.stdout
    assert f"{second.id}/0: refused: " in result.stdout
    assert f"{first.id}/0: missing: http-400: " in result.stdout
    assert "next:" not in result.stdout


def test_pictures_made_elsewhere_are_imported_where_they_lie() -> None:
    clear = Image.new("RGBA", (8, 8), (0, 0, 0, 0))
    clear.putpixel((3, 3), (255, 0, 0, 255))
    for level in ("l1", "l2"):
        Path("d/mine/falling.up.00", level).mkdir(parents=True)
        clear.save(Path("d/mine/falling.up.00", level, "0.png"))
    Path("d/mine/stray.png").write_bytes(b"")
    result = call("t2i", "import", "d", "--for", "laws", "--out", "i", code=0)
    assert result.stdout == "i/mine: 2 pictures (2 ok) of 2 prompts\n"
    assert result.stderr.splitlines()[-1].startswith("mine/stray.png: no prompt is called so; the nearest: ")
    images = read_manifest(Path("i/mine"))
    assert {row.message for row in images.rows} == {"read as if converted: transparent, on white now"}
    assert {images.file(row) for row in images.rows} == {path.absolute() for path in Path("d").rglob("0.png")}
    again = call("t2i", "import", "d", "--for", "laws", "--out", "i", "--json")
    assert json.loads(again.stdout)["images"] == {"i/mine": {"ok": 2}}


def test_a_generator_file_sets_options_and_its_errors_are_named() -> None:
    head = 'format = "counterbench.generator/1"\nkind = "openai"\nmodel = "m"\n[options]\n'
    drawn = ("t2i", "generate", "laws", "--generator", "./g.toml", "--out", "i", "--limit", 1, "--samples", 1)
    with LoopbackServer(Draw()) as server:
        body = 'quality = "low"\nbody = { background = "opaque" }'
        Path("g.toml").write_text(f'{head}base_url = "{server.url}"\n{body}\n')
        done(*drawn)
        sent = server.questions[0].asked.body
    assert (sent["quality"], sent["background"]) == ("low", "opaque")
    Path("g.toml").write_text(f'{head}sise = "1"')
    message = fails(*drawn)
    assert "did you mean 'size'?" in message
    assert "g.toml" in message
