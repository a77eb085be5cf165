"""A program whose events have a deep stack, each of which the thread walks that has the event.

Between two events it reads more memory than the caches hold, so that the VM finds nothing of the
stack's methods there, as in a program that does something else meanwhile.
"""

from __future__ import annotations

import subprocess
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["StackEvents", "stack_events"]

_N_EVENTS = 400  # in a period
_DEPTH = 80  # more than the 64 frames that the VM walks
_WARM_UP = 10  # periods
_METHODS = "\n".join(
    f"  static long m{k}(int i) {{ long ns = m{k + 1}(i); sink++; return ns; }}"
    for k in range(_DEPTH)
)
_SOURCE = f"""
import java.util.Scanner;

public final class StackEvents {{
  static final int[] cold = new int[16 << 20];
  static final byte[][] kept = new byte[64][];
  static long sink;

  public static void main(String[] arguments) {{
    Scanner in = new Scanner(System.in);
    while (in.hasNextInt()) {{
      int n = in.nextInt();
      long ns = 0;
      for (int i = 0; i < n; i++) {{
        for (int k = 0; k < cold.length; k += 16) {{
          sink += cold[k]++;
        }}
        ns += m0(i);
      }}
      System.out.println(ns);
    }}
  }}

{_METHODS}
  static long m{_DEPTH}(int i) {{
    long start = System.nanoTime();
    kept[i % kept.length] = new byte[4096];
    return System.nanoTime() - start;
  }}
}}
"""
_OPTIONS = ("-XX:+UseSerialGC", "-XX:TLABSize=2k", "-XX:MinTLABSize=2k", "-XX:-ResizeTLAB")
"""No array has room in the thread's part of the heap, so each is an event."""


@dataclass(frozen=True)
class StackEvents:
    """The program, which runs."""

    pid: int
    _rounds: IO[str]
    _times: IO[str]

    def period(self) -> tuple[int, tuple[int, int]]:
        """The nanoseconds that what has the events took, and from when to when it was."""
        start = time.time_ns()
        self._rounds.write(f"{_N_EVENTS}\n")
        self._rounds.flush()
        line = self._times.readline()
        if not line:
            raise SystemExit("the program has ended")
        return int(line), (start, time.time_ns())


@contextmanager
def stack_events(java_home: Path) -> Iterator[StackEvents]:
    """Starts the program with a JDK, warms it up, and ends it."""
    with tempfile.TemporaryDirectory(prefix="stack-events-") as folder:
        source = Path(folder, "StackEvents.java")
        source.write_text(_SOURCE, encoding="utf-8")
        subprocess.run([str(java_home / "bin/javac"), "-d", folder, str(source)], check=True)
        process = subprocess.Popen(
            [str(java_home / "bin/java"), *_OPTIONS, "-cp", folder, "StackEvents"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            if process.stdin is None or process.stdout is None:  # it has both
                raise SystemExit("the program has no pipes")
            events = StackEvents(process.pid, process.stdin, process.stdout)
            for _ in range(_WARM_UP):
                events.period()
            yield events
        finally:
            process.kill()
            process.communicate()
