"""Notes on why subjects of a report may not be comparable: other options, folded calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.errors import JvmscopeError
from jvmscope.schema import read_manifest
from jvmscope.schema.folding import read_folding
from jvmscope.schema.options import OPTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jvmscope.reports.model import Subject
    from jvmscope.schema import Manifest
    from jvmscope.schema.options import RecordingOption

__all__ = [
    "differences",
    "foldings",
    "machine_differences",
    "option_differences",
    "probe_differences",
    "tree_difference",
]

_SHOWN = 3
"""Subjects that are named of those that differ."""


def differences(subjects: Iterable[Subject]) -> tuple[str, ...]:
    """Returns a note for each way in which the recordings of measured subjects differ.

    The JVM is compared among subjects of the same JVM of a suite alone: to differ in it is what
    several JVMs are there for.
    """
    found: dict[str, dict[str, list[str]]] = {}
    for subject in subjects:
        if subject.is_measured and subject.run is not None:
            for what, value in _conditions(subject):
                found.setdefault(what, {}).setdefault(value, []).append(subject.name)
    return tuple(_note(what, by_value) for what, by_value in found.items() if len(by_value) > 1)


def foldings(subjects: Iterable[Subject]) -> tuple[str, ...]:
    """Returns a note on the measured subjects of which calls were folded, if there are any."""
    found = []
    for subject in subjects:
        if subject.is_measured and subject.run is not None:
            folding = read_folding(subject.run, read_manifest(subject.run))
            if folding is not None:
                found.append(f"{subject.name}: {folding}")
    if not found:
        return ()
    more = f"; {len(found) - _SHOWN:,} more" if len(found) > _SHOWN else ""
    unknown = "stack depths and recursion are unknown, inclusive numbers may be too small"
    return (f"{'; '.join(found[:_SHOWN])}{more}; {unknown}",)


def machine_differences(a: Manifest, b: Manifest, *, has_other_jvm: bool) -> tuple[str, ...]:
    """Returns how the JVMs and the versions of jvmscope differ between two recordings.

    Args:
        a: the one.
        b: the other.
        has_other_jvm: whether they are meant to be of different JVMs.
    """
    facts = [("the version of jvmscope", "tool")]
    facts += [] if has_other_jvm else [("the JVM", "jvm")]
    versions = [(what, _version(a, key), _version(b, key)) for what, key in facts]
    return tuple(
        f"{what} is {of_a} in A, {of_b} in B" for what, of_a, of_b in versions if of_a != of_b
    )


def probe_differences(a: Manifest, b: Manifest) -> tuple[str, ...]:
    """Returns how the probes of two recordings differ, and why that may change a count."""
    probes = [_text(sorted(manifest.options.get("probes") or [])) for manifest in (a, b)]
    if probes[0] == probes[1] or not (a.options and b.options):
        return ()
    why = (
        "so maps and sets by identity hash codes may iterate in another order, "
        "and a few counts differ"
    )
    if a.kind == b.kind == "native":  # such a program runs as it is
        why = "which do not count the same calls"
    return (f"--probes is {probes[0]} in A, {probes[1]} in B, {why}",)


def tree_difference(a: Manifest, b: Manifest) -> tuple[str, ...]:
    """Returns which of two recordings alone has a calling context tree."""
    if {a.kind, b.kind} != {"recorded", "native"}:
        return ()
    having, other = ("A", "B") if a.kind == "recorded" else ("B", "A")
    return (f"only {having} has a calling context tree: {other} was recorded with --no-tree",)


def _version(manifest: Manifest, key: str) -> str:
    return str(getattr(manifest, key).get("version", "unknown"))


def option_differences(a: Manifest, b: Manifest) -> tuple[str, ...]:
    """Returns the options that change counts and differ between two recordings, with values."""
    of_a, of_b = dict(_options(a)), dict(_options(b))
    of_own_tables = {_word_of(each) for each in OPTIONS if each.changes_own_table}
    names = dict.fromkeys((*of_a, *of_b))
    lone = of_a.keys() ^ of_b.keys()
    return tuple(
        f"{name} is {of_a.get(name, 'unknown')} in A, {of_b.get(name, 'unknown')} in B"
        for name in names
        if of_a.get(name) != of_b.get(name) and name not in lone & of_own_tables
    )


def _options(manifest: Manifest) -> Iterator[tuple[str, str]]:
    """Yields the options of a recording that change its counts, with their values as text."""
    for each in OPTIONS:
        if each.manifest is None or not manifest.options:
            continue
        value = manifest.options.get(each.manifest, each.before)
        is_known = each.manifest in manifest.options or each.before is not None
        if (each.changes_counts and is_known) or (each.changes_own_table and value is not None):
            yield _word_of(each), _text(value)


def _word_of(option: RecordingOption) -> str:
    return f"--{option.key.replace('_', '-')}"


def _conditions(subject: Subject) -> Iterator[tuple[str, str]]:
    """Yields what decides about a recording's counts, beside the program."""
    if subject.run is None:
        return
    try:
        manifest = read_manifest(subject.run)
    except JvmscopeError:
        return
    of_jvm = f" of {subject.jvm}" if subject.jvm else ""
    yield f"the JVM{of_jvm}", _version(manifest, "jvm")
    yield "the version of jvmscope", _version(manifest, "tool")
    for name, value in _options(manifest):
        yield f"the option {name}", value


def _text(value: Any) -> str:
    """Returns an option's value as people write it.

    >>> [_text(value) for value in (["a", "b"], [], None, True, "fold")]
    ['a, b', 'none', 'none', 'True', 'fold']
    >>> _text({"blocks": 16, "block_bytes": 256})
    '16 blocks of 256 bytes'
    """
    if isinstance(value, dict):  # of a method cache
        return f"{value.get('blocks')} blocks of {value.get('block_bytes')} bytes"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return "none" if value is None else str(value)


def _note(what: str, by_value: dict[str, list[str]]) -> str:
    said = []
    for value, names in sorted(by_value.items(), key=lambda item: -len(item[1])):
        shown = ", ".join(names[:_SHOWN]) + (
            f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
        )
        said.append(f"{value} ({shown})")
    return f"{what} differs: {'; '.join(said)}"
