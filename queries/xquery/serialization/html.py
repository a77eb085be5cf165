"""The html and xhtml output methods (Serialization 3.1, sections 6 and 7)."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING
from urllib.parse import quote

from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.serialization.html_vocabulary import (
    BOOLEANS,
    FOREIGN,
    INLINE,
    URIS,
    VERBATIM,
    VOID,
    VOID_IN_XHTML_5,
    XHTML,
)
from jvmscope.queries.xquery.serialization.xml import XmlWriter, external_id, lexical
from jvmscope.queries.xquery.trees.node import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmscope.queries.xquery.trees.node import Node

__all__ = ["HtmlWriter", "XhtmlWriter"]

_PRINTABLE = "".join(map(chr, range(32, 127)))
_HTML_TEXT = re.compile("[&<>\xa0]")
_HTML_ATTRIBUTE = re.compile('&(?!\\{)|["\xa0]')
_CONTROLS = re.compile("[\x7f-\x9f]")


class _WebWriter(XmlWriter):
    """What html and xhtml share: the element that tells the encoding, escaped URIs."""

    def _version(self) -> float:
        """Returns the version of HTML; without any it is 5."""
        return float(self.parameters.html_version or 5)

    def local(self, element: Node) -> str:
        """Returns the lower-case name of an element of HTML, "" for others."""
        name = element.name
        if name is None or not self.is_html(element):
            return ""
        return name.local.lower()

    def is_html(self, element: Node) -> bool:
        """Tells whether an element is one of HTML."""
        return element.name is not None and element.name.uri == XHTML

    def after_start(self, element: Node) -> str:
        """Returns the ``meta`` element that a ``head`` begins with."""
        if self.local(element) != "head" or not self.parameters.include_content_type:
            return ""
        media_type = self.parameters.media_type or "text/html"
        name = self.name_of(element)[: -len("head")] + "meta"
        indent = "\n" + "  " * len(self._open) if self.parameters.indent else ""
        content = f"{media_type}; charset={self.parameters.encoding}"
        return f'{indent}<{name} http-equiv="Content-Type" content="{content}"{self.empty_tag}'

    empty_tag = ">"

    def uri(self, element: Node, attribute: Node) -> str:
        """Returns an attribute's value, escaped if it is a URI of HTML."""
        value = attribute.string_value
        name = attribute.name
        if name is None or name.uri or not self.parameters.escape_uri_attributes:
            return value
        if self.local(element) not in URIS.get(name.local.lower(), ()):
            return value
        return quote(unicodedata.normalize("NFC", value), safe=_PRINTABLE)

    def is_indented(self, child: Node) -> bool:
        """Tells whether a child stands on its own line: not where space would show."""
        parent = self._open[-1] if self._open else None
        if parent is not None and self.local(parent) in VERBATIM | INLINE:
            return False
        return child.kind is Kind.ELEMENT and self.local(child) not in INLINE

    def is_suppressed(self, element: Node) -> bool:
        """Tells whether an element's content is not to be indented; case does not count."""
        if super().is_suppressed(element):
            return True
        local = self.local(element)
        names = self.parameters.suppress_indentation
        return bool(local) and any(not name.uri and name.local.lower() == local for name in names)

    def is_skipped(self, parent: Node, child: Node) -> bool:
        """Tells whether a child is the ``meta`` that is written anew."""
        return (
            self.parameters.include_content_type
            and self.local(parent) == "head"
            and self._is_content_type(child)
        )

    def _is_content_type(self, element: Node) -> bool:
        """Tells whether an element is the ``meta`` that would be written twice."""
        return self.local(element) == "meta" and any(
            attribute.name is not None
            and attribute.name.local.lower() == "http-equiv"
            and attribute.string_value.strip().lower() == "content-type"
            for attribute in element.attributes()
        )


class XhtmlWriter(_WebWriter):
    """Writes XML that browsers of HTML read too."""

    empty_tag = " />"

    def is_html(self, element: Node) -> bool:
        """Tells whether an element is one of XHTML; HTML 5 takes those in no namespace too."""
        uri = element.name.uri if element.name is not None else ""
        return uri == XHTML or (self._version() >= 5 and not uri)

    def doctype(self, element: Node) -> str:
        """Returns the document type declaration; that of HTML 5 without a system identifier."""
        if self.parameters.doctype_system is not None:
            return super().doctype(element)
        name = element.name
        if self._version() < 5 or name is None or name.local.lower() != "html":
            return ""
        return f"<!DOCTYPE {name.local}>\n" if self.is_html(element) else ""

    def _is_plain(self, element: Node) -> bool:
        """Tells whether an element is written without a prefix (section 6.1, HTML 5)."""
        uri = element.name.uri if element.name is not None else ""
        return self._version() >= 5 and (uri == XHTML or uri in FOREIGN)

    def name_of(self, element: Node) -> str:
        """Returns the name of the tags."""
        if self._is_plain(element) and element.name is not None:
            return element.name.local
        return super().name_of(element)

    def namespaces_of(self, element: Node) -> Mapping[str, str]:
        """Returns the namespaces; those of HTML 5 are default ones."""
        namespaces = super().namespaces_of(element)
        if not self._is_plain(element) or element.name is None:
            return namespaces
        used = {attribute.name.prefix for attribute in element.attributes() if attribute.name}
        kept = {
            prefix: uri
            for prefix, uri in namespaces.items()
            if prefix in used or uri not in {XHTML, *FOREIGN}
        }
        return {**kept, "": element.name.uri or ""}

    def attribute(self, element: Node, attribute: Node) -> str:
        """Returns an attribute, escaped if it is a URI."""
        value = self.uri(element, attribute)
        if value == attribute.string_value or attribute.name is None:
            return super().attribute(element, attribute)
        return f' {lexical(attribute.name)}="{self.characters.attribute(value)}"'

    def empty_end(self, element: Node) -> str:
        """Returns the end of an empty element: a tag of its own, but for those without content."""
        void = VOID_IN_XHTML_5 if self._version() >= 5 else VOID
        return " />" if self.local(element) in void else f"></{self.name_of(element)}>"


class HtmlWriter(_WebWriter):
    """Writes HTML."""

    def check_parameters(self) -> None:
        """Refuses versions of HTML that are not known, and contradictions."""
        version = self.parameters.html_version or self.parameters.version or "5.0"
        if version not in {"4", "4.0", "4.01", "5", "5.0", "5.1", "5.2"}:
            raise DynamicError("SESU0013", f"HTML {version} is not supported")

    def check_top(self, top: list[Node | str]) -> None:
        """Allows any sequence."""

    def _version(self) -> float:
        return float(self.parameters.html_version or self.parameters.version or 5)

    def declaration(self) -> str:
        """Returns nothing."""
        return ""

    def doctype(self, element: Node) -> str:
        """Returns the document type declaration."""
        parameters = self.parameters
        name = element.name
        if parameters.doctype_system is None and parameters.doctype_public is None:
            if self._version() < 5 or name is None or name.local.lower() != "html":
                return ""
            return "<!DOCTYPE HTML>\n" if self.is_html(element) else ""
        return f"<!DOCTYPE html{external_id(parameters)}>\n"

    def is_html(self, element: Node) -> bool:
        """Tells whether an element is one of HTML: in no namespace, or in that of XHTML."""
        uri = element.name.uri if element.name is not None else ""
        return not uri or (uri == XHTML and self._version() >= 5)

    def name_of(self, element: Node) -> str:
        """Returns the name of the tags; HTML 5 has no prefixes."""
        name = element.name
        if name is not None and self._version() >= 5 and name.uri in {XHTML, *FOREIGN}:
            return name.local
        return super().name_of(element)

    def namespaces_of(self, element: Node) -> Mapping[str, str]:
        """Returns the namespaces; that of XHTML is not declared without a prefix in HTML 5."""
        namespaces = dict(super().namespaces_of(element))
        name = element.name
        if name is not None and self._version() >= 5 and name.uri in {XHTML, *FOREIGN}:
            namespaces.pop(name.prefix or "", None)
            namespaces[""] = name.uri
        return namespaces

    def attribute(self, element: Node, attribute: Node) -> str:
        """Returns an attribute; one that only tells its own name without a value."""
        name = attribute.name
        value = self.uri(element, attribute)
        local = self.local(element)
        if name is not None and not name.uri and local:
            owners = BOOLEANS.get(name.local.lower(), {""})
            if (local in owners or not owners) and value.lower() == name.local.lower():
                return f" {name.local}"
        if self._is_raw():
            return f' {lexical(name)}="{self.characters.plain(value)}"'
        self._check_controls(value)
        escaped = self.characters.escaped(value, _HTML_ATTRIBUTE).replace("&#xA0;", "&nbsp;")
        return f' {lexical(name)}="{escaped}"'

    def _is_raw(self) -> bool:
        """Tells whether a script or style is open, in which nothing is escaped."""
        return any(self.local(element) in {"script", "style"} for element in self._open)

    def _check_controls(self, text: str) -> None:
        found = _CONTROLS.search(text)
        if found is not None and self._version() < 5:
            message = f"HTML does not allow the character U+{ord(found.group()):04X}"
            raise DynamicError("SERE0014", message)

    def text(self, text: str) -> str:
        """Returns a text; that of scripts and styles as it is."""
        if self._is_raw():
            return self.characters.plain(text)
        self._check_controls(text)
        return self.characters.escaped(text, _HTML_TEXT).replace("&#xA0;", "&nbsp;")

    def cdata(self, text: str) -> str:
        """Returns a text as a CDATA section in elements that are not of HTML alone."""
        if self._open and not self.local(self._open[-1]):
            return super().cdata(text)
        return self.text(text)

    def instruction(self, node: Node) -> str:
        """Returns a processing instruction, which ends with ``>`` alone."""
        content = self.characters.check(node.string_value)
        if ">" in content:
            raise DynamicError("SERE0015", "a processing instruction of HTML contains >")
        return f"<?{lexical(node.name)}{' ' * bool(content)}{content}>"

    def empty_end(self, element: Node) -> str:
        """Returns the end of an empty element."""
        local = self.local(element)
        if local in VOID:
            return ">"
        return f"></{self.name_of(element)}>" if local else "/>"

    def end_tag(self, element: Node) -> str:
        """Returns an end tag, none for void elements."""
        return "" if self.local(element) in VOID else super().end_tag(element)
