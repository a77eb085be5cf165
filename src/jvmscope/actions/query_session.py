"""Answers queries about a run, for ``jvmscope query`` and its prompt."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from jvmscope.control_characters import visible
from jvmscope.errors import WorkerFailed
from jvmscope.queries import Serialized

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmscope.output.console import Console
    from jvmscope.output.results import Output
    from jvmscope.queries import Engine, QueryFile, Question, Result

__all__ = ["QuerySession"]


@dataclass(frozen=True)
class QuerySession:
    """Who is asked, within which limits, and where the answers go.

    Attributes:
        engine: the run.
        output: where answers go, and in which format.
        console: shows how far a long query is.
        terms: a question without a text: what holds for every query that is asked.
    """

    engine: Engine
    output: Output
    console: Console
    terms: Question

    def ask(self, query: QueryFile, params: Mapping[str, str] | None = None) -> bool:
        """Writes the answer to a query; returns whether it is whole.

        Raises:
            QueryError: the query is wrong.
            LimitReached: the time is over, or an untrusted query needs too much.
            WorkerFailed: the process that answers locked queries failed; -v has told more.
            JvmscopeError: the answer cannot be written.
        """
        self.engine.on_notice = self.console.warn
        with self.console.patience("querying") as self.engine.on_progress:
            answer = self._answer(query, params)
            if isinstance(answer, Serialized):
                self._write_items(answer)
            else:
                self.output.write(answer, self.console)
        for refusal in answer.refusals:
            self.console.detail(f"trees answered, since SQL failed: {refusal}")
        return not answer.is_truncated

    def _write_items(self, answer: Serialized) -> None:
        """Writes the text of an XQuery's items, with a last line end."""
        text = answer.text if answer.text.endswith("\n") else f"{answer.text}\n"
        if self.output.file is None and sys.stdout.isatty():
            text = visible(text, keeps="\n\r\t")
        self.output.write_text(text, self.console, answer.encoding)
        if answer.is_truncated:
            self.console.warn(f"truncated: more items exist; {self.output.how_to_see_more}")

    def _answer(self, query: QueryFile, params: Mapping[str, str] | None) -> Result | Serialized:
        question = replace(
            self.terms,
            query=query,
            params=params or {},
            form=self.output.form,
            as_rows=self.output.takes_rows,
        )
        if query.requires:
            from jvmscope.metrics.requirements import check_requirements

            check_requirements(self.engine, question)
        try:
            return self.engine.answer(question)
        except WorkerFailed as error:
            self.console.detail(error.details.rstrip())
            raise
