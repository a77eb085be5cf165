"""The virtual documents of a run are the exported XML, node by node."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from xml_runs import Shape, write_run

from jvmscope.errors import RunError
from jvmscope.queries.xquery.syntax.expanded_names import DCG
from jvmscope.queries.xquery.trees.node import Kind, Node
from jvmscope.queries.xquery.trees.run import RunTree
from jvmscope.schema.xml import export_xml

if TYPE_CHECKING:
    from collections.abc import Iterable

ODD_NAMES = ("nul\0", "\ud800lone", "\\", "\ttab\nline\r\x85", "]]>", "'\"", "", "\U0001f600")


def described(node: Node) -> list[Any]:
    """Returns every element and text from a node on, in document order."""
    found: list[Any] = []
    for inner in (node, *node.descendants()):
        if inner.kind is Kind.ELEMENT:
            attributes = [(a.tag, a.string_value) for a in inner.attributes()]
            found.append((inner.tag, attributes))
        elif inner.kind is Kind.TEXT:
            found.append(inner.string_value)
    return found


def parsed(path: Path) -> etree._ElementTree:
    return etree.parse(path, etree.XMLParser(huge_tree=True))


def described_xml(path: Path) -> list[Any]:
    """Returns the same of a file, as lxml reads it."""
    found: list[Any] = []
    for element in parsed(path).getroot().iter():
        attributes = [(f"Q{{}}{name}", value) for name, value in element.attrib.items()]
        found.append((f"Q{element.tag}", attributes))
        if element.text and element.text.strip():
            found.append(element.text)
    return found


@pytest.fixture
def run(tmp_path: Path) -> Path:
    write_run(tmp_path / "small.run", Shape())
    return tmp_path / "small.run"


def compare(run: Path) -> None:
    tree = RunTree(run)
    with tempfile.TemporaryDirectory() as folder:
        cct, classes = Path(folder) / "cct.xml", Path(folder) / "classes.xml"
        export_xml(run, cct, classes)
        assert described(tree.classes.node) == described_xml(classes)
        assert described(tree.cct.node) == described_xml(cct)


@pytest.mark.parametrize(
    "shape",
    [
        Shape(),
        Shape(probes=False),
        Shape(n_contexts=1500, n_threads=1, chain=True),
        Shape(names=(*Shape().names, *ODD_NAMES)),
    ],
    ids=["probes", "no probes", "deep", "odd names"],
)
def test_the_documents_are_the_exported_files(tmp_path: Path, shape: Shape) -> None:
    write_run(tmp_path / "a.run", shape)

    compare(tmp_path / "a.run")


@settings(max_examples=15, deadline=None)
@given(
    st.builds(
        Shape,
        seed=st.integers(0, 10**6),
        n_classes=st.integers(1, 8),
        n_contexts=st.integers(3, 80),
        n_threads=st.integers(1, 3),
        n_blocks=st.integers(0, 4),
        probes=st.booleans(),
    )
)
def test_any_run_is_its_exported_files(shape: Shape) -> None:
    with tempfile.TemporaryDirectory() as folder:
        write_run(Path(folder) / "a.run", shape)
        compare(Path(folder) / "a.run")


@pytest.mark.parametrize("name", ["classes", "cct"])
def test_keys_sort_nodes_into_document_order(run: Path, name: str) -> None:
    nodes: list[Node] = []
    document = getattr(RunTree(run), name).node
    for node in (document, *document.descendants()):
        nodes += [node, *node.attributes()]
    keys = [node.order_key for node in nodes]

    assert keys == sorted(keys)
    assert len(set(nodes)) == len(nodes)


@pytest.mark.parametrize("name", ["classes", "cct"])
def test_every_child_knows_its_parent(run: Path, name: str) -> None:
    document = getattr(RunTree(run), name).node
    for node in (document, *document.descendants()):
        for inner in (*node.children(), *node.attributes()):
            assert inner.parent == node


def _by_tag(nodes: Iterable[Node]) -> defaultdict[str | None, list[Node]]:
    found: defaultdict[str | None, list[Node]] = defaultdict(list)
    for node in nodes:
        found[node.tag].append(node)
    return found


@pytest.mark.parametrize("name", ["classes", "cct"])
def test_look_ups_by_name_find_what_a_walk_finds(run: Path, name: str) -> None:
    document = getattr(RunTree(run), name).node
    tags = {n.tag for n in document.descendants() if n.tag} | {f"Q{{{DCG}}}none", "Q{}name"}
    for node in (document, *document.descendants()):
        below, children = _by_tag(node.descendants()), _by_tag(node.children())
        for tag in tags:
            assert list(node.named_descendants(tag)) == below[tag]
            assert list(node.named_children(tag)) == children[tag]
    elements = [n for n in document.descendants() if n.kind is Kind.ELEMENT]
    for element in elements:
        for attribute in element.attributes():
            assert attribute.tag is not None
            found = element.attribute(attribute.tag)
            assert found == attribute
            assert found.string_value == attribute.string_value
        assert element.attribute("Q{}none") is None
        assert element.attribute(f"Q{{{DCG}}}id") is None


def test_a_method_has_the_sum_of_its_contexts(run: Path) -> None:
    tree = RunTree(run)
    count, context, block = (f"Q{{{DCG}}}{n}" for n in ("executionCount", "context", "basicBlock"))
    sums: dict[str, int] = {}
    for node in tree.cct.node.named_descendants(context):
        for inner in node.named_children(block):
            ref = inner.attribute("Q{}ref")
            assert ref is not None
            sums[ref.string_value] = sums.get(ref.string_value, 0) + int(inner.string_value)

    (methods,) = (tree.variables["methods"](),)
    found = {}
    for method in methods:
        for inner in method.named_children(block):
            identifier = inner.attribute("Q{}id")
            assert identifier is not None
            for counted in inner.named_children(count):
                found[identifier.string_value] = int(counted.string_value)

    assert {key: n for key, n in found.items() if n} == sums


def test_documents_are_found_by_name(run: Path) -> None:
    tree = RunTree(run)

    assert tree.document("cct") == tree.cct.node
    assert tree.document("classes") == tree.classes.node
    assert tree.document("other") is None
    assert tree.cct.node != tree.classes.node


def test_a_damaged_table_is_told(run: Path) -> None:
    (run / "tables" / "context.parquet").write_bytes(b"PAR1")

    with pytest.raises(RunError, match=r"context\.parquet: cannot be read"):
        described(RunTree(run).cct.node)
