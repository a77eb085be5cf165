"""What is compared: pairs of runs, of which one side may be missing for a reason."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jvmscope.errors import QueryError, RunError, SuiteError, did_you_mean
from jvmscope.schema import read_manifest
from jvmscope.schema.suite import is_suite, open_suite

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from jvmscope.schema.manifest import Kind
    from jvmscope.schema.suite import Row, Suite

__all__ = [
    "Pair",
    "Side",
    "are_watches",
    "are_without_tree",
    "have_trees",
    "pairs_of",
    "recorded_beside",
    "runs_of",
    "saying_which",
]


_TREELESS: frozenset[Kind] = frozenset({"watch", "native"})


@dataclass(frozen=True)
class Side:
    """A run, or why there is none.

    Attributes:
        run: its directory.
        reason: why there is none.
        n_runs: of so many that the benchmark started.
        jvm: what a suite calls its JVM; None: it gives it no name.
        unreached: launchers and programs of JVMs that it started and that were not recorded.
    """

    run: Path | None
    reason: str | None = None
    n_runs: int = 1
    jvm: str | None = None
    unreached: tuple[str, ...] = ()


@dataclass(frozen=True)
class Pair:
    """Two runs of one thing.

    Attributes:
        a: the first, which the other is measured against.
        b: the second.
        benchmark: what it is called in its suites; None: two runs that do not belong to suites.
    """

    a: Side
    b: Side
    benchmark: str | None = None

    @property
    def has_other_jvm(self) -> bool:
        """Whether the runs are meant to be of different JVMs."""
        return self.a.jvm != self.b.jvm


def pairs_of(a: Path, b: Path, jvms: tuple[str, str] | None = None) -> list[Pair]:
    """Returns the pairs of two runs, which is one, or of two suites.

    Rows of suites are paired by benchmark, parameters and invocation, and by the name of the JVM
    unless each suite has one alone. One that is only in one suite is a pair, too, with the reason;
    so is one that was not recorded.

    Args:
        a: a run's or a suite's directory.
        b: another of the same kind; the same suite twice, to compare two of its JVMs.
        jvms: the JVMs whose rows are compared, of the first and of the second suite.

    Raises:
        RunError: a recorded run and a watch run, or one does not exist.
        SuiteError: a run and a suite, a damaged lock file, or no such JVM.
    """
    _expect_both(a, b)
    kinds = [is_suite(path) for path in (a, b)]
    if kinds[0] != kinds[1]:
        suite, run = (a, b) if kinds[0] else (b, a)
        raise SuiteError(f"{suite} is a suite and {run} is not; compare two runs or two suites")
    if not kinds[0]:
        if jvms:
            raise SuiteError(f"{a} is not a suite, so it has no JVMs to choose from")
        if _is_watch(a) != _is_watch(b):
            watch, run = (a, b) if _is_watch(a) else (b, a)
            message = f"{watch} is a watch run and {run} is not; compare two runs of one kind"
            raise RunError(message)
        return [Pair(Side(a), Side(b))]
    suites = open_suite(a), open_suite(b)
    chosen = [_rows(suite, jvms[n] if jvms else None) for n, suite in enumerate(suites)]
    has_jvms = any(len({row.jvm for row in rows}) > 1 for rows in chosen)
    by_key = [{_key(row, has_jvm=has_jvms): row for row in rows} for rows in chosen]
    n_invocations = max((row.invocation for rows in chosen for row in rows), default=1)
    pairs = []
    for key in dict.fromkeys([*by_key[0], *by_key[1]]):
        side_a, side_b = (
            _side(rows.get(key), suite, jvms[n] if jvms else None, key)
            for n, (rows, suite) in enumerate(zip(by_key, suites, strict=True))
        )
        pairs.append(Pair(side_a, side_b, _label(key, has_invocation=n_invocations > 1)))
    if not pairs:
        raise SuiteError(f"{a} and {b} have no benchmark to compare")
    return pairs


def _expect_both(a: Path, b: Path) -> None:
    """Raises an error if one does not exist: a misspelt suite is not a run."""
    for path in (a, b):
        if not path.exists():
            hint = "jvmscope list runs shows the runs in a directory"
            raise RunError(f"{path}: there is no such run or suite; {hint}")


def runs_of(pairs: Iterable[Pair]) -> Iterator[Path]:
    """Yields the runs of pairs, A before B."""
    for pair in pairs:
        yield from (side.run for side in (pair.a, pair.b) if side.run is not None)


def are_watches(pairs: Iterable[Pair]) -> bool:
    """Returns whether the runs of pairs are watch runs; there are none in suites."""
    return any(_is_watch(run) for run in runs_of(pair for pair in pairs if not pair.benchmark))


def are_without_tree(pairs: Iterable[Pair]) -> bool:
    """Returns whether no run of pairs has a calling context tree, so that none has parts."""
    kinds = {_kind(run) for run in runs_of(pairs)}
    return bool(kinds) and kinds <= _TREELESS


@contextmanager
def saying_which(index: int) -> Iterator[None]:
    """Has an error of a scope say which of both runs, 0 or 1, has nothing of that name."""
    try:
        yield
    except QueryError as error:
        if error.path == "--scope":
            error.message = f"{'AB'[index]}: {error.message}"
        raise


def have_trees(pairs: Iterable[Pair]) -> bool:
    """Returns whether every run of pairs has a calling context tree, so that trees compare."""
    return _TREELESS.isdisjoint(_kind(run) for run in runs_of(pairs))


def recorded_beside(pairs: Sequence[Pair], beside: tuple[Path, Path] | None) -> dict[Path, Path]:
    """Returns the recorded run that stands beside each of two watch runs; empty: none is given.

    Raises:
        RunError: the pairs are of other runs, or one watch run would have two beside it.
    """
    if beside is None:
        return {}
    if not are_watches(pairs):
        raise RunError("--with is for two watch runs", in_python={"--with": "beside"})
    a, b = runs_of(pairs)
    if a == b and beside[0] != beside[1]:
        raise RunError(f"{a}: one watch run cannot have two recorded runs beside it")
    return {a: beside[0], b: beside[1]}


def _is_watch(run: Path) -> bool:
    return _kind(run) == "watch"


def _kind(run: Path) -> Kind | None:
    try:
        return read_manifest(run).kind
    except RunError:  # whoever opens it says what is wrong
        return None


_Key = tuple[str, tuple[tuple[str, Any], ...], str | None, int]


def _rows(suite: Suite, jvm: str | None) -> Sequence[Row]:
    if jvm is None:
        return suite.rows
    rows = [row for row in suite.rows if row.jvm == jvm]
    if not rows:
        known = sorted({row.jvm for row in suite.rows if row.jvm})
        hint = did_you_mean(jvm, known) or f"it has {', '.join(known) or 'no JVM with a name'}"
        raise SuiteError(f"{suite.path}: nothing was run on the JVM {jvm!r}; {hint}")
    return rows


def _key(row: Row, *, has_jvm: bool) -> _Key:
    parameters = tuple(sorted(row.parameters.items()))
    return row.benchmark, parameters, row.jvm if has_jvm else None, row.invocation


def _side(row: Row | None, suite: Suite, jvm: str | None, key: _Key) -> Side:
    """Returns one side of a pair; without a row it says what the suite, or a JVM of it, lacks."""
    if row is None:
        is_of_other_jvm = jvm is not None and any(
            _key(other, has_jvm=False) == key for other in suite.rows
        )
        lacks = f"not run on {jvm} in the suite" if is_of_other_jvm else "not in the suite"
        return Side(None, f"{lacks} {suite.path.name}")
    if row.run is None:
        return Side(None, f"{row.status}: {row.reason}" if row.reason else row.status)
    return Side(row.run, n_runs=len(row.runs), jvm=row.jvm, unreached=row.unreached)


def _label(key: _Key, *, has_invocation: bool) -> str:
    benchmark, parameters, jvm, invocation = key
    words = [benchmark, *(f"{name}={value}" for name, value in parameters)]
    words += [jvm] if jvm else []
    words += [f"#{invocation}"] if has_invocation else []
    return " ".join(words)
