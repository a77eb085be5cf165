"""A streaming, suspicious XML parser: expat, a grammar, limits, and one error with its line.

A ``Document`` has a grammar: which element holds which, in which order. Elements that the grammar
does not know, attributes that nobody asked for, text where none belongs, a document type
declaration (and with it every entity), another encoding than UTF-8 and everything that would need
unbounded memory are rejected. Nothing that a file refers to is ever opened.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn
from xml.parsers import expat

from jvmscope.errors import RunError, did_you_mean
from jvmscope.schema.xml.reading.attribute_values import MAX_TEXT, Values
from jvmscope.schema.xml.reading.grammar import MAX_SHOWN, Node, Rejected, children, shown
from jvmscope.schema.xml.vocabulary import NAMESPACE, USUAL_PREFIX

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["Document"]

_CHUNK_BYTES = 1 << 20
_MAX_MARKUP_BYTES = 8 << 20
_MAX_DEPTH = 1_000_100
_MAX_NAMESPACES = 100
_ENDED_EARLY = frozenset({3, 5, 6, 20})  # XML_ERROR_NO_ELEMENTS, UNCLOSED_TOKEN, PARTIAL_CHAR, …


class Document(Values):
    """One file being read; subclasses set the grammar's root and keep what the actions find.

    Args:
        path: the file.
        report: called with the bytes read so far.
    """

    def __init__(self, path: Path, report: Callable[[int], None]) -> None:
        self.path = path
        self._report = report
        self._chars: list[str] = []
        self._nodes: list[Node] = []
        self._places = bytearray([0])
        self._n_given = 0
        self._n_namespaces = 0
        self._has_usual_prefix = False
        self._has_sections = False
        self._n_lines_skipped = 0
        self._parser = self._new_parser()

    def parse(self, root: Node) -> None:
        """Reads the whole file.

        Raises:
            RunError: the file cannot be read, is not well-formed, or is rejected.
        """
        top = Node("")
        children(top, (root, "1"))
        self._nodes = [top]
        try:
            self._feed()
        except Rejected as error:
            raise RunError(f"{self.path}:{error.line}: error: {error.reason}") from None
        except expat.ExpatError as error:
            line = error.lineno + self._n_lines_skipped
            raise RunError(f"{self.path}:{line}: error: {self._malformed(error)}") from None
        except OSError as error:
            raise RunError(f"{self.path}: cannot be read: {error.strerror or error}") from None
        finally:
            self._release()

    @property
    def line(self) -> int:
        """The line that is being read, from 1."""
        return self._parser.CurrentLineNumber + self._n_lines_skipped

    def reject(self, reason: str, line: int | None = None) -> NoReturn:
        """Raises the one error of this file."""
        raise Rejected(reason, self.line if line is None else line)

    def _new_parser(self) -> expat.XMLParserType:
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.XmlDeclHandler = self._declaration
        parser.StartDoctypeDeclHandler = self._doctype
        parser.StartNamespaceDeclHandler = self._namespace
        parser.StartCdataSectionHandler = self._section
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._chars.append
        return parser

    def _release(self) -> None:
        """Breaks the cycle between the parser and its handlers, so that memory is given back."""
        for name in ("XmlDecl", "StartDoctypeDecl", "StartNamespaceDecl", "StartCdataSection"):
            setattr(self._parser, f"{name}Handler", None)
        self._parser.StartElementHandler = None
        self._parser.EndElementHandler = None
        self._parser.CharacterDataHandler = None

    def _feed(self) -> None:
        n_read = 0
        with self.path.open("rb") as file:
            while chunk := file.read(_CHUNK_BYTES):
                if n_read == 0 and chunk[:2] in (b"\xff\xfe", b"\xfe\xff"):
                    self.reject("the encoding is UTF-16, expected UTF-8", 1)
                n_read += len(chunk)
                self._take(chunk)
                self._relieve()
                self._report(n_read)
        self._take_rest()
        self._parser.Parse(b"", True)  # noqa: FBT003 - expat's parameters have no names

    def _take(self, chunk: bytes) -> None:
        """Takes the next bytes of the file; a subclass may keep some from the parser."""
        self._give(chunk)

    def _relieve(self) -> None:
        """Gives up memory; a subclass may hold what it found in one chunk, but not more."""

    def _take_rest(self) -> None:
        """Takes the end of the file."""

    def _give(self, data: bytes) -> None:
        """Gives bytes to the parser, and looks whether it hoards them."""
        self._parser.Parse(data)
        self._n_given += len(data)
        if self._n_given - self._parser.CurrentByteIndex > _MAX_MARKUP_BYTES:
            self.reject(f"a tag or comment is longer than {_MAX_MARKUP_BYTES} bytes")
        self._bound_text()

    def _give_silently(self, tags: bytes) -> None:
        """Gives start tags to the parser whose elements are open already."""
        self._parser.StartElementHandler = None
        self._give(tags)
        self._parser.StartElementHandler = self._start

    def _is_between_tags(self) -> bool:
        """Says whether the bytes to come are markup, and the prefix is the view's own."""
        return (
            self._n_given == self._parser.CurrentByteIndex
            and self._n_namespaces == 1
            and self._has_usual_prefix
            and not self._has_sections
        )

    def _bound_text(self) -> None:
        if self._chars:
            text = "".join(self._chars)
            node = self._nodes[-1]
            if node.has_text:
                if len(text) > MAX_TEXT:
                    self.reject(f"the text of <dcg:{node.name}> is longer than {MAX_TEXT}")
                self._chars[:] = [text]
            else:
                self._only_space(text)

    def _only_space(self, text: str) -> None:
        self._chars.clear()
        if text.strip(" \t\r\n"):
            self.reject(
                f"<dcg:{self._nodes[-1].name}> holds the text {shown(text.strip())}, "
                "expected elements only"
            )

    def _declaration(self, version: str, encoding: str | None, _standalone: int) -> None:
        if version != "1.0":
            self.reject(f"the XML version is {shown(version)}, expected 1.0")
        if encoding is not None and encoding.upper() not in ("UTF-8", "UTF8", "US-ASCII"):
            self.reject(f"the encoding is {shown(encoding)}, expected UTF-8")

    def _doctype(self, *_arguments: object) -> None:
        self.reject("a document type declaration, and with it entities, is not allowed")

    def _section(self) -> None:
        self._has_sections = True

    def _namespace(self, prefix: str | None, uri: str | None) -> None:
        self._n_namespaces += 1
        self._has_usual_prefix = (prefix, uri) == (USUAL_PREFIX, NAMESPACE)
        if self._n_namespaces > _MAX_NAMESPACES:
            self.reject(f"more than {_MAX_NAMESPACES} namespace declarations")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if self._chars:
            self._text_before_tag()
        parent = self._nodes[-1]
        step = parent.steps.get(name)
        places = self._places
        place = places[-1]
        if step is None:
            self._unknown_element(parent, name)
        if place >= step.place:
            if place > step.place:
                self.reject(f"<dcg:{step.node.name}> is out of order in <dcg:{parent.name}>")
            if step.is_single:
                self.reject(f"<dcg:{parent.name}> has more than one <dcg:{step.node.name}>")
        if place < step.least:
            self.reject(f"<dcg:{parent.name}> has no <dcg:{step.required}>")
        places[-1] = step.place
        places.append(0)
        node = step.node
        self._nodes.append(node)
        if len(places) > _MAX_DEPTH:
            self.reject(f"elements are nested more than {_MAX_DEPTH} deep; the flat form is not")
        if node.start is not None:
            node.start(attributes)
        elif attributes:
            self.unknown_attribute(node.name, attributes, [])

    def _end(self, _name: str) -> None:
        node = self._nodes[-1]
        text = ""
        if self._chars:
            if node.has_text:
                text = "".join(self._chars)
                self._chars.clear()
            else:
                self._only_space("".join(self._chars))
        if self._places.pop() < node.least:
            self.reject(f"<dcg:{node.name}> has no <dcg:{node.required}>")
        self._nodes.pop()
        if node.end is not None:
            node.end(text)

    def _text_before_tag(self) -> None:
        node = self._nodes[-1]
        if node.has_text:
            self.reject(f"<dcg:{node.name}> holds an element, expected text only")
        self._only_space("".join(self._chars))

    def _unknown_element(self, parent: Node, name: str) -> NoReturn:
        namespace, _, local = name.rpartition(" ")
        found = f"<{local[:MAX_SHOWN]}>"
        if len(self._nodes) == 1:
            expected = ", ".join(step.node.name for step in parent.steps.values())
            where = f" in the namespace {shown(namespace)}" if namespace != NAMESPACE else ""
            self.reject(
                f"the root element is {found}{where}, expected <dcg:{expected}> in the "
                f'namespace "{NAMESPACE}"'
            )
        if namespace != NAMESPACE:
            kind = f"in the namespace {shown(namespace)}" if namespace else "in no namespace"
            self.reject(f"<dcg:{parent.name}> holds {found} {kind}, expected {NAMESPACE}")
        hint = did_you_mean(local[:MAX_SHOWN], [step.node.name for step in parent.steps.values()])
        more = f"; {hint}" if hint else ""
        self.reject(f"<dcg:{parent.name}> may not hold <dcg:{local[:MAX_SHOWN]}>{more}")

    def _malformed(self, error: expat.ExpatError) -> str:
        if error.code in _ENDED_EARLY:
            inside = f", inside <dcg:{self._nodes[-1].name}>" if len(self._nodes) > 1 else ""
            return f"the file ends too early{inside}: it is empty or truncated"
        return f"not well-formed XML: {expat.ErrorString(error.code)}"
