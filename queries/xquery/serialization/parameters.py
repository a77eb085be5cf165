"""Serialization parameters (XSLT and XQuery Serialization 3.1, section 3)."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.lexical import collapse, is_ncname
from jvmscope.queries.xquery.syntax.expanded_names import Name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["METHODS", "Parameters", "set_parameter"]

METHODS = frozenset({"xml", "html", "xhtml", "text", "json", "adaptive"})
_YES, _NO = {"yes", "true", "1"}, {"no", "false", "0"}
_PUBLIC = re.compile(r"[- \r\na-zA-Z0-9'()+,./:=?;!*#@$_%]*\Z")
_FORMS = {"NFC", "NFD", "NFKC", "NFKD", "fully-normalized", "none"}


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters, under the names of the specification with underscores.

    None stands for an absent one. ``standalone`` is ``yes``, ``no`` or ``omit``.
    """

    method: str = "xml"
    allow_duplicate_names: bool = False
    byte_order_mark: bool = False
    cdata_section_elements: frozenset[Name] = frozenset()
    doctype_public: str | None = None
    doctype_system: str | None = None
    encoding: str = "UTF-8"
    escape_uri_attributes: bool = True
    html_version: str | None = None
    include_content_type: bool = True
    indent: bool = False
    item_separator: str | None = None
    json_node_output_method: str = "xml"
    media_type: str | None = None
    normalization_form: str = "none"
    omit_xml_declaration: bool = False
    standalone: str = "omit"
    suppress_indentation: frozenset[Name] = frozenset()
    undeclare_prefixes: bool = False
    use_character_maps: Mapping[str, str] = field(default_factory=dict)
    version: str | None = None

    def with_options(
        self, options: Mapping[str, str], resolve: Callable[[str], Name]
    ) -> Parameters:
        """Returns parameters with some set from texts, as in ``declare option output:…``.

        Args:
            options: by local name.
            resolve: returns the expanded name of a lexical QName, an element's.

        Raises:
            DynamicError: SEPM0016, a value is not allowed.
        """
        result = self
        for name, value in options.items():
            result = set_parameter(result, name, value, resolve)
        return result


def _bad(name: str, value: str) -> DynamicError:
    return DynamicError("SEPM0016", f"{name}={value!r} is not allowed")


def _boolean(name: str, value: str) -> bool:
    word = value.strip()
    if word not in _YES | _NO:
        raise _bad(name, value)
    return word in _YES


def _method(name: str, value: str) -> str:
    word = value.strip().removeprefix("Q{}")
    if word not in METHODS:
        raise _bad(name, value)
    return word


def _standalone(name: str, value: str) -> str:
    word = value.strip()
    if word == "omit":
        return word
    return "yes" if _boolean(name, word) else "no"


def _normalization(name: str, value: str) -> str:
    word = value.strip()
    if word not in _FORMS:
        if re.fullmatch(r"[\w.-]+", word):
            raise DynamicError("SESU0011", f"the normalization form {word} is not supported")
        raise _bad(name, value)
    return word


def _encoding(name: str, value: str) -> str:
    word = value.strip()
    if not re.fullmatch("[A-Za-z][A-Za-z0-9._-]*", word):
        raise _bad(name, value)
    try:
        codecs.lookup(word)
    except LookupError as error:
        raise DynamicError("SESU0007", f"the encoding {word} is not supported") from error
    return word


def _public(name: str, value: str) -> str:
    if not _PUBLIC.match(value):
        raise _bad(name, value)
    return value


def _system(name: str, value: str) -> str:
    if "'" in value and '"' in value:
        raise _bad(name, value)
    return value


def _text(_: str, value: str) -> str:
    return value


def _version(name: str, value: str) -> str:
    word = value.strip()
    if not word:
        raise _bad(name, value)
    return word


def _html_version(name: str, value: str) -> str:
    if not re.fullmatch(r"[+-]?(\d+(\.\d*)?|\.\d+)", value.strip()):
        raise _bad(name, value)
    return value.strip()


_READERS: dict[str, Callable[[str, str], Any]] = {
    "method": _method,
    "allow-duplicate-names": _boolean,
    "byte-order-mark": _boolean,
    "doctype-public": _public,
    "doctype-system": _system,
    "encoding": _encoding,
    "escape-uri-attributes": _boolean,
    "html-version": _html_version,
    "include-content-type": _boolean,
    "indent": _boolean,
    "item-separator": _text,
    "json-node-output-method": _method,
    "media-type": _text,
    "normalization-form": _normalization,
    "omit-xml-declaration": _boolean,
    "standalone": _standalone,
    "undeclare-prefixes": _boolean,
    "version": _version,
}
_NAMES = {"cdata-section-elements", "suppress-indentation"}


def set_parameter(
    parameters: Parameters, name: str, value: str, resolve: Callable[[str], Name]
) -> Parameters:
    """Returns parameters with one set from a text.

    Args:
        parameters: those before.
        name: as in the specification, ``omit-xml-declaration``.
        value: the text.
        resolve: returns the expanded name of a lexical QName of an element.

    Raises:
        DynamicError: SEPM0016 (not allowed), SESU0007, SESU0011 (not supported).

    >>> set_parameter(Parameters(), "indent", "yes", lambda text: Name(text, "", "")).indent
    True
    """
    attribute = name.replace("-", "_")
    if name in _NAMES:
        names = frozenset(_name(name, word, resolve) for word in collapse(value).split(" ") if word)
        return replace(parameters, **{attribute: names | getattr(parameters, attribute)})
    reader = _READERS.get(name)
    if reader is None:
        raise DynamicError("SEPM0017", f"there is no serialization parameter {name}")
    return replace(parameters, **{attribute: reader(name, value)})


def _name(parameter: str, word: str, resolve: Callable[[str], Name]) -> Name:
    if braced := re.fullmatch(r"Q\{([^{}]*)\}(.+)", word):
        return Name(braced[2], None, braced[1])
    if not all(is_ncname(part) for part in word.split(":", maxsplit=1)):
        raise _bad(parameter, word)
    return resolve(word)
