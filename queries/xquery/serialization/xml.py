"""The xml output method (Serialization 3.1, section 5), the base of xhtml and html."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.serialization.characters import CharacterWriter
from jvmscope.queries.xquery.serialization.events import END, normalized, walk
from jvmscope.queries.xquery.syntax.expanded_names import XML
from jvmscope.queries.xquery.trees.node import Kind, Node

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from jvmscope.queries.xquery.serialization.parameters import Parameters
    from jvmscope.queries.xquery.syntax.expanded_names import Name

__all__ = ["XmlWriter", "external_id", "lexical"]

_VERSIONS = {"1.0", "1.1"}
_SPACE = "Q{http://www.w3.org/XML/1998/namespace}space"


class XmlWriter:
    """Writes one sequence; the parts of its text come in order."""

    def __init__(self, parameters: Parameters) -> None:
        self.parameters = parameters
        self.characters = CharacterWriter(parameters)
        self._open: list[Node] = []
        self._namespaces: list[Mapping[str, str]] = [{"xml": XML}]
        self._indented: list[bool] = []
        self._is_start_open = False
        self._has_lines: list[bool] = []

    def write(self, items: Iterable[Any]) -> Iterator[str]:
        """Returns the parts of the text of a sequence."""
        self.check_parameters()
        top = list(normalized(items, self.parameters.item_separator))
        self.check_top(top)
        yield self.declaration()
        is_first_element = True
        is_indented = self.parameters.indent and not any(isinstance(part, str) for part in top)
        for at, part in enumerate(top):
            if at and is_indented:
                yield "\n"
            if isinstance(part, str):
                yield self.text(part)
                continue
            if part.kind is Kind.ELEMENT and is_first_element:
                is_first_element = False
                yield self.doctype(part)
            yield from self.node(part)

    def check_parameters(self) -> None:
        """Refuses parameters that exclude each other."""
        parameters = self.parameters
        version = parameters.version or "1.0"
        if version not in _VERSIONS:
            raise DynamicError("SESU0013", f"XML {version} is not supported")
        if parameters.omit_xml_declaration and (
            parameters.standalone != "omit"
            or (version != "1.0" and parameters.doctype_system is not None)
        ):
            raise DynamicError("SEPM0009", "the XML declaration cannot be omitted")
        if parameters.undeclare_prefixes and version == "1.0":
            raise DynamicError("SEPM0010", "XML 1.0 cannot undeclare prefixes")

    def check_top(self, top: list[Node | str]) -> None:
        """Refuses what is not a document where one is needed."""
        parameters = self.parameters
        if parameters.standalone == "omit" and parameters.doctype_system is None:
            return
        elements = [part for part in top if isinstance(part, Node) and part.kind is Kind.ELEMENT]
        if len(elements) != 1 or any(isinstance(part, str) and part.strip() for part in top):
            message = "a document type or standalone needs one element at the top, and no text"
            raise DynamicError("SEPM0004", message)

    def declaration(self) -> str:
        """Returns the XML declaration, or ""."""
        parameters = self.parameters
        if parameters.omit_xml_declaration:
            return ""
        standalone = parameters.standalone
        return (
            f'<?xml version="{parameters.version or "1.0"}" encoding="{parameters.encoding}"'
            + (f' standalone="{standalone}"' if standalone != "omit" else "")
            + "?>"
        )

    def doctype(self, element: Node) -> str:
        """Returns the document type declaration, or ""."""
        system = self.parameters.doctype_system
        if system is None:
            return ""
        return f"<!DOCTYPE {lexical(element.name)}{external_id(self.parameters)}>\n"

    def node(self, node: Node) -> Iterator[str]:
        """Returns the parts of a node's text."""
        for event, current in walk(node, self.is_skipped):
            if event == END:
                yield self.end_element()
            elif current.kind is Kind.ELEMENT:
                yield self._before_child(current) + self.start_element(current)
            elif current.kind is Kind.TEXT:
                if current.string_value:
                    yield self._close_start() + self._element_text(current.string_value)
            elif current.kind is Kind.COMMENT:
                content = self.characters.check(current.string_value)
                yield f"{self._before_child(current)}<!--{content}-->"
            else:
                yield self._before_child(current) + self.instruction(current)

    def is_skipped(self, parent: Node, child: Node) -> bool:  # noqa: ARG002 - for html
        """Tells whether an element is left out."""
        return False

    def instruction(self, node: Node) -> str:
        """Returns a processing instruction."""
        content = self.characters.check(node.string_value)
        return f"<?{lexical(node.name)}{' ' * bool(content)}{content}?>"

    # -- elements

    def start_element(self, element: Node) -> str:
        """Returns a start tag, its end left open, and makes the element the innermost."""
        namespaces = self.namespaces_of(element)
        declared = self._declarations(namespaces)
        attributes = "".join(
            self.attribute(element, attribute) for attribute in element.attributes()
        )
        self._open.append(element)
        self._namespaces.append(namespaces)
        self._indented.append(self._indents_children(element))
        self._has_lines.append(False)
        self._is_start_open = True
        return f"<{self.characters.check(self.name_of(element))}{declared}{attributes}"

    def name_of(self, element: Node) -> str:
        """Returns the name that the tags of an element have."""
        return lexical(element.name)

    def namespaces_of(self, element: Node) -> Mapping[str, str]:
        """Returns the namespaces that hold in an element, by prefix."""
        return element.in_scope_namespaces()

    def _declarations(self, namespaces: Mapping[str, str]) -> str:
        above = self._namespaces[-1]
        parts = []
        for prefix, uri in namespaces.items():
            if above.get(prefix, "") != uri and prefix != "xml":
                name = f"xmlns:{prefix}" if prefix else "xmlns"
                parts.append(f' {name}="{self.characters.attribute(uri)}"')
        if above.get("") and "" not in namespaces:
            parts.append(' xmlns=""')
        if self.parameters.undeclare_prefixes:
            parts += [
                f' xmlns:{prefix}=""'
                for prefix, uri in above.items()
                if prefix and uri and not namespaces.get(prefix)
            ]
        return "".join(parts)

    def attribute(self, element: Node, attribute: Node) -> str:  # noqa: ARG002 - for html
        """Returns an attribute with a space before it."""
        value = self.characters.attribute(attribute.string_value)
        return f' {self.characters.check(lexical(attribute.name))}="{value}"'

    def _close_start(self) -> str:
        if self._is_start_open:
            self._is_start_open = False
            return ">" + self.after_start(self._open[-1])
        return ""

    def after_start(self, element: Node) -> str:  # noqa: ARG002 - for html
        """Returns what follows a start tag whatever the element contains."""
        return ""

    def end_element(self) -> str:
        """Returns the end of the innermost element."""
        element = self._open[-1]
        extra = self.after_start(element) if self._is_start_open else ""
        self._open.pop()
        self._namespaces.pop()
        self._indented.pop()
        has_lines = self._has_lines.pop()
        if self._is_start_open:
            self._is_start_open = False
            if not extra:
                return self.empty_end(element)
            return f">{extra}</{self.name_of(element)}>"
        indent = "\n" + "  " * len(self._open) if has_lines else ""
        return f"{indent}{self.end_tag(element)}"

    def end_tag(self, element: Node) -> str:
        """Returns the end tag of an element with content."""
        return f"</{self.name_of(element)}>"

    def empty_end(self, element: Node) -> str:  # noqa: ARG002 - for html
        """Returns the end of the tag of an element without content."""
        return "/>"

    # -- content

    def _before_child(self, child: Node) -> str:
        """Returns the end of the parent's start tag, and an indentation."""
        is_indented = bool(self._indented) and self._indented[-1] and self.is_indented(child)
        closed = self._close_start()
        if not is_indented:
            return closed
        self._has_lines[-1] = True
        return f"{closed}\n{'  ' * len(self._open)}"

    def is_indented(self, child: Node) -> bool:  # noqa: ARG002 - for html
        """Tells whether a child of an indented element stands on a line of its own."""
        return True

    def _indents_children(self, element: Node) -> bool:
        if not self.parameters.indent or self.is_suppressed(element):
            return False
        if self._indented and not self._indented[-1]:
            return False
        for attribute in element.attributes():
            if attribute.name is not None and attribute.name.expanded == _SPACE:
                return attribute.string_value != "preserve"
        return all(
            child.kind is not Kind.TEXT or not child.string_value for child in element.children()
        )

    def is_suppressed(self, element: Node) -> bool:
        """Tells whether an element's content is not to be indented."""
        return element.name in self.parameters.suppress_indentation

    def _element_text(self, text: str) -> str:
        element = self._open[-1] if self._open else None
        if element is not None and element.name in self.parameters.cdata_section_elements:
            return self.cdata(text)
        return self.text(text)

    def text(self, text: str) -> str:
        """Returns a text with its markup escaped."""
        return self.characters.text(text)

    def cdata(self, text: str) -> str:
        """Returns a text as CDATA sections; characters that cannot be encoded stand between."""
        parts = []
        section = ""
        for character in self.characters.unmapped(text):
            if self.characters.can_encode(character):
                section += character
                continue
            parts += [_section(section), f"&#x{ord(character):X};"]
            section = ""
        return "".join([*parts, _section(section)])


def _section(text: str) -> str:
    return f"<![CDATA[{text.replace(']]>', ']]]]><![CDATA[>')}]]>" if text else ""


def lexical(name: Name | None) -> str:
    """Returns a name with its prefix, "" for none."""
    if name is None:
        return ""
    return f"{name.prefix}:{name.local}" if name.prefix else name.local


def external_id(parameters: Parameters) -> str:
    """Returns the identifiers of a document type declaration, with a space before them."""
    system, public = parameters.doctype_system, parameters.doctype_public
    quoted = "" if system is None else f"'{system}'" if '"' in system else f'"{system}"'
    if public is None:
        return f" SYSTEM {quoted}" if quoted else ""
    return f' PUBLIC "{public}" {quoted}'.rstrip()
