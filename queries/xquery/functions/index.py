"""Which functions there are, known without importing them: a test keeps the index right."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from jvmscope.queries.xquery.syntax.expanded_names import PREDECLARED, Name

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["MAX_ARITY", "MODULES", "Entry", "lookup", "names"]

MODULES = {
    "accessors": (
        "fn:base-uri/0,1 fn:data/0,1 fn:document-uri/0,1 fn:nilled/0,1 fn:node-name/0,1 "
        "fn:string/0,1"
    ),
    "aggregates": "fn:avg/1 fn:count/1 fn:max/1,2 fn:min/1,2 fn:sum/1,2",
    "arrays": (
        "array:append/2 array:filter/2 array:flatten/1 array:fold-left/3 array:fold-right/3 "
        "array:for-each/2 array:for-each-pair/3 array:get/2 array:head/1 "
        "array:insert-before/3 array:join/1 array:put/3 array:remove/2 array:reverse/1 "
        "array:size/1 array:sort/1,2,3 array:subarray/2,3 array:tail/1"
    ),
    "booleans": "fn:boolean/1 fn:false/0 fn:not/1 fn:true/0",
    "constructors": (
        "xs:ENTITIES/1 xs:ENTITY/1 xs:ID/1 xs:IDREF/1 xs:IDREFS/1 xs:NCName/1 xs:NMTOKEN/1 "
        "xs:NMTOKENS/1 xs:Name/1 xs:QName/1 xs:anyURI/1 xs:base64Binary/1 xs:boolean/1 "
        "xs:byte/1 xs:date/1 xs:dateTime/1 xs:dateTimeStamp/1 xs:dayTimeDuration/1 "
        "xs:decimal/1 xs:double/1 xs:duration/1 xs:error/1 xs:float/1 xs:gDay/1 xs:gMonth/1 "
        "xs:gMonthDay/1 xs:gYear/1 xs:gYearMonth/1 xs:hexBinary/1 xs:int/1 xs:integer/1 "
        "xs:language/1 xs:long/1 xs:negativeInteger/1 xs:nonNegativeInteger/1 "
        "xs:nonPositiveInteger/1 xs:normalizedString/1 xs:numeric/1 xs:positiveInteger/1 "
        "xs:short/1 xs:string/1 xs:time/1 xs:token/1 xs:unsignedByte/1 xs:unsignedInt/1 "
        "xs:unsignedLong/1 xs:unsignedShort/1 xs:untypedAtomic/1 xs:yearMonthDuration/1"
    ),
    "context_functions": (
        "fn:current-date/0 fn:current-dateTime/0 fn:current-time/0 fn:default-collation/0 "
        "fn:default-language/0 fn:implicit-timezone/0 fn:last/0 fn:position/0 "
        "fn:static-base-uri/0"
    ),
    "dates": (
        "fn:adjust-date-to-timezone/1,2 fn:adjust-dateTime-to-timezone/1,2 "
        "fn:adjust-time-to-timezone/1,2 fn:dateTime/2 fn:day-from-date/1 "
        "fn:day-from-dateTime/1 fn:hours-from-dateTime/1 fn:hours-from-time/1 "
        "fn:minutes-from-dateTime/1 fn:minutes-from-time/1 fn:month-from-date/1 "
        "fn:month-from-dateTime/1 fn:seconds-from-dateTime/1 fn:seconds-from-time/1 "
        "fn:timezone-from-date/1 fn:timezone-from-dateTime/1 fn:timezone-from-time/1 "
        "fn:year-from-date/1 fn:year-from-dateTime/1"
    ),
    "deep_equality": "fn:deep-equal/2,3",
    "documents": (
        "fn:available-environment-variables/0 fn:collection/0,1 fn:doc/1 fn:doc-available/1 "
        "fn:environment-variable/1 fn:parse-xml/1 fn:parse-xml-fragment/1 "
        "fn:unparsed-text/1,2 fn:unparsed-text-available/1,2 fn:unparsed-text-lines/1,2 "
        "fn:uri-collection/0,1"
    ),
    "durations": (
        "fn:days-from-duration/1 fn:hours-from-duration/1 fn:minutes-from-duration/1 "
        "fn:months-from-duration/1 fn:seconds-from-duration/1 fn:years-from-duration/1"
    ),
    "errors": "fn:error/0,1,2,3 fn:trace/1,2",
    "external": "fn:load-xquery-module/1,2 fn:transform/1",
    "formatting_dates": "fn:format-date/2,5 fn:format-dateTime/2,5 fn:format-time/2,5",
    "formatting_integers": "fn:format-integer/2,3",
    "formatting_numbers": "fn:format-number/2,3",
    "higher_order": (
        "fn:apply/2 fn:filter/2 fn:fold-left/3 fn:fold-right/3 fn:for-each/2 "
        "fn:for-each-pair/3 fn:function-arity/1 fn:function-lookup/2 fn:function-name/1 "
        "fn:sort/1,2,3"
    ),
    "identifiers": "fn:element-with-id/1,2 fn:id/1,2 fn:idref/1,2",
    "ietf_dates": "fn:parse-ietf-date/1",
    "json": "fn:json-doc/1,2 fn:parse-json/1,2",
    "json_to_xml": "fn:json-to-xml/1,2",
    "maps": (
        "map:contains/2 map:entry/2 map:find/2 map:for-each/2 map:get/2 map:keys/1 "
        "map:merge/1,2 map:put/3 map:remove/2 map:size/1"
    ),
    "mathematics": (
        "math:acos/1 math:asin/1 math:atan/1 math:atan2/2 math:cos/1 math:exp/1 math:exp10/1 "
        "math:log/1 math:log10/1 math:pi/0 math:pow/2 math:sin/1 math:sqrt/1 math:tan/1"
    ),
    "node_names": "fn:local-name/0,1 fn:name/0,1 fn:namespace-uri/0,1",
    "nodes": (
        "fn:generate-id/0,1 fn:has-children/0,1 fn:innermost/1 fn:lang/1,2 fn:outermost/1 "
        "fn:path/0,1 fn:root/0,1 functx:distinct-nodes/1"
    ),
    "numerics": (
        "fn:abs/1 fn:ceiling/1 fn:floor/1 fn:number/0,1 fn:round/1,2 fn:round-half-to-even/1,2"
    ),
    "qnames": (
        "fn:QName/2 fn:in-scope-prefixes/1 fn:local-name-from-QName/1 "
        "fn:namespace-uri-for-prefix/2 fn:namespace-uri-from-QName/1 fn:prefix-from-QName/1 "
        "fn:resolve-QName/2"
    ),
    "random": "fn:random-number-generator/0,1",
    "regex_functions": "fn:analyze-string/2,3 fn:matches/2,3 fn:replace/3,4 fn:tokenize/1,2,3",
    "sequences": (
        "fn:distinct-values/1,2 fn:empty/1 fn:exactly-one/1 fn:exists/1 fn:head/1 "
        "fn:index-of/2,3 fn:insert-before/3 fn:one-or-more/1 fn:remove/2 fn:reverse/1 "
        "fn:subsequence/2,3 fn:tail/1 fn:unordered/1 fn:zero-or-one/1"
    ),
    "serialize": "fn:serialize/1,2",
    "strings": (
        "fn:codepoint-equal/2 fn:codepoints-to-string/1 fn:collation-key/1,2 fn:compare/2,3 "
        "fn:concat/2+ fn:lower-case/1 fn:normalize-space/0,1 fn:normalize-unicode/1,2 "
        "fn:string-join/1,2 fn:string-length/0,1 fn:string-to-codepoints/1 fn:substring/2,3 "
        "fn:translate/3 fn:upper-case/1"
    ),
    "substrings": (
        "fn:contains/2,3 fn:contains-token/2,3 fn:ends-with/2,3 fn:starts-with/2,3 "
        "fn:substring-after/2,3 fn:substring-before/2,3 functx:substring-after-last/2 "
        "functx:substring-before-last/2"
    ),
    "uris": "fn:encode-for-uri/1 fn:escape-html-uri/1 fn:iri-to-uri/1 fn:resolve-uri/1,2",
    "xml_to_json": "fn:xml-to-json/1,2",
}
"""For each module of this package its functions, as ``name/arity,arity`` or ``name/least+``."""

MAX_ARITY = 1_000_000
"""How many arguments a function takes at most that takes any number."""


class Entry(NamedTuple):
    """Where a function is, and how many arguments it takes.

    Attributes:
        module: of this package.
        arities: how many arguments it takes, the least first.
        is_variadic: whether it takes any number from the least on.
    """

    module: str
    arities: tuple[int, ...]
    is_variadic: bool

    def takes(self, arity: int) -> bool:
        """Tells whether the function may be called with so many arguments."""
        return arity in self.arities or (self.is_variadic and self.arities[0] < arity <= MAX_ARITY)


@cache
def _entries() -> dict[Name, Entry]:
    entries = {}
    for module, text in MODULES.items():
        for word in text.split():
            written, _, span = word.partition("/")
            prefix, _, local = written.partition(":")
            arities = tuple(map(int, span.rstrip("+").split(",")))
            name = Name(local, prefix, PREDECLARED[prefix])
            entries[name] = Entry(module, arities, is_variadic=span.endswith("+"))
    return entries


def names() -> Iterable[Name]:
    """Returns the names of the built-in functions."""
    return _entries().keys()


def lookup(name: Name, arity: int) -> Entry | None:
    """Returns the entry of the function of an expanded name and an arity, or None.

    >>> lookup(Name("head", "fn", PREDECLARED["fn"]), 1)
    Entry(module='sequences', arities=(1,), is_variadic=False)
    """
    entry = _entries().get(name)
    return entry if entry is not None and entry.takes(arity) else None
