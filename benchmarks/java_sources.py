"""Generates Java source files of realistic variety, always the same, for javac to compile."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["generate"]

_NOUNS = (
    *("Order", "Account", "Ledger", "Route", "Parcel", "Sensor"),
    *("Invoice", "Ticket", "Vessel", "Tariff", "Session", "Recipe"),
)
_FIELDS = (
    *("amount", "weight", "label", "code", "price"),
    *("total", "origin", "target", "rank", "shade"),
)
_KINDS = ("Fact", "Service", "Tree", "Kind", "Store")
_TYPES = ["int", "long", "String", "double", "List<String>", "Map<String, Integer>"]


def generate(folder: Path, count: int = 300) -> list[Path]:
    """Writes `count` source files below `folder` and returns them, sorted.

    Every five files in a row are a package of their own, and need no other.
    """
    rng = random.Random(20_240_229)  # noqa: S311
    makers: list[Callable[[random.Random, str, str | None], str]] = [
        _record,
        _service,
        _tree,
        _enumeration,
        _generic,
    ]
    written: list[Path] = []
    previous: str | None = None
    for i in range(count):
        kind = i % len(makers)
        name = (
            f"{_NOUNS[i % len(_NOUNS)]}{('Fact', 'Service', 'Tree', 'Kind', 'Store')[kind]}{i:03d}"
        )
        package = f"made.p{i // len(makers):02d}"
        body = makers[kind](rng, name, previous)
        path = folder / package.replace(".", "/") / f"{name}.java"
        path.parent.mkdir(parents=True, exist_ok=True)
        imports = "import java.util.*;\nimport java.util.function.*;\nimport java.util.stream.*;\n"
        path.write_text(f"package {package};\n\n{imports}\n{body}", encoding="utf-8")
        written.append(path)
        if kind == 0:
            previous = f"{package}.{name}"
    return sorted(written)


def _record(rng: random.Random, name: str, _previous: str | None) -> str:
    types = ["int", "String", *rng.sample(_TYPES, 2)]
    fields = list(zip(types, rng.sample(_FIELDS, 4), strict=True))
    number, text = fields[0][1], fields[1][1]
    header = ", ".join(f"{kind} {field}" for kind, field in fields)
    return f"""/** A fact about {name}. */
public record {name}({header}) implements Comparable<{name}> {{
  private static final int LIMIT = {rng.randrange(100, 9000)};

  public {name} {{
    Objects.requireNonNull({text}, "{text}");
    if ({number} < 0 || {number} > LIMIT) {{
      throw new IllegalArgumentException("{number} " + {number} + " not in 0.." + LIMIT);
    }}
  }}

  @Override
  public int compareTo({name} other) {{
    return Comparator.comparingInt({name}::{number})
        .thenComparing({name}::{text})
        .compare(this, other);
  }}

  public String describe() {{
    return "{name}[" + {number} + ", " + {text} + "]";
  }}

  public static int parse(String line) {{
    String[] parts = line.split("{rng.choice(";,")}");
    int sum = 0;
    for (String part : parts) {{
      try {{
        sum += Integer.parseInt(part.strip()) % {rng.randrange(3, 97)};
      }} catch (NumberFormatException e) {{
        sum -= part.length();
      }}
    }}
    return sum;
  }}
}}
"""


def _service(rng: random.Random, name: str, previous: str | None) -> str:
    steps = "\n".join(_method(rng, i) for i in range(rng.randrange(4, 9)))
    calls = "".join(f"    sum += step{i}(input, sum);\n" for i in range(4))
    foreign = f'    sum += {previous}.parse("1;2;x");\n' if previous else ""
    return f"""public final class {name} {{
  private final Map<String, List<Integer>> cache = new HashMap<>();
  private int hits;

{steps}
  public long run(int[] input) {{
    long sum = 0;
{calls}{foreign}    synchronized (cache) {{
      cache.computeIfAbsent("k" + sum % 10, k -> new ArrayList<>()).add((int) sum);
    }}
    return sum + hits;
  }}
}}
"""


_BODIES = (
    """\
    for (int i = 0; i < input.length; i++) {
      seed = (input[i] & 1) == 0 ? seed * %d + i : seed ^ (input[i] << %d);
    }
    return seed;
""",
    """\
    return IntStream.of(input)
        .filter(x -> x > %d)
        .mapToLong(x -> x * Integer.bitCount(x))
        .sum() %% %d;
""",
    """\
    int low = 0;
    int high = input.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (input[middle] < %d) {
        low = middle + 1;
      } else if (input[middle] > %d) {
        high = middle - 1;
      } else {
        hits++;
        return middle;
      }
    }
    return -low;
""",
    """\
    StringBuilder text = new StringBuilder();
    for (int x : input) {
      text.append(x %% %d == 0 ? "a" : "bc").append(x);
    }
    return cache.getOrDefault(text.toString(), List.of(%d)).get(0);
""",
    """\
    return switch ((int) (seed %% 5)) {
      case 0 -> input.length * %dL;
      case 1, 2 -> {
        long best = Long.MIN_VALUE;
        for (int x : input) {
          best = Math.max(best, x);
        }
        yield best;
      }
      default -> -%d;
    };
""",
)


def _method(rng: random.Random, number: int) -> str:
    body = rng.choice(_BODIES) % (rng.randrange(2, 60), rng.randrange(2, 30))
    return f"  private long step{number}(int[] input, long seed) {{\n{body}  }}\n"


def _tree(rng: random.Random, name: str, _previous: str | None) -> str:
    leaves = "\n".join(
        f"  record Leaf{i}(int value) implements Node {{\n    public int weight() {{\n"
        f"      return value * {rng.randrange(2, 50)};\n    }}\n  }}\n"
        for i in range(rng.randrange(2, 5))
    )
    return f"""public class {name} {{
  interface Node {{
    int weight();

    default Node merge(Node other) {{
      return new Branch(this, other);
    }}
  }}

{leaves}
  record Branch(Node left, Node right) implements Node {{
    public int weight() {{
      return left.weight() + right.weight() + {rng.randrange(100)};
    }}
  }}

  static int visit(Object node, Deque<String> path) {{
    if (node instanceof Branch branch) {{
      path.push("branch");
      int sum = visit(branch.left(), path) + visit(branch.right(), path);
      path.pop();
      return sum;
    }}
    return node instanceof Leaf0 leaf ? leaf.value() : ((Node) node).weight();
  }}

  class Cursor implements Iterator<Node> {{
    private final Deque<Node> rest = new ArrayDeque<>();

    Cursor(Node root) {{
      rest.add(root);
    }}

    public boolean hasNext() {{
      return !rest.isEmpty();
    }}

    public Node next() {{
      Node node = rest.pop();
      if (node instanceof Branch branch) {{
        rest.push(branch.right());
        rest.push(branch.left());
      }}
      return node;
    }}
  }}
}}
"""


def _enumeration(rng: random.Random, name: str, _previous: str | None) -> str:
    constants = ",\n".join(
        f'  {field.upper()}({rng.randrange(1000)}, "{field}") {{\n    int apply(int a, int b) {{\n'
        f"      return a {rng.choice('+-*')} b + {rng.randrange(10)};\n    }}\n  }}"
        for field in rng.sample(_FIELDS, rng.randrange(3, 7))
    )
    return f"""public enum {name} {{
{constants};

  private static final Map<String, {name}> BY_LABEL =
      Arrays.stream(values()).collect(Collectors.toMap(k -> k.label, Function.identity()));

  private final int code;
  private final String label;

  {name}(int code, String label) {{
    this.code = code;
    this.label = label;
  }}

  abstract int apply(int a, int b);

  static Optional<{name}> of(String label) {{
    return Optional.ofNullable(BY_LABEL.get(label)).filter(k -> k.code > {rng.randrange(50)});
  }}

  static int foldAll(int start) {{
    int value = start;
    for ({name} kind : EnumSet.allOf({name}.class)) {{
      value = kind.apply(value, kind.ordinal());
    }}
    return value;
  }}
}}
"""


def _generic(rng: random.Random, name: str, previous: str | None) -> str:
    bound = f"{previous}" if previous and rng.random() < 0.5 else "String"
    return f"""public class {name}<K extends Comparable<? super K>, V> {{
  private static final class Entry<A, B> {{
    final A key;
    B value;
    Entry<A, B> next;

    Entry(A key, B value, Entry<A, B> next) {{
      this.key = key;
      this.value = value;
      this.next = next;
    }}
  }}

  @SuppressWarnings("unchecked")
  private Entry<K, V>[] table = (Entry<K, V>[]) new Entry<?, ?>[{2 ** rng.randrange(3, 7)}];

  public V put(K key, V value) {{
    int slot = key.hashCode() & (table.length - 1);
    for (Entry<K, V> e = table[slot]; e != null; e = e.next) {{
      if (e.key.compareTo(key) == 0) {{
        V old = e.value;
        e.value = value;
        return old;
      }}
    }}
    table[slot] = new Entry<>(key, value, table[slot]);
    return null;
  }}

  public <R> List<R> map(BiFunction<? super K, ? super V, ? extends R> f) {{
    List<R> all = new ArrayList<>();
    for (Entry<K, V> head : table) {{
      for (Entry<K, V> e = head; e != null; e = e.next) {{
        all.add(f.apply(e.key, e.value));
      }}
    }}
    return all;
  }}

  public static {name}<Integer, {bound}> numbered(Collection<? extends {bound}> items) {{
    {name}<Integer, {bound}> store = new {name}<>();
    int i = {rng.randrange(20)};
    for ({bound} item : items) {{
      store.put(i++, item);
    }}
    return store;
  }}

  public TreeMap<K, V> sorted() {{
    TreeMap<K, V> sorted = new TreeMap<>(Comparator.reverseOrder());
    map(sorted::put);
    return sorted;
  }}
}}
"""
