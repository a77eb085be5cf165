"""Java programs made at random that let go of objects, each its own oracle of how long they live.

What they are rich in are references that only the operand stack has while time passes: operands of
calls, of stores and of operators, receivers, objects under construction, results of conditions; and
calls that end by exceptions in the middle of them.
"""

from __future__ import annotations

import re
from random import Random

__all__ = ["generated_lives"]

_CLASSES = 6
_METHODS = 8
_HEAD = """
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

public class {name} {{
  static int fuel;
  static int state;
  static Node kept0, kept1;

  static int next(int bound) {{
    state = state * 1103515245 + 12345;
    return (state >>> 16) % bound;
  }}

  /** Takes time, as long as there is some, and is a number from 0 to 2. */
  static int tick() {{
    if (fuel > 0) {{
      fuel--;
      Watch.tick();
    }}
    return next(3);
  }}

  static class Thrown extends RuntimeException {{
    Thrown() {{
      super(null, null, false, false);
      Watch.see(this);
    }}
  }}

  static class Node implements Cloneable {{
    Node a, b;
    Node[] many;
    int number;
    long wide;

    Node(int born, Node a, Node b) {{
      Watch.see(this, born);
      this.a = a;
      if (next(4) == 0) tick();
      if (next(12) == 0) throw new Thrown();
      this.b = b;
    }}

    Node with(Node a) {{
      this.a = a;
      return this;
    }}

    Node late(int n, Node b) {{
      if (n == 1) tick();
      this.b = b;
      return b;
    }}

    Node copy() {{
      try {{
        return Watch.see((Node) clone());
      }} catch (CloneNotSupportedException e) {{
        throw new AssertionError(e);
      }}
    }}

    @Override
    public String toString() {{
      tick();
      return "n" + number;
    }}
  }}

  static Node first(Node a, Node b) {{
    if (next(3) == 0) tick();
    return a;
  }}

  static Node later(Node a, Node b, Node c) {{
    a = null;
    tick();
    return next(2) == 0 ? b : c;
  }}

  static Node pass(Node a) {{
    tick();
    return a;
  }}

  static Node lost(Node a) {{
    tick();
    if (next(3) == 0) throw new Thrown();
    return a;
  }}

  static int read(int n, Node a, int m) {{
    return a == null ? n + m : a.number;
  }}
"""
_TAIL = """
  static void run(int seed) {{
    fuel = {fuel};
    state = seed;
    for (int k = 0; k < 4; k++) {{
      try {{
        m0(2, null, k == 0 ? null : kept0);
      }} catch (Thrown | NullPointerException e) {{
        tick();
      }}
    }}
  }}

  public static void main(String[] args) throws Exception {{
    Watch.begin(args);
    run({seed});
    Watch.end();
    System.exit(0);
  }}
}}
"""


def generated_lives(name: str, seed: int, fuel: int = 60) -> str:
    """The source of a program, a class of this name beside `Watch`, that ticks `fuel` times."""
    return _Program(name, seed).source(seed, fuel)


# In these forms @e is any expression, @o one that is not null, @l one without operands, @c a
# condition, @n a number, @v a variable, @m the number of a method, @w the beginning of `new`, and
# @u a number of its own.
_LEAVES = ["@v", "@v", "s", "(Node) null", "kept0", "kept1", "first(s, p)", "@s"]
_SIMPLE = "@wnull, null)"
_EXPRESSIONS = [
    "@w@e, @e)",
    "@w@e, @l)",
    "@w@l, @l)",
    "pass(@e)",
    "lost(@e)",
    "first(@e, @e)",
    "later(@e, @e, @l)",
    "later(pass(@e), @v, @v = @e)",
    "(@v = @e)",
    "(@c ? @e : @e)",
    "@o.a",
    "@o.with(@e)",
    "@o.late(tick(), @e)",
    "(@o.b = @e)",
    "new Node[] {@e, @e, @l}[tick()]",
    "@o.copy().with(@e)",
    "((Supplier<Node>) () -> pass(s)).get()",
    "List.of(@o, @o).get(tick() & 1)",
    "switch (tick()) { case 0 -> @e; case 1 -> @e; default -> s; }",
    "((Node) @e instanceof N2 n@u ? n@u.with(@e) : @s)",
    "m@m(depth - 1, @e, @e)",
]
_CONDITIONS = [
    "next(2) == 0",
    "(Node) @e == @e",
    "@e == null",
    "(Node) @e instanceof N1",
    "tick() == 1",
]
_NUMBERS = ["1", "tick()", "read(tick(), @e, tick())", "(next(2) == 0 ? tick() : 2)"]
_STATEMENTS = [
    "@v = @e",
    "@v = @e",
    "@v = @e",
    "@v = null; tick()",
    "@o.a = @e",
    "@o.number += tick()",
    "@o.wide += @n",
    "@o.wide++",
    "@o.number = read(tick(), @e, tick())",
    "@o.b = @o.a = @e",
    "kept0 = @e",
    "kept1 = kept0 = @e",
    "@o.many = new Node[] {@e, @e, null}",
    "(new Node[2][@n + 1])[0] = new Node[] {@e}",
    "new Node[] {@e, null, null}[tick()] = @e",
    "new long[] {tick(), 1L, 2L}[read(0, @e, 0) % 3] += read(tick(), @e, tick())",
    "@o.late(tick(), @o).late(@n, @e)",
    'String.valueOf(@e + "" + @e)',
]
_BLOCKS = [
    "if (@c) {\n@b} else {\n@b}",
    "for (int i@u = next(3); i@u >= 0; i@u--) {\n@b}",
    "try {\n@b} catch (Thrown | NullPointerException e@u) {\n@b}",
    "try {\n@b} catch (Thrown e@u) {\n@b} finally {\n@b}",
    "synchronized (@o) {\n@b}",
    "Node v@u = @e;\n{\n@b}",
]
_FORMS = {"@l": _LEAVES, "@s": [_SIMPLE], "@c": _CONDITIONS, "@n": _NUMBERS}


class _Program:
    def __init__(self, name: str, seed: int) -> None:
        self.name = name
        self.random = Random(seed)  # noqa: S311 (programs, not secrets)
        self.variables: list[str] = []
        self.count = 0

    def source(self, seed: int, fuel: int) -> str:
        classes = "".join(
            f"  static final class N{k} extends Node {{\n"
            f"    N{k}(int born, Node a, Node b) {{ super(born, a, b); }}\n  }}\n"
            for k in range(_CLASSES)
        )
        methods = "".join(self.method(k) for k in range(_METHODS))
        head = _HEAD.format(name=self.name)
        return head + classes + methods + _TAIL.format(seed=seed % 10_000, fuel=fuel)

    def method(self, number: int) -> str:
        self.variables = ["p", "q"]
        return (
            f"\n  static Node m{number}(int depth, final Node s, Node p) {{\n"
            f"    Node q = s;\n    if (depth == 0) return pass(p);\n{self.block(2)}"
            f"    return {self.expand('@e', 3)};\n  }}\n"
        )

    def block(self, depth: int) -> str:
        known = list(self.variables)
        text = ""
        for _ in range(self.random.randint(1, 3)):
            if depth > 0 and self.random.random() < 0.4:
                text += self.expand(self.random.choice(_BLOCKS), depth) + "\n"
            else:
                text += self.expand(self.random.choice(_STATEMENTS), 3) + ";\n"
        self.variables = known
        return text

    def expand(self, form: str, depth: int) -> str:
        """The form with all its places filled, with expressions less deep than `depth`."""
        self.count += 1
        own = self.count
        names = [match[1:] for match in re.findall(r"v@u", form)]

        def fill(match: re.Match[str]) -> str:
            return str(own) if match[0] == "@u" else self.place(match[0], depth - 1)

        text = re.sub(r"@\w", fill, form)
        if names:
            self.variables.append(f"v{own}")
        return text

    def place(self, place: str, depth: int) -> str:
        choose = self.random.choice
        if place == "@e":
            text = self.expand(choose(_EXPRESSIONS if depth > 0 else _LEAVES), depth)
        elif place == "@o":
            default = self.place("@s", 0)
            text = f"Objects.requireNonNullElseGet({self.place('@e', depth)}, () -> {default})"
        elif place in _FORMS:
            text = self.expand(choose(_FORMS[place]), depth if place in "@c @n" else 0)
        elif place == "@b":
            text = self.block(depth)
        elif place == "@v":
            text = choose(self.variables)
        elif place == "@m":
            text = str(self.random.randrange(_METHODS))
        else:
            kind = self.random.randrange(_CLASSES)
            text = f'new N{kind}(Watch.born("{self.name}$N{kind}"), '
        return text
