"""Reads budget files: TOML, of which every mistake is told with its place."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from jvmscope.errors import QueryError, did_you_mean
from jvmscope.metrics import catalogue
from jvmscope.reports.changes.budgets import QUANTITIES, Budget
from jvmscope.reports.changes.condition import parse_condition
from jvmscope.reports.changes.condition_results import evaluate
from jvmscope.reports.changes.measuring import no_changes
from jvmscope.reports.changes.vocabulary import check_reach
from jvmscope.suite.problems import SuiteText

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

__all__ = ["read_budgets"]

_SCHEMA = 1
_TEXTS = ("name", "quantity", "metric", "measure", "where", "method", "benchmark")
_LIMITS = {"max": "most", "max_growth": "most_growth", "max_growth_pct": "most_growth_pct"}
_OF_METRICS = ("measure", "where")


def read_budgets(path: Path) -> list[Budget]:
    """Returns the budgets in a file.

    Raises:
        SuiteError: it cannot be read, or has mistakes; each with its line and column.
    """
    text = SuiteText.read(path)
    values = text.values
    for key in values:
        if key not in ("schema", "budget"):
            text.wrong_key((key,), f"there is no key {key!r}", _near(key, ("schema", "budget")))
    if values.get("schema") != _SCHEMA:
        text.wrong_value(("schema",), f"expected schema = {_SCHEMA}")
    entries = values.get("budget", [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        text.wrong_key(("budget",), "expected tables [[budget]]")
        entries = []
    elif not entries:
        text.wrong_key(("budget",), "expected at least one table [[budget]]")
    budgets = [_Entry(text, number, entry).budget() for number, entry in enumerate(entries)]
    budgets = _told_apart(text, entries, budgets)
    text.raise_problems()
    return budgets


def _told_apart(
    text: SuiteText, entries: Sequence[Mapping[str, Any]], budgets: Sequence[Budget]
) -> list[Budget]:
    """Returns budgets whose names differ: each is judged, and told of, by its name.

    A name that the file gives twice is a mistake. Those without a name that are about the same get
    their lines.
    """
    lines: dict[str, int] = {}
    for number, (entry, budget) in enumerate(zip(entries, budgets, strict=True)):
        if "name" not in entry:
            continue
        first = lines.setdefault(budget.name, budget.line)
        if first != budget.line:
            message = f"the budget in line {first} has this name, too"
            text.wrong_value(("budget", number, "name"), message)
    n_named = Counter(budget.name for budget in budgets)
    return [
        budget
        if "name" in entry or n_named[budget.name] == 1
        else replace(budget, name=f"{budget.name} (line {budget.line})")
        for entry, budget in zip(entries, budgets, strict=True)
    ]


class _Entry:
    """One table of the file, which is checked key by key."""

    def __init__(self, text: SuiteText, number: int, values: dict[str, Any]) -> None:
        self._text = text
        self._at = ("budget", number)
        self._values = values

    def budget(self) -> Budget:
        """Returns the budget; what is wrong with it is noted."""
        self._check_keys()
        texts = {key: self._one_text(key) for key in _TEXTS}
        limits = {name: self._limit(key) for key, name in _LIMITS.items()}
        self._check_subject(texts)
        if not any(key in self._values for key in _LIMITS):
            self._text.wrong_key(self._at, f"expected a limit: {', '.join(_LIMITS)}")
        subject = texts["quantity"] or f"{texts['metric']}.{texts['measure']}"
        where = texts["method"] and f" of {texts['method']}"
        texts["name"] = texts["name"] or f"{subject}{where or ''}"
        return Budget(line=self._text.line_of(self._at), **texts, **limits)  # type: ignore[arg-type]

    def _check_keys(self) -> None:
        known = (*_TEXTS, *_LIMITS)
        for key in self._values:
            if key not in known:
                hint = _near(key, known)
                self._text.wrong_key((*self._at, key), f"there is no key {key!r}", hint)

    def _check_subject(self, texts: dict[str, str | None]) -> None:
        if (texts["quantity"] is None) == (texts["metric"] is None):
            message = "expected either a quantity or a metric with its measure"
            self._text.wrong_key(self._at, message)
            return
        if texts["quantity"] is not None:
            self._check_word("quantity", texts["quantity"], QUANTITIES)
            for key in _OF_METRICS:
                if texts[key] is not None:
                    message = f"{key!r} is for a metric, not for a quantity"
                    self._text.wrong_key((*self._at, key), message)
            return
        metric = texts["metric"] or ""
        if not self._check_word("metric", metric, catalogue()):
            return
        query = catalogue()[metric]
        measures = [measure.name for measure in query.measures]
        if texts["measure"] is None:
            hint = f"measures: {', '.join(measures)}"
            self._text.wrong_key((*self._at, "metric"), "expected its measure, too", hint)
        else:
            self._check_word("measure", texts["measure"], measures)
        names = {key.name for key in query.keys}
        if texts["method"] is not None and not names & {"method_id", "call_site_id"}:
            message = f"the rows of {metric} are not about methods"
            self._text.wrong_key((*self._at, "method"), message)
        measure = texts["measure"] if texts["measure"] in measures else None
        self._check_where(texts["where"], metric, measure)

    def _check_where(self, where: str | None, metric: str, measure: str | None) -> None:
        if where is None:
            return
        try:
            parse_condition(where)
            evaluate(where, no_changes([metric]))
            check_reach(where, [metric], measure)
        except QueryError as error:
            self._text.wrong_value((*self._at, "where"), error.message, error.hint)

    def _check_word(self, key: str, word: str, known: Collection[str]) -> bool:
        if word in known:
            return True
        hint = _near(word, known)
        self._text.wrong_value((*self._at, key), f"there is no {key} {word!r}", hint)
        return False

    def _one_text(self, key: str) -> str | None:
        value = self._values.get(key)
        if value is not None and (not isinstance(value, str) or not value):
            self._text.wrong_value((*self._at, key), f"expected {key} to be a string")
            return None
        return value

    def _limit(self, key: str) -> float | None:
        value = self._values.get(key)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if value is not None and (not is_number or not abs(value) < float("inf")):
            self._text.wrong_value((*self._at, key), f"expected {key} to be a number")
            return None
        return value


def _near(word: str, known: Collection[str]) -> str:
    return did_you_mean(word, known) or f"known: {', '.join(known)}"
