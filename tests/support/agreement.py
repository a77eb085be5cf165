"""A query's answers by SQL, by SQL and trees together, by trees alone, and by SaxonC."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from jvmscope.queries import Engine
from support.answers import answer_of
from support.saxon_on_runs import SaxonOnRun, is_same

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from jvmscope.queries.xquery.query import XQuery

__all__ = ["KNOWN_REFUSALS", "Agreement"]

KNOWN_REFUSALS = re.compile("[Oo]verflow|out of range|FOAR0001|More than one row|Could not cast")
"""Where SQL may give up; anything else that DuckDB says is a mistake of the compiler."""

_SAXON_FAILED = re.compile("error +Bad parent pointer in expression tree")  # SaxonC 13.1
_MAY_FAIL = re.compile("^static error|^error FORG0001")
_SHOWN = 600


class Agreement:
    """Those who answer queries about one run, and how often they were asked.

    Args:
        run: the run.
        folder: an existing directory, in which its XML is written.
    """

    def __init__(self, run: Path, folder: Path) -> None:
        self.engine = Engine(run)
        xml = folder / "xml"
        xml.mkdir()
        self._saxon = SaxonOnRun(run, xml)
        self.n_queries = 0
        self.n_compiled = 0

    def __enter__(self) -> Agreement:
        """Returns itself; the block's end closes the engine."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Closes the engine."""
        self.engine.close()

    def difference(self, text: str, *others: str, may_fail: bool = False) -> str | None:
        """Returns what differs between the answers to a query, or None if they agree.

        Args:
            text: the query.
            others: queries with the same answer, which are planned in other ways.
            may_fail: an error need not be found where it does not matter for the answer, and may
                be found before (XQuery 3.1, sections 2.3.1 and 2.3.4); if there is one, only our
                own answers are compared.
        """
        saxons = self._saxon.answer(text)
        query = self.engine.xquery(text)
        self.n_queries += 1
        self.n_compiled += bool(query.plan.parts)
        trees = _answer(query.items_on_trees())
        has_failed = _SAXON_FAILED.match(saxons[0]) if saxons else False
        if has_failed or (
            may_fail and any(_MAY_FAIL.search(each[-1]) for each in (saxons, trees) if each)
        ):
            saxons = trees
        answers = {"planned": _planned(query), "on trees": trees}
        answers |= {f"as {other}": _planned(self.engine.xquery(other)) for other in others}
        wrong = {way: answer for way, answer in answers.items() if not is_same(answer, saxons)}
        if not wrong:
            return None
        shown = [f"  {way}: {answer}"[:_SHOWN] for way, answer in wrong.items()]
        return "\n".join([text, *shown, f"  SaxonC: {saxons}"[:_SHOWN]])


def _planned(query: XQuery) -> list[str]:
    answer = _answer(query.items())
    unknown = [said for said in query.refusals if not KNOWN_REFUSALS.search(said)]
    return [f"refused: {said}" for said in unknown] or answer


def _answer(items: Iterator[Any]) -> list[str]:
    """Returns the items, or the exception that no query may end with."""
    try:
        return answer_of(items)
    except Exception as error:
        return [f"crash: {error!r}"]
