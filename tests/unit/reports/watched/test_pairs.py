"""The text of metric-focus pairs: what is one, and what is said of what is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jvmscope.errors import QueryError
from jvmscope.reports.watched import METRIC_FUNCTIONS, parse_pair, read_pairs
from jvmscope.reports.watched.constraints import HIERARCHIES, AllOf, written_path

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("text", "foci"),
    [
        ("samples", []),
        (" samples ", []),
        ("samples{/Code}", ["/Code"]),
        ("samples{ /APCode/app/Main/run , /APThreads/C1 CompilerThread0 }",
         ["/APCode/app/Main/run", "/APThreads/C1 CompilerThread0"]),
        ("samples{/APThreads/a\\, b\\{c\\}}", ["/APThreads/a, b{c}"]),
        ("samples{/APThreads/RMI \\(2\\)}", ["/APThreads/RMI (2)"]),
        ("samples{/APThreads/this \\OR that}", ["/APThreads/this OR that"]),
        ("samples{/APThreads/ORDER BAND}", ["/APThreads/ORDER BAND"]),
        ("samples{/APCode/a OR/APCode/b}", ["/APCode/a", "/APCode/b"]),
        ("samples{(/APCode/a) OR(/APCode/b)}", ["/APCode/a", "/APCode/b"]),
        ("samples{/APCode/a AND /APCode/b}", ["/APCode/a", "/APCode/b"]),
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
        ("samples{}", 9, "expected a path such as /APCode/app", "hierarchies:"),
        ("samples{/Code,}", 15, "expected a path such as /APCode/app", "hierarchies:"),
        ("samples{app}", 9, "expected a path such as /APCode/app", "hierarchies:"),
        ("samples{/ApCode/a}", 10, "there is no hierarchy 'ApCode'", 'did you mean "APCode"?'),
        ("samples{/Code/gc, /Code}", 19, "a second focus in /Code", "join them by OR or AND"),
        ("samples{/Code} x", 16, "expected the end of the pair", None),
        ("samples{/Code/gc OR}", 20, "expected a path such as /APCode/app", "hierarchies:"),
        ("samples{/Code/gc OR gc}", 21, "expected a path such as /APCode/app", "hierarchies:"),
        ("samples{AND /Code/gc}", 9, "expected a path such as /APCode/app", "hierarchies:"),
        ("samples{(/Code/gc}", 18, "expected ')', found '}'", None),
        ("samples{/Code/gc)}", 17, "expected '}', found ')'", "with a backslash before it"),
        ("samples{" + "(" * 51, 59, "more than 50 parentheses within each other", None),
        ("samples{/APThreads/a(2)}", 21, "expected '}', found '('", "with a backslash before it"),
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


def _shape(constraint: Any) -> Any:
    """The nesting of a constraint, as text."""
    if not hasattr(constraint, "parts"):
        return constraint.path
    word = " & " if isinstance(constraint, AllOf) else " | "
    return f"({word.join(map(_shape, constraint.parts))})"


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("/Code/a OR /Code/b AND /APThreads/t", "(a | (b & t))"),
        ("(/Code/a OR /Code/b) AND /APThreads/t", "((a | b) & t)"),
        ("/Code/a OR /Code/b, /APThreads/t", "((a | b) & t)"),
        ("/Code/a AND /Code/b AND /Code/c", "(a & b & c)"),
        ("((/Code/a))", "a"),
    ],
)
def test_and_binds_more_strongly_than_or(text: str, shape: str) -> None:
    """And a comma less than both."""
    assert _shape(parse_pair(f"samples{{{text}}}").constraint) == shape


@given(st.text(alphabet="aORAND ,/{}()\\"))
def test_every_name_can_be_written(name: str) -> None:
    name = f"x{name.strip()}y"
    text = f"samples{{{written_path('APThreads', name)} OR /Code/gc}}"
    assert [focus.path for focus in parse_pair(text).foci] == [name, "gc"]


def _file(tmp_path: Path, text: str) -> str:
    path = tmp_path / "pairs.txt"
    path.write_text(text, encoding="utf-8")
    return f"@{path}"


def test_a_file_has_a_pair_a_line(tmp_path: Path) -> None:
    given = _file(
        tmp_path,
        "# waits\n"
        "waits = lock_wait_time{/APSyncObj/app/A OR /APSyncObj/app/B}\n"
        "\n"
        "waits{/APThreads/main}\n"
        "  samples\n",
    )
    found = read_pairs(["cpu_time", given])

    assert [(pair.text, pair.metric) for pair in found] == [
        ("cpu_time", "cpu_time"),
        ("waits", "lock_wait_time"),
        ("waits{/APThreads/main}", "lock_wait_time"),
        ("samples", "samples"),
    ]
    assert _shape(found[2].constraint) == "((app/A | app/B) & main)"


@pytest.mark.parametrize(
    ("text", "place", "message", "excerpt"),
    [
        ("samples\ncpu_tim\n", (2, 1), "there is no metric function 'cpu_tim'", "^~~~~~~"),
        ("a = samples{/Cod}\n", (1, 14), "there is no hierarchy 'Cod'", " " * 13 + "^~~"),
        ("a = samples\n a = cpu_time", (2, 2), "there is a pair 'a' already", " ^"),
        ("samples = cpu_time", (1, 1), "there is a metric function 'samples' already", "^~~~~~~"),
        ("a =", (1, 4), "expected the name of a metric", "^"),
        ("# nothing\n", (1, None), "expected a pair on each line, found none", ""),
    ],
)
def test_a_mistake_in_a_file_has_its_place(
    tmp_path: Path, text: str, place: tuple[int, int | None], message: str, excerpt: str
) -> None:
    given = _file(tmp_path, text)
    with pytest.raises(QueryError) as caught:
        read_pairs([given])

    assert (caught.value.path, caught.value.message) == (given[1:], message)
    assert (caught.value.line, caught.value.column) == place
    assert excerpt in str(caught.value)


def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b"samples{/APThreads/\xe9}")
    for name, message in {"none": "cannot be read: No such file", "latin": "is not text"}.items():
        with pytest.raises(QueryError, match=message):
            read_pairs([f"@{tmp_path / name}"])


@given(st.text(alphabet="sample{}/Code, \\APTORND()"))
def test_any_text_is_a_pair_or_one_error(text: str) -> None:
    try:
        pair = parse_pair(text)
    except QueryError as error:
        assert error.column is not None  # noqa: PT017 - most texts are none
        assert 1 <= error.column <= len(text) + 1  # noqa: PT017
    else:
        assert pair.metric in METRIC_FUNCTIONS
        assert {focus.hierarchy for focus in pair.foci} <= set(HIERARCHIES)
