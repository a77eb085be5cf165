"""A calibration: what calls and objects cost on a machine with a JDK, as a file of JSON.

JSON, because it is a few dozen numbers that people look at, compare and keep in a repository, with
what they are of: the JDK, the machine and the date.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from jvmscope.errors import RunError
from jvmscope.schema.json_text import parse_json
from jvmscope.whole_files import whole_file

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

__all__ = ["CALIBRATED_FORMS", "Calibration", "Cost", "read_calibration", "write_calibration"]

CALIBRATED_FORMS = ("interpreter", *(f"tier_{tier}" for tier in range(1, 5)))
"""The forms in which code runs; calls have those that were inlined, too: ``tier_4_inlined``."""

# The first form had costs of calls that were not inlined among those of inlined ones.
_FORMAT = 2
_ADVICE = "make one with jvmscope calibrate"
_MOST_NS = 1e12
_MOST_BYTES = 2**40
_CALLS = (
    "static", "special",
    *(f"{kind}_{n}" for kind in ("virtual", "interface") for n in (1, 2, 3)),
)  # fmt: skip
_KINDS = {"call": _CALLS, "work": ("loop",), "object": (), "array": ()}
_INLINED = tuple(f"{form}_inlined" for form in CALIBRATED_FORMS[1:])
_NAMES = {
    str: "a text", int: "a whole number", float: "a number", list: "a list", dict: "an object"
}  # fmt: skip
_FIELDS = {
    "calibration": int,
    "jdk": dict,
    "machine": dict,
    "made": str,
    "n_vms": int,
    "costs": list,
}
_JDK = {"version": str, "name": str, "home": str}
_MACHINE = {"host": str, "processor": str, "n_processors": int}
_COST = {
    "what": str, "kind": str, "form": str, "ns": float, "low_ns": float, "high_ns": float
}  # fmt: skip


@dataclass(frozen=True)
class Cost:
    """What a call, an object, or a piece of other work costs in a form.

    Attributes:
        what: ``call``, ``object``, ``array`` or ``work``.
        kind: of a call the invoke, with the number of receiver classes (3: three or more), as
            ``virtual_2``; of an object or an array the size in bytes; ``loop`` of ``work``. Kinds
            of calls that a form does not inline have no cost of inlined ones.
        form: one of ``CALIBRATED_FORMS``; of a call that was inlined with ``_inlined`` behind it.
        ns: nanoseconds of processor time, the mean over VMs.
        low_ns: lower end of the 95 % interval of the mean; not below 0.
        high_ns: upper end.
    """

    what: str
    kind: str
    form: str
    ns: float
    low_ns: float
    high_ns: float


@dataclass(frozen=True)
class Calibration:
    """What a file has.

    Attributes:
        jdk: ``version`` and ``name`` of the VM, ``home`` of the JDK.
        machine: ``host``, ``processor`` and ``n_processors``.
        made: when it was made, UTC.
        n_vms: in how many VMs each cost was measured.
        costs: the costs.
    """

    jdk: dict[str, str]
    machine: dict[str, Any]
    made: str
    n_vms: int
    costs: tuple[Cost, ...]


def write_calibration(path: Path, calibration: Calibration) -> None:
    """Writes a calibration; a line for each cost.

    Raises:
        OSError: it cannot be written.
    """
    document = {"calibration": _FORMAT, **asdict(calibration)}
    costs = document.pop("costs")
    head = json.dumps(document, indent=1)[:-2]
    rows = ",\n".join(f"  {json.dumps(cost)}" for cost in costs)
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as partial:
        partial.write_text(f'{head},\n "costs": [\n{rows}\n ]\n}}\n', encoding="utf-8")


class _Wrong(ValueError):
    """Says what is wrong with a calibration."""


def read_calibration(path: Path) -> Calibration:
    """Returns the calibration in a file.

    Raises:
        RunError: it cannot be read, or has no calibration.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise RunError(f"{path}: cannot be read: {error.strerror}: {_ADVICE}") from None
    except ValueError:  # not UTF-8
        raise RunError(f"{path}: not a calibration: {_ADVICE}") from None
    try:
        return _calibration(parse_json(text, _members))
    except _Wrong as wrong:
        raise RunError(f"{path}: {wrong}: {_ADVICE}") from None
    except ValueError:  # not JSON
        raise RunError(f"{path}: not a calibration: {_ADVICE}") from None


def _calibration(found: Any) -> Calibration:
    """Returns what a document says."""
    if not isinstance(found, dict) or "calibration" not in found:
        raise _Wrong("not a calibration")
    if found["calibration"] != _FORMAT:
        raise _Wrong(
            f"a calibration of another form, {_shown(found['calibration'])}; expected {_FORMAT}"
        )
    _expect(found, "", _FIELDS)
    jdk, machine = found["jdk"], found["machine"]
    _expect(jdk, "jdk.", _JDK)
    _expect(machine, "machine.", _MACHINE)
    for where, n, least in (
        ("n_vms", found["n_vms"], 2),
        ("machine.n_processors", machine["n_processors"], 1),
    ):
        if n < least:
            raise _Wrong(f"{where} is {n}; expected {least} or more")
    if not jdk["version"]:
        raise _Wrong("jdk.version is empty; expected the version of the JDK")
    try:
        datetime.fromisoformat(found["made"])
    except ValueError:
        raise _Wrong(f"made is {found['made']!r}; expected a date and a time") from None
    return Calibration(jdk, machine, found["made"], found["n_vms"], _costs(found["costs"]))


def _members(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Returns an object of JSON, none of whose members is there twice.

    >>> _members([("a", 1), ("b", 2)])
    {'a': 1, 'b': 2}
    """
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise _Wrong(f"an object has the name {name!r} twice; expected names that differ")
        found[name] = value
    return found


def _expect(found: Any, where: str, fields: Mapping[str, type]) -> None:
    """Raises an error unless an object has just these fields, of these types."""
    if not isinstance(found, dict):
        raise _Wrong(f"{where.rstrip('.')} is {_shown(found)}; expected an object")
    for name, of_type in fields.items():
        if name not in found:
            raise _Wrong(f"{where}{name} is missing; expected {_NAMES[of_type]}")
        value = found[name]
        types = (int, float) if of_type is float else of_type
        if not isinstance(value, types) or isinstance(value, bool):
            raise _Wrong(f"{where}{name} is {_shown(value)}; expected {_NAMES[of_type]}")
    for name in found.keys() - fields.keys():
        raise _Wrong(f"{where}{name} is unknown; expected {', '.join(fields)}")


def _shown(value: Any) -> str:
    """Returns a value as JSON has it, or its type if that is long.

    >>> _shown(None), _shown("a"), _shown([1])
    ('null', '"a"', 'a list')
    """
    is_long = isinstance(value, dict | list)
    return _NAMES[type(value)] if is_long else json.dumps(value)[:80]


def _costs(found: Sequence[Any]) -> tuple[Cost, ...]:
    """Returns the costs that a file has."""
    costs: dict[tuple[str, str, str], Cost] = {}
    first: dict[tuple[str, str, str], int] = {}
    for at, each in enumerate(found):
        where = f"costs[{at}]"
        cost = _cost(each, where)
        key = (cost.what, cost.kind, cost.form)
        if key in costs:
            raise _Wrong(
                f"{where} is {' '.join(key)}, as costs[{first[key]}] is; expected each cost once"
            )
        costs[key], first[key] = cost, at
    return tuple(costs.values())


def _cost(found: Any, where: str) -> Cost:
    """Returns a cost that a file has.

    >>> _cost({"what": "call", "kind": "static", "form": "tier_4", "ns": 2, "low_ns": 1,
    ...        "high_ns": 3}, "costs[0]")
    Cost(what='call', kind='static', form='tier_4', ns=2.0, low_ns=1.0, high_ns=3.0)
    """
    _expect(found, f"{where}.", _COST)
    what, kind, form = (found[name] for name in ("what", "kind", "form"))
    if what not in _KINDS:
        raise _one_of(f"{where}.what", what, tuple(_KINDS))
    if _KINDS[what] and kind not in _KINDS[what]:
        raise _one_of(f"{where}.kind", kind, _KINDS[what])
    if not _KINDS[what] and not _is_size(kind):
        raise _Wrong(f'{where}.kind is {json.dumps(kind)}; expected bytes, as "16"')
    forms = (*CALIBRATED_FORMS, *_INLINED) if what == "call" else CALIBRATED_FORMS
    if form not in forms:
        raise _one_of(f"{where}.form", form, forms)
    low, ns, high = (found[name] for name in ("low_ns", "ns", "high_ns"))
    if not 0 <= low <= ns <= high <= _MOST_NS:
        raise _Wrong(
            f"{where} has low_ns {_shown(low)}, ns {_shown(ns)} and high_ns {_shown(high)}; "
            f"expected 0 to {_MOST_NS:.0f}, in this order"
        )
    if what == "work" and round(ns, 6) == 0:  # as queries have it, which divide by it
        raise _Wrong(f"{where}.ns is {ns}: work takes no time; expected more than 0")
    return Cost(what, kind, form, float(ns), float(low), float(high))


def _is_size(kind: str) -> bool:
    """Tells whether a kind is a number of bytes, without anything before it.

    >>> [_is_size(kind) for kind in ("16", "016", "-1", "0", "big", "9" * 30)]
    [True, False, False, False, False, False]
    """
    is_number = kind.isascii() and kind.isdecimal() and not kind.startswith("0")
    return is_number and len(kind) < len(str(_MOST_BYTES)) + 1 and int(kind) <= _MOST_BYTES


def _one_of(where: str, found: str, known: Sequence[str]) -> _Wrong:
    return _Wrong(f"{where} is {json.dumps(found)}; expected one of {', '.join(known)}")
