"""A prompt file about one law, and planted models' pictures for it, as the commands make them."""

from pathlib import Path

from commands import done

SET = """
format = "counterbench.prompts/1"
kind = "laws"
name = "fall"
seed = 7
laws = ["falling"]
"""


def fall(folder: Path, *models: str, samples: int = 1) -> Path:
    """The folder with `fall.toml`, and these models' pictures in `images`."""
    (folder / "fall.toml").write_text(SET)
    for name in models:
        made = ("t2i", "generate", folder / "fall.toml", "--generator", f"planted:{name}", "--samples", samples)
        done(*made, "--out", folder / "images")
    return folder
