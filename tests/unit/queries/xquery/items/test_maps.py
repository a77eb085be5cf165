"""Maps are immutable, although one that grows shares its dictionary with the one before."""

from __future__ import annotations

from time import process_time
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jvmscope.queries.xquery.items import entries
from jvmscope.queries.xquery.items.functions import MapItem


def _shown(map_: MapItem) -> list[tuple[object, tuple[object, ...]]]:
    return list(map_.items())


def test_old_maps_stay_as_they_were() -> None:
    first = MapItem.from_entries([("a", (1,))])
    second = first.put("b", (2,))
    third = second.put("a", (3,))
    other = first.put("c", (4,))
    assert _shown(third) == [("a", (3,)), ("b", (2,))]
    assert _shown(first) == [("a", (1,))]
    assert _shown(second) == [("a", (1,)), ("b", (2,))]
    assert _shown(other) == [("a", (1,)), ("c", (4,))]
    assert len(first) == 1
    assert "b" not in first


def test_iteration_goes_on_while_entries_are_put() -> None:
    map_ = MapItem.from_entries([("a", (1,)), ("b", (2,))])
    keys = map_.keys()
    assert next(keys) == "a"
    map_.put("c", ())
    assert list(keys) == ["b"]


_Changes = list[tuple[int, int, int | None]]
_changes = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 4), st.none() | st.integers()), max_size=40
)


@pytest.mark.parametrize("far", [1, 3, 64])
@given(changes=_changes)
def test_every_version_is_what_a_copy_would_be(far: int, changes: _Changes) -> None:
    """Each change puts a key into the version so many steps before the last, or removes it."""
    versions = [MapItem()]
    copies: list[dict[int, tuple[int, ...]]] = [{}]
    with mock.patch.object(entries, "_FAR", far):
        for back, key, value in changes:
            at = max(0, len(versions) - 1 - back)
            copy = dict(copies[at])
            if value is None:
                copy.pop(key, None)
                versions.append(versions[at].remove([key]))
            else:
                copy[key] = (value,)
                versions.append(versions[at].put(key, (value,)))
            copies.append(copy)
        orders = [_shown(version) for version in versions]
        for version, copy, order in zip(versions, copies, orders, strict=True):
            assert dict(order) == copy
            assert len(version) == len(copy)
            assert all((key in version) is (key in copy) for key in range(5))
            assert _shown(version) == order


def test_entries_are_added_and_taken_away_in_constant_time() -> None:
    start = process_time()
    map_ = MapItem.from_entries((number, ()) for number in range(50_000))
    for number in range(50_000):
        assert number not in map_.remove([number])
        assert map_.put(number, (1,)).get(number) == (1,)
        assert map_.get(number) == ()
    for number in range(50_000):
        map_ = map_.remove([number])
    assert len(map_) == 0
    assert _shown(map_) == []
    assert process_time() - start < 5


def test_growth_is_linear() -> None:
    start = process_time()
    map_ = MapItem()
    for number in range(50_000):
        map_ = map_.put(number, ())
    assert len(map_) == 50_000
    assert process_time() - start < 5
