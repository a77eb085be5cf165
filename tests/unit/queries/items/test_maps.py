"""Maps are immutable, although one that grows shares its dictionary with the one before."""

from __future__ import annotations

from time import process_time

from hypothesis import given
from hypothesis import strategies as st

from jvmscope.queries.items.functions import MapItem


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


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 4), st.integers())))
def test_every_version_is_what_a_copy_would_be(changes: list[tuple[int, int, int]]) -> None:
    """Each change puts a key into the version so many steps before the last."""
    versions = [MapItem()]
    copies: list[dict[int, tuple[int, ...]]] = [{}]
    for back, key, value in changes:
        at = max(0, len(versions) - 1 - back)
        versions.append(versions[at].put(key, (value,)))
        copies.append({**copies[at], key: (value,)})
    for version, copy in zip(versions, copies, strict=True):
        assert _shown(version) == list(copy.items())


def test_growth_is_linear() -> None:
    start = process_time()
    map_ = MapItem()
    for number in range(50_000):
        map_ = map_.put(number, ())
    assert len(map_) == 50_000
    assert process_time() - start < 5
