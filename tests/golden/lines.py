"""Lines of code by package, without blank lines, comments and docstrings: `python tests/golden/lines.py [FOLDER]`."""

import ast
import io
import sys
import tokenize
from collections import Counter
from pathlib import Path

_NO_CODE = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING)


def code_lines(source: str) -> int:
    """The lines of a module that a token of code stands on."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docs: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, documented) and ast.get_docstring(node, clean=False) is not None:
            docs |= {*range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1)}
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in (*_NO_CODE, tokenize.ENDMARKER):
            lines |= {*range(token.start[0], token.end[0] + 1)}
    return len(lines - docs)


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[2] / "counterbench"
    code, all_lines = Counter[str](), Counter[str]()
    for file in sorted(folder.rglob("*.py")):
        source = file.read_text(encoding="utf-8")
        package = file.relative_to(folder).parts[0].removesuffix(".py")
        code[package] += code_lines(source)
        all_lines[package] += source.count("\n")
    for package, count in code.most_common():
        print(f"{package:<14} {count:>6} {all_lines[package]:>6}")
    print(f"{'all':<14} {code.total():>6} {all_lines.total():>6}")


if __name__ == "__main__":
    main()
