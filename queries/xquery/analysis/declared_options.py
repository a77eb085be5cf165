"""Options, those of serialization above all (XQuery 3.1, sections 2.2.4 and 4.19)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.errors import did_you_mean
from jvmscope.queries.xquery.analysis.name_expansion import XQUERY
from jvmscope.queries.xquery.analysis.static_errors import error_at, error_of_name
from jvmscope.queries.xquery.syntax.expanded_names import OUTPUT, Name

if TYPE_CHECKING:
    from jvmscope.queries.xquery.analysis.name_expansion import Namespaces
    from jvmscope.queries.xquery.syntax.ast import OptionDeclaration
    from jvmscope.queries.xquery.syntax.source import Source

__all__ = ["PARAMETERS", "read_option"]

PARAMETERS = frozenset(
    {
        "allow-duplicate-names",
        "byte-order-mark",
        "cdata-section-elements",
        "doctype-public",
        "doctype-system",
        "encoding",
        "escape-uri-attributes",
        "html-version",
        "include-content-type",
        "indent",
        "item-separator",
        "json-node-output-method",
        "media-type",
        "method",
        "normalization-form",
        "omit-xml-declaration",
        "parameter-document",
        "standalone",
        "suppress-indentation",
        "undeclare-prefixes",
        "version",
    }
)
_NAME_LISTS = {"cdata-section-elements", "suppress-indentation"}


def read_option(
    option: OptionDeclaration,
    namespaces: Namespaces,
    source: Source,
    parameters: dict[str, str],
    *,
    is_library: bool,
) -> None:
    """Adds what an option says to the serialization parameters; other options are ignored.

    Names in a value come out expanded, as ``Q{uri}local``.

    Raises:
        QueryError: XQST0108 (in a library module), XQST0109 (no such parameter), XQST0110 (given
            twice), XPST0081.
    """
    name = namespaces.expand(option.name, option.at, XQUERY)
    if name.uri != OUTPUT:
        return
    if is_library:
        message = "a library module has no serialization parameters"
        raise error_of_name(source, "XQST0108", message, option.name, option.at)
    if name.local not in PARAMETERS:
        message = f'there is no serialization parameter "{name.local}"'
        hint = did_you_mean(name.local, PARAMETERS)
        raise error_of_name(source, "XQST0109", message, option.name, option.at, hint=hint)
    if name.local in parameters:
        raise error_at(source, "XQST0110", f"{name.local} is given twice", option)
    value = option.value
    if name.local in _NAME_LISTS:
        expanded = [_expanded(word, namespaces, option.at) for word in value.split()]
        value = " ".join(expanded)
    parameters[name.local] = value


def _expanded(word: str, namespaces: Namespaces, at: int) -> str:
    if word.startswith("Q{"):
        return word
    prefix, colon, local = word.partition(":")
    name = Name(local, prefix) if colon else Name(word)
    return namespaces.expand_element(name, at).expanded
