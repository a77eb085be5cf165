"""Which tests are meant for us."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from qt3.catalog import Case, Dependency

__all__ = ["why_not"]

# Optional features that are there, and properties of ours that tests ask for.
_FEATURES = {
    "higherOrderFunctions",
    "infoset-dtd",
    "moduleImport",
    "serialization",
}
_PROPERTIES: dict[str, set[str]] = {
    "calendar": set(),
    "default-language": {"en"},
    "format-integer-sequence": set("\u03b1\u0391\u2460\u2474\u2488\u4e00"),
    "language": {"en"},
    "limits": {"year_lt_0"},
    "unicode-normalization-form": {"NFC", "NFD", "NFKC", "NFKD"},
    "xml-version": {"1.0", "1.0:5+ 1.1", "1.0:5+"},
    "xsd-version": {"1.1"},
}
_SPECIFICATIONS = {"xquery": ("XQ", 31), "xpath": ("XP", 31)}


def why_not(case: Case, language: str) -> str | None:
    """Returns what keeps a case from being run, or None.

    Args:
        case: the test.
        language: ``xquery`` or ``xpath``.
    """
    if case.environment.has_schema or any(
        source.is_validated for source in case.environment.sources
    ):
        return "schema"
    for dependency in case.dependencies:
        if reason := _missing(dependency, language):
            return reason
    return None


def _missing(dependency: Dependency, language: str) -> str | None:
    match dependency.type:
        case "spec":
            matches = any(_applies(value, language) for value in dependency.value.split())
            return None if matches == dependency.is_satisfied else "spec"
        case "feature":
            is_there = dependency.value in _FEATURES
            if dependency.value == "namespace-axis":
                is_there = language == "xpath"
        case kind:
            is_there = dependency.value in _PROPERTIES.get(kind, set())
    return None if is_there == dependency.is_satisfied else dependency.value


def _applies(specification: str, language: str) -> bool:
    """Tells whether ``XQ30+`` and the like hold for version 3.1 of the language."""
    name, version = _SPECIFICATIONS[language]
    if not specification.startswith(name):
        return False
    asked = specification.removeprefix(name)
    return int(asked[:-1]) <= version if asked.endswith("+") else int(asked) == version
