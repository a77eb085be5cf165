"""The page in a browser: drawn without a word on the console, by keyboard, in light and dark."""

from __future__ import annotations

import json
import time
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest
from selenium.webdriver.common.keys import Keys
from support.browser import Browser, browser
from support.called_runs import write_called
from support.method_oracle import weights_by_name
from support.reports import made_report
from support.runs import RunBuilder
from support.watched_rows import ROWS, write_watched

from jvmscope.queries import Engine, Question
from jvmscope.reports.html import render
from jvmscope.reports.html.runs import Limits, read_run
from jvmscope.reports.watched import DEFAULT_PAIRS
from jvmscope.reports.watched.html import render_watch

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_IMAGE = "<img src=x onerror=alert(1)>"
_NAMES = (f"</script>{_IMAGE}", "--accent", "';alert(1)//")


_TOO_MANY = "it has 1,000,000 rows, which are too many for a table"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report on twenty benchmarks, some with names that are markup; one has calling contexts.

    main calls a 60 times, and b, which is of the library, 40 times through a; c is called by main
    8 times.
    """
    builder = RunBuilder()
    methods = {
        name: builder.method(f"app/{_IMAGE}", name, blocks=[["return"]])
        for name in ("main", "a", "c")
    }
    methods["b"] = builder.method("lib/B", "b", blocks=[["return"]], loader="boot")
    root = builder.thread(_IMAGE).call(methods["main"])
    root.call(methods["a"], calls=60).call(methods["b"], calls=40)
    root.call(methods["c"], calls=8)
    directory = tmp_path_factory.mktemp("page")
    run = builder.write(directory / "run.run")
    path = directory / "report.html"
    report = made_report(20, [run], names=_NAMES)
    large = replace(report.metrics[0], id="large.table", measures=(), reason=_TOO_MANY, version=0)
    large = replace(large, source="", file="", tags=())
    report = replace(report, metrics=(*report.metrics, large))
    text = render(report, weights=("calls",))
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as started:
        yield started


@pytest.fixture
def shown(chromium: Browser, page: Path) -> Browser:
    chromium.open(page)
    return chromium


# What a search says of a text: counts and amounts, and in words. The script is the page's own.
_SEARCHED = """
    const [run, texts] = arguments;
    const methods = new Methods(run, run.frames);
    return texts.map((text) => methods.scopes.map((_, scope) => methods.weights.map((_, weight) => {
      const found = methods.matching(text);
      const { n, own, least, most, total } = methods.weighed(found, scope, weight);
      return [n, own, least, most, total, methods.told(found, scope, weight)];
    })));
"""
_SCOPES = ("application+", "application")
_WEIGHTS = ("calls", "bytecodes", "cycles")


def _searched(chromium: Browser, run: dict[str, Any], texts: list[str]) -> Any:
    assets = resources.files("jvmscope.reports.html") / "assets"
    script = "".join((assets / name).read_text() for name in ("numbers.js", "methods.js"))
    return chromium.run(script + _SEARCHED, run, texts)


@pytest.mark.parametrize(("n_folded", "max_nodes"), [(0, 12), (40, 20_000)])
def test_a_search_says_what_sql_says(
    chromium: Browser, tmp_path: Path, n_folded: int, max_nodes: int
) -> None:
    """Of every method of the run, by every weight, in every scope, whatever the tree folds."""
    run = write_called(tmp_path / "called.run", 5, n_folded=n_folded)
    with Engine(run) as engine:
        told = read_run(engine, _WEIGHTS, _SCOPES, Limits(nodes=max_nodes))
        expected = {
            scope: [weights_by_name(engine, scope, weight) for weight in _WEIGHTS]
            for scope in told["scopes"]
        }
    names = sorted(expected["run"][0])
    lacking = {
        told["frames"][told["methods"]["frames"][at]][0] for at in told["methods"]["atLeast"]
    }
    assert bool(lacking) == bool(n_folded)
    for name, scopes in zip(names, _searched(chromium, told, names), strict=True):
        for scope, weights in zip(told["scopes"], scopes, strict=True):
            for i, (n, own, least, most, total, text) in enumerate(weights):
                itself, whole = expected[scope][i].get(name, (0, 0))
                assert (n, own, least) == (1, itself, whole)
                assert most == (total if name in lacking else whole)
                assert ("at least" in text) == (name in lacking and whole < total)


def test_a_search_for_several_methods_says_what_is_sure(chromium: Browser, tmp_path: Path) -> None:
    run = write_called(tmp_path / "called.run", 5)
    with Engine(run) as engine:
        told = read_run(engine, ("bytecodes",), (), Limits(methods=7))
        expected = weights_by_name(engine, "run", "bytecodes")
        ((union,),) = engine.query(
            Question(
                "SELECT SUM(c.n_bytecodes)::BIGINT FROM context AS c "
                "WHERE EXISTS (FROM context AS a "
                "JOIN method USING (method_id) WHERE method.name = 'f' "
                "AND c.context_id BETWEEN a.context_id AND a.context_id + a.size - 1)",
                language="sql",
            )
        ).rows()
    listed = {told["frames"][at][0] for at in told["methods"]["frames"]}
    ((((n, own, least, most, _, text),),),) = _searched(chromium, told, [".f()"])
    assert n == sum(name.endswith(".f()") for name in listed)
    assert own == sum(expected[name][0] for name in listed if name.endswith(".f()"))
    assert least <= union <= most
    assert " to " in text
    assert "2 lighter methods, each at most" in text
    ((((n, *_, text),),),) = _searched(chromium, told, ["no such name"])
    assert n == 0
    assert text.startswith("No method name contains this. 2 lighter methods")


_MANTISSAS = (1, 1.2345678, 2.5, 4.4996, 9.994, 9.99951, 9.9999996)
_MAGNITUDES = sorted(mantissa * 10**power for power in range(-12, 17) for mantissa in _MANTISSAS)


@pytest.mark.parametrize(
    ("script", "error"),
    [
        ("rounded(value)", 0.006),
        ("formatted(value, decimalsFor([value]))", 0.001),
        ("formatted(value, 3)", 0.6),
        ("percent(value).slice(0, -2)", 0.4),
    ],
)
def test_numbers_of_every_magnitude(chromium: Browser, script: str, error: float) -> None:
    """They are near the values, in their order, zero only for zero, and without powers of ten."""
    numbers = resources.files("jvmscope.reports.html") / "assets" / "numbers.js"
    values = [0, *_MAGNITUDES]
    run = f"{numbers.read_text()}\nreturn arguments[0].map((value) => {script});"
    zero, *texts = chromium.run(run, values)

    assert float(zero) == 0
    assert not [text for text in texts if "e" in text]
    sizes = {"k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
    read = []
    for text in texts:
        number, _, letter = text.removeprefix("< ").replace(",", "").partition(" ")
        read.append(float(number) * sizes.get(letter, 1))
    assert read == sorted(read)
    assert min(read) > 0
    scale = 100 if "percent" in script else 1
    for value, text, told in zip(_MAGNITUDES, texts, read, strict=True):
        is_bound = text.startswith("<")
        assert scale * value < told if is_bound else told == pytest.approx(scale * value, rel=error)


@pytest.mark.parametrize("n_before", [0, 150, 250, 1000])
def test_the_decimals_of_a_measure_are_those_of_all_its_values(
    chromium: Browser, n_before: int
) -> None:
    """A share between whole numbers is not rounded to one, however many benchmarks there are."""
    assets = resources.files("jvmscope.reports.html") / "assets"
    script = "".join((assets / name).read_text() for name in ("numbers.js", "metrics.js"))
    measure = {"range": [0, 0, 1], "values": [0] * n_before + [0.6, None, 1]}
    run = f"{script}\nreturn [0, 0.6, 1].map(written(arguments[0]));"
    assert chromium.run(run, measure) == ["0.000", "0.600", "1.000"]


def _focused(chromium: Browser) -> Any:
    """The method that the panel under the flame graph tells of."""
    return chromium.run("return document.querySelector('.facts-of-context .method').textContent")


@contextmanager
def _served_slowly(page: Path) -> Iterator[str]:
    """Yields where a page is served, whose script comes a second after all else."""
    text = page.read_bytes()
    last = text.rindex(b"<script>")

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == "/" else 204)
            self.end_headers()
            if self.path == "/":
                self.wfile.write(text[:last])
                time.sleep(1)
                self.wfile.write(text[last:])

        def log_message(self, *_: Any) -> None:
            """Says nothing of requests."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_a_page_that_comes_slowly_is_drawn(chromium: Browser, page: Path) -> None:
    chromium.console()
    with _served_slowly(page) as address:
        chromium.driver.get(address)
        chromium.until("return document.documentElement.dataset.state === 'drawn'")
    assert chromium.console() == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everything_is_drawn_in_silence(chromium: Browser, page: Path, scheme: str) -> None:
    chromium.open(page, scheme=scheme)
    assert chromium.console() == []
    drawn = chromium.run(
        "return [...document.querySelectorAll('.plot canvas')].map(canvas => new Set(canvas"
        ".getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data).size)"
    )
    assert len(drawn) == 8
    assert min(drawn) > 10  # shades: no canvas is empty
    assert chromium.run("return performance.getEntriesByType('resource').length") == 0
    red = chromium.run("return +/\\d+/.exec(getComputedStyle(document.body).backgroundColor)[0]")
    assert (red > 128) == (scheme == "light")


def test_names_are_text(shown: Browser) -> None:
    assert shown.run("return document.images.length") == 0
    assert shown.run("return document.querySelector('#summary tbody th').textContent") == _NAMES[0]
    options = shown.run("return [...document.querySelectorAll('#subject option')].map(o => o.text)")
    assert options[:3] == list(_NAMES)
    assert shown.run("return document.querySelector('#contexts .grid-text').textContent") == "run"


def test_the_flame_graph_by_keyboard(shown: Browser) -> None:
    shown.run("document.querySelector('.flame canvas').focus()")
    shown.press(Keys.ARROW_DOWN)
    assert _focused(shown) == _IMAGE  # the thread
    shown.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    assert _focused(shown) == f"app.{_IMAGE}.a()"
    shown.press(Keys.ARROW_RIGHT)
    assert _focused(shown) == f"app.{_IMAGE}.c()"
    shown.press(Keys.ARROW_LEFT, Keys.ENTER)
    crumbs = "return [...document.querySelectorAll('.crumbs button')].map(b => b.textContent)"
    assert len(shown.run(crumbs)) == 4
    shown.press(Keys.ESCAPE)
    assert len(shown.run(crumbs)) == 3
    facts = shown.run(
        "return [...document.querySelectorAll('.facts-of-context td.number')].map(c => c.innerText)"
    )
    assert facts == ["109", "100 %", "1", "0.92 %"]


def test_a_slash_leads_to_the_search(shown: Browser) -> None:
    shown.run("document.getElementById('contexts').scrollIntoView({behavior: 'instant'})")
    shown.press("/", *"b()")
    assert shown.until("return document.querySelector('#contexts .status').textContent") == (
        "1 method: 36.7 % of the calls itself, 36.7 % with callees. 1 bar."
    )
    shown.press(Keys.ENTER)
    assert _focused(shown) == "lib.B.b()"


def test_the_tree_by_keyboard(shown: Browser) -> None:
    shown.run("document.getElementById('tab-tree').click()")
    shown.run("document.querySelector('#contexts .grid').focus()")
    shown.run("document.querySelectorAll('#panel-tree button')[1].click()")  # close all
    rows = (
        "return [...document.querySelectorAll('#contexts .grid-row[aria-level]')]"
        ".map(r => r.innerText)"
    )
    assert len(shown.run(rows)) == 2
    shown.press(*[Keys.ARROW_RIGHT] * 4)  # to the thread, open it, to main, open it
    assert len(shown.run(rows)) == 5
    shown.press(Keys.ARROW_LEFT)
    assert len(shown.run(rows)) == 3
    assert "109" in shown.run(rows)[0]


def test_tables_are_sorted_and_searched(shown: Browser) -> None:
    rows = "[...document.querySelectorAll('#summary tbody tr')]"
    column = f"return {rows}.map(row => row.cells[arguments[0]].innerText)"
    shown.run("document.querySelectorAll('#summary thead button')[3].click()")
    *contexts, last = shown.run(column, 3)  # what is absent is last, either way
    assert "no value: exit status 1" in last
    contexts = [int(text.replace(",", "")) for text in contexts if "no value" not in text]
    assert contexts == sorted(contexts, reverse=True)
    shown.run("document.querySelector('#summary input').focus()")
    shown.press(*"failed")
    shown.until("return document.querySelectorAll('#summary tbody tr').length === 1")
    assert "exit status 1" in shown.run(column, 1)[0]


@pytest.mark.parametrize("of", ["page", "small"])
def test_a_copied_link_leads_to_its_section(
    chromium: Browser, request: pytest.FixtureRequest, of: str
) -> None:
    """The heading is below the bar at the top when all is drawn, unless the page ends before."""
    page = request.getfixturevalue(of)
    chromium.open(page)
    links = chromium.run("return [...document.querySelectorAll('#sections a')].map(a => a.hash)")
    assert len(links) > 6
    for link in links:
        chromium.driver.get("about:blank")
        chromium.driver.get(f"{page.as_uri()}{link}")
        chromium.until("return document.documentElement.dataset.state === 'drawn'")
        chromium.until("const before = window.seen; window.seen = scrollY; return before === seen")
        top, padding, below = chromium.run(
            "const { top } = document.querySelector(arguments[0]).getBoundingClientRect();"
            "const padding = getComputedStyle(document.documentElement).scrollPaddingTop;"
            "const { scrollHeight } = document.documentElement;"
            "return [top, parseFloat(padding), scrollHeight - scrollY - innerHeight];",
            link,
        )
        assert abs(top - padding) < 2 or (top > padding and below < 2), link


def test_a_plot_leads_to_its_metric(shown: Browser) -> None:
    shown.run("document.querySelector('#looks .of-metric').click()")
    assert shown.run(
        "return document.querySelector('#metrics .definition dd').innerText"
    ).startswith("hotness.methods.")
    assert shown.until(
        "return document.querySelectorAll('#metrics .with-aside > div tr').length < 25"
    )


def test_a_plot_leads_to_its_metric_out_of_any_area(shown: Browser) -> None:
    shown.run(
        "const areas = document.querySelector('#metrics select');"
        "areas.value = 'locking';"
        "areas.dispatchEvent(new Event('change'));"
    )
    shown.run("document.querySelector('#looks .of-metric').click()")
    rows = "document.querySelectorAll('#metrics .with-aside > div tbody tr.current')"
    assert shown.until(f"return {rows}.length === 1")
    assert shown.run("return document.querySelector('#metrics select').value") == ""


def test_the_variance_by_component_is_told_at_the_pointer(shown: Browser) -> None:
    """Of three components on the made report: 41 %, 22 % and 11 %."""
    told = shown.run(
        "const canvas = document.querySelector('figure.scree canvas');"
        "canvas.scrollIntoView();"
        "const box = canvas.getBoundingClientRect(), step = (box.width - 78) / 3;"
        "return [0, 1, 2].map((place) => {"
        "  const at = {clientX: box.left + 56 + (place + 0.5) * step, clientY: box.top + 90};"
        "  canvas.dispatchEvent(new MouseEvent('mousemove', at));"
        "  return [...document.querySelectorAll('.tip b, .tip div')].map(e => e.textContent);"
        "})"
    )
    assert told == [
        ["component 1", "explains: 41.0 %", "with those before it: 41.0 %"],
        ["component 2", "explains: 22.0 %", "with those before it: 63.0 %"],
        ["component 3", "explains: 11.0 %", "with those before it: 74.0 %"],
    ]


def test_a_metric_without_measures_says_why(shown: Browser) -> None:
    shown.run("document.querySelector('#metrics input').focus()")
    shown.press(*"large.table")
    rows = "document.querySelectorAll('#metrics .with-aside > div tbody tr')"
    shown.until(f"return {rows}[0].innerText.includes({json.dumps(_TOO_MANY)})")  # all was typed
    shown.run("document.querySelector('#metrics tbody button').click()")
    terms = "document.querySelectorAll('#metrics .definition dt')"
    facts = f"return [...{terms}].map(term => term.innerText)"
    assert shown.run(facts) == ["id", "better", "grain"]


def test_a_narrow_window_cuts_nothing_off(shown: Browser) -> None:
    shown.driver.set_window_size(420, 900)
    try:
        widths = "return [document.documentElement.scrollWidth, innerWidth]"
        width, inner = shown.run(widths)
        assert width <= inner
    finally:
        shown.driver.set_window_size(1280, 900)


def test_a_benchmark_that_failed_says_so(shown: Browser) -> None:
    shown.run(
        "const choice = document.getElementById('subject');"
        "choice.value = '11';"
        "choice.dispatchEvent(new Event('change'));"
    )
    assert "exit status 1" in shown.run(
        "return document.querySelector('#contexts .note').innerText"
    )
    why = shown.run("return document.querySelector('#metrics td.strong.absent').title")
    assert why
    assert shown.console() == []


def test_the_switch_wins_over_the_preference(shown: Browser) -> None:
    paper = "return getComputedStyle(document.body).backgroundColor"
    light = shown.run(paper)
    shown.run("document.querySelectorAll('.masthead .choice button')[2].click()")
    assert shown.run(paper) != light
    shown.run("document.querySelectorAll('.masthead .choice button')[0].click()")
    assert shown.run(paper) == light


def _texts(chromium: Browser, selector: str) -> list[str]:
    script = "return [...document.querySelectorAll(arguments[0])].map(each => each.innerText)"
    return [" ".join(text.split()) for text in chromium.run(script, selector)]


def _choose_scope(chromium: Browser, scope: str) -> None:
    chromium.run(
        "const scopes = document.querySelector('.view select');"
        "scopes.value = arguments[0];"
        "scopes.dispatchEvent(new Event('change'));",
        scope,
    )


def test_what_is_hot_comes_first(shown: Browser) -> None:
    titles = _texts(shown, "main h2")
    assert titles[:5] == ["Summary", "Hot methods", "Callers", "Calling contexts", "Behaviour"]
    assert titles[-2:] == ["Metrics", "Recording"]
    rows = _texts(shown, "#hot .with-aside > div tbody tr")
    assert [row.split(")")[-1] for row in rows] == [
        " 55.0 % 60 91.7 % 100",
        " lib 36.7 % 40 36.7 % 40",
        " 7.34 % 8 7.34 % 8",
        " 0.92 % 1 100 % 109",
    ]


def test_a_scope_holds_for_methods_callers_and_contexts(shown: Browser) -> None:
    _choose_scope(shown, "application")
    assert _texts(shown, "#hot .told") == [
        "Shares are of 69 calls in the application alone, 63.3 % of the run."
    ]
    rows = _texts(shown, "#hot .with-aside > div tbody tr")
    assert [row.split(")")[-1] for row in rows] == [
        " 87.0 % 60 87.0 % 60",
        " 11.6 % 8 11.6 % 8",
        " 1.45 % 1 100 % 69",
    ]
    assert _texts(shown, "#callers .grid-row[aria-level]")[0].endswith("all methods 69 100 %")
    assert _texts(shown, "#contexts .facts-of-context td.number")[:2] == ["69", "100 %"]
    _choose_scope(shown, "application+")
    assert _texts(shown, "#callers .grid-row[aria-level]")[0].endswith("all methods 109 100 %")


@pytest.mark.parametrize("keys", [(), (Keys.ARROW_DOWN,), (Keys.ARROW_DOWN, Keys.ARROW_RIGHT)])
def test_what_is_told_of_callers_is_of_the_chosen_scope(
    shown: Browser, keys: tuple[str, ...]
) -> None:
    """The line below the tree has the share of the chosen row, or the total, as the tree does."""
    shown.run("document.querySelector('#callers .grid').focus()")
    shown.press(*keys)
    for scope in ("application", "run", "application+", "application", "application+", "run"):
        _choose_scope(shown, scope)
        (told,) = _texts(shown, "#callers .told")
        (row,) = _texts(shown, "#callers .grid-row.focus")
        assert told.startswith(
            row.rsplit(" ", 2)[1] if keys else f"Shares are of {row.split()[-3]}"
        )
        (button,) = _texts(shown, "#callers .tools .tools button:first-child") or [None]
        assert (button is None) == (not keys)


def test_the_panel_tells_of_the_row_that_is_chosen(shown: Browser) -> None:
    """Of the tree where it is shown, whatever the flame graph looks at."""
    shown.run("document.getElementById('tab-tree').click()")
    shown.run("document.querySelector('#contexts .grid').focus()")
    shown.press(Keys.HOME, Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    for scope in ("application", "run", "application+"):
        _choose_scope(shown, scope)
        (row,) = _texts(shown, "#contexts .grid-row.focus .grid-text")
        assert _focused(shown) == row


def test_who_calls_a_method_is_a_click_away(shown: Browser) -> None:
    shown.run("document.querySelector('.flame canvas').focus()")
    shown.press(*[Keys.ARROW_DOWN] * 4)  # thread, main, a, b
    assert _focused(shown) == "lib.B.b()"
    shown.run("document.querySelector('.facts-of-context button').click()")
    assert _texts(shown, ".method-card h3") == ["lib.B.b()"]
    called_by, calls = _texts(shown, ".method-card .related")
    assert f"{_IMAGE}.a" in called_by
    assert called_by.endswith("36.7 % 36.7 %")
    assert calls.endswith("None in this scope.")
    shown.run("document.querySelector('.method-card .related button.link').click()")
    assert _texts(shown, ".method-card h3") == [f"app.{_IMAGE}.a()"]
    called_by, calls = _texts(shown, ".method-card .related")
    assert called_by.endswith("55.0 % 91.7 %")
    assert calls.endswith("36.7 % 36.7 %")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of a run that allocated nothing: main calls a method of the library 40 times."""
    builder = RunBuilder()
    main = builder.method("app/Main", "main", blocks=[["return"]])
    library = builder.method("lib/B", "b", blocks=[["return"]], loader="boot")
    builder.thread("main").call(main).call(library, calls=40)
    directory = tmp_path_factory.mktemp("small")
    run = builder.write(directory / "run.run", probes=["allocation", "allocation_site"])
    path = directory / "report.html"
    report = made_report(2, [run])
    path.write_text(render(report, weights=("calls", "allocated_objects")), encoding="utf-8")
    return path


@pytest.fixture
def alone(chromium: Browser, small: Path) -> Browser:
    chromium.open(small)
    return chromium


def _choose_weight(chromium: Browser, place: int) -> None:
    chromium.run(f"document.querySelectorAll('.view .choice button')[{place}].click()")


def _search(chromium: Browser, section: str, text: str) -> None:
    chromium.run(
        "const search = document.querySelector(`#${arguments[0]} input`);"
        "search.value = arguments[1];"
        "search.dispatchEvent(new Event('input'));",
        section,
        text,
    )


def test_a_method_without_weight_is_not_opened_among_callers(alone: Browser) -> None:
    """The library's method is none of the application alone; the keys go on to work."""
    alone.run("document.querySelectorAll('#hot .mention button')[0].click()")
    assert _texts(alone, ".method-card h3") == ["lib.B.b()"]
    _choose_scope(alone, "application")
    alone.run("document.querySelectorAll('.method-card .tools button')[1].click()")
    assert _texts(alone, "#callers .told") == [
        "B.b is too light for this tree. Hot methods, above, lists its callers."
    ]
    alone.run("document.querySelector('#callers .grid').focus()")
    alone.press(Keys.HOME, Keys.ARROW_DOWN)
    assert _texts(alone, "#callers .grid-row.focus .grid-text") == ["app.Main.main()"]


_MARKED = """
    const frames = [["run", "run"], ["f", "thread"], ["p.A.f()", "application"], ["g", "library"]];
    const nodes = { parents: [-1, 0, 1, 2], frames: [0, 1, 2, 3], lines: [], contexts: [] };
    const parts = [[0, 5, 3, 0], [0, 2, 0, 0]];
    const weights = [["calls", "call"], ["reads", "read"]];
    const tree = new ContextTree({ ...nodes, parts }, weights, frames);
    return [0, 1].map((part) => {
      const { n, own } = tree.marked((frame) => frame > 0, part);
      return [n, own];
    });
"""


def test_what_is_found_weighs_something_and_threads_are_no_methods(chromium: Browser) -> None:
    assets = resources.files("jvmscope.reports.html") / "assets"
    script = (assets / "tree.js").read_text() + _MARKED

    assert chromium.run(script) == [[2, 3], [1, 0]]


@pytest.mark.parametrize("key", [Keys.ENTER, Keys.ARROW_UP])
def test_a_zoomed_graph_climbs_to_what_weighs_something(alone: Browser, key: str) -> None:
    alone.run("document.querySelector('.flame canvas').focus()")
    alone.press(*[Keys.ARROW_DOWN] * 3, Keys.ENTER)
    assert _texts(alone, ".crumbs button") == ["all threads", "main", "Main.main", "B.b"]
    _choose_scope(alone, "application")
    assert _texts(alone, ".crumbs button") == ["all threads", "main", "Main.main"]
    assert _focused(alone) == "app.Main.main()"
    _choose_weight(alone, 1)
    assert _texts(alone, ".crumbs button") == ["all threads"]
    alone.run("document.querySelector('.flame canvas').focus()")
    alone.press(key)
    assert alone.console() == []


def test_a_search_marks_nothing_without_weight(alone: Browser) -> None:
    _choose_weight(alone, 1)
    _search(alone, "contexts", "b()")
    told = alone.until("return document.querySelector('#contexts .status').textContent")
    assert told.endswith("0 bars.")


def test_the_card_is_of_the_heaviest_until_one_is_chosen(alone: Browser) -> None:
    """The library's method is the heaviest of the run, and none of the application alone."""
    for scope, heaviest in [("run", "lib.B.b()"), ("application", "app.Main.main()")] * 2:
        _choose_scope(alone, scope)
        assert _texts(alone, ".method-card h3") == [heaviest]
    _choose_scope(alone, "run")
    alone.run("document.querySelectorAll('#hot .mention button')[0].click()")
    _choose_scope(alone, "application")
    assert _texts(alone, ".method-card h3") == ["lib.B.b()"]


def test_the_card_says_why_it_is_empty(alone: Browser) -> None:
    """A search that finds nothing is no reason; a weight of which there is nothing is one."""
    _search(alone, "hot", "no such name")
    _choose_scope(alone, "application")
    _again(alone)
    assert _texts(alone, ".method-card h3") == ["app.Main.main()"]
    _choose_weight(alone, 1)
    _again(alone)
    assert _texts(alone, ".method-card") == ["No objects in this scope."]


def _again(chromium: Browser) -> None:
    """Chooses the subject that is shown."""
    chromium.run("document.getElementById('subject').dispatchEvent(new Event('change'))")


def test_a_card_below_its_table_is_scrolled_to(shown: Browser) -> None:
    top = "return document.querySelector('.method-card').getBoundingClientRect().top"
    shown.driver.set_window_size(1000, 600)
    try:
        assert shown.run(top) > 600
        shown.run("document.querySelectorAll('#hot .mention button')[1].click()")
        shown.until(f"const before = () => {{ {top}; }}; return before() < 500")
    finally:
        shown.driver.set_window_size(1280, 900)


def test_callers_are_a_tree_by_keyboard(shown: Browser) -> None:
    shown.run("document.querySelector('#callers .grid').focus()")
    shown.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN)  # a, b
    shown.press(*[Keys.ARROW_RIGHT] * 6)
    rows = _texts(shown, "#callers .grid-row[aria-level]")
    assert [(row.split()[-3], row.split(")")[-1]) for row in rows[3:6]] == [
        ("40", " 40 36.7 %"),
        ("40", " 40 36.7 %"),
        ("40", " 40 36.7 %"),
    ]
    assert "(the thread begins)" in rows[5]


def test_only_what_may_be_added_is_added(shown: Browser) -> None:
    labels = _texts(shown, "#summary .tile span")
    names = {label.partition(",")[0] for label in labels[1:]}
    assert names == {"threads", "contexts", "bytecodes"}  # no classes: benchmarks share them
    (said,) = (label for label in labels if label.startswith("bytecodes"))
    assert said == "bytecodes, the sum of 19"


def test_the_flame_graph_is_as_wide_as_the_window(shown: Browser) -> None:
    size = "return ['clientWidth'].map(name => document.querySelector('.flame')[name])[0]"
    before = shown.run(size)
    shown.driver.set_window_size(1700, 900)
    try:
        shown.until(f"{size} > {before} + 300")
        assert shown.run(
            "return Math.abs(document.querySelector('.flame canvas').clientWidth"
            " - document.querySelector('.flame').clientWidth) < 2"
        )
    finally:
        shown.driver.set_window_size(1280, 900)


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a watch run, which has no script."""
    directory = tmp_path_factory.mktemp("watched")
    write_watched(directory / "app.watch")
    with Engine(directory / "app.watch") as engine:
        (directory / "watch.html").write_text(render_watch(engine, ()), encoding="utf-8")
    return directory / "watch.html"


@pytest.mark.parametrize("of", ["page", "watched"])
@pytest.mark.parametrize("theme", [0, 1, 2])
def test_it_is_printed_on_white(
    chromium: Browser, request: pytest.FixtureRequest, of: str, theme: int
) -> None:
    """Whatever colours were chosen for the screen; browsers print as if light were preferred."""
    chromium.open(request.getfixturevalue(of))
    try:
        switch = "document.querySelectorAll('.masthead .choice button, .theme input')"
        chromium.run(f"{switch}[{theme}].click()")
        preference = [{"name": "prefers-color-scheme", "value": "light"}]
        media = {"media": "print", "features": preference}
        chromium.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
        paper = chromium.run("return getComputedStyle(document.body).backgroundColor")
        assert paper == "rgb(255, 255, 255)"
    finally:
        chromium.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        chromium.run("try { localStorage.clear(); } catch { /* it has no storage */ }")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400])
def test_the_page_of_a_watch_run_fits(
    chromium: Browser, tmp_path: Path, scheme: str, width: int
) -> None:
    """Names are text, and no figure or table is wider than the window; without a script."""
    rows = ROWS | {"vm_thread": [(0, _IMAGE, 1, 11, None), (1, "x" * 300, 2, 12, None)]}
    write_watched(tmp_path / "app.watch", rows=rows)
    page = tmp_path / "watch.html"
    with Engine(tmp_path / "app.watch") as engine:
        page.write_text(render_watch(engine, ()), encoding="utf-8")
    size = chromium.driver.get_window_size()
    try:
        chromium.driver.set_window_size(width, 900)
        chromium.open(page, scheme=scheme)
        assert chromium.run("return document.documentElement.scrollWidth <= innerWidth")
        assert chromium.run("return document.querySelectorAll('img, script').length") == 0
        texts = chromium.run("return [...document.querySelectorAll('td')].map(e => e.textContent)")
        assert _IMAGE in texts
        n_charts = chromium.run("return document.querySelectorAll('.charts svg').length")
        paper = chromium.run("return getComputedStyle(document.body).backgroundColor")
        chromium.run("document.querySelector('#theme-dark').click()")
        chosen = chromium.run("return getComputedStyle(document.body).backgroundColor")
    finally:
        chromium.driver.set_window_size(size["width"], size["height"])

    assert n_charts == len(DEFAULT_PAIRS)
    assert (paper == chosen) == (scheme == "dark")
    assert chromium.console() == []
