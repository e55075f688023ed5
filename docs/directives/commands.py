"""The directive `commands`: every command and subcommand, from what its `--help` says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import typer
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from counterbench.cli import app as commands

_CODE = re.compile(r"(`[^`]+`|(?<!\S)--[a-z][\w-]*)")
_EXAMPLE = re.compile(r"\s*Examples?: ")


class Commands(SphinxDirective):
    """A section for each command, in the groups and the order of `counterbench --help`."""

    def run(self) -> list[nodes.Node]:
        """The groups as sections, with their commands."""
        top = typer.main.get_command(commands)
        context = top.make_context("counterbench", [], resilient_parsing=True)
        groups: dict[str, nodes.section] = {}
        for name, command in top.commands.items():
            title = command.rich_help_panel
            group = groups.setdefault(title, _section(title, nodes.Text(title)))
            group += list(_described(command, f"counterbench {name}", context))
        whole = _section("every command takes", nodes.Text("Before any command"))
        whole += _parameters(top, context)
        return [*groups.values(), whole]


def _described(command: Any, path: str, parent: Any) -> Iterator[nodes.section]:
    """A command's section; of a group of commands, one for each of them."""
    context = type(parent)(command, parent=parent, info_name=path.rpartition(" ")[2])
    if subcommands := getattr(command, "commands", None):
        for name, subcommand in subcommands.items():
            yield from _described(subcommand, f"{path} {name}", context)
        return
    section = _section(path, nodes.literal("", path))
    text, *example = _EXAMPLE.split(command.help, maxsplit=1)
    section += [nodes.paragraph("", "", *_words(part)) for part in text.split("\n\n") if part.strip()]
    usage = " ".join([path, *command.collect_usage_pieces(context)])
    section += nodes.literal_block(usage, usage, language="text", classes=["wrap"])
    if example:
        lines = "\n".join(" ".join(words.split()) for words in example[0].split("\n\nor: "))
        section += nodes.paragraph("", "Example:")
        section += nodes.literal_block(lines, lines, language="text", classes=["wrap"])
    section += _parameters(command, context)
    yield section


def _parameters(command: Any, context: Any) -> nodes.definition_list:
    """Arguments and options, each with what it is for."""
    rows = nodes.definition_list(classes=["parameters"])
    for parameter in command.get_params(context):
        if (record := parameter.get_help_record(context)) and "--help" not in parameter.opts:
            term, explanation = record
            rows += nodes.definition_list_item(
                "",
                nodes.term("", "", nodes.literal("", term.strip())),
                nodes.definition("", nodes.paragraph("", "", *_words(" ".join(explanation.split())))),
            )
    return rows


def _section(name: str, title: nodes.Node) -> nodes.section:
    """An empty section under its title."""
    return nodes.section("", nodes.title("", "", title), ids=[nodes.make_id(name)], names=[name])


def _words(text: str) -> list[nodes.Node]:
    """Text in which options and what stands in backticks are code."""
    return [
        nodes.literal("", part.strip("`")) if _CODE.fullmatch(part) else nodes.Text(part) for part in _CODE.split(text)
    ]


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx of the directive."""
    app.add_directive("commands", Commands)
    return {"parallel_read_safe": True}
