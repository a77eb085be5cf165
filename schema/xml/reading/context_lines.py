"""Contexts as jvmscope writes them, one a line, read by a regular expression.

A parser that calls Python for every tag reads 30,000 contexts a second; a third of a million
lines are matched in that time. What does not match is not wrong: the parser reads it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, chain, repeat
from typing import TYPE_CHECKING, Any

from jvmscope.schema.definitions import facts_of
from jvmscope.schema.xml.escaping import escape
from jvmscope.schema.xml.reading.attribute_values import MAX_TEXT
from jvmscope.schema.xml.reading.context_tree import Contexts
from jvmscope.schema.xml.vocabulary import elements

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmscope.schema.xml.vocabulary import Attribute, Element

__all__ = ["Lines", "read_lines"]

_MAX_KEY = (1 << 31) - 1
_MAX_COUNT = (1 << 63) - 1
_END = b"</dcg:context>"
_ABSENT = 0xFFFFFFFF
_DIGITS_ONLY = bytes(byte if 48 <= byte <= 57 else 32 for byte in range(256))


@dataclass
class Lines:
    """What some lines hold: contexts, and for each table within contexts its columns.

    ``level`` is the number of contexts that are open after the last line.
    """

    contexts: Contexts
    parts: dict[str, list[list[Any]]]
    level: int


def read_lines(block: bytes, *, is_flat: bool, level: int, is_first: bool) -> Lines | None:
    """Returns what the lines hold, or None if they are not as jvmscope writes them.

    Args:
        block: whole lines.
        is_flat: the form of the file.
        level: the number of contexts that are open before the first line.
        is_first: the first line is the root of its thread.
    """
    found = _line(is_flat=is_flat).findall(block)
    if not found or len(found) != block.count(b"\n"):
        return None
    columns = list(zip(*found, strict=True))
    contexts = _contexts(columns)
    if not _are_in_range(contexts) or contexts.depths.count(0) != is_first:
        return None
    if is_first and contexts.depths[0] != 0:
        return None
    if not is_flat:
        steps = (1 - len(ends) // len(_END) for ends in columns[-1])
        levels = list(accumulate(chain((level,), steps)))
        if levels[:-1] != contexts.depths or min(levels) < 0:
            return None
        level = levels[-1]
    parts = {
        table: _part(table, contexts.keys, texts)
        for table, texts in zip(facts_of("context"), columns[10:], strict=False)
        if any(texts)
    }
    if not all(_is_part_in_range(table, part) for table, part in parts.items()):
        return None
    return Lines(contexts, parts, level)


def _contexts(columns: list[tuple[bytes, ...]]) -> Contexts:
    found = Contexts()
    found.keys = list(map(int, columns[0]))
    found.parents = _optional(columns[1])
    found.methods = _optional(columns[2])
    found.sites = _optional(columns[3])
    found.depths = list(map(int, columns[4]))
    found.sizes = list(map(int, columns[5]))
    found.ancestors = _optional(columns[6])
    found.folded = list(map(bool, columns[7]))
    found.calls = list(map(int, columns[8]))
    found.bytecodes = list(map(int, columns[9]))
    return found


def _optional(texts: Iterable[bytes]) -> list[int | None]:
    return [int(text) if text else None for text in texts]


def _are_in_range(contexts: Contexts) -> bool:
    keys = (contexts.keys, contexts.depths, contexts.sizes)
    some = (contexts.parents, contexts.methods, contexts.sites, contexts.ancestors)
    return (
        all(max(column) <= _MAX_KEY for column in keys)
        and all(max(filter(None, column), default=0) <= _MAX_KEY for column in some)
        and max(contexts.calls) <= _MAX_COUNT
        and max(contexts.bytecodes) <= _MAX_COUNT
    )


def _part(table: str, keys: list[int], texts: tuple[bytes, ...]) -> list[list[Any]]:
    """Returns the columns of a table's rows, the owning contexts first."""
    start = f"<dcg:{elements()[table].name}".encode()
    n_rows = [text.count(start) if text else 0 for text in texts]
    owners: list[int | None] = list(chain.from_iterable(map(repeat, keys, n_rows)))
    joined = b"".join(texts)
    element = elements()[table]
    if not _is_of_numbers(element):
        return [owners, *_columns(element, joined)]
    may_lack_its_key = _may_lack_its_key(element)
    if may_lack_its_key:
        joined = joined.replace(*_without_its_key(element))
    numbers = list(map(int, joined.translate(_DIGITS_ONLY).split()))
    width = len(element.attributes) + len(element.counts)
    columns: list[list[Any]] = [list(numbers[place::width]) for place in range(width)]
    if may_lack_its_key:
        columns[0] = [None if key == _ABSENT else key for key in columns[0]]
    return [owners, *columns]


def _is_of_numbers(element: Element) -> bool:
    """Tells whether an element has numbers only, of which only the first may be absent."""
    return all(
        _is_number(attribute) and (place == 0 or attribute.is_required)
        for place, attribute in enumerate(element.attributes)
    )


def _is_number(attribute: Attribute) -> bool:
    return attribute.kind in ("integer", "long")


def _columns(element: Element, joined: bytes) -> list[list[Any]]:
    """Returns the columns of an element that has texts or may lack several attributes."""
    columns = list(zip(*re.findall(_leaf(element, "(", ")").encode(), joined), strict=True))
    kinds = [_is_number(attribute) for attribute in element.attributes]
    kinds += [True] * len(element.counts)
    return [
        _optional(column) if is_number else _texts(column)
        for column, is_number in zip(columns, kinds, strict=True)
    ]


def _texts(column: Iterable[bytes]) -> list[str | None]:
    """Returns texts, which come in their quotes; what is absent has none.

    What is no UTF-8 becomes surrogates, which no plain text has.
    """
    return [text[1:-1].decode(errors="surrogateescape") if text else None for text in column]


def _may_lack_its_key(element: Element) -> bool:
    return bool(element.attributes) and not element.attributes[0].is_required


def _without_its_key(element: Element) -> tuple[bytes, bytes]:
    """Returns how an element without its first attribute begins, and how with one for none."""
    first, *others = (attribute.name for attribute in element.attributes)
    start, rest = f"<dcg:{element.name}", f' {others[0]}="' if others else ">"
    return f"{start}{rest}".encode(), f'{start} {first}="{_ABSENT}"{rest}'.encode()


def _is_part_in_range(table: str, part: list[list[Any]]) -> bool:
    element = elements()[table]
    limits: list[int | None] = [_MAX_KEY]
    for attribute in element.attributes:
        limit = _MAX_COUNT if attribute.kind == "long" else _MAX_KEY
        limits.append(limit if _is_number(attribute) else None)
    limits += [_MAX_COUNT] * len(element.counts)
    return all(
        _are_plain(column) if limit is None else max(filter(None, column), default=0) <= limit
        for column, limit in zip(part, limits, strict=True)
    )


def _are_plain(texts: Iterable[str | None]) -> bool:
    """Tells whether XML may hold texts as they are, none of which is too long."""
    return all(len(text) <= MAX_TEXT and escape(text) == text for text in set(texts) if text)


@cache
def _line(*, is_flat: bool) -> re.Pattern[bytes]:
    """Returns the expression for a line; its groups are those that ``read_lines`` takes."""
    context = elements()["context"]
    attributes = ""
    for attribute in context.attributes:
        if attribute.name == "parent" and not is_flat:
            attributes += "()"
        elif attribute.kind == "flag":
            attributes += f'( {attribute.name}="true")?'
        elif attribute.is_required:
            attributes += f' {attribute.name}="([0-9]{{1,10}})"'
        else:
            attributes += f'(?: {attribute.name}="([0-9]{{1,10}})")?'
    counts = "".join(
        f"<dcg:{name}>([0-9]{{1,19}})</dcg:{name}>" for name, _column in context.counts
    )
    parts = "".join(f"((?:{_leaf(elements()[table])})*+)" for table in facts_of("context"))
    end = _END.decode() if is_flat else f"((?:{_END.decode()})*+)"
    return re.compile(f"^<dcg:context{attributes}>{counts}{parts}{end}\n".encode(), re.MULTILINE)


def _leaf(element: Element, start: str = "", end: str = "") -> str:
    """Returns the expression for an element; its values are between ``start`` and ``end``."""
    attributes = "".join(_attribute(attribute, start, end) for attribute in element.attributes)
    counts = "".join(
        f"<dcg:{name}>{start}[0-9]{{1,19}}{end}</dcg:{name}>" for name, _column in element.counts
    )
    begin = f"<dcg:{element.name}{attributes}"
    return f"{begin}>{counts}</dcg:{element.name}>" if counts else f"{begin}/>"


def _attribute(attribute: Attribute, start: str, end: str) -> str:
    """Returns the expression for an attribute; texts that are not as they are read are left."""
    most = 10 if attribute.is_required else 9
    if attribute.kind == "long":
        most = 19
    if _is_number(attribute):
        text = f' {attribute.name}="{start}[0-9]{{1,{most}}}{end}"'
    else:
        text = rf' {attribute.name}={start}"[^"&<\\\x00-\x1f]*"{end}'
    return text if attribute.is_required else f"(?:{text})?"
