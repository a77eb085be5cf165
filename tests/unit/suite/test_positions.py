"""Positions in TOML: every key and value that the standard library reads is found where it is."""

from __future__ import annotations

import json
import string
import tomllib
from typing import TYPE_CHECKING, Any

from hypothesis import given, settings
from hypothesis import strategies as st

from jvmscope.suite.positions import find_positions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmscope.suite.positions import TomlPath

_TEXT = '''\
# a comment with [brackets] and = signs
schema = 1
"quoted key".'literal' = "a # no comment"
date = 1979-05-27 07:32:00
[defaults] # of all
jvm_args = ["-Xmx1g", # comment ]
  '-Xss1m',
]
record = { probes = ["receivers"], deep = { x = true } }
text = """
[not] = "a table" \\""" """
other = \'\'\'it's\'\'\'\'
[[benchmark]]
name = "a"
[benchmark.matrix]
size = [1, 2.5]
[[benchmark]]
name = "b"
[[benchmark.leave_out]]
size = 1
[[benchmark.leave_out]]
size = 2
'''


def _leaves(value: Any, path: TomlPath = ()) -> Iterator[tuple[TomlPath, Any]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _leaves(inner, (*path, index))
    else:
        yield path, value


def _found_where_it_is(text: str) -> None:
    positions = find_positions(text)
    for path, value in _leaves(tomllib.loads(text)):
        span = positions.values[path]
        shown = text[span.start : span.start + span.length]
        assert tomllib.loads(f"x = {shown}")["x"] == value
        if isinstance(path[-1], str):
            key = positions.keys[path]
            assert str(path[-1]) in text[key.start : key.start + key.length]


def test_every_value_is_found_where_it_is() -> None:
    _found_where_it_is(_TEXT)


def test_a_table_is_found_at_its_header() -> None:
    positions = find_positions(_TEXT)
    second = positions.keys["benchmark", 1]

    assert _TEXT[: second.start].count("\n") + 1 == _TEXT.splitlines().index('name = "b"')
    assert positions.value(("benchmark", 1, "nothing")) == second


_KEYS = st.text(string.ascii_letters + "-_", min_size=1, max_size=6)
_SCALARS = st.one_of(
    st.integers(-99, 10**6),
    st.booleans(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(string.printable.replace("\x0b", "").replace("\x0c", ""), max_size=12),
)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=3),
    max_leaves=8,
)


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_toml(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + "".join(f"{_toml(inner)}, # ]\n " for inner in value) + "]"
    if isinstance(value, str):
        return json.dumps(value)
    return repr(value).lower() if isinstance(value, bool) else repr(value)


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(_KEYS, _VALUES, max_size=4), st.lists(_VALUES, max_size=3))
def test_whatever_the_values_are(table: dict[str, Any], more: list[Any]) -> None:
    lines = [f"{key} = {_toml(value)}" for key, value in table.items()]
    lines += [f"[[array]]\nx = {_toml(value)}" for value in more]

    _found_where_it_is("\n".join(lines))
