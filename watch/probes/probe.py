"""A probe's text: methods, and the condition under which an invocation counts.

``app.Cache.get(String key) when key.length() > 32``: a class, a method, perhaps the types of its
parameters, which may have names, and perhaps a condition.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmscope.schema.java_types import parameter_types
from jvmscope.watch.probes.expressions import parse_condition
from jvmscope.watch.probes.tokens import probe_error

if TYPE_CHECKING:
    from jvmscope.watch.probes.expressions import Expression

__all__ = ["Probe", "class_pattern", "exact_probe", "named_probe", "parse_probe"]

_METHODS = re.compile(r"\s*(?P<class>[\w$*./-]+)\.(?P<method>[\w$*-]+|<init>|<clinit>)\s*")
_PARAMETER = re.compile(
    r"\s*(?P<type>\*|[^\W\d][\w$.]*)(?P<array>(?:\[\])*)(?:\s+(?P<name>[^\W\d][\w$]*))?\s*"
)
_VARIABLE = "..."
_WHEN = re.compile(r"\s*when\b\s*")
_FORM = (
    "a probe is 'package.Class.method' or 'package.Class.method(Type name, Type)', "
    "and perhaps 'when CONDITION'"
)


@dataclass(frozen=True)
class Probe:
    """What ``--probe`` names.

    Attributes:
        text: as it was written.
        classes: a pattern of class names, dotted.
        methods: a pattern of method names.
        parameters: types and names of the parameters, "" for no name; None: all methods.
        condition: which invocations count; None: all.
    """

    text: str
    classes: str
    methods: str
    parameters: tuple[tuple[str, str], ...] | None
    condition: Expression | None

    def fields(self, number: int, *, has_callers: bool, has_samples: bool = False) -> list[str]:
        """Returns what the agent reads of it."""
        found = ["probe", str(number), self.classes, self.methods]
        told = {"callers": has_callers, "samples": has_samples}
        found.append(" ".join(name for name, is_told in told.items() if is_told))
        found.append("-1" if self.parameters is None else str(len(self.parameters)))
        for parameter in self.parameters or ():
            found += parameter
        if self.condition is not None:
            found += self.condition.fields()
        return found


def parse_probe(text: str) -> Probe:
    """Returns the probe that a text names.

    Raises:
        QueryError: the text is none; with its place and what was expected.

    >>> probe = parse_probe("app.**.get(String key, int[])")
    >>> probe.classes, probe.methods, probe.parameters
    ('app\\\\..*', 'get', (('String', 'key'), ('int[]', '')))
    >>> parse_probe("app.Log.say(String form, Object... values)").parameters
    (('String', 'form'), ('Object[]', 'values'))
    >>> parse_probe("app.Cache.get*").parameters is None
    True
    """
    match = _METHODS.match(text)
    if match is None:
        at = len(text) - len(text.lstrip())
        raise probe_error(text, at, 1, "expected a class and a method", _FORM)
    at = match.end()
    parameters = None
    if text[at : at + 1] == "(":
        parameters, at = _parameters(text, at + 1)
    condition = None
    if (when := _WHEN.match(text, at)) is not None:
        condition = parse_condition(text, when.end())
    elif text[at:].strip():
        raise probe_error(
            text, at, len(text[at:].rstrip()), "expected 'when' or the end of the probe", _FORM
        )
    return Probe(
        text.strip(),
        _pattern(match["class"].replace("/", "."), "."),
        _pattern(match["method"], "<>"),
        parameters,
        condition,
    )


def exact_probe(class_name: str, name: str, descriptor: str) -> Probe:
    """Returns the probe of one method, whatever characters its names have.

    Args:
        class_name: its class, in the form of the VM.
        name: its name.
        descriptor: its descriptor; methods with these parameters and another result match, too.

    >>> exact_probe("p/A$B", "<init>", "(I[[Ljava/util/Map$Entry;J)V").text
    'p.A$B.<init>(int, java.util.Map$Entry[][], long)'
    """
    dotted = class_name.replace("/", ".")
    types = parameter_types(descriptor)
    parameters = tuple((each, "") for each in types)
    text = f"{dotted}.{name}({', '.join(types)})"
    return Probe(text, _quoted(dotted), _quoted(name), parameters, None)


def named_probe(class_name: str, name: str) -> Probe:
    """Returns the probe of all methods of a name, whatever characters its names have.

    >>> named_probe("p/A$B", "<init>").text
    'p.A$B.<init>'
    """
    dotted = class_name.replace("/", ".")
    return Probe(f"{dotted}.{name}", _quoted(dotted), _quoted(name), None, None)


def class_pattern(glob: str) -> str:
    r"""Returns the regular expression of dotted class names that a pattern stands for.

    >>> print(class_pattern("app.**"))
    app\..*
    """
    return _pattern(glob.replace("/", "."), ".")


def _parameters(text: str, at: int) -> tuple[tuple[tuple[str, str], ...], int]:
    """Returns the parameters, and the place behind the bracket that closes them."""
    found: list[tuple[str, str]] = []
    if (empty := re.compile(r"\s*\)\s*").match(text, at)) is not None:
        return (), empty.end()
    while True:
        match = _PARAMETER.match(text, at)
        if match is None:
            raise probe_error(text, at, 1, "expected the type of a parameter", _FORM)
        type_name = match["type"]
        if type_name.endswith(_VARIABLE):
            type_name = type_name.removesuffix(_VARIABLE) + "[]"
        found.append((type_name + match["array"], match["name"] or ""))
        at = match.end()
        sign = text[at : at + 1]
        if sign not in (",", ")") or not sign:
            message = f"expected ',' or ')', found {repr(sign) if sign else 'the end'}"
            hint = "leave out what stands in '<' and '>'" if sign == "<" else None
            raise probe_error(text, at, 1, message, hint)
        at += 1
        if sign == ")":
            return tuple(found), at


def _pattern(glob: str, apart: str) -> str:
    """Returns a regular expression: ``**`` is any text, ``*`` one without some characters.

    >>> _pattern("app.*.Cache", ".")
    'app\\\\.[^.]*\\\\.Cache'
    """
    parts = re.split(r"(\*\*|\*)", glob)
    inner = {"**": ".*", "*": f"[^{apart}]*"}
    return "".join(inner.get(part) or _quoted(part) for part in parts)


def _quoted(text: str) -> str:
    """Returns a text as a regular expression that Java reads, too."""
    return re.sub(r"([.$^\-+?()\[\]{}|\\])", r"\\\1", text)
