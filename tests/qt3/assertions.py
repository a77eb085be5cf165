"""What the suite says of a result, checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jvmscope.errors import QueryError
from jvmscope.queries.xquery.trees import XmlError, parse_fragment
from qt3.nodes import as_document, differing

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from lxml import etree

__all__ = ["Answer", "failure"]


@dataclass
class Answer:
    """What came of a query.

    Attributes:
        items: the result, or None where there was an error.
        error: the error, or None.
        evaluate: evaluates an XPath expression over ``$result``.
        serialize: returns the result as text by the query's own parameters.
        folder: where files of expected results are.
    """

    items: list[Any] | None
    error: QueryError | None
    evaluate: Callable[[str], list[Any]]
    serialize: Callable[[], str]
    folder: Path


def failure(element: etree._Element, answer: Answer) -> str | None:  # noqa: PLR0911
    """Returns why an answer does not do what an assertion says, or None if it does."""
    name = str(element.tag).rpartition("}")[2]
    if name == "any-of":
        reasons = [failure(child, answer) for child in element.iterchildren("{*}*")]
        return None if None in reasons else " and ".join(str(reason) for reason in reasons)
    if name == "all-of":
        reasons = [failure(child, answer) for child in element.iterchildren("{*}*")]
        return next((reason for reason in reasons if reason is not None), None)
    if name == "not":
        inner = failure(next(element.iterchildren("{*}*")), answer)
        return "holds, and must not" if inner is None else None
    if name == "error":
        return _error(element, answer)
    if name == "assert-serialization-error":
        return _serialization_error(element, answer)
    if answer.error is not None or answer.items is None:
        return f"expected a result, found {_shown_error(answer.error)}"
    try:
        return _CHECKS[name](element, answer, answer.items)
    except QueryError as error:
        return f"{name} cannot be checked: {error}"


def _shown_error(error: QueryError | None) -> str:
    return "no error" if error is None else f"{error.code}: {error.message}"


def _error(element: etree._Element, answer: Answer) -> str | None:
    code = element.get("code", "*")
    if answer.error is None:
        return f"expected the error {code}, found a result"
    found = answer.error.code
    name = getattr(answer.error, "name", None)
    if code in {"*", found} or (name is not None and name.expanded == code):
        return None
    return f"expected the error {code}, found {_shown_error(answer.error)}"


def _serialization_error(element: etree._Element, answer: Answer) -> str | None:
    if answer.items is None:
        return _error(element, answer)
    try:
        text = answer.serialize()
    except QueryError as error:
        code = element.get("code", "*")
        return None if code in {"*", error.code} else f"expected {code}, found {error.code}"
    return f"expected the error {element.get('code')}, found {text[:60]!r}"


def _true(answer: Answer, expression: str) -> str | None:
    value = answer.evaluate(f"boolean({expression})")
    return None if value == [True] else f"{expression} does not hold"


def _assert(element: etree._Element, answer: Answer, _items: list[Any]) -> str | None:
    return _true(answer, element.text or "")


def _eq(element: etree._Element, answer: Answer, items: list[Any]) -> str | None:
    if len(items) != 1:
        return f"expected one item, {element.text}, found {len(items)}: {items[:3]}"
    reason = _true(answer, f"$result eq ({element.text})")
    return reason and f"expected {element.text}, found {items[0]!r}"


def _deep_eq(element: etree._Element, answer: Answer, items: list[Any]) -> str | None:
    reason = _true(answer, f"deep-equal($result, ({element.text}))")
    return reason and f"expected {element.text}, found {items[:5]!r}"


def _permutation(element: etree._Element, answer: Answer, items: list[Any]) -> str | None:
    """Compares as multisets: each expected item takes one that is deep-equal to it."""
    found = list(range(1, len(items) + 1))
    expected = answer.evaluate(f"count(({element.text}))")[0]
    if expected != len(items):
        return f"expected {expected} items, found {len(items)}"
    for at in range(1, expected + 1):
        for candidate in found:
            test = f"deep-equal(({element.text})[{at}], $result[{candidate}])"
            if answer.evaluate(test) == [True]:
                found.remove(candidate)
                break
        else:
            return f"item {at} of {element.text} is missing in {items!r}"
    return None


def _count(element: etree._Element, _answer: Answer, items: list[Any]) -> str | None:
    expected = int(element.text or "")
    return None if len(items) == expected else f"expected {expected} items, found {len(items)}"


def _empty(_element: etree._Element, _answer: Answer, items: list[Any]) -> str | None:
    return f"expected nothing, found {items[:3]!r}" if items else None


def _string_value(element: etree._Element, answer: Answer, _items: list[Any]) -> str | None:
    (found,) = answer.evaluate("string-join(for $r in $result return string($r), ' ')")
    expected = element.text or ""
    if element.get("normalize-space") == "true":
        found, expected = " ".join(found.split()), " ".join(expected.split())
    return None if found == expected else f"expected {expected!r}, found {found!r}"


def _boolean(expected: bool) -> Callable[..., str | None]:
    def check(_element: etree._Element, _answer: Answer, items: list[Any]) -> str | None:
        is_right = len(items) == 1 and items[0] is expected
        return None if is_right else f"expected {expected}, found {items[:3]!r}"

    return check


def _type(element: etree._Element, answer: Answer, items: list[Any]) -> str | None:
    (holds,) = answer.evaluate(f"$result instance of {element.text}")
    return None if holds else f"expected {element.text}, found {items[:3]!r}"


def _xml(element: etree._Element, answer: Answer, items: list[Any]) -> str | None:
    text = element.text or ""
    if element.get("file"):
        text = (answer.folder / element.get("file", "")).read_text(encoding="utf-8")
    try:
        expected = _parsed(text)
    except XmlError as error:
        return f"the expected result is no XML: {error}"
    found = as_document(items)
    reason = differing(expected, found)
    return reason and f"{reason}; expected {text[:200]!r}"


def _parsed(text: str) -> Any:
    if text.lstrip().startswith("<?xml"):
        text = text.partition("?>")[2]
    return parse_fragment(text.strip())


def _matches(element: etree._Element, answer: Answer, _items: list[Any]) -> str | None:
    """The pattern is one of XPath, so fn:matches decides."""
    text = answer.serialize()
    pattern = element.text or ""
    if element.get("file"):
        pattern = (answer.folder / element.get("file", "")).read_text(encoding="utf-8")
    flags = element.get("flags", "")
    literal = "'" + pattern.strip().replace("'", "''") + "'"
    value = "'" + text.replace("'", "''") + "'"
    holds = answer.evaluate(f"matches({value}, {literal}, '{flags}')")
    return None if holds == [True] else f"{pattern.strip()!r} does not match {text[:200]!r}"


def _serialization(element: etree._Element, answer: Answer, _items: list[Any]) -> str | None:
    expected = element.text or ""
    if element.get("file"):
        expected = (answer.folder / element.get("file", "")).read_text(encoding="utf-8")
    found = answer.serialize()
    is_right = found.strip() == expected.strip()
    return None if is_right else f"expected {expected[:200]!r}, found {found[:200]!r}"


_CHECKS: dict[str, Callable[[etree._Element, Answer, list[Any]], str | None]] = {
    "assert": _assert,
    "assert-eq": _eq,
    "assert-deep-eq": _deep_eq,
    "assert-permutation": _permutation,
    "assert-count": _count,
    "assert-empty": _empty,
    "assert-string-value": _string_value,
    "assert-true": _boolean(True),  # noqa: FBT003
    "assert-false": _boolean(False),  # noqa: FBT003
    "assert-type": _type,
    "assert-xml": _xml,
    "serialization-matches": _matches,
    "assert-serialization": _serialization,
}
