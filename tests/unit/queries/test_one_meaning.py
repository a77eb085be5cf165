"""SQL, trees and SaxonC give the same answer, or the same error.

``JVMSCOPE_EXAMPLES`` says how many queries are generated.
"""

from __future__ import annotations

import os
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from support.agreement import KNOWN_REFUSALS
from support.answers import answer_of
from support.generated_queries import queries
from support.generated_runs import asked, shapes
from support.long import IS_LONG
from support.saxon_on_runs import is_same

_N_EXAMPLES = int(os.environ.get("JVMSCOPE_EXAMPLES", "20000" if IS_LONG else "200"))
_N_OF_RUN = 10
_NOTHING_EXECUTED = (
    ("seed", 11),
    ("n_classes", 1),
    ("n_contexts", 1),
    ("n_threads", 1),
    ("n_blocks", 3),
    ("chain", True),
    ("probes", False),
    ("names", ("run", "<init>", "main", "full")),
)
_SUM_OF_NONE = (  # the integer 0, and of zeros a double
    "for $m in $methods return map { 'v': sum($m/dcg:basicBlock/dcg:executionCount) }"
)


def test_generated_queries() -> None:
    """Several queries are asked of each run, whose making takes longer than they do."""
    n_queries, n_compiled = 0, 0

    @settings(
        max_examples=max(1, _N_EXAMPLES // _N_OF_RUN),
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(shapes(), st.lists(queries(), min_size=_N_OF_RUN, max_size=_N_OF_RUN))
    @example(_NOTHING_EXECUTED, [_SUM_OF_NONE])
    def check(shape: tuple[tuple[str, Any], ...], texts: list[str]) -> None:
        nonlocal n_queries, n_compiled
        run = asked(shape)
        for text in texts:
            query = run.engine.xquery(text)
            planned = answer_of(query.items())
            assert all(map(KNOWN_REFUSALS.search, query.refusals)), (text, query.refusals)
            assert planned == answer_of(query.items_on_trees()), f"{text}\n{query.explain()}"
            saxons = run.saxon.answer(text)
            assert is_same(planned, saxons), f"{text}\n  ours: {planned}\nSaxonC: {saxons}"
            n_queries += 1
            n_compiled += bool(query.plan.parts)

    check()
    assert n_compiled > n_queries / 2
