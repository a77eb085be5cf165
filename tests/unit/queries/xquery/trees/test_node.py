"""Every kind of node has what the interface leaves open."""

from __future__ import annotations

import pytest

import jvmscope.queries.xquery.trees.memory
import jvmscope.queries.xquery.trees.run.nodes  # noqa: F401 - defines kinds of nodes
from jvmscope.queries.xquery.trees.node import Node


def _kinds(of: type[Node]) -> list[type[Node]]:
    return [kind for sub in of.__subclasses__() for kind in (sub, *_kinds(sub))]


@pytest.mark.parametrize("kind", [k for k in _kinds(Node) if not k.__subclasses__()])
def test_no_member_of_a_node_is_abstract(kind: type[Node]) -> None:
    """``Node`` is no ABC, so an object would be made; its members would answer None."""
    left = [name for name in dir(kind) if _is_abstract(getattr(kind, name))]

    assert left == []


def _is_abstract(member: object) -> bool:
    return bool(getattr(member, "__isabstractmethod__", False))
