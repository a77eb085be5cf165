"""The element ``dcg:run`` as the values of a manifest."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

from jvmscope.schema.xml.reading.grammar import Node, children, shown

if TYPE_CHECKING:
    from jvmscope.schema.xml.reading.document import Document

__all__ = ["Properties"]

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?", re.ASCII)
_MAX_DEPTH = 50
_MAX_VALUES = 100_000
_MAX_CHARACTERS = 16 << 20
_MAX_DIGITS = 40


class Properties:
    """Collects the values inside ``dcg:run``; ``values`` is None until the element was read."""

    def __init__(self, document: Document) -> None:
        self.values: dict[str, Any] | None = None
        self.line = 0
        self._document = document
        self._open: list[dict[str, Any] | list[Any]] = []
        self._name: str | None = None
        self._n_values = 0
        self._n_characters = 0
        self.node = self._grammar()

    def _grammar(self) -> Node:
        run = Node("run", self._start_run)
        nested = Node("object", lambda attributes: self._begin(attributes, {}), self._leave)
        listed = Node("list", lambda attributes: self._begin(attributes, []), self._leave)
        leaves = [
            Node(name, self._take_name, end, has_text=name != "null")
            for name, end in (
                ("string", self._string),
                ("number", self._number),
                ("boolean", self._boolean),
                ("null", lambda _text: self._add(None)),
            )
        ]
        for parent in (run, nested, listed):
            children(parent, *((node, "*") for node in (nested, listed, *leaves)), any_order=True)
        return run

    def _start_run(self, attributes: dict[str, str]) -> None:
        self._document.plain("run", attributes, [], [])
        self.values = {}
        self.line = self._document.line
        self._open = [self.values]

    def _take_name(self, attributes: dict[str, str]) -> None:
        is_named = isinstance(self._open[-1], dict)
        found = self._document.plain("run", attributes, ["name"] if is_named else [], [])
        self._name = None
        if is_named:
            self._name = self._document.text("the name of a property", found["name"])
            if self._name in self._open[-1]:
                self._document.reject(f"the property {shown(self._name)} occurs twice")
            self._n_characters += len(self._name)

    def _begin(self, attributes: dict[str, str], value: dict[str, Any] | list[Any]) -> None:
        self._take_name(attributes)
        self._add(value)
        self._open.append(value)
        if len(self._open) > _MAX_DEPTH:
            self._document.reject(f"properties are nested more than {_MAX_DEPTH} deep")

    def _leave(self, _text: str) -> None:
        self._open.pop()

    def _string(self, text: str) -> None:
        self._n_characters += len(text)
        if self._n_characters > _MAX_CHARACTERS:
            self._document.reject("the properties of the run are too long")
        self._add(self._document.text("a property", text))

    def _number(self, text: str) -> None:
        found = _NUMBER.fullmatch(text.strip(" \t\r\n"))
        number = None
        if found is not None and len(found[0]) <= _MAX_DIGITS:
            number = float(found[0]) if found[1] or found[2] else int(found[0])
        if number is None or math.isinf(number):
            self._document.reject(f"<dcg:number> is {shown(text)}, expected a number")
        self._add(number)

    def _boolean(self, text: str) -> None:
        word = text.strip(" \t\r\n")
        if word not in ("true", "false"):
            self._document.reject(f"<dcg:boolean> is {shown(text)}, expected true or false")
        self._add(word == "true")

    def _add(self, value: Any) -> None:
        self._n_values += 1
        if self._n_values > _MAX_VALUES:
            self._document.reject(f"the run has more than {_MAX_VALUES} properties")
        target = self._open[-1]
        if isinstance(target, dict):
            target[self._name or ""] = value
        else:
            target.append(value)
