"""Queries made of queries: their tokens and characters deleted, doubled, swapped and replaced."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Mutator"]

_TOKEN = re.compile(
    r"""\s+ | "[^"]*" | '[^']*' | \$?[A-Za-z_][\w.:-]* | \d+(?:\.\d*)?(?:[eE][+-]?\d+)?
      | \(: | :\) | <!-- | --> | </ | /> | \{\{ | \}\} | ``\[ | \]`` | `\{ | \}` | := | != | <= | >=
      | << | >> | :: | // | \|\| | => | .""",
    re.VERBOSE | re.DOTALL,
)
_NUMBERS = (
    "0", "-1", "1e308", "1e-400", "9223372036854775807", "9223372036854775808", "1" + "0" * 40,
    "0.1", "1e0", "xs:double('NaN')", "xs:double('INF')", "()", "1 to 3", "0.000000000000000001",
)  # fmt: skip
_CHARACTERS = (
    "\x00", "\t", "\n", "\r", "\x1b", "\x85", "\u200b", "\u2028", "\ud800", "\ufeff", "\uffff",
    "\U0001f600", "\u0301", "&", "&#0;", "&#x110000;", "&lt;", "&x;", "<", ">", "'", '"', "`", "{",
    "}", "(", ")", "[", "]", "(:", ":)", "]]>", "<![CDATA[", "<?", "?>", "<!--", "\\", "%", "#",
    "$", "@", "!", "?", "*", "/", "//", "..", ":=", "::", "=>", "|", "||", ";", ",",
)  # fmt: skip
_WRAPPINGS = (
    ("(", ")"), ("count(", ")"), ("<a>{", "}</a>"), ("for $x in (", ") return $x"), ("[", "]"),
    ("try {", "} catch * { $err:code }"), ("map { 'k': ", "}"), ("string-join(", ", '')"),
    ("some $y in (", ") satisfies $y"), ("-(", ")"), ("(", ")[1]"), ("(", ") ! string(.)"),
    ("function($z) {", "}(1)"), ("sum(", ")"), ("(", ") instance of xs:integer"), ("data(", ")"),
    ("(", ") => serialize()"), ("sort(", ")"), ("``[`{", "}`]``"), ("element { 'e' } {", "}"),
    ("if (", ") then 1 else 2"), ("declare variable $v := ", "; $v"),
)  # fmt: skip
_LONGEST = 4000


_ALIKE = (
    ("=", "!=", "<", ">", "<=", ">=", "<<", ">>", "eq", "ne", "lt", "le", "gt", "ge", "is"),
    ("+", "-", "*", "div", "idiv", "mod", "to", "||", "|", "union", "intersect", "except", ","),
    ("child", "parent", "ancestor", "descendant", "self", "attribute", "following", "preceding"),
    ("ascending", "descending"),
    ("some", "every"),
    ("and", "or"),
    ("/", "//", "!"),
    ("xs:integer", "xs:string", "xs:double", "xs:decimal", "xs:date", "xs:boolean", "xs:float"),
)
_KEYWORDS = frozenset(
    {
        "as", "at", "by", "case", "catch", "cast", "castable", "count", "declare", "default",
        "else", "element", "end", "external", "for", "function", "group", "if", "import", "in",
        "instance", "let", "namespace", "of", "only", "order", "return", "satisfies", "sliding",
        "stable", "start", "switch", "then", "treat", "try", "tumbling", "typeswitch", "variable",
        "version", "when", "where", "window", "xquery",
    }
)  # fmt: skip


def _kind(token: str, following: str) -> str | None:
    """Returns what kind of token one is, so that a query stays one; None: it is best left.

    >>> _kind("$a", ""), _kind("12", ")"), _kind("f", "("), _kind("<=", " "), _kind("(", "")
    ('variable', 'number', 'function', '=', None)
    """
    if token in _KEYWORDS:
        return None
    for alike in _ALIKE:
        if token in alike:
            return alike[0]
    first = token[0]
    if first.isalpha():
        return "function" if following == "(" else "name"
    if first.isdigit():
        return "number"
    return {"$": "variable", "'": "string", '"': "string"}.get(first)


class Mutator:
    """Makes mutants of seeds; one number begins the same sequence of them.

    Args:
        seeds: queries to begin with; their tokens are what mutants are made of.
        seed: the number.
    """

    def __init__(self, seeds: Sequence[str], seed: int) -> None:
        self._chance = random.Random(seed)  # noqa: S311
        self._seeds = [_TOKEN.findall(text) for text in seeds]
        self._words = sorted({token for tokens in self._seeds for token in tokens})
        self._of_kind: dict[str, list[str]] = {alike[0]: list(alike) for alike in _ALIKE}
        for tokens in self._seeds:
            for token, following in zip(tokens, (*tokens[1:], ""), strict=True):
                if kind := _kind(token, following):
                    self._of_kind.setdefault(kind, []).append(token)

    def mutant(self) -> str:
        """Returns one of the seeds after one to four mutations."""
        chance = self._chance
        tokens = list(chance.choice(self._seeds))
        if chance.random() < 0.5:  # most of these pass the parser
            tokens = self._renamed(tokens)
            return "".join(self._wrapped(tokens) if chance.random() < 0.3 else tokens)[:_LONGEST]
        for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 4))):
            tokens = self._mutated(tokens)
        text = "".join(tokens)
        if chance.random() < 0.2:
            text = self._with_characters(text)
        return text[:_LONGEST]

    def _mutated(self, tokens: list[str]) -> list[str]:  # noqa: PLR0911 - one a mutation
        chance = self._chance
        start, end = sorted(chance.randrange(len(tokens) + 1) for _ in range(2))
        here = chance.randrange(len(tokens) + 1)
        match chance.randrange(10):
            case 0:  # one token less
                return tokens[:here] + tokens[here + 1 :]
            case 1:  # a part less, mostly a short one
                return tokens[:start] + tokens[min(end, start + chance.randrange(1, 12)) :]
            case 2:  # a part twice
                return tokens[:end] + tokens[start:end] + tokens[end:]
            case 3:  # another token for one
                return [*tokens[:here], chance.choice(self._words), *tokens[here + 1 :]]
            case 4:  # another token between
                return [*tokens[:here], " ", chance.choice(self._words), " ", *tokens[here:]]
            case 5:  # two tokens in each other's place
                return self._swapped(tokens)
            case 6:  # a part of another query
                other = chance.choice(self._seeds)
                first = chance.randrange(len(other) + 1)
                return tokens[:start] + other[first : first + 15] + tokens[end:]
            case 7:  # another number
                return self._with_number(tokens)
            case 8:  # a part inside of something
                before, after = chance.choice(_WRAPPINGS)
                return [*tokens[:start], before, *tokens[start:end], after, *tokens[end:]]
            case _:  # the whole inside of something
                return self._wrapped(tokens)

    def _wrapped(self, tokens: list[str]) -> list[str]:
        before, after = self._chance.choice(_WRAPPINGS)
        return [before, *tokens, after]

    def _renamed(self, tokens: list[str]) -> list[str]:
        """Puts others of their kind in the place of one to three tokens."""
        chance = self._chance
        kinds = [_kind(*pair) for pair in zip(tokens, (*tokens[1:], ""), strict=True)]
        places = [at for at, kind in enumerate(kinds) if kind]
        for at in chance.sample(places, min(len(places), chance.randrange(1, 4))):
            tokens[at] = chance.choice(self._of_kind[kinds[at] or ""])
        return tokens

    def _swapped(self, tokens: list[str]) -> list[str]:
        if not tokens:
            return tokens
        one, two = (self._chance.randrange(len(tokens)) for _ in range(2))
        tokens[one], tokens[two] = tokens[two], tokens[one]
        return tokens

    def _with_number(self, tokens: list[str]) -> list[str]:
        numbers = [at for at, token in enumerate(tokens) if token[0].isdigit()]
        at = self._chance.choice(numbers) if numbers else self._chance.randrange(len(tokens) + 1)
        return [*tokens[:at], self._chance.choice(_NUMBERS), *tokens[at + 1 :]]

    def _with_characters(self, text: str) -> str:
        chance = self._chance
        for _ in range(chance.randrange(1, 4)):
            at = chance.randrange(len(text) + 1)
            n_replaced = chance.randrange(2)
            text = text[:at] + chance.choice(_CHARACTERS) + text[at + n_replaced :]
        return text[: chance.randrange(len(text) + 1)] if chance.random() < 0.1 else text
