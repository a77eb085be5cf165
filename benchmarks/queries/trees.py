"""The tree evaluator beside elementpath, on the ground that both have: XPath 3.1 over a document.

    python -m benchmarks.queries.trees --elements 64000 --repetitions 3

Times are of the processor, the least of the repetitions; results are lists in both cases. The
document has a node for each element and each text, attributes apart.
"""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING, Any

import elementpath
from elementpath.xpath31 import XPath31Parser
from lxml import etree

from jvmscope.queries.xquery.analysis import analyse
from jvmscope.queries.xquery.evaluator import Environment, compile_program
from jvmscope.queries.xquery.syntax.parser import parse
from jvmscope.queries.xquery.trees import parse_document

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmscope.queries.xquery.trees.node import Node

_EXPRESSIONS = (
    "//d",
    "/r/a/b",
    "count(//d)",
    '/r/a[@k="3"]/b',
    "/r/a[b > 8000]/c/d",
    "//a[c/d = 30]",
    "/r/a[@id mod 100 = 0]",
    "//a[position() mod 50 = 1]",
    "//a[last()]",
    "//d/ancestor::a",
    "/r/a/c/d/../..",
    "for $x in //a return $x/b + 1",
    'for $x in //a return if ($x/@k = "1") then string($x/b) else ()',
    "sum(//a/xs:integer(b))",
    "distinct-values(//d)",
    'string-join(//b/string(), "")',
    "some $x in //a satisfies $x/b = -1",
    "count(for $x in 1 to 100000 return $x + 1)",
    "(1 to 200000)[. mod 3 = 0][last()]",
)


def _document(n_elements: int) -> str:
    rows = (
        f'<a id="{n}" k="{n % 7}"><b>{n}</b><c><d>{n * 3 % 1000}</d></c></a>'
        for n in range(n_elements // 4)
    )
    return f"<r>{''.join(rows)}</r>"


def _timed(repetitions: int, work: Callable[[], Any]) -> tuple[float, Any]:
    """Returns the least processor time in ms, and what the work returned."""
    best, result = float("inf"), None
    for _ in range(repetitions):
        started = time.process_time()
        result = work()
        best = min(best, (time.process_time() - started) * 1000)
    return best, result


def main() -> None:
    """Measures, and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--elements", type=int, default=64_000)
    parser.add_argument("--repetitions", type=int, default=3)
    arguments = parser.parse_args()
    text, n = _document(arguments.elements), arguments.repetitions
    parsed, document = _timed(n, lambda: parse_document(text))
    loaded, root = _timed(
        n, lambda: elementpath.get_node_tree(etree.ElementTree(etree.fromstring(text)))
    )
    n_nodes = sum(1 for _ in document.descendants())
    print(f"{n_nodes:,} nodes; processor time in ms\n")
    print("| | jvmscope | compile | elementpath | ratio |")
    print("| --- | --: | --: | --: | --: |")
    print(f"| load | {parsed:.0f} | | {loaded:.0f} | {loaded / parsed:.1f} |")
    for expression in _EXPRESSIONS:
        print(_row(expression, document, root, n))


def _row(expression: str, document: Node, root: Any, n: int) -> str:
    """Returns a line of the table; the results must have the same number of items."""
    compile_ms, query = _timed(n, lambda: compile_program(analyse(parse(expression))))
    own, found = _timed(n, lambda: list(query.items(Environment(item=document))))
    token = XPath31Parser().parse(expression)
    other, expected = _timed(n, lambda: list(token.select_results(elementpath.XPathContext(root))))
    if len(found) != len(expected):
        raise AssertionError(f"{expression}: {len(found)} and {len(expected)} items")
    return f"| `{expression}` | {own:.1f} | {compile_ms:.1f} | {other:.1f} | {other / own:.1f} |"


if __name__ == "__main__":
    main()
