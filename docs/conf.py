"""The documentation site, as `make docs` builds it: the README, the pages of this folder, and the reference.

Pages are plain Markdown that reads on a code host too. `_GENERATED` names the pages that get a part made from the code
while the site is built. Every warning is an error: a link that leads nowhere, a page that no navigation has.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

from counterbench._version import __version__

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
# The notebook calls `counterbench` as in an environment that is activated.
os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"

project = "counterbench"
release = __version__
html_title = f"counterbench {release}"
html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_show_copyright = False
html_copy_source = False
html_theme_options = {"top_of_page_buttons": []}
exclude_patterns = ["static", "directives", "images"]

extensions = ["myst_nb", "sphinx.ext.autodoc", "directives.commands", "directives.gallery"]
myst_heading_anchors = 4  # headings are addressed as on a code host
highlight_language = "text"
smartquotes = False  # "--out" is no dash
# Names in Python docs: single backticks are code, as in the source. Types that no page shows are no links.
default_role = "code"
nitpicky = True
nitpick_ignore_regex = [(r"py:.*", r"(?!counterbench\.\w+$).*")]
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 88
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 300

_README = re.compile(r"\]\((?:\.\./)+README\.md")
# The directive at the end of a page. It is not in the file: a code host would show it as an empty block.
_GENERATED = {
    "commands": "{commands}\n",
    "python": "{eval-rst}\n.. automodule:: counterbench\n   :members:\n",
} | {f"gallery/{name}": f"{{gallery}} {name}\n" for name in ("families", "laws", "nouns", "styles", "prompts")}


def _complete(app: Sphinx, page: str, source: list[str]) -> None:
    """Lead links to the README to the page that includes it, and add the generated part of a page."""
    source[0] = _README.sub("](/index.md", source[0])
    if page in _GENERATED:
        source[0] += f"\n```{_GENERATED[page]}```\n"


def _valid(
    app: Sphinx, what: str, name: str, obj: object, options: object, signature: str | None, returned: str | None
) -> tuple[str | None, str | None]:
    """A default that is made when it is needed stands as "<factory>" in a signature, which no parser reads."""
    return signature and signature.replace("<factory>", "..."), returned


def setup(app: Sphinx) -> None:
    """Connect what is above."""
    app.add_lexer("csv", TextLexer)
    app.connect("source-read", _complete)
    app.connect("autodoc-process-signature", _valid)
