"""What Sphinx does not do by itself: links to pages outside `docs/` and to types, code as it was written."""

from __future__ import annotations

import builtins
import re
import sys
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

ROOT = Path(__file__).parents[2]
OUTSIDE = {"changelog": "CHANGELOG.md", "contributing": "CONTRIBUTING.md"}  # files that are pages, too
LIBRARY = "https://docs.python.org/3/library"
SHORT, PROSE = 16, 80  # characters


def inside(app: Sphinx, docname: str, source: list[str]) -> None:
    """Have pages that stand for files outside `docs/` hold their text, and links to them stay on the site."""
    if docname in OUTSIDE:
        path = ROOT / OUTSIDE[docname]
        app.env.note_dependency(path)
        source[0] = path.read_text(encoding="utf-8").replace("](docs/", "](")
    for page, file in OUTSIDE.items():
        source[0] = source[0].replace(f"](../{file})", f"]({page}.md)").replace(f"]({file})", f"]({page}.md)")


def parsable(
    app: Sphinx,
    what: str,
    name: str,
    member: object,
    options: object,
    signature: str | None,
    returns: str | None,
) -> tuple[str | None, object]:
    """A signature without defaults such as `<factory>`, which are no Python and would hide its types.

    What a field's type is annotated with, ranges and registries, is on the page of configurations. Protocols
    are not called, and have none.
    """
    if getattr(member, "_is_protocol", False):
        return "", None
    signature = signature and re.sub(r"~?(?:typing\.)?Annotated\[(\w+), .*?[)>]\]", r"\1", signature)
    return signature and re.sub(r"= <(?:[^<>]|<[^<>]*>)*>", "= ...", signature), returns


def docstring(app: Sphinx, what: str, name: str, member: object, options: object, lines: list[str]) -> None:
    """Have docstrings link to the exceptions that they name, and fields of tuples not be called aliases.

    Code keeps its backslashes, which reStructuredText would take for escapes.
    """
    kept = [line for line in lines if not line.startswith("Alias for field number")]
    linked = [re.sub(r"(?<![`:])`(\w+Error)`(?!`)", r":py:exc:`\1`", line) for line in kept]
    lines[:] = [re.sub(r"(?<![`:])`([^`]*\\[^`]*)`(?!`)", r"``\1``", line) for line in linked]


def unannotated(app: Sphinx, domain: str, kind: str, content: addnodes.desc_content) -> None:
    """The same for the types of attributes."""
    for part in content.parent.findall(addnodes.desc_annotation) if content.parent else ():
        text = part.astext()
        if "Annotated[" in text or " object at 0x" in text:
            found = re.search(r"\[(int|float|bool)", text)  # the text of a link has its name twice
            part.children = [nodes.Text(f": {found[1] if found else 'str'}")]


def tidy(app: Sphinx, document: nodes.document) -> None:
    """No empty line at the end of code, as doctests need; a figure and its deviation stay on one line.

    Classes tell the style sheet of code that is too short to be broken, and of cells that need some width.
    """
    for block in document.findall(nodes.literal_block):
        if block.rawsource == block.astext():  # otherwise it has links in it
            block.rawsource = block.astext().rstrip("\n")
            block.children = [nodes.Text(block.rawsource)]
    for one in document.findall(nodes.literal):
        one["classes"] += ["short"] if len(one.astext()) <= SHORT else []
    for entry in document.findall(nodes.entry):
        code = sum(len(one.astext()) for one in entry.findall(nodes.literal))
        entry["classes"] += ["prose"] if len(entry.astext()) - code > PROSE else []
        for text in list(entry.findall(nodes.Text)):
            text.parent.replace(
                text, nodes.Text(text.replace(" ± ", "\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}"))
            )


def find(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, content: nodes.TextElement
) -> nodes.Element | None:
    """A name that is not in scope where it is used: ours by its last part, others' by their library."""
    if node.get("refdomain") != "py":
        return None
    return _ours(app, env, node, content) or _others(node["reftarget"], content)


def _ours(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, content: nodes.TextElement
) -> nodes.Element | None:
    last = node["reftarget"].rpartition(".")[2]
    objects = env.domains.python_domain.objects
    found = {entry.node_id: entry for name, entry in objects.items() if name.rpartition(".")[2] == last}
    if not found or (
        len(found) > 1 and node["reftype"] != "exc"
    ):  # an exception is one, wherever it is offered
        return None
    anchor, entry = min(found.items())
    uri = app.builder.get_relative_uri(node["refdoc"], entry.docname)
    return nodes.reference("", "", content, internal=True, refuri=f"{uri}#{anchor}")


def _others(target: str, content: nodes.TextElement) -> nodes.Element | None:
    target = {"Path": "pathlib.Path"}.get(target, target)  # annotated as a string
    module = target.rpartition(".")[0]
    if module.partition(".")[0] in sys.stdlib_module_names:
        return nodes.reference("", "", content, refuri=f"{LIBRARY}/{module}.html#{target}")
    if is_exception(getattr(builtins, target, None)):
        return nodes.reference("", "", content, refuri=f"{LIBRARY}/exceptions.html#{target}")
    if hasattr(builtins, target) or (module and not module.startswith("ccgkit")):
        return content
    return None


def is_exception(found: object) -> bool:
    """Whether it is a class of exceptions."""
    return isinstance(found, type) and issubclass(found, BaseException)


def setup(app: Sphinx) -> dict[str, bool]:
    """Listen for sources, signatures, docstrings, pages and references without a target."""
    app.connect("source-read", inside)
    app.connect("autodoc-process-signature", parsable)
    app.connect("autodoc-process-docstring", docstring)
    app.connect("object-description-transform", unannotated)
    app.connect("doctree-read", tidy)
    app.connect("missing-reference", find)
    return {"parallel_read_safe": True}
