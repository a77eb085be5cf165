"""A calibration: what calls and objects cost on a machine with a JDK, as a file of JSON.

JSON, because it is a few dozen numbers that people look at, compare and keep in a repository, with
what they are of: the JDK, the machine and the date.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from jvmscope.errors import RunError
from jvmscope.schema.json_text import parse_json
from jvmscope.whole_files import whole_file

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["CALIBRATED_FORMS", "Calibration", "Cost", "read_calibration", "write_calibration"]

CALIBRATED_FORMS = ("interpreter", *(f"tier_{tier}" for tier in range(1, 5)))
"""The forms in which code runs; calls have those that were inlined, too: ``tier_4_inlined``."""

_FORMAT = 1


@dataclass(frozen=True)
class Cost:
    """What a call, an object, or a piece of other work costs in a form.

    Attributes:
        what: ``call``, ``object``, ``array`` or ``work``.
        kind: of a call the invoke, with the number of receiver classes (3: three or more), as
            ``virtual_2``; of an object or an array the size in bytes; ``loop`` of ``work``.
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


def read_calibration(path: Path) -> Calibration:
    """Returns the calibration in a file.

    Raises:
        RunError: it cannot be read, or has no calibration.
    """
    advice = "make one with jvmscope calibrate"
    try:
        found = parse_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RunError(f"{path}: cannot be read: {error.strerror}: {advice}") from None
    except ValueError:  # not UTF-8, or not JSON
        raise RunError(f"{path}: not a calibration: {advice}") from None
    if not isinstance(found, dict) or "calibration" not in found:
        raise RunError(f"{path}: not a calibration: {advice}")
    if found["calibration"] != _FORMAT:
        raise RunError(
            f"{path}: a calibration of another form, {found['calibration']}; expected {_FORMAT}: "
            f"{advice}"
        )
    try:
        costs = tuple(_cost(each) for each in found["costs"])
        return Calibration(
            {str(key): str(value) for key, value in found["jdk"].items()},
            dict(found["machine"]),
            str(found["made"]),
            int(found["n_vms"]),
            costs,
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RunError(f"{path}: not a whole calibration: {error!r}: {advice}") from None


def _cost(found: dict[str, Any]) -> Cost:
    """Returns a cost that a file has.

    >>> _cost({"what": "call", "kind": "static", "form": "tier_4", "ns": 2, "low_ns": 1,
    ...        "high_ns": 3})
    Cost(what='call', kind='static', form='tier_4', ns=2.0, low_ns=1.0, high_ns=3.0)
    """
    what, kind, form = (str(found[name]) for name in ("what", "kind", "form"))
    ns, low_ns, high_ns = (float(found[name]) for name in ("ns", "low_ns", "high_ns"))
    cost = Cost(what, kind, form, ns, low_ns, high_ns)
    if not 0 <= cost.low_ns <= cost.ns <= cost.high_ns < float("inf"):
        raise ValueError(f"{cost.what} {cost.kind} {cost.form}: no interval")
    if cost.what == "work" and cost.ns == 0:
        raise ValueError(f"work in {cost.form} takes no time")
    if cost.what in {"object", "array"}:
        int(cost.kind)
    return cost
