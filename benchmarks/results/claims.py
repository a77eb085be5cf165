"""Claims of the literature, each with what the suite says of it and the verdict that follows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.results.tables import TITLES, medians, number
from benchmarks.results.values import median

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from benchmarks.results.values import Key, Values

__all__ = ["Claim", "claims", "claims_table", "rows_of_claims"]

_PAPER = "Sarimbekov et al. 2013"
_FLOATING = ("mandelbrot", "nbody", "spectralnorm")


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim, where it is made, by what rule it holds, what was found, and whether it holds.

    `holds` is None where some, and not all, of it does.
    """

    text: str
    source: str
    rule: str
    found: str
    holds: bool | None

    @property
    def verdict(self) -> str:
        """The verdict in words."""
        return {True: "**confirmed**", False: "**not confirmed**", None: "**partly**"}[self.holds]


def claims(values: Mapping[Key, Values]) -> list[Claim]:
    """Returns the claims, each judged by its rule."""
    return [
        _everything_boxed(values),
        _boxed_more_often(values),
        _recursion(values),
        _methods(values),
        _polymorphism(values),
        _hotness(values),
    ]


def claims_table(values: Mapping[Key, Values]) -> str:
    """Returns the claims as a Markdown table."""
    return rows_of_claims(claims(values))


def rows_of_claims(judged: Iterable[Claim]) -> str:
    """Returns claims that are judged as a Markdown table."""
    rows = [
        f"| {claim.text} ({claim.source}) | {claim.rule} | {claim.found} | {claim.verdict} |"
        for claim in judged
    ]
    return "\n".join(["| claim | rule | found | |", "| --- | --- | --- | --- |", *rows])


def _everything_boxed(values: Mapping[Key, Values]) -> Claim:
    found = {
        algorithm: _boxes_per_operation(values[key])
        for algorithm in _FLOATING
        if (key := ("ruby", algorithm)) in values
    }
    return Claim(
        "All primitive values in JRuby are boxed",
        f"{_PAPER}, 2.2.2",
        "in every program that computes with `double`, JRuby creates an object for each `double` "
        "that an instruction outside the JDK computes",
        "objects per instruction: "
        + ", ".join(f"{name} {number(value)}" for name, value in found.items()),
        bool(found) and all(value is not None and value >= 1 for value in found.values()),
    )


def _boxes_per_operation(values: Values) -> float | None:
    boxes, operations = values["floating_boxes"], values["floating_operations"]
    return boxes / operations if boxes is not None and operations else None


def _boxed_more_often(values: Mapping[Key, Values]) -> Claim:
    found = medians(values, "requested")
    return Claim(
        "Boxed primitive values are rare in Java and frequent in other languages such as JRuby",
        f"{_PAPER}, 2.1",
        "the median of boxes requested per bytecode is ten times higher in JRuby than in Java",
        "boxes requested per 1,000 bytecodes: " + _all(found),
        (found.get("ruby") or 0) > 10 * (found.get("java") or 0),
    )


def _recursion(values: Mapping[Key, Values]) -> Claim:
    found = medians(values, "recursive_calls")
    above = {each: _above_java(values, each, "recursive_calls") for each in ("clojure", "scala")}
    holds = [
        (found.get(language) or 0) > (found.get("java") or 0) and 2 * sum(own) > len(own)
        for language, own in above.items()
    ]
    return Claim(
        "Functional languages often leverage recursion to perform loops",
        f"{_PAPER}, 2.2.3",
        "the share of recursive calls is higher in Clojure, and in Scala, than in Java, in the "
        "median and in most algorithms",
        f"{_all(found, '%')}; above Java's in {_of(above['clojure'])} algorithms in Clojure, "
        f"{_of(above['scala'])} in Scala",
        _both(holds),
    )


def _methods(values: Mapping[Key, Values]) -> Claim:
    more = _times_java(values, "methods")
    larger = _times_java(values, "bytecodes_per_method")
    return Claim(
        "Scala programs have more and smaller methods than Java's",
        "attributed to Sewe et al. 2011",
        "in the median over the algorithms, Scala executes more methods than Java, with fewer "
        "bytecodes each",
        f"{number(more)} times the methods, {number(larger)} times the bytecodes per method",
        _both([more is not None and more > 1, larger is not None and larger < 1]),
    )


def _polymorphism(values: Mapping[Key, Values]) -> Claim:
    found = medians(values, "megamorphic_calls")
    others = [value or 0 for language, value in found.items() if language != "java"]
    return Claim(
        "Call-site polymorphism is distributed differently in Java and other languages",
        f"{_PAPER}, 1",
        "in every other language, the median share of calls through sites with three or more "
        "targets is higher than in Java",
        _all(found, "%"),
        _both([value > (found.get("java") or 0) for value in others]),
    )


def _hotness(values: Mapping[Key, Values]) -> Claim:
    found = medians(values, "hot_methods")
    return Claim(
        "The hottest 20 % of the methods are most of what runs",
        f"what compilers rely on: {_PAPER}, 2.2.3",
        "in every language, they execute at least 80 % of the bytecodes, in the median",
        _all(found, "%"),
        _both([(value or 0) >= 0.8 for value in found.values()]),
    )


def _all(found: Mapping[str, float | None], unit: str = "") -> str:
    return ", ".join(
        f"{TITLES[language]} {number(value, unit)}" for language, value in found.items()
    )


def _times_java(values: Mapping[Key, Values], name: str) -> float | None:
    """Returns the median, over the algorithms, of Scala's value divided by Java's."""
    return median(
        scala / java
        for (language, algorithm), own in values.items()
        if language == "scala"
        and (scala := own[name])
        and (java := values.get(("java", algorithm), {}).get(name))
    )


def _above_java(values: Mapping[Key, Values], language: str, name: str) -> list[bool]:
    """Returns of each algorithm whether a language's value is above Java's."""
    return [
        (own[name] or 0) > (values["java", algorithm][name] or 0)
        for (each, algorithm), own in values.items()
        if each == language and ("java", algorithm) in values
    ]


def _of(parts: Sequence[bool]) -> str:
    """Returns how many hold.

    >>> _of([True, False])
    '1 of 2'
    """
    return f"{sum(parts)} of {len(parts)}"


def _both(parts: Sequence[bool]) -> bool | None:
    """Returns True if all parts hold, False if none does, None if some do.

    >>> _both([True, False]) is None
    True
    """
    return None if any(parts) and not all(parts) else all(parts)
