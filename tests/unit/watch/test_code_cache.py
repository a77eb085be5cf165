"""What a VM's code lists say of the versions of compiled methods, one list after another."""

from __future__ import annotations

import itertools

import pytest

from jvmscope.watch.code_cache import CompiledVersion, changes, listed

_ABSENT, _NOT_INSTALLED, _IN_USE, _NOT_ENTRANT, _GONE = "", "-1", "0", "1", ""
_LIVES = [
    [state for state, n in zip(order, lists, strict=True) for _ in range(n)]
    for order in [(_ABSENT, _NOT_INSTALLED, _IN_USE, _NOT_ENTRANT, _GONE)]
    for lists in itertools.product(range(3), repeat=len(order))
]
"""The states in which HotSpot lists a version, each in as many lists in a row; empty: in none."""


@pytest.mark.parametrize("states", _LIVES)
def test_a_version_is_seen_when_it_is_installed(states: list[str]) -> None:
    """Code that the compiler still fills in is listed, too, and is not what has ended."""
    words = {_IN_USE: "in use", _NOT_ENTRANT: "not entered"}
    expected = [word for state, word in words.items() if state in states]
    if expected and states[-1] == _GONE:
        expected.append("gone")

    before: dict[CompiledVersion, bool] = {}
    found = []
    for state in states:
        now = listed(_line(state))
        found += [word for word, _ in changes(before, now)]
        before = now
    assert found == expected


def _line(state: str) -> str:
    return state and f"7 4 {state} app.Main.f(I)V [0x0010, 0x0020 - 0x0040]"
