"""Methods whose frames have room for what counts, and not for all that snippets are told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from integration.recording import Recorder, compile_java, jdks
from oracle.laboratory import BUILD
from support.small_jdk import brief_jdk

import jvmscope

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

_MOST = 65_535
_N_ARGUMENTS = 40

_TABLE = """\
/**
 * @table        passed
 * @description  How many arguments calls passed.
 * @order        method_id
 * @within       method
 */
CREATE TABLE passed (
    method_id  INTEGER NOT NULL REFERENCES method (method_id),  -- calling method
    n_passed   BIGINT NOT NULL    -- arguments [argument]
);
"""
_SNIPPETS = """
import io.jvmscope.snippet.Argument;
import io.jvmscope.snippet.Before;
import io.jvmscope.snippet.Context;
import io.jvmscope.snippet.Counter;
import io.jvmscope.snippet.Point;

final class Passes {
  static final Counter PASSED = Counter.of("passed.n_passed");

  @Before(value = Point.CALL, scope = "Wide*")
  static void pass(Context context, @Argument int value) {
    PASSED.add(context, 1);
  }
}
"""
_PASSED = """
    SELECT c.name, n_passed, coverage
    FROM method AS m JOIN class AS c USING (class_id) LEFT JOIN passed USING (method_id)
    WHERE m.name = 'wide' ORDER BY c.name
"""


def _class(name: str, n_free: int) -> str:
    """One with a method whose frame has so many free variables."""
    parameters = ", ".join(f"int p{k}" for k in range(_N_ARGUMENTS))
    variables = ", ".join(f"v{k}" for k in range((_MOST - n_free) // 2))
    odd = "int odd;" if (_MOST - n_free) % 2 else ""
    return f"""
        public class {name} {{
          static int take({parameters}) {{ return p0 + p{_N_ARGUMENTS - 1}; }}
          static int wide() {{
            long {variables};
            {odd}
            return take({", ".join(map(str, range(_N_ARGUMENTS)))});
          }}
        }}
    """


@pytest.mark.parametrize("jdk", jdks(), ids=str)
def test_a_frame_that_is_too_small_for_snippets_goes_without(tmp_path: Path, jdk: Jdk) -> None:
    """GIVEN frames with room for counting, the arguments of a call and more, and for less."""
    free = (0, 16, 17, 18, 30, 40, 47, 48, 49, 50, 51, 56, 57, 58, 70)
    names = {n_free: f"Wide{n_free:02}" for n_free in free}
    calls = " + ".join(f"{name}.wide()" for name in names.values())
    main = f"""
        public class Main {{
          public static void main(String[] args) {{ System.out.println({calls}); }}
        }}
    """
    sources = {name: _class(name, n_free) for n_free, name in names.items()}
    compile_java(jdk, tmp_path / "classes", Main=main, **sources)
    (tmp_path / "probe").mkdir()
    (tmp_path / "probe" / "Passes.java").write_text(_SNIPPETS)
    (tmp_path / "probe" / "passed.sql").write_text(_TABLE)
    recorder = Recorder(tmp_path, brief_jdk(jdk, BUILD))
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "javac").symlink_to(jdk.tool("javac"))
    recorder.environment["PATH"] = f"{tmp_path / 'tools'}:{recorder.environment['PATH']}"

    outcome = recorder.record("java", "-cp", "classes", "Main", options=("--probe", "probe"))

    total = len(free) * (_N_ARGUMENTS - 1)
    assert (outcome.status, outcome.stdout) == (0, f"{total}\n"), outcome.stderr
    with jvmscope.open(tmp_path / outcome.run) as run:
        rows = list(run.query(_PASSED).rows())
    assert [row[1] for row in rows] == sorted((row[1] for row in rows), key=lambda n: n or 0)
    assert rows[0][1:] == (None, "none")
    assert rows[4][1:] == (None, "full"), "with room for counting alone"
    assert rows[-1][1:] == (_N_ARGUMENTS, "full")
