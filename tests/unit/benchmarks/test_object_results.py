"""What docs/results.md says of objects, from values made by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.results.__main__ import PAGE
from benchmarks.results.objects import object_claims, object_table, object_table_of_programs

if TYPE_CHECKING:
    from benchmarks.results.values import Key, Values

_NAMES = (
    *("immutable_objects", "immutable_fields", "immutable_classes", "needless_zeros"),
    *("locked_objects", "lock_operations", "shared_locks", "needless_locks"),
    *("identity_hashes", "overridden_hashes", "objects", "bytes", "mean_size"),
)


def _values(**known: float) -> Values:
    return dict.fromkeys(_NAMES) | known


def _suite(n: int = 6) -> dict[Key, Values]:
    """Returns a suite in which Scala has more immutable objects than Java, and Clojure fewer."""
    suite: dict[Key, Values] = {}
    for number in range(n):
        algorithm = f"a{number}"
        java = {"immutable_objects": 0.5, "needless_zeros": 0.7, "identity_hashes": 0.1}
        suite["java", algorithm] = _values(**java, shared_locks=0.1, bytes=100, mean_size=40)
        scala = {"immutable_objects": 0.6, "needless_zeros": 0.7, "identity_hashes": 0.2}
        suite["scala", algorithm] = _values(**scala, shared_locks=0.2, bytes=300, mean_size=20)
        clojure = {"immutable_objects": 0.4, "needless_zeros": 0.9, "identity_hashes": 0.1}
        suite["clojure", algorithm] = _values(**clojure, shared_locks=0.3, bytes=50, mean_size=20)
    return suite


def _holds(suite: dict[Key, Values]) -> list[bool | None]:
    return [claim.holds for claim in object_claims(suite)]


def test_claims_are_judged_by_their_rules() -> None:
    claims = object_claims(_suite())

    assert [claim.holds for claim in claims] == [None, True, None, True, True]
    assert claims[0].found.endswith("6 of 6 algorithms in Scala, 0 of 6 algorithms in Clojure")


def test_few_algorithms_are_no_evidence_of_a_direction() -> None:
    assert _holds(_suite(5))[3] is False  # chance does it in one of 16 cases


def test_locks_that_were_not_recorded_confirm_nothing() -> None:
    suite = {key: value | {"shared_locks": None} for key, value in _suite().items()}

    assert _holds(suite)[1] is False


def test_what_is_not_known_is_not_zero() -> None:
    lines = object_table(_suite()).splitlines()

    assert lines[2].startswith("| Java | 6 | 50 % | n/a | n/a | 70 % |")
    assert lines[3].endswith("| 3 | 20 |")  # bytes divided by Java's, and the mean size


def test_programs_have_their_own_numbers() -> None:
    lines = object_table_of_programs({"h2": _values(objects=20, bytes=640)}).splitlines()

    assert lines[0].startswith(
        "| program | objects allocated | bytes allocated | objects immutable"
    )
    assert lines[2].startswith("| h2 | 20 | 640 | n/a |")


def test_the_page_has_a_place_for_each_section() -> None:
    page = PAGE.read_text(encoding="utf-8")

    of_objects = ("objects-recorded", "objects-claims", "objects", "objects-programs", "explained")
    of_lifetimes = ("lifetimes-recorded", "lifetimes-claims", "lifetimes", "lifetimes-programs")
    for section in (*of_objects, *of_lifetimes):
        assert f"<!-- {section}: begin -->" in page
        assert f"<!-- {section}: end -->" in page
