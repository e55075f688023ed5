"""Names say their kind: no binding that says nothing, no class name twice, MAX_ and MIN_, and no text times a truth."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "counterbench"
NUMBERS = {"len", "max", "min", "sum", "round", "int"}
SAY_NOTHING = {"of", "said", "each", "asked", "one", "there", "odd", "seen", "told"}


@cache
def modules() -> list[tuple[str, list[ast.AST]]]:
    """All modules, each as its nodes."""
    files = sorted(PACKAGE.rglob("*.py"))
    return [(str(path.relative_to(PACKAGE)), [*ast.walk(ast.parse(path.read_text()))]) for path in files]


def bindings(nodes: list[ast.AST]) -> Iterator[tuple[int, str]]:
    """Line and name of every binding but the fields of classes, whose names stand in files."""
    classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
    fields = {id(node.target) for cls in classes for node in cls.body if isinstance(node, ast.AnnAssign)}
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and id(node) not in fields:
            yield node.lineno, node.id
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) or (
            isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name
        ):
            yield node.lineno, node.name
        elif isinstance(node, ast.alias) and node.asname:
            yield node.lineno, node.asname


def test_a_binding_is_a_noun_for_a_thing_or_a_verb_for_an_act() -> None:
    found = [
        f"{path}:{line}: {name}"
        for path, nodes in modules()
        for line, name in bindings(nodes)
        if name.strip("_") in SAY_NOTHING or name.strip("_").startswith(("MOST_", "LEAST_"))
    ]
    assert not found, f"name the thing (`for part in parts`), and bounds MAX_ and MIN_: {found}"


def type_names(node: ast.AST) -> list[str]:
    """The name of a class, and the names of types (capitals and small letters) that an assignment binds."""
    if isinstance(node, ast.ClassDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    names = [target.id for target in targets if isinstance(target, ast.Name)]
    return [name for name in names if name.strip("_")[:1].isupper() and not name.isupper()]


def test_a_class_name_is_used_once() -> None:
    places = defaultdict[str, set[str]](set)
    for path, nodes in modules():
        for node in nodes:
            for name in type_names(node):
                places[name].add(path)
    found = {name: sorted(paths) for name, paths in places.items() if len(paths) > 1}
    assert not found, f"give each of these classes and types a name of its own: {found}"


def test_no_text_is_multiplied_by_a_truth() -> None:
    """Of a name nobody can tell if it is a number; of a comparison, of "not" and of most calls it is clear."""
    found = [
        f"{path}:{node.lineno}"
        for path, nodes in modules()
        for node in nodes
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult)
        for text, factor in ((node.left, node.right), (node.right, node.left))
        if is_text(text) and is_truth(factor)
    ]
    assert not found, f'write `text if truth else ""`: {found}'


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
