"""Where query tests lie, and what each one asks of which run.

tests/metrics/
  programs/Shapes.java                  recorded when a test needs it
  jvmscope-test.toml
  hotness/blocks/                       the metric hotness.blocks, or a query file in here
    Shapes.expected.csv
    Shapes@hot.expected.csv             a variant: another scope, other parameters
    empty.expected.csv                  a run in which nothing ran
    frozen.run/, frozen.expected.csv    a run kept beside its expected answer
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmscope.errors import QueryError, did_you_mean
from jvmscope.metrics.catalogue import implementations
from jvmscope.queries import parse_query_file
from jvmscope.testing.settings import read_settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from jvmscope.queries import QueryFile
    from jvmscope.testing.settings import ProgramSettings, VariantSettings

__all__ = ["EMPTY", "EXPECTED", "QueryTest", "find_tests"]

EXPECTED = ".expected.csv"
EMPTY = "empty"
"""The name of a run in which nothing ran; it needs no files."""

_PROGRAMS = "programs"
_QUERIES = (".sql", ".xq")
_RUNS = (".run", ".java")


@dataclass(frozen=True)
class QueryTest:
    """One run asked one question, and the file with the expected answer.

    Attributes:
        folder: where the test lies.
        name: the run's name, and ``@VARIANT`` if it is one.
        queries: the question, once in each language that it is written in.
        run: a run's directory or a Java source; None: nothing ran.
        variant: the question's scope and parameters, and what of the answer counts.
        program: how the Java source is recorded.
    """

    folder: Path
    name: str
    queries: tuple[QueryFile, ...]
    run: Path | None
    variant: VariantSettings
    program: ProgramSettings

    @property
    def expected(self) -> Path:
        """The file with the expected answer; without it the test fails."""
        return self.folder / f"{self.name}{EXPECTED}"

    @property
    def is_recorded(self) -> bool:
        """Whether its run is recorded on demand, which takes a JDK."""
        return self.run is not None and self.run.suffix == ".java"

    def __str__(self) -> str:
        """Returns the test's place as people write it."""
        return str(self.folder / self.name)


def find_tests(paths: Iterable[Path]) -> Iterator[QueryTest]:
    """Yields the tests at and below some paths, in the order of folders and names.

    Args:
        paths: folders, or files with an expected answer.

    Raises:
        QueryError: there is none, or a folder of tests has no query, no run or wrong settings.
    """
    for path in paths:
        if path.name.endswith(EXPECTED) and path.is_file():
            name = path.name.removesuffix(EXPECTED)
            yield from (test for test in _tests_in(path.parent) if test.name == name)
            continue
        if not path.is_dir():
            raise QueryError("expected a folder with query tests", path=str(path))
        n_found = 0
        for folder in _folders(path):
            for test in _tests_in(folder):
                n_found += 1
                yield test
        if not n_found:
            hint = f"a test is a file NAME{EXPECTED} beside a query, or in a metric's folder"
            raise QueryError("there are no query tests", path=str(path), hint=hint)


def _folders(path: Path) -> Iterator[Path]:
    yield path
    for child in sorted(path.iterdir()):
        is_other = child.name == _PROGRAMS or child.name.startswith((".", "__"))
        if child.is_dir() and not is_other and child.suffix != ".run":
            yield from _folders(child)


def _tests_in(folder: Path) -> Iterator[QueryTest]:
    files = sorted(file.name for file in folder.iterdir())
    names = {name.removesuffix(EXPECTED) for name in files if name.endswith(EXPECTED)}
    sources = [name for name in files if name.endswith(_QUERIES)]
    if sources:
        names |= {name.rpartition(".")[0] for name in files if name.endswith(_RUNS)}
    if not names:
        return
    queries = _queries(folder, sources)
    settings = read_settings(folder)
    for name in sorted(names):
        run_name, _, variant = name.partition("@")
        yield QueryTest(
            folder=folder,
            name=name,
            queries=queries,
            run=_run(folder, run_name),
            variant=settings.variant(variant),
            program=settings.program(run_name),
        )


def _queries(folder: Path, sources: list[str]) -> tuple[QueryFile, ...]:
    """Returns the query in a folder, or the metric whose id ends the folder's path."""
    if sources:
        paths = [folder / name for name in reversed(sources)]  # XQuery, then SQL
        if len({name.rpartition(".")[0] for name in sources}) > 1:
            message = f"one query has a place here, found {', '.join(sources)}"
            raise QueryError(message, path=str(folder))
        return tuple(map(_query, paths))
    known = implementations()
    place = folder.absolute()
    for id_ in (place.name, f"{place.parent.name}.{place.name}"):
        if id_ in known:
            return known[id_]
    hint = did_you_mean(f"{place.parent.name}.{place.name}", known)
    message = "no query file in it, and no metric has the folder's name"
    raise QueryError(message, path=str(folder), hint=hint)


def _query(path: Path) -> QueryFile:
    try:
        return parse_query_file(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise QueryError(f"cannot be read: {error}", path=str(path)) from None


def _run(folder: Path, name: str) -> Path | None:
    """Returns the run or the source of a name: in a folder, or in ``programs`` there or above."""
    above = [place / _PROGRAMS for place in (folder.absolute(), *folder.absolute().parents)]
    for place in (folder, *above):
        for suffix in _RUNS:
            path = place / f"{name}{suffix}"
            if path.exists():
                return path
    if name == EMPTY:
        return None
    message = f"there is no {name}.run or {name}.java for {name}{EXPECTED}"
    hint = f"expected it in {folder}, or in {_PROGRAMS}/ there or above"
    raise QueryError(message, path=str(folder), hint=hint)
