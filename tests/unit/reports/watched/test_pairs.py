"""The text of metric-focus pairs: what is one, and what is said of what is none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jvmscope.errors import QueryError
from jvmscope.reports.watched import METRIC_FUNCTIONS, parse_pair
from jvmscope.reports.watched.pairs import HIERARCHIES


@pytest.mark.parametrize(
    ("text", "foci"),
    [
        ("samples", []),
        (" samples ", []),
        ("samples{/Code}", ["/Code"]),
        ("samples{ /APCode/app/Main/run , /APThreads/C1 CompilerThread0 }",
         ["/APCode/app/Main/run", "/APThreads/C1 CompilerThread0"]),
        ("samples{/APThreads/a\\, b\\{c\\}}", ["/APThreads/a, b{c}"]),
        ("samples{/APCode/app/}", ["/APCode/app"]),
    ],
)  # fmt: skip
def test_pairs_are_read(text: str, foci: list[str]) -> None:
    assert [str(focus) for focus in parse_pair(text).foci] == foci


@pytest.mark.parametrize(
    ("text", "column", "message", "hint"),
    [
        ("", 1, "expected the name of a metric", "metric functions: cpu_time,"),
        ("{/Code}", 1, "expected the name of a metric", "metric functions: cpu_time,"),
        ("cpu_tim", 1, "there is no metric function 'cpu_tim'", 'did you mean "cpu_time"?'),
        ("samples/Code", 8, "expected '{', found '/'", None),
        ("samples{/Code", 14, "expected '}', found the end", None),
        ("samples{}", 9, "expected a path such as /APCode/app", "hierarchies: /APCode,"),
        ("samples{/Code,}", 15, "expected a path such as /APCode/app", "hierarchies: /APCode,"),
        ("samples{app}", 9, "expected a path such as /APCode/app", "hierarchies: /APCode,"),
        ("samples{/ApCode/a}", 10, "there is no hierarchy 'ApCode'", 'did you mean "APCode"?'),
        ("samples{/Code/gc, /Code}", 19, "a second focus in /Code", "give two pairs"),
        ("samples{/Code} x", 15, "expected the end of the pair", None),
    ],
)
def test_what_is_no_pair_has_its_place(
    text: str, column: int, message: str, hint: str | None
) -> None:
    with pytest.raises(QueryError) as caught:
        parse_pair(text)
    error = caught.value

    assert (error.line, error.column, error.path) == (1, column, "--metric")
    assert error.message.startswith(message)
    assert (error.hint or "").startswith(hint or "")
    assert (error.hint is None) == (hint is None)


@given(st.text(alphabet="sample{}/Code, \\APT"))
def test_any_text_is_a_pair_or_one_error(text: str) -> None:
    try:
        pair = parse_pair(text)
    except QueryError as error:
        assert error.column is not None  # noqa: PT017 - most texts are none
        assert 1 <= error.column <= len(text) + 1  # noqa: PT017
    else:
        assert pair.metric in METRIC_FUNCTIONS
        assert {focus.hierarchy for focus in pair.foci} <= set(HIERARCHIES)
