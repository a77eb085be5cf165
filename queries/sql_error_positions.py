"""Where an error of DuckDB is that comes without a position.

Errors that arise while rows are computed, and some that arise while a query is bound, say what is
wrong but not where. Their words name it, more or less: a name in quotes, a function, an operator, a
word of SQL. The place is the one token of the statement that these words mean; where they mean
none, or several, it is the statement's first word.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import duckdb

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["place_of"]

_NAMED = re.compile(r'"([^"]+)"|\'(\w+)\'|with name (\S+)')
_TWICE = re.compile(r"^Duplicate|already exists|^Ambiguous")
_WORD = re.compile(r"\w{2,}")
_SQL_WORD = re.compile(r"\b(?!SELECT\b|FROM\b|NULL\b|SQL\b)[A-Z]{2,}\b")
_QUERY_WORDS = frozenset({"select", "with", "from", "values"})
_BEFORE_PARENTHESES = _QUERY_WORDS | {
    "all", "and", "any", "as", "by", "else", "exists", "filter", "having", "in", "join", "not",
    "on", "or", "over", "then", "using", "when", "where",
}  # fmt: skip
_REGEX_FUNCTIONS = (
    "regexp_matches", "regexp_full_match", "regexp_replace", "regexp_extract",
    "regexp_extract_all", "regexp_split_to_array", "string_split_regex", "similar", "~",
)  # fmt: skip
_MEANT = (  # what a message speaks of, and the tokens that it may mean
    (r"Overflow in (\w+ )?addition", ("+", "sum")),
    (r"Overflow in (\w+ )?(subtraction|negation)", ("-",)),
    (r"Overflow in (\w+ )?multiplication", ("*", "sum")),
    (r"Division by zero|Overflow in (\w+ )?division", ("/", "//", "%", "div", "mod")),
    (r"Left-shift", ("<<",)),
    (r"Cannot AND", ("&",)),
    (r"Cannot OR", ("|",)),
    (r"Set operations", ("union", "except", "intersect")),
    (r"Escape string", ("escape",)),
    (r"Map keys", ("map", "map_from_entries")),
    (r"Codepoint", ("chr",)),
    (r"Argument index", ("printf", "format")),
    (r"format specifier %", ("strptime", "strftime", "try_strptime")),
    (r"extract specifier", ("date_trunc", "date_part", "date_diff", "datediff", "extract")),
    (r"Sample", ("tablesample", "sample")),
    (r"time travel", ("at",)),
    (r"Hex string literal", ("x",)),
    (r"hex digit", ("unhex", "from_hex")),
    (r"missing [\])]|no argument for repetition|bad repetition|escape sequence", _REGEX_FUNCTIONS),
)


class _Token(NamedTuple):
    """A token of a statement: its first character, and its text in small letters."""

    at: int
    text: str


def place_of(message: str, statement: str) -> tuple[int, int] | None:
    """Returns the first character of what a message is about, and how many there are.

    Args:
        message: what DuckDB says.
        statement: the statement that failed.

    Returns:
        the place in the statement, None if it has no word.

    >>> place_of("Overflow in addition of INT64 (1 + 2)", "SELECT '1 + 2', a + b FROM t")
    (18, 1)
    >>> place_of('window "w" does not exist', "SELECT sum(a) OVER w FROM t")
    (19, 1)
    >>> place_of("boom", "SELECT lower(a), upper(a)")
    (0, 6)
    """
    tokens = _tokens(statement)
    if not tokens:
        return None
    # The first reading of the words that means one token; else the statement as a whole.
    found = next((each[0] for each in _readings(message, tokens) if len(each) == 1), tokens[0])
    return found.at, len(found.text)


def _tokens(statement: str) -> list[_Token]:
    """Returns the tokens without comments; a text is one token, in its quotes."""
    text = statement.encode()
    places = duckdb.tokenize(statement)
    ends = [at for at, _ in places[1:]] + [len(text)]
    return [
        _Token(len(text[:at].decode()), text[at:end].decode().rstrip().lower())
        for (at, kind), end in zip(places, ends, strict=True)
        if kind != duckdb.token_type.comment
    ]


def _readings(message: str, tokens: list[_Token]) -> Iterator[list[_Token]]:
    """Yields the tokens that a message may mean, by one reading of its words after another."""
    for match in _NAMED.finditer(message):
        name = next(filter(None, match.groups())).lower().strip('"')
        named = [t for t in tokens if t.text.strip("\"'") == name and not name.isdigit()]
        yield (named[1:2] or named) if _TWICE.search(message) else named
    calls = [
        token
        for token, after in pairwise(tokens)
        if after.text.startswith("(")
        and _WORD.fullmatch(token.text)
        and token.text not in _BEFORE_PARENTHESES
    ]
    words = {word.lower() for word in _WORD.findall(message)}
    yield [call for call in calls if call.text in words]
    for pattern, meant in _MEANT:
        if re.search(pattern, message):
            yield [token for token in tokens if token.text in meant]
    if "ubquery" in message:
        yield [
            token
            for token, after in pairwise(tokens)
            if token.text.endswith("(") and after.text in _QUERY_WORDS
        ]
    for word in _SQL_WORD.findall(message):
        yield [token for token in tokens if token.text == word.lower()]
    yield calls
