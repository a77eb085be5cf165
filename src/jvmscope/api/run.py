"""Runs in the Python API."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jvmscope.api.files import calibration_in, cost_model_in
from jvmscope.api.one_or_several import paths_of
from jvmscope.api.warned import warn, warn_of_runs
from jvmscope.errors import LimitReached, RunError, did_you_mean
from jvmscope.queries import Engine, Question, Serialized, parse_scope, refuse_two_models

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from jvmscope.queries import Limits, Result
    from jvmscope.schema import Manifest

__all__ = ["Run"]


class Run:
    """An open run: one recorded execution.

    If it is not whole, or the memory limit folded calls, the first question warns of that, with
    ``jvmscope.RunWarning``.

    Args:
        path: directory of the run.
        allow_read: directories, or one, whose files an XQuery may read, with ``fn:doc`` and similar
            functions; URIs are relative to the working directory.
        beside: a recorded run of the program of a watch run.
        calibration: a file of what calls and objects cost in its VM.

    Raises:
        RunError: the directory is not a run, not of its kind, or has another schema version.
        QueryError: a path of `allow_read` is not a directory.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        allow_read: str | Path | Iterable[str | Path] = (),
        beside: str | Path | None = None,
        calibration: str | Path | None = None,
    ) -> None:
        self.path = Path(path)
        self._engine = Engine(
            self.path,
            beside=None if beside is None else Path(beside),
            calibration=calibration_in(calibration),
        )
        self._engine.on_notice = warn
        self._beside = beside
        self._is_warned_of = False
        self._allow_read: Sequence[Path] = ()
        if allow_read:
            from jvmscope.queries import readable_directories

            self._allow_read = readable_directories(paths_of(allow_read))

    @property
    def id(self) -> str:
        """The name of the run in results: that of its directory, without ``.run``."""
        return self._engine.run_id

    @property
    def manifest(self) -> Manifest:
        """The content of ``run.json``."""
        return self._engine.manifest

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of the recorded tables, those of a probe of one's own last."""
        return self._engine.named

    def query(
        self,
        text: str,
        *,
        params: Mapping[str, Any] | None = None,
        limit: int | None = None,
        timeout: float | None = None,
        language: str | None = None,
        limits: Limits | None = None,
        scope: str = "run",
        cost_model: str | Path | None = None,
    ) -> Result:
        """Returns the answer to a query in SQL, XQuery or XPath, as a table.

        Get it as an Arrow table (``.arrow()``), a pandas or polars data frame (``.df()``,
        ``.pl()``) or tuples (``.rows()``); for a query in SQL, also as a DuckDB relation that is
        not computed yet (``.relation``).

        Args:
            text: the query; ``$name`` stands for a parameter.
            params: the values of the parameters.
            limit: return at most this many rows.
            timeout: stop after this many seconds.
            language: ``sql``, ``xquery`` or ``xpath``; None: decide by the first word of the text.
            limits: run the query as an untrusted one, within these limits.
            scope: restrict ``context``, ``context_block``, ``call`` and similar tables to this part
                of the run, as for a metric; the whole tree is available as ``run.context``.
            cost_model: a file of a cost model, for queries that use costs (``--cost-model``); None:
                the one that ``params`` or the query names.

        Raises:
            QueryError: the query, the scope or the cost model is wrong; also raised while rows are
                read.
            LimitReached: a limit was reached.
        """
        self._warn_once()
        model = cost_model_in(cost_model)
        refuse_two_models(params or {}, model)
        question = Question(
            text,
            language=language,
            params=params or {},
            scope=parse_scope(scope),
            limit=limit,
            timeout=timeout,
            limits=limits,
            allow_read=self._allow_read,
            cost_model=model,
        )
        return self._engine.query(self._met(question))

    def serialize(
        self,
        text: str,
        *,
        params: Mapping[str, Any] | None = None,
        timeout: float | None = None,
        language: str = "xquery",
        limits: Limits | None = None,
    ) -> str:
        """Returns the items of an XQuery or XPath as text, according to its ``output:`` options.

        Without options, each node is a line of XML; if there are other items, the method is
        ``adaptive``. Arguments and errors are those of ``query``.
        """
        self._warn_once()
        question = Question(
            text,
            language=language,
            params=params or {},
            timeout=timeout,
            limits=limits,
            allow_read=self._allow_read,
            form="items",
        )
        answer = self._engine.answer(self._met(question))
        assert isinstance(answer, Serialized)  # noqa: S101 - asked for as items
        if answer.is_truncated:
            raise LimitReached("the answer has more items than the limits allow")
        return answer.text

    def items(
        self,
        text: str,
        *,
        params: Mapping[str, Any] | None = None,
        timeout: float | None = None,
        language: str = "xquery",
    ) -> Iterator[Any]:
        """Returns the items of an XQuery or XPath: values, nodes, maps, arrays, functions.

        Args:
            text: the query; ``$name`` stands for a parameter.
            params: the values of the parameters.
            timeout: stop after this many seconds.
            language: ``xquery`` or ``xpath``.

        Raises:
            QueryError: the query is wrong; also raised while items are read.
            LimitReached: the timeout was reached.
        """
        self._warn_once()
        question = Question(
            text,
            language=language,
            params=params or {},
            timeout=timeout,
            allow_read=self._allow_read,
        )
        return self._engine.xquery(self._met(question)).items()

    def table(self, name: str) -> Result:
        """Returns all rows of a table, in its order.

        Raises:
            RunError: the run has no such table.
        """
        if name not in self.tables:
            hint = did_you_mean(name, self.tables) or "jvmscope list tables RUN shows them"
            raise RunError(f'{self.path}: there is no table "{name}"; {hint}')
        self._warn_once()
        return self._engine.untouched().query(Question(f'FROM "{name}"', language="sql"))

    def measure(
        self,
        *metrics: str,
        scope: str = "run",
        params: Mapping[str, Any] | None = None,
        cost_model: str | Path | None = None,
        timeout: float | None = None,
    ) -> Result:
        """Returns the values of metrics, one per row, as ``jvmscope measure`` does.

        Args:
            metrics: ids, globs of ids or ``tag:NAME``; none means all.
            scope: ``run``, ``application``, ``application+``, ``thread:NAME`` or
                ``subtree:PATTERN``.
            params: values for the metrics' parameters.
            cost_model: a file of a cost model for cycles (``--cost-model``); None: the one that
                ``params`` names.
            timeout: stop a metric after this many seconds.

        Raises:
            QueryError: a metric, the scope or a parameter does not exist, or the cost model has a
                mistake.
            LimitReached: the timeout was reached.
        """
        from jvmscope.metrics import measure

        self._warn_once()
        return measure(
            [self._engine],
            metrics=metrics,
            scope=parse_scope(scope),
            params=params or {},
            cost_model=cost_model_in(cost_model),
            timeout=timeout,
        )

    def export(
        self,
        format: str,  # noqa: A002 - what the command line calls it
        path: str | Path,
        *,
        force: bool = False,
        **options: Any,
    ) -> tuple[Path, ...]:
        """Writes the run in a format that other programs read, as ``jvmscope export`` does.

        Args:
            format: a format of ``jvmscope export``, such as ``pprof``;
                ``jvmscope.reports.exports.formats.EXPORT_FORMATS`` has all of them by name.
            path: the file; for ``xml``, the directory of the two files.
            force: replace files that exist.
            options: for trees: ``weight`` (``calls``, ``bytecodes``, ``cycles``), ``scope`` or
                ``root`` (a pattern of methods), ``min_fraction``, and for cycles
                ``params`` and ``cost_model`` (the file of one); for ``xml``: ``form``
                (``nested`` or ``flat``).

        Returns:
            The files that were written.

        Raises:
            JvmscopeError: a file exists or cannot be written.
            QueryError: the format, option, weight or method does not exist, or the two ways to
                choose a part of the run are both given.
            LimitReached: the database needs more memory than allowed.
        """
        from jvmscope.actions.export_files import export_run

        self._warn_once()
        if "scope" in options:
            options["scope"] = parse_scope(options["scope"])
        if "cost_model" in options:
            options["cost_model"] = cost_model_in(options["cost_model"])
        return export_run(self._engine.untouched(), format, Path(path), options, is_forced=force)

    def __repr__(self) -> str:
        """Describes the run in one line."""
        return f"<Run {self.path}: {'; '.join(self._facts().values())}>"

    def _repr_html_(self) -> str:
        """Returns what was recorded as an HTML table, for notebooks."""
        rows = "".join(
            f'<tr><th>{name}</th><td style="text-align: left">{escape(fact)}</td></tr>'
            for name, fact in {"run": str(self.path), **self._facts()}.items()
        )
        return f'<table class="dataframe"><tbody>{rows}</tbody></table>'

    def _facts(self) -> dict[str, str]:
        manifest = self.manifest
        n_rows = {table: facts.rows for table, facts in manifest.tables.items()}
        numbers = {
            "thread": n_rows.get("thread"),
            "context": manifest.n_contexts,
            "method": n_rows.get("method"),
        }
        counted = [f"{n:,} {what}s" for what, n in numbers.items() if n is not None]
        version = manifest.jvm.get("version")
        return {
            "command": manifest.command_line or "unknown command",
            "status": "; ".join([manifest.status, *manifest.limits]),
            "JVM": f"Java {version}" if version else "unknown JVM",
            "recorded": ", ".join(counted),
        }

    def _warn_once(self) -> None:
        """Warns, when the first question is asked, that the run may lack some of the answers."""
        if not self._is_warned_of:
            self._is_warned_of = True
            warn_of_runs([self.path] if self._beside is None else [self.path, Path(self._beside)])

    def _met(self, question: Question) -> Question:
        """Returns a question for which the run has what the header of its query requires."""
        if question.file.requires:
            from jvmscope.metrics.requirements import check_requirements

            check_requirements(self._engine, question)
        return question

    def close(self) -> None:
        """Closes the run; results that were not read yet cannot be read any more."""
        self._engine.close()

    def __enter__(self) -> Run:
        """Returns the run; the block's end closes it."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Closes the run."""
        self.close()
