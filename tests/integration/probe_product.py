"""Every moment of a snippet at every point of code, in every shape of a method around it.

The program has a method for each point and shape, which is called twice so that the point ends
normally, and three times so that it throws. What each combination has to count follows by hand.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["MOMENTS", "POINTS", "PROGRAM", "SHAPES", "SNIPPETS", "TABLE", "expected"]

_NORMALLY, _THROWING = 2, 3

MOMENTS = {"Before": "before", "After": "after", "AfterThrowing": "throwing"}


@dataclass(frozen=True)
class _Point:
    """A statement with one instruction of a kind, and what has to be wrong for it to throw."""

    code: str
    thrown: str
    bad: str  # what the arguments are when it throws


_ARITHMETIC = "java.lang.ArithmeticException"
_NULL = "java.lang.NullPointerException"
POINTS = {
    "BODY": _Point("n = 10 / n;", _ARITHMETIC, "p, a, 0"),
    "BLOCK": _Point("n = 10 / n;", _ARITHMETIC, "p, a, 0"),
    "CALL": _Point("n = Product.touch(n);", _ARITHMETIC, "p, a, 0"),
    "FIELD_READ": _Point("n = p.field;", _NULL, "null, a, 1"),
    "FIELD_WRITE": _Point("p.field = n;", _NULL, "null, a, 1"),
    "ARRAY_READ": _Point("n = a[1];", _NULL, "p, null, 1"),
    "ARRAY_WRITE": _Point("a[n] = n;", "java.lang.ArrayIndexOutOfBoundsException", "p, a, 9"),
    "ALLOCATION": _Point("a = new int[n];", "java.lang.NegativeArraySizeException", "p, a, -1"),
    "MONITOR_ENTER": _Point("synchronized (p) { n++; }", _NULL, "null, a, 1"),
    "MONITOR_EXIT": _Point("synchronized (p) { n = 10 / n; }", _ARITHMETIC, "p, a, 0"),
}

# Methods that have the statement in them; a class for constructors.
SHAPES = {
    "plain": "static void run(Product p, int[] a, int n) { CODE }",
    "caught": (
        "static void run(Product p, int[] a, int n) "
        "{ try { CODE } catch (RuntimeException e) { n = 1; } }"
    ),
    "other": (
        "static void run(Product p, int[] a, int n) "
        "{ try { CODE } catch (IllegalStateException e) { n = 1; } }"
    ),
    "always": "static void run(Product p, int[] a, int n) { try { CODE } finally { n = 1; } }",
    "twice": (
        "static void run(Product p, int[] a, int n) { try { try { CODE } "
        "catch (IllegalStateException e) { n = 1; } } catch (RuntimeException e) { n = 2; } }"
    ),
    "locked": "static synchronized void run(Product p, int[] a, int n) { CODE }",
    "wide": "long run(Product p, int[] a, int n) { double d = n; CODE return (long) d + n; }",
    "made": "MADE(Product p, int[] a, int n) { CODE }",
    "early": "MADE(Product p, int[] a, int n) { super(FIRST); }",
}

# The statements of shapes that have them before the superclass's constructor is called.
_EARLY = {
    "BODY": "10 / n", "CALL": "Product.touch(n)", "FIELD_READ": "p.field", "ARRAY_READ": "a[1]",
    "ALLOCATION": "new int[n].length",
}  # fmt: skip

TABLE = """/**
 * @table        product_event
 * @description  What happened at each point, in each method.
 * @order        context_id, moment, point, owner, thrown
 * @within       context
 */
CREATE TABLE product_event (
    context_id  INTEGER NOT NULL REFERENCES context (context_id),  -- node
    moment      VARCHAR NOT NULL,  -- before, after or throwing
    point       VARCHAR NOT NULL,  -- kind of point
    owner       VARCHAR NOT NULL,  -- class whose code it is
    thrown      VARCHAR,           -- class of the exception; null: none
    n_events    BIGINT NOT NULL    -- how often [event]
);
"""


def _cases() -> list[tuple[str, str]]:
    return [
        (point, shape)
        for point in POINTS
        for shape in SHAPES
        if shape != "early" or point in _EARLY
    ]


def _program() -> str:
    classes, calls = [], []
    for point, shape in _cases():
        name = f"{point}_{shape}"
        text = SHAPES[shape].replace("MADE", name).replace("CODE", POINTS[point].code)
        text = text.replace("FIRST", _EARLY.get(point, ""))
        extends = " extends Product" if shape == "early" else ""
        classes.append(f"class {name}{extends} {{ {text} }}")
        for count, arguments in ((_NORMALLY, "p, a, 1"), (_THROWING, POINTS[point].bad)):
            call = f"{name}.run({arguments})"
            if shape in ("made", "early"):
                call = f"new {name}({arguments})"
            elif shape == "wide":
                call = f"new {name}().run({arguments})"
            calls.append(
                f"for (int k = 0; k < {count}; k++) try {{ {call}; }} "
                "catch (RuntimeException e) { }"
            )
    body = "\n    ".join(calls)
    return (
        "public class Product {\n  int field;\n  Product(int n) { field = n; }\n"
        "  static int touch(int n) { return 10 / n; }\n"
        "  static void main() {\n    Product p = new Product(1);\n    int[] a = new int[3];\n"
        f"    {body}\n  }}\n}}\n" + "\n".join(classes) + "\n"
    )


def _snippets() -> str:
    methods = []
    for moment, name in MOMENTS.items():
        for point in (*POINTS, "HANDLER"):
            if point == "HANDLER" and moment != "Before":
                continue
            thrown = ', "' + point + '", owner, '
            told = ""
            if moment == "AfterThrowing":
                told, value = ", @Thrown Throwable e", "e.getClass().getName()"
            else:
                value = "null"
            methods.append(
                f'  @{moment}(value = Point.{point}, scope = "{point}_*", guard = "isMeant")\n'
                f"  static void {name}{point}(Context context, "
                f"@Static(Fact.CLASS) String owner{told}) {{\n"
                f'    EVENTS.add(context, 1, "{name}"{thrown}{value});\n  }}\n'
            )
    return (
        "import io.jvmscope.snippet.*;\n\nclass ProductEvents {\n"
        '  static final Counter EVENTS = Counter.of("product_event.n_events");\n\n'
        + "\n".join(methods)
        + """
  static boolean isMeant(Site site) {
    boolean isClass = site.className().endsWith("made") || site.className().endsWith("early");
    return site.method().equals(isClass ? "<init>" : "run");
  }
}
"""
    )


PROGRAM = _program()
SNIPPETS = _snippets()


def expected() -> dict[tuple[str, str, str | None], int]:
    """What is counted, by moment, class and exception; of basic blocks only what throws."""
    found: dict[tuple[str, str, str | None], int] = {}
    for point, shape in _cases():
        owner = f"{point}_{shape}"
        thrown = _THROWING
        if point == "BLOCK":  # `finally` throws again
            times = 2 if shape == "always" else 1
            found["throwing", owner, POINTS[point].thrown] = times * thrown
            continue
        normally = _NORMALLY
        if point == "BODY" and shape in ("caught", "twice"):
            thrown, normally = 0, _NORMALLY + _THROWING
        if point == "MONITOR_EXIT":  # both ways lead through one
            thrown, normally = 0, _NORMALLY + _THROWING
        before = thrown + normally
        if point == "CALL" and shape == "made":  # the superclass's constructor
            before, normally = before + 5, normally + 5
        elif point == "CALL" and shape == "early":
            before, normally = before + _NORMALLY, normally + _NORMALLY
        found["before", owner, None] = before
        found["after", owner, None] = normally
        found["throwing", owner, POINTS[point].thrown] = thrown
    return {key: count for key, count in found.items() if count}
