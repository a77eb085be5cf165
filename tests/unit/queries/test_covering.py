"""The macro that counts the places which cover a share, against the definition."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from jvmscope.queries import Engine

_N = 2_000
_PLACES = f"""
    SELECT (i * 7919) % 1009 + 1 AS n_executions, (i * 104729) % 13 + 1 AS n_places
    FROM range({_N}) AS numbers(i)
"""
_LISTED = "(SELECT LIST({{'n_executions': n_executions, 'n_places': n_places}}) FROM ({}))"


def _covering(places: list[tuple[int, int]], share: float) -> tuple[int, int, int]:
    """Returns how many places there are, how many cover the share, and all executions."""
    total = sum(executions * n for executions, n in places)
    missing = math.ceil(round(share * 1_000_000) * total / 1_000_000)
    n_covering = 0
    for executions, n in sorted(places, reverse=True):
        taken = min(n, max(0, -(-missing // executions)))
        n_covering += taken
        missing -= taken * executions
    return sum(n for _, n in places), n_covering, total


@pytest.mark.parametrize("share", [0.0, 0.5, 0.9, 0.999999, 1.0])
def test_the_busiest_places_cover_the_share(opened: Engine, share: float) -> None:
    expected = _covering([*opened.query(_PLACES).rows()], share)

    query = f"SELECT n_places, n_covering, n_executions FROM stats.covering({_LISTED}, {share})"

    assert [*opened.query(query.format(_PLACES)).rows()] == [expected]


def test_a_place_keeps_what_belongs_to_it(opened: Engine) -> None:
    """GIVEN places that are others each time they are asked for, THEN they are asked for once.

    DuckDB evaluates a query in the place of an argument as often as the macro names it, perhaps by
    another plan, in another order. For 1 and 2 as both numbers of a place, n² is 3n - 2.
    """
    places = f"""
        SELECT n AS n_executions, n AS n_places
        FROM (SELECT 1 + (random() < 0.5)::BIGINT AS n FROM range({_N}))"""
    query = f"SELECT n_places, n_executions FROM stats.covering({_LISTED}, 0.9)"

    ((n_places, n_executions),) = opened.query(query.format(places)).rows()

    assert n_executions == 3 * n_places - 2 * _N


def test_no_places_cover_nothing(opened: Engine) -> None:
    query = "FROM stats.covering(NULL::STRUCT(n_executions BIGINT, n_places BIGINT)[], 0.9)"
    assert [*opened.query(query).rows()] == [(0, 0, None, 0)]
