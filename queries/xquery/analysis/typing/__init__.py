"""Static types where they are known: an upper bound for each expression of a program.

A bound is safe: every value that an expression has without an error is of that type. Where
nothing is known it is ``item()*``. Nothing is refused here: the rules of static typing, an
optional feature of XQuery, are not those of this package.
"""

from jvmscope.queries.xquery.analysis.typing import (  # noqa: F401 - their rules register themselves
    constructors,
    control,
    flwor,
    operators,
    paths,
    primaries,
)
from jvmscope.queries.xquery.analysis.typing.found import Types
from jvmscope.queries.xquery.analysis.typing.inference import infer

__all__ = ["Types", "infer"]
