"""Reads cost models: TOML, whose every mistake is one error with its line.

The format is described in docs/cross-profiling.md.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jvmscope.errors import QueryError, did_you_mean
from jvmscope.queries.costs.formula import Formula, FormulaError, parse_formula
from jvmscope.queries.costs.model import LARGEST_PARAMETER, TRANSFERS, CostModel, Costs
from jvmscope.schema import word_sets

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

__all__ = ["load_cost_model", "read_cost_model"]

_SCHEMA = 1
_TEXTS = ("name", "title", "source")
_FORMULAS = ("otherwise", "native")
_TABLES = ("parameters", "definitions", "load", "opcodes")
_LOADS = ("hit", "miss")
_GIVEN = ("size", "load")  # what the tree gives: names that a file may not define
_RESERVED = frozenset({*_GIVEN, "max", "min", "ceil", "floor"})
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_MODEL_NAME = re.compile(r"[A-Za-z0-9][\w.-]*")
_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_MOST = 10**12  # cycles of one bytecode
_TRIED = [(size, is_hit) for size in (0, 1, 65_535) for is_hit in (True, False)]


def load_cost_model(path: str | Path) -> CostModel:
    """Returns the cost model in a file.

    Raises:
        QueryError: it cannot be read, or has a mistake.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise QueryError(f"cannot be read: {error}", path=str(path)) from None
    return read_cost_model(text, str(path))


def read_cost_model(text: str, path: str) -> CostModel:
    """Returns the cost model that a file's text describes.

    Args:
        text: the file.
        path: its name, for messages.

    Raises:
        QueryError: a mistake in the file, with its line.
    """
    return _Reader(text, path).model()


class _Reader:
    def __init__(self, text: str, path: str) -> None:
        self._text = text
        self._path = path
        self._document = self._parsed()

    def model(self) -> CostModel:
        self._check_words(None, self._document, {"schema", *_TEXTS, *_FORMULAS, *_TABLES})
        if self._document.get("schema") != _SCHEMA:
            raise self._error(f"expected schema = {_SCHEMA}", None, "schema")
        for table in _TABLES:
            if not isinstance(self._document.get(table, {}), dict):
                raise self._error(f"expected a table [{table}]", None, table)
        texts = {key: self._one_text(key) for key in _TEXTS}
        if not _MODEL_NAME.fullmatch(texts["name"]):
            message = "a name has letters, digits, '.', '_' and '-'"
            raise self._error(message, None, "name")
        parameters = self._parameters()
        constants = set(parameters)
        definitions = self._definitions(constants)
        load = self._formulas("load", {*definitions, *parameters, "size"}, _LOADS)
        if len(load) == 1:
            raise self._error("[load] needs both hit and miss", "load", *load)
        opcodes = self._opcodes(constants, {*definitions, *parameters, *_GIVEN})
        others = {
            key: self._formula(None, key, constants) for key in _FORMULAS if key in self._document
        }
        model = CostModel(
            text=self._text,
            parameters=parameters,
            definitions=definitions,
            hit=load.get("hit"),
            miss=load.get("miss"),
            opcodes=opcodes,
            otherwise=others.get("otherwise"),
            native=others.get("native"),
            **texts,
        )
        self._try(model)
        return model

    # -- the parts of a file

    def _parsed(self) -> dict[str, Any]:
        try:
            return tomllib.loads(self._text)
        except tomllib.TOMLDecodeError as error:
            found = _PLACE.search(str(error))
            line, column = found.groups() if found else (None, None)
            raise QueryError(
                _PLACE.sub("", str(error)),
                path=self._path,
                line=int(line) if line else max(1, len(self._text.splitlines())),
                column=int(column) if column else None,
                source=self._text,
            ) from None
        except RecursionError:
            raise QueryError("values are nested too deep", path=self._path, line=1) from None

    def _one_text(self, key: str) -> str:
        value = self._document.get(key, "" if key != "name" else None)
        if not isinstance(value, str):
            raise self._error(f'expected {key} = "TEXT"', None, key)
        return value

    def _parameters(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for name, value in self._document.get("parameters", {}).items():
            self._check_name("parameters", name, ())
            if (
                isinstance(value, bool)
                or not isinstance(value, int)
                or not (0 <= value <= LARGEST_PARAMETER)
            ):
                message = f"the parameter {name} is a number from 0 to {LARGEST_PARAMETER}"
                raise self._error(message, "parameters", name)
            found[name] = value
        return found

    def _definitions(self, constants: set[str]) -> dict[str, Formula]:
        """Returns the definitions; adds to the constants those that depend on no size."""
        found: dict[str, Formula] = {}
        known = {*constants, "size"}
        for name in self._document.get("definitions", {}):
            self._check_name("definitions", name, known)
            found[name] = self._formula("definitions", name, known)
            known.add(name)
            if constants >= set(found[name].names):
                constants.add(name)
        return found

    def _formulas(self, table: str, known: set[str], words: Iterable[str]) -> dict[str, Formula]:
        self._check_words(table, self._document.get(table, {}), set(words))
        return {key: self._formula(table, key, known) for key in self._document.get(table, {})}

    def _opcodes(self, constants: set[str], of_transfers: set[str]) -> dict[str, Formula]:
        given = self._document.get("opcodes", {})
        self._check_words("opcodes", given, set(word_sets()["opcode"].words))
        if not given and "otherwise" not in self._document:
            raise self._error("expected a table [opcodes] with costs", None, "opcodes")
        return {
            opcode: self._formula(
                "opcodes", opcode, of_transfers if opcode in TRANSFERS else constants
            )
            for opcode in given
        }

    def _formula(self, table: str | None, key: str, known: Collection[str]) -> Formula:
        written = (self._document[table] if table else self._document)[key]
        if isinstance(written, bool) or not isinstance(written, int | str):
            raise self._error(f"expected a number or a formula for {key}", table, key)
        try:
            formula = parse_formula(str(written))
        except FormulaError as error:
            message = f"{key}: {error}"
            raise self._error(message, table, key, written=written, at=error.at) from None
        for name in formula.names:
            if name not in known:
                at = re.search(rf"\b{name}\b", formula.text)
                message = f"{key}: {self._why_unknown(name)}"
                hint = did_you_mean(name, known) or f"known here: {', '.join(sorted(known))}"
                place = at.start() if at else 0
                raise self._error(message, table, key, written=written, at=place, hint=hint)
        return formula

    def _why_unknown(self, name: str) -> str:
        if name in _GIVEN or name in self._document.get("definitions", {}):
            return f"{name!r} can only be used after its definition, and only where size is known"
        return f"unknown name {name!r}"

    # -- checks

    def _check_name(self, table: str, name: str, known: Collection[str]) -> None:
        if not _NAME.fullmatch(name) or name in _RESERVED:
            message = f"{name!r} cannot be a name: letters, digits, _, and none of "
            raise self._error(message + ", ".join(sorted(_RESERVED)), table, name)
        if name in known:
            raise self._error(f"{name!r} is a parameter, too", table, name)

    def _check_words(
        self, table: str | None, found: Mapping[str, object], words: Collection[str]
    ) -> None:
        for key in found:
            if key not in words:
                what = "opcode" if table == "opcodes" else "key"
                hint = did_you_mean(key, words)
                raise self._error(f"there is no {what} {key!r}", table, key, hint=hint)

    def _try(self, model: CostModel) -> None:
        """Evaluates every formula for the smallest and largest method."""
        formulas: list[tuple[str | None, str, Formula | None]] = [
            *(("definitions", name, formula) for name, formula in model.definitions.items()),
            *(("load", key, getattr(model, key)) for key in _LOADS),
            *(("opcodes", opcode, formula) for opcode, formula in model.opcodes.items()),
            *((None, key, getattr(model, key)) for key in _FORMULAS),
        ]
        costs = Costs(model, model.parameters)
        for table, key, formula in formulas:
            if formula is not None:
                values = [self._tried(costs, formula, table, key, at) for at in _TRIED]
                if table != "definitions" and not all(0 <= value <= _MOST for value in values):
                    wrong = next(value for value in values if not 0 <= value <= _MOST)
                    message = f"{key}: {wrong} cycles, expected from 0 to {_MOST}"
                    raise self._error(message, table, key)

    def _tried(
        self, costs: Costs, formula: Formula, table: str | None, key: str, at: tuple[int, bool]
    ) -> int:
        size, is_hit = at
        try:
            return int(formula.value(costs.names(size, is_hit=is_hit)))
        except FormulaError as error:
            raise self._error(f"{key}: {error}", table, key) from None

    # -- where something is

    def _error(
        self,
        message: str,
        table: str | None,
        key: str,
        *,
        written: object = None,
        at: int = 0,
        hint: str | None = None,
    ) -> QueryError:
        line, column = self._place(table, key)
        source = self._text.splitlines()[line - 1] if self._text else ""
        if isinstance(written, str) and column is not None:
            start = source.find(written, column)
            column = start + at + 1 if start >= 0 else column
        return QueryError(
            message, path=self._path, line=line, column=column, source=self._text, hint=hint
        )

    def _place(self, table: str | None, key: str) -> tuple[int, int | None]:
        """Returns the line of a key, or of its table, or the first; and the key's column."""
        at_table, current = 1, None
        for number, line in enumerate(self._text.splitlines(), 1):
            if header := re.match(r"\s*\[\s*\"?([\w-]+)", line):
                current = header[1]
                if current in (table, key):
                    at_table = number
            elif current == table and re.match(rf"\s*[\"']?{re.escape(key)}\b", line):
                return number, len(line) - len(line.lstrip()) + 1
        return at_table, None
