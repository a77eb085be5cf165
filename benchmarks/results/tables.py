"""The tables of docs/results.md as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.languages import LANGUAGES
from benchmarks.results.values import median

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from benchmarks.results.values import Key, Values

__all__ = [
    "TITLES",
    "by_algorithm",
    "by_language",
    "markdown_table",
    "medians",
    "names",
    "number",
    "of_programs",
]

TITLES = {
    "java": "Java",
    "scala": "Scala",
    "kotlin": "Kotlin",
    "clojure": "Clojure",
    "groovy": "Groovy",
    "ruby": "JRuby",
    "python": "Jython",
    "javascript": "Rhino",
}

_COLUMNS = {
    "times": ("bytecodes ÷ Java's", ""),
    "bytecodes_per_call": ("bytecodes per call", ""),
    "methods": ("methods executed", ""),
    "bytecodes_per_method": ("bytecodes per method", ""),
    "requested": ("boxes requested", ""),
    "boxes": ("boxes created", ""),
    "recursive_calls": ("recursive calls", "%"),
    "monomorphic_sites": ("sites with one target", "%"),
    "megamorphic_calls": ("calls through sites with ≥ 3 targets", "%"),
    "interface_calls": ("interface calls", "%"),
    "hot_methods": ("bytecodes in the hottest 20 % of methods", "%"),
}
_OF_PROGRAMS = {
    "bytecodes": ("bytecodes", ""),
    **{name: column for name, column in _COLUMNS.items() if name != "times"},
}


def names(values: Iterable[Key]) -> list[str]:
    """Returns the languages that were recorded, in the suite's order."""
    found = {language for language, _ in values}
    return [language.name for language in LANGUAGES if language.name in found]


def medians(values: Mapping[Key, Values], name: str) -> dict[str, float | None]:
    """Returns the median over the algorithms of a value, by language."""
    return {
        language: median(
            _value(values, (language, algorithm), name)
            for each, algorithm in values
            if each == language
        )
        for language in names(values)
    }


def _value(values: Mapping[Key, Values], key: Key, name: str) -> float | None:
    if name != "times":
        return values[key][name]
    java = values.get(("java", key[1]), {}).get("bytecodes")
    own = values[key]["bytecodes"]
    return own / java if java and own else None


def by_language(
    values: Mapping[Key, Values],
    columns: Mapping[str, tuple[str, str]] | None = None,
    medians_of: Callable[[Mapping[Key, Values], str], dict[str, float | None]] = medians,
) -> str:
    """Returns a row a language: the median over the algorithms of each value.

    Args:
        values: by language and algorithm.
        columns: title and unit of each value; None: those of executed code.
        medians_of: returns the medians of a value by language.
    """
    columns = _COLUMNS if columns is None else columns
    header = ["language", "algorithms", *(title for title, _ in columns.values())]
    found = {name: medians_of(values, name) for name in columns}
    rows = [
        [
            TITLES[language],
            str(sum(1 for each, _ in values if each == language)),
            *(number(found[name][language], unit) for name, (_, unit) in columns.items()),
        ]
        for language in names(values)
    ]
    return markdown_table(header, rows)


def by_algorithm(values: Mapping[Key, Values], name: str, unit: str = "") -> str:
    """Returns a row an algorithm and a column a language of one value."""
    languages = names(values)
    algorithms = sorted({algorithm for _, algorithm in values})
    rows = [
        [
            algorithm,
            *(
                number(_value(values, (language, algorithm), name), unit)
                if (language, algorithm) in values
                else ""
                for language in languages
            ),
        ]
        for algorithm in algorithms
    ]
    return markdown_table(["", *(TITLES[language] for language in languages)], rows)


def of_programs(
    programs: Mapping[str, Values], columns: Mapping[str, tuple[str, str]] | None = None
) -> str:
    """Returns a row a real program.

    Args:
        programs: the values by program.
        columns: title and unit of each value; None: those of executed code.
    """
    columns = _OF_PROGRAMS if columns is None else columns
    header = ["program", *(title for title, _ in columns.values())]
    rows = [
        [program, *(number(values[name], unit) for name, (_, unit) in columns.items())]
        for program, values in programs.items()
    ]
    return markdown_table(header, rows)


def number(value: float | None, unit: str = "") -> str:
    """Returns a number with three digits; a share as percent; n/a where there is none.

    >>> number(0.0123456, "%"), number(1234567), number(15.25), number(None), number(0.00051)
    ('1.23 %', '1,230,000', '15.2', 'n/a', '0.00051')
    """
    if value is None:
        return "n/a"
    if unit == "%":
        return f"{number(100 * value)} %"
    rounded = float(f"{value:.3g}")
    return f"{rounded:,.0f}" if abs(rounded) >= 100 else f"{rounded:.3g}"


def markdown_table(
    header: Sequence[str], rows: Iterable[Sequence[str]], *, n_texts: int = 1
) -> str:
    """Returns a Markdown table whose first columns are texts, and the others numbers."""
    rule = ["---" if place < n_texts else "---:" for place in range(len(header))]
    lines = [header, rule, *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
