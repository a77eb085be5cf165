r"""Metric-focus pairs, and the text in which they are written, on the command line and in files.

A pair is the name of a metric function and, in braces, constraints. Commas divide the parts of a
*focus*, at most one in each hierarchy of resources, and a value counts if it is of all of them;
AND, OR and parentheses combine what a comma cannot: ``lock_waits{/APThreads/main,
/APSyncObj/app/Lock OR /APSyncObj/app/Queue}``.

A file has a pair on each line. ``name = pair`` gives it a name, which is shown, and which later
lines use as a metric function: their constraints are added to those that it has.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from jvmscope.errors import QueryError, did_you_mean
from jvmscope.reports.watched.constraints import AllOf, ConstraintParser, Place
from jvmscope.reports.watched.metric_functions import METRIC_FUNCTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from jvmscope.reports.watched.constraints import Constraint, Focus

__all__ = ["Pair", "parse_pair", "read_pairs"]

_OPTION = "--metric"
_FILE = "@"
_NAME = re.compile(r"\s*([A-Za-z_]\w*)\s*")
_DEFINED = re.compile(r"\s*([A-Za-z_]\w*)\s*=")


@dataclass(frozen=True)
class Pair:
    """A metric function and what constrains it; None: nothing does.

    Attributes:
        text: how it is shown: its name, or its text.
    """

    text: str
    metric: str
    constraint: Constraint | None = None

    @property
    def foci(self) -> tuple[Focus, ...]:
        """The resources that it names, in their order."""
        return () if self.constraint is None else tuple(self.constraint.foci())


def parse_pair(text: str, option: str = _OPTION) -> Pair:
    """Returns the pair that a text names; errors say that it is the value of an option.

    Raises:
        QueryError: the text is none; with its place and what was expected.

    >>> [str(focus) for focus in parse_pair("lock_waits{/APThreads/main, /APSyncObj/app}").foci]
    ['/APThreads/main', '/APSyncObj/app']
    >>> type(parse_pair("samples{/APCode/app OR /APCode/lib}").constraint).__name__
    'AnyOf'
    """
    return _pair(Place(option, 1, text), 0, {})


def read_pairs(texts: Iterable[str]) -> list[Pair]:
    """Returns the pairs that texts name; ``@FILE`` takes them from a file.

    Raises:
        QueryError: a text names no pair, or a file cannot be read.
    """
    found: list[Pair] = []
    for text in texts:
        if text.startswith(_FILE):
            found += _pairs_of(text.removeprefix(_FILE))
        else:
            found.append(parse_pair(text))
    return found


def _pairs_of(name: str) -> Sequence[Pair]:
    """Returns the pairs of a file; empty lines and those that begin with ``#`` say nothing."""
    try:
        lines = Path(name).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        message = f"{name or _FILE}: cannot be read: {error.strerror}"
        raise QueryError(message, path=_OPTION) from None
    except UnicodeDecodeError:
        raise QueryError(f"{name}: is not text in UTF-8", path=_OPTION) from None
    named: dict[str, Pair] = {}
    found: list[Pair] = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        place = Place(name, number, line)
        definition = _DEFINED.match(line)
        if definition is None:
            found.append(_pair(place, 0, named))
            continue
        pair = _named(place, definition, named)
        named[pair.text] = pair
        found.append(pair)
    if not found:
        raise QueryError("expected a pair on each line, found none", path=name, line=1)
    return found


def _named(place: Place, definition: re.Match[str], named: Mapping[str, Pair]) -> Pair:
    name = definition[1]
    if name in METRIC_FUNCTIONS or name in named:
        kind = "metric function" if name in METRIC_FUNCTIONS else "pair"
        message = f"there is a {kind} {name!r} already"
        raise place.error(definition.start(1), len(name), message, "choose another name")
    pair = _pair(place, definition.end(), named)
    return Pair(name, pair.metric, pair.constraint)


def _pair(place: Place, at: int, named: Mapping[str, Pair]) -> Pair:
    text = place.source
    name = _NAME.match(text, at)
    if name is None:
        raise place.error(at, 1, "expected the name of a metric", _known(named))
    base = named.get(name[1]) or Pair(name[1], name[1])
    if base.metric not in METRIC_FUNCTIONS:
        hint = did_you_mean(name[1], (*METRIC_FUNCTIONS, *named))
        message = f"there is no metric function {name[1]!r}"
        raise place.error(name.start(1), len(name[1]), message, hint or _known(named))
    parser = ConstraintParser(place, name.end())
    constraint = base.constraint
    if name.end() < len(text):
        own = parser.listed()
        parser.expect_end()
        constraint = own if constraint is None else AllOf((constraint, own))
    return Pair(text[at:].strip() or text, base.metric, constraint)


def _known(named: Mapping[str, Pair]) -> str:
    return f"metric functions: {', '.join((*METRIC_FUNCTIONS, *named))}"
