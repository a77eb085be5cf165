"""The facts that test programs state beside the line that causes them.

// expect: calls=3            the method whose header this is was entered three times
// expect: executions=2       the first bytecode of this line ran twice
// expect: targets=12         the calls on this line went to twelve methods of the program
// expect: exit=42            the program's exit status is decided here
// expect: unstable           how often this method runs depends on the VM: not compared
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle.trees import NONE

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.steps import MethodKey, SteppedMethod, Steps
    from oracle.trees import Tree

__all__ = ["Fact", "check_facts", "exit_status", "read_facts", "unstable_methods"]

_KINDS = ("calls", "executions", "targets", "exit", "unstable")


@dataclass(frozen=True)
class Fact:
    """One expectation: its line in the source, its kind, the number expected."""

    line: int
    kind: str
    expected: int


def read_facts(source: Path) -> list[Fact]:
    """The facts in a source file, in order of line."""
    facts = []
    for number, line in enumerate(source.read_text(encoding="utf-8").splitlines(), 1):
        _, _, stated = line.partition("// expect: ")
        for word in stated.split():
            kind, _, expected = word.partition("=")
            if kind not in _KINDS:
                msg = f"{source.name}:{number}: unknown fact {word!r}"
                raise ValueError(msg)
            facts.append(Fact(number, kind, int(expected or 0)))
    return facts


def exit_status(facts: list[Fact]) -> int:
    """The exit status that the facts state; 0 if none does."""
    return next((fact.expected for fact in facts if fact.kind == "exit"), 0)


def _own_methods(main_class: str, steps: Steps) -> list[SteppedMethod]:
    """The methods compiled from the program's source, lambdas' bodies last."""
    own = [
        method
        for method in steps.values()
        if method.is_application
        and method.lines
        and re.split(r"[$]", method.key.class_name)[0] == main_class
    ]
    return sorted(own, key=lambda method: (method.key.name.startswith("lambda$"), method.key))


def _method_at(line: int, own: list[SteppedMethod]) -> MethodKey:
    """The method whose code starts on this line or on the first line after it."""
    first = min(own, key=lambda m: (m.lines[min(m.lines)] < line, m.lines[min(m.lines)]))
    return first.key


def _executions(line: int, own: list[SteppedMethod]) -> int:
    for method in own:
        offsets = [offset for offset, at in method.lines.items() if at == line]
        if offsets:
            return method.all.get(min(offsets), 0)
    return 0  # its class was never linked


def _targets(line: int, own: list[SteppedMethod], tree: Tree) -> int:
    """Distinct methods of the program that the line calls in the tree."""
    lines = {method.key: sorted(method.lines.items()) for method in own}
    targets = set()
    for caller, site, callee in tree.edges():
        known = lines.get(tree.methods[caller])
        if known is None or site == NONE or not tree.is_application[callee]:
            continue
        at = [n for offset, n in known if offset <= site]
        if at and at[-1] == line:
            targets.add(tree.methods[callee])
    return len(targets)


def unstable_methods(facts: list[Fact], main_class: str, steps: Steps) -> frozenset[MethodKey]:
    """The methods whose counts depend on the VM."""
    own = _own_methods(main_class, steps)
    return frozenset(_method_at(fact.line, own) for fact in facts if fact.kind == "unstable")


def check_facts(facts: list[Fact], main_class: str, steps: Steps, tree: Tree) -> list[str]:
    """What the oracles say otherwise, one line a fact."""
    own = _own_methods(main_class, steps)
    calls = tree.called()
    wrong = []
    for fact in facts:
        if fact.kind == "calls":
            found = calls.get(_method_at(fact.line, own), 0)
        elif fact.kind == "executions":
            found = _executions(fact.line, own)
        elif fact.kind == "targets":
            found = _targets(fact.line, own, tree)
        else:
            continue
        if found != fact.expected:
            wrong.append(f"line {fact.line}: {fact.kind}={fact.expected} expected, {found} found")
    return wrong
