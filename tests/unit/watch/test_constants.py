"""Constants of chunks: an event may refer to what only the chunk before has."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, cast

from jvmscope.watch.flight.constants import Constants
from jvmscope.watch.flight.encoding import Reference, read_unsigned

if TYPE_CHECKING:
    from jvmscope.watch.flight.metadata import Types

_STACK, _METHOD = 4, 5


class _Types:
    """Stacks, which are references to methods, and methods, which are numbers."""

    def reader(self, type_id: int) -> object:
        if type_id == _METHOD:
            return read_unsigned

        def read_reference(data: bytes, at: int) -> tuple[Reference, int]:
            key, behind = read_unsigned(data, at)
            return Reference(_METHOD, key), behind

        return read_reference


def _constants(*pools: tuple[int, int, int]) -> Constants:
    """The constants of a chunk, each of a type, a key and a value below 128."""
    constants = Constants(cast("Types", _Types()))
    for type_id, key, value in pools:
        constants.add(bytes([0, 0, 0, 0, 1, type_id, 1, key, value]), 0)
    return constants


def test_what_is_lacking_is_that_of_the_chunk_before() -> None:
    first = _constants((_STACK, 7, 1), (_METHOD, 1, 11))
    second = _constants((_STACK, 8, 2), (_METHOD, 2, 22))
    second.follow(first)

    assert [second.value(Reference(_STACK, key)) for key in (7, 8, 9)] == [11, 22, None]
    assert first.value(Reference(_STACK, 8)) is None


def test_a_stack_of_before_may_name_what_is_here() -> None:
    first = _constants((_STACK, 7, 1))
    second = _constants((_METHOD, 1, 11))
    second.follow(first)

    assert second.value(Reference(_STACK, 7)) == 11


def test_a_chunk_long_gone_is_forgotten() -> None:
    """Else a long watch would keep them all."""
    chunks = [_constants((_METHOD, key, key)) for key in range(1, 5)]
    for before, after in pairwise(chunks):
        after.follow(before)

    assert [chunks[-1].value(Reference(_METHOD, key)) for key in range(1, 5)] == [None, 2, 3, 4]
