"""The README as package indexes show it: they have no files beside it, so its links lead to the repository.

pyproject.toml names this hook. The repository's address is its `Repository` among the project's addresses.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class ReadmeHook(MetadataHookInterface):
    """Fills in the field `readme` while a package is built."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Pictures and links to files become absolute; links within the page stay."""
        repository = metadata["urls"]["Repository"]
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        text = re.sub(r"(!\[[^]]*\]\()(?![a-z]+:)", rf"\1{repository}/raw/main/", text)
        text = re.sub(r"(\]\()(?![a-z]+:|#)", rf"\1{repository}/blob/main/", text)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
