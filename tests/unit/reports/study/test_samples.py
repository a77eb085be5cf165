"""What is read of a study's tables, on rows written by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from support.planted_studies import write_study

from jvmscope.errors import QueryError
from jvmscope.reports.study.accuracy import accuracy_of
from jvmscope.reports.study.course import course_of, cycle_of
from jvmscope.reports.study.observations import method_names
from jvmscope.reports.study.quiet import quiet_times
from jvmscope.reports.study.ratios import ratios_during, ratios_of_launches
from jvmscope.reports.study.utilization import utilization_of
from jvmscope.watch.study import Study

if TYPE_CHECKING:
    from collections.abc import Iterator

    from duckdb import DuckDBPyConnection

# f was observed in the cycles 0 and 2, get() in cycle 1, get(I) in cycle 3, which got no probe. Of
# launch 0 the readings are 0 (S3), 1 to 8 (S6 and S8 of each cycle), 9 (S10); 10 and 11 are of the
# control launch. Readings begin at 1,000 times their number.
_CYCLES = [0, 0, 1, 1, 2, 2, 3, 3]
_USED = [None, 0.50, 0.40, 0.60, 0.55, None, 0.5, 0.30, 0.30, None, None, None]
_STEPS = ["S3", *["S6", "S8"] * 4, "S10", "S3", "S10"]
_SECONDS = 1_000_000_000

_ROWS: dict[str, list[tuple[Any, ...]]] = {
    "restart": [(0, False, 0, 1), (1, True, 0, 1)],
    "study_method": [
        (0, "app/Main", "f", "()V", 100, True),
        (1, "app/Cache", "get", "()V", 100, True),
        (2, "app/Cache", "get", "(I)V", 100, True),
        (3, "app/Main", "never", "()V", 0, False),
    ],
    "cycle": [
        (0, 0, 0, 500, 2 * _SECONDS, 1900, 1 * _SECONDS, None),
        (1, 0, 1, 2500, None, 3900, 3 * _SECONDS, "insertion: the time-out was over first"),
        (2, 0, 0, 4500, 0, 5900, None, "removal: the time-out was over first"),
        (3, 0, 2, 6500, None, 7900, None, "no probe could be put in: it is not modifiable"),
    ],
    "reading": [
        (
            n,
            int(n > 9),
            _CYCLES[n - 1] if 0 < n < 9 else None,
            step,
            1000 * n,
            1000 * n + 999,
            _USED[n],
        )
        for n, step in enumerate(_STEPS)
    ],
    "static_sample": [
        # Step S3 of launch 0, and of the control launch.
        *[(0, 0, 1, 10 * n, 10 * n + 4) for n in range(4)],
        *[(0, 1, 1, 10 * n, 10 * n + 4) for n in range(4)],
        *[(10, 0, 1, 10_000 + 10 * n, 10_006 + 10 * n) for n in range(2)],
        # Cycle 0, step S6: f in two threads at the same times, and get, which is not observed.
        (1, 0, 1, 1010, 1020),
        (1, 0, 1, 1030, 1050),
        (1, 0, 2, 1010, 1020),
        (1, 1, 1, 1010, 1020),
        # Cycle 0, step S8.
        (2, 0, 1, 2010, 2020),
        (2, 0, 2, 2010, 2020),
        # Cycle 2, step S6: f again; its times are twice those of step S8.
        (5, 0, 1, 5010, 5030),
        (5, 0, 1, 5040, 5060),
        (6, 0, 1, 6010, 6020),
        (6, 0, 1, 6040, 6050),
        # Cycle 1, step S6: one sample only.
        (3, 1, 1, 3010, 3020),
        (4, 1, 1, 4010, 4020),
        (4, 1, 1, 4030, 4040),
        # Step S10: get was not called; the control launch took half as long again.
        *[(9, 0, 1, 9000 + 10 * n, 9002 + 10 * n) for n in range(4)],
        *[(11, 0, 1, 11_000 + 10 * n, 11_009 + 10 * n) for n in range(2)],
    ],
    "dynamic_sample": [
        (0, 1, 600, 700),  # before the reading
        (0, 1, 1008, 1023),  # 5 longer than 10
        (0, 1, 1029, 1052),  # 3 longer than 20
        (0, 2, 1009, 1020),  # 1 longer than 10
        (0, 3, 1010, 1020),  # a thread without static samples
        (2, 1, 5005, 5035),  # 10 longer than 20
    ],
    "compilation": [
        (0, 400, "app/Main", "f", "()V", 4),  # before the insertion
        (0, 800, "app/Main", "f", "()V", 3),
        (0, 850, "app/Cache", "get", "()V", 4),  # another method
        (1, 900, "app/Main", "f", "()V", 4),  # another launch
        (0, 2999, "app/Main", "f", "()V", 4),
        (0, 3000, "app/Main", "f", "()V", 4),  # after the cycle
    ],
}


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DuckDBPyConnection]:
    study = write_study(tmp_path_factory.mktemp("hand") / "a.study", _ROWS)
    with Study(study).connect() as opened:
        yield opened


def test_pairs_are_of_one_method_cycle_and_thread(connection: DuckDBPyConnection) -> None:
    found = accuracy_of(connection)

    (method,) = found.methods
    assert method.method_id == 0
    assert sorted(method.differences_ns) == [1, 3, 5, 10]
    assert method.difference_ns == 19 / 4
    assert method.static_ns == (10 + 20 + 10 + 20) / 4
    # The geometric mean of 15/10, 23/20, 11/10 and 30/20.
    assert method.ratio == pytest.approx((1.5 * 1.15 * 1.1 * 1.5) ** 0.25)
    assert found.counts.n_pairs == found.counts.n_dynamic_outside == 4
    # Static: the second of cycle 2, and get in cycle 1. Dynamic: before the reading, thread 3.
    assert (found.counts.n_unpaired_static, found.counts.n_unpaired_dynamic) == (2, 2)


def test_ratios_of_the_observed_method(connection: DuckDBPyConnection) -> None:
    found = ratios_during(connection)

    ratios = {each.cycle_id: each for each in found.ratios}
    assert ratios.keys() == {0, 2}  # cycle 1 has one sample in step S6
    assert (ratios[0].n_first, ratios[0].n_second) == (3, 2)
    assert ratios[0].means_ns.ratio == pytest.approx(40 / 3 / 10)
    assert ratios[2].means_ns.ratio == 2
    assert found.n_without == 1
    assert found.distribution.median == pytest.approx((4 / 3 + 2) / 2)


@pytest.mark.parametrize(
    ("is_control", "ratio", "n_without"), [(False, 4 / 2, 1), (True, 6 / 9, 0)]
)
def test_ratios_of_launches(
    connection: DuckDBPyConnection, is_control: bool, ratio: float, n_without: int
) -> None:
    found = ratios_of_launches(connection, is_control=is_control)

    assert [each.means_ns.ratio for each in found.ratios] == [pytest.approx(ratio)]
    assert found.ratios[0].cycle_id is None
    assert found.n_without == n_without
    assert found.n_tested == 0  # all samples are equal
    assert found.untested_reason is not None


def test_times_until_the_compiler_is_quiet(connection: DuckDBPyConnection) -> None:
    insertion, removal = (quiet_times(connection, each) for each in ("insertion", "removal"))

    assert insertion.values_ns == (2 * _SECONDS, 0)
    assert removal.values_ns == (1 * _SECONDS, 3 * _SECONDS)
    assert (insertion.n_timed_out, insertion.n_without) == (1, 1)
    assert insertion.timed_out_share == removal.timed_out_share == 1 / 3
    # In the middle of 0 s, 2 s and more than these.
    assert (insertion.distribution.median, insertion.distribution.maximum) == (2 * _SECONDS, None)


def test_utilization_by_cycle(connection: DuckDBPyConnection) -> None:
    found = utilization_of(connection)

    assert found.during == (0.50, 0.60, 0.30)
    assert found.after == (0.40, 0.55, 0.30)
    assert found.n_unread == 1
    assert found.means.difference == pytest.approx(0.05)


def test_course_of_a_cycle(connection: DuckDBPyConnection) -> None:
    found = course_of(connection, 0)

    assert found.method == "app.Main.f"
    assert found.static == ((510, 10), (510, 10), (530, 20), (1510, 10), (1510, 10))
    assert found.dynamic == ((100, 100), (508, 15), (509, 11), (510, 10), (529, 23))
    assert found.removed_ns == 1400
    assert found.compilations == ((300, 3), (2499, 4))


def test_names_of_methods(connection: DuckDBPyConnection) -> None:
    names = ["app.Main.f", "app.Cache.get()V", "app.Cache.get(I)V", "app.Main.never"]

    assert list(method_names(connection).values()) == names


@pytest.mark.parametrize(
    ("text", "cycle"),
    [("f", 0), ("Main.f", 0), ("app.Main.f", 0), ("Cache.get()V", 1), ("get(I)V", 3)],
)
def test_cycle_of_a_method(connection: DuckDBPyConnection, text: str, cycle: int) -> None:
    assert cycle_of(connection, ratios_during(connection), text) == cycle


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Main.g", "no observed method is called 'Main.g'"),
        ("Main.never", "no observed method is called 'Main.never'"),
        ("in.f", "no observed method is called 'in.f'"),
        ("get", "several observed methods are called 'get'"),
    ],
)
def test_no_cycle_of_a_method(connection: DuckDBPyConnection, text: str, message: str) -> None:
    with pytest.raises(QueryError, match=message.replace(".", r"\.")):
        cycle_of(connection, ratios_during(connection), text)


def test_the_usual_cycle_is_nearest_to_the_median(connection: DuckDBPyConnection) -> None:
    """Of 4/3 and 2 the median is as far from both: the first."""
    assert cycle_of(connection, ratios_during(connection), None) == 0
