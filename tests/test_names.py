"""Names say their kind: no binding that says nothing, no class name twice, MAX_ and MIN_, and no text times a truth."""

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ("counterbench",)
ALL_FOLDERS = (*PACKAGE, "benchmarks", "docs", "examples", "tests")
in_all_folders = pytest.mark.parametrize("folders", [PACKAGE, pytest.param(ALL_FOLDERS, marks=pytest.mark.slow)])
NUMBERS = {"len", "max", "min", "sum", "round", "int"}
SAY_NOTHING = {"of", "said", "each", "asked", "one", "there", "odd", "seen", "told"}
BINDINGS: dict[type[ast.AST], str] = {  # the field with the name, by kind of node
    ast.arg: "arg", ast.alias: "asname", ast.FunctionDef: "name", ast.AsyncFunctionDef: "name", ast.ClassDef: "name",
    ast.ExceptHandler: "name", ast.MatchAs: "name", ast.MatchStar: "name",
}  # fmt: skip
BOUND = re.compile(r"_*(MOST|LEAST)(_|$)")
# With their names in one of the groups; of a function, its own name and those of its parameters.
SCRIPT_BINDING = re.compile(r"(?:const|let) [{\[]? ?(\w+(?:, \w+)*)|(\w+(?:, \w+)*)\)? =>|function (\w+ ?\([\w, .]*)")


class FoundNames(NamedTuple):
    """Each with its place: bindings, classes and types, and (in the package) products of a text and a truth."""

    bindings: list[tuple[str, str]]
    types: list[tuple[str, str]]
    products: list[str]


@cache
def names(folders: tuple[str, ...]) -> FoundNames:
    """Each file is parsed and walked once for all tests; of the scripts of pages the bindings alone are read."""
    found = FoundNames([], [], [])
    for path in (path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))):
        file = path.relative_to(ROOT).as_posix()
        fields = set[int]()  # of classes, whose names stand in files
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                fields |= {id(part.target) for part in node.body if isinstance(part, ast.AnnAssign)}
            found.types.extend(
                (file, name) for name in types_bound_by(node, in_package=file.startswith("counterbench/"))
            )
            if id(node) not in fields and (name := bound_by(node)):
                found.bindings.append((f"{file}:{node.lineno}", name))  # type: ignore[attr-defined]
            elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and file.startswith("counterbench/"):
                factors = ((node.left, node.right), (node.right, node.left))
                if any(is_text(text) and is_truth(factor) for text, factor in factors):
                    found.products.append(f"{file}:{node.lineno}")
    for path in (ROOT / "counterbench").rglob("*.js"):
        for groups in SCRIPT_BINDING.findall(path.read_text(encoding="utf-8")):
            found.bindings.extend((path.name, name) for name in re.findall(r"\w+", " ".join(groups)))
    return found


def bound_by(node: ast.AST) -> str | None:
    """The name that a node binds, also as an attribute."""
    if isinstance(node, ast.Name | ast.Attribute):
        name = node.id if isinstance(node, ast.Name) else node.attr
        return name if isinstance(node.ctx, ast.Store) else None
    field = BINDINGS.get(type(node))
    return getattr(node, field) if field else None


def types_bound_by(node: ast.AST, in_package: bool) -> list[str]:
    """The name of a class; in the package also names of types (capitals and small letters) that an assignment binds."""
    if isinstance(node, ast.ClassDef) or not in_package:
        return [node.name] if isinstance(node, ast.ClassDef) else []
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    names = [target.id for target in targets if isinstance(target, ast.Name)]
    return [name for name in names if name.strip("_")[:1].isupper() and not name.isupper()]


@in_all_folders
def test_a_binding_is_a_noun_for_a_thing_or_a_verb_for_an_act(folders: tuple[str, ...]) -> None:
    wrong = [
        f"{place}: {name}"
        for place, name in names(folders).bindings
        if name.strip("_") in SAY_NOTHING or BOUND.match(name)
    ]
    assert not wrong, f"name the thing (`for part in parts`), and bounds MAX_ and MIN_: {wrong}"


@in_all_folders
def test_a_class_name_is_used_once(folders: tuple[str, ...]) -> None:
    places = defaultdict[str, set[str]](set)
    for place, name in names(folders).types:
        places[name].add(place)
    wrong = {name: sorted(files) for name, files in places.items() if len(files) > 1}
    assert not wrong, f"give each of these classes and types a name of its own: {wrong}"


def test_no_text_is_multiplied_by_a_truth() -> None:
    """Of a name nobody can tell if it is a number; of a comparison, of "not" and of most calls it is clear."""
    wrong = names(PACKAGE).products
    assert not wrong, f'write `text if truth else ""`: {wrong}'


def is_text(node: ast.AST) -> bool:
    """True for a text that stands in the code, also as a sum."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return is_text(node.left) or is_text(node.right)
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def is_truth(node: ast.AST) -> bool:
    """True for what is true or false, and for calls of functions that give no number by their name."""
    if isinstance(node, ast.Call):
        return not (isinstance(node.func, ast.Name) and node.func.id in NUMBERS)
    negated = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    constant = isinstance(node, ast.Constant) and isinstance(node.value, bool)
    return negated or constant or isinstance(node, ast.Compare | ast.BoolOp)
