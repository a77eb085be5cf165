import io.jvmscope.snippet.AtEnd;
import io.jvmscope.snippet.Argument;
import io.jvmscope.snippet.Before;
import io.jvmscope.snippet.Context;
import io.jvmscope.snippet.ContextState;
import io.jvmscope.snippet.Counter;
import io.jvmscope.snippet.Point;

/** Snippets that fail in every way that the compiler lets through, one for a method of Victim. */
class Attack {
  static final Counter N = Counter.of("attack.n_events");
  static final ContextState SEEN = new ContextState();
  static final Object LOCK = new Object();
  static Context kept;

  static class Broken {
    static int number = Integer.parseInt("x");
  }

  static int endless(int n) {
    return endless(n + 1) + 1;
  }

  @Before(value = Point.BODY, scope = "Victim.recursion")
  static void recursion(Context context) {
    N.add(context, 1, "recursion");
    endless(0);
  }

  @Before(value = Point.BODY, scope = "Victim.memory")
  static void memory(Context context) {
    N.add(context, 1, "memory " + new long[Integer.MAX_VALUE].length);
  }

  @Before(value = Point.BODY, scope = "Victim.broken")
  static void broken(Context context) {
    Broken.number++;
  }

  @Before(value = Point.BODY, scope = "Victim.locked")
  static void locked(Context context) {
    synchronized (LOCK) {
      N.add(context, 1, "locked");
    }
  }

  @Before(value = Point.BODY, scope = "Victim.kept")
  static void keep(Context context) {
    if (kept != null) {
      N.add(kept, 1, "kept");
    }
    kept = context;
  }

  @Before(value = Point.BODY, scope = "Victim.thrown")
  static void thrown(Context context) throws Throwable {
    throw new Throwable("any");
  }

  @Before(value = Point.BODY, scope = "Victim.type")
  static void type(Context context) {
    N.add(context, 1, (Object) 5);
  }

  @Before(value = Point.BODY, scope = "Victim.none")
  static void none(Context context) {
    N.add(context, 1, new Object[0]);
  }

  @Before(value = Point.BODY, scope = "Victim.nothing")
  static void nothing(Context context) {
    N.add(null, 1, "nothing");
  }

  @Before(value = Point.BODY, scope = "Victim.negative")
  static void negative(Context context) {
    N.add(context, -1, "negative");
  }

  @Before(value = Point.BODY, scope = "Victim.large")
  static void large(Context context) {
    SEEN.set(context, 2);
    N.add(context, Long.MAX_VALUE, "large");
    N.add(context, 1, "large");
  }

  @Before(value = Point.BODY, scope = "Victim.calledBack")
  static void callBack(Context context, @Argument(0) Runnable program) {
    program.run();
    N.add(context, 1, "called back");
  }

  @Before(value = Point.BODY, scope = "Victim.deep")
  static void deep(Context context) {
    SEEN.set(context, 1);
  }

  @AtEnd
  static void end(Context context) {
    if (SEEN.get(context) == 2) {
      throw new IllegalStateException("at the end");
    }
  }
}
