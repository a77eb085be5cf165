"""What a module declares and sees: its functions and global variables."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jvmscope.errors import did_you_mean
from jvmscope.queries.xquery.syntax.ast import Variable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmscope.queries.xquery.analysis.environment import Functions, StaticEnvironment
    from jvmscope.queries.xquery.syntax.ast import FunctionDeclaration, VariableDeclaration
    from jvmscope.queries.xquery.syntax.expanded_names import Name

__all__ = ["Interface", "Predefined"]

_MAX_ARITY = 12


class Predefined:
    """The environment's functions and variables; a variable exists once it is used.

    Attributes:
        used: the variables that some module has referred to, by name.
    """

    def __init__(self, environment: StaticEnvironment) -> None:
        self.functions = environment.functions or _own_functions()
        self.used: dict[Name, Variable] = {}
        self._types = environment.variables

    def variable(self, name: Name) -> Variable | None:
        """Returns the variable of a name, the same each time, or None."""
        if name not in self.used and name in self._types:
            self.used[name] = Variable(name, self._types[name], is_global=True)
        return self.used.get(name)

    @property
    def variable_names(self) -> Iterable[Name]:
        """All names of variables."""
        return self._types.keys()


def _own_functions() -> Functions:
    from jvmscope.queries.xquery.functions import index

    return index


@dataclass
class Interface:
    """The functions and global variables that are in scope in all of a module.

    Attributes:
        predefined: those of the environment, which the module's own ones hide.
        functions: by name and arity: the module's and what it imports.
        variables: by name, likewise.
        declared_functions: the module's own, private ones included.
        declared_variables: the module's own.
    """

    predefined: Predefined
    functions: dict[tuple[Name, int], FunctionDeclaration] = field(default_factory=dict)
    variables: dict[Name, Variable] = field(default_factory=dict)
    declared_functions: dict[tuple[Name, int], FunctionDeclaration] = field(default_factory=dict)
    declared_variables: dict[Name, tuple[Variable, VariableDeclaration]] = field(
        default_factory=dict
    )

    def variable(self, name: Name) -> Variable | None:
        """Returns the global variable of a name, or None."""
        return self.variables.get(name) or self.predefined.variable(name)

    def has_function(self, name: Name, arity: int) -> bool:
        """Tells whether a function may be called."""
        if (name, arity) in self.functions:
            return True
        return self.predefined.functions.lookup(name, arity) is not None

    def function_hint(self, name: Name) -> str | None:
        """Returns what may have been meant by an unknown function: another arity or name."""
        arities = [arity for arity in range(_MAX_ARITY) if self.has_function(name, arity)]
        if arities:
            numbers = " or ".join(map(str, arities[:4]))
            return f"{name} takes {numbers} argument{'' if arities == [1] else 's'}"
        names = {known for known, _ in self.functions} | set(self.predefined.functions.names())
        same = [known for known in names if known.local == name.local]
        if same:
            return f'did you mean "{min(map(str, same))}"?'
        shown = [known.local if not name.prefix else str(known) for known in names]
        return did_you_mean(str(name), sorted(shown))
