"""A study of overhead as a report: answers, with what its manifest knows and what limits them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from jvmscope.reports.study import StudyReport
    from jvmscope.watch.study import Study

__all__ = ["report_of"]


def report_of(path: Path, method: str | None) -> StudyReport:
    """Returns the report of a study: what its manifest knows, and the answers of its tables.

    Raises:
        RunError: it is not a study, or is damaged, or no cycle of it is finished.
        QueryError: the method was not observed, or several have its name.
    """
    import duckdb

    from jvmscope.reports.study import study_report
    from jvmscope.watch.study import Study

    study = Study(path)
    try:
        with study.connect() as connection:
            return study_report(
                connection,
                title=path.name,
                facts=list(_facts(study)),
                notes=list(_notes(study)),
                method=method,
            )
    except (duckdb.Error, ArithmeticError, LookupError, ValueError):
        study.expect_whole(is_hashed=True)  # whatever fails on damaged files is no bug
        raise


def _facts(study: Study) -> Iterator[tuple[str, str]]:
    """Yields what the manifest knows."""
    manifest = study.manifest
    yield "command", " ".join(manifest.command)
    jvm = manifest.jvm
    yield "JVM", " ".join(jvm[key] for key in ("name", "version") if key in jvm) or "none yet"
    yield "processors", str(manifest.n_processors or "not known")
    yield "started", manifest.started
    state = manifest.state if manifest.reason is None else f"{manifest.state}: {manifest.reason}"
    yield "state", state
    for name, value in manifest.options.items():
        values = value if isinstance(value, list) else [] if value is None else [value]
        yield name.replace("_", " "), ", ".join(map(str, values)) or "none"


def _notes(study: Study) -> Iterator[str]:
    """Yields what limits the results."""
    from jvmscope.watch.study import PAPER_WAITS

    manifest = study.manifest
    if manifest.state != "complete":
        yield f"the study is not complete ({manifest.state}): this is about what is there"
    if manifest.parts is None:
        yield "an earlier jvmscope began the study: whether all of its parts are there is not known"
    options = manifest.options
    short = [name for name, paper in PAPER_WAITS.items() if options.get(name, paper) < paper]
    if short:
        yield (
            f"shorter than in the paper: {', '.join(map(_named, short))}; with short waits, "
            "compilers may still be at work in the steps S6 and S8"
        )


def _named(option: str) -> str:
    return f"--{option.replace('_', '-')}"
