import io.jvmscope.snippet.AtEnd;
import io.jvmscope.snippet.Before;
import io.jvmscope.snippet.Context;
import io.jvmscope.snippet.Counter;
import io.jvmscope.snippet.Point;

/** Counts under keys that calls have with and without an array, each three times. */
class KeyShapes {
  static final Counter N = Counter.of("key_shape.n_events");
  static final Integer BOXED = 7;
  static final Class<?> NONE = null;

  @Before(value = Point.BODY, scope = "Points.main")
  static void count(Context context) {
    for (int round = 0; round < 3; round++) {
      N.add(context, 1, 7, String.class);
      N.add(context, 1, BOXED, String.class);
      N.add(context, 1, 7L, String.class);
      N.add(context, 1, -1, String.class);
      N.add(context, 1, 'A', Object.class);
      N.add(context, 1, round < 2 ? 1 : 2, Object.class); // branches
      N.add(context, 1, new int[] {5}[0] + round, Object.class); // makes an array
      N.add(context, 1, Integer.MIN_VALUE, Thread.class);
      N.add(context, 1, 8, int[].class);
      N.add(context, 1, 8, NONE);
      N.add(context, 1, null, NONE);
      Object[] keys = {3, Thread.class};
      N.add(context, 1, keys);
      for (int k = 100; k < 5100; k++) {
        N.add(context, 1, k, String.class);
      }
    }
  }

  @Before(value = Point.BODY, scope = "Points.main")
  static void wrong(Context context) {
    N.add(context, 1, (Object) String.class, (Object) 7);
  }

  @Before(value = Point.BODY, scope = "Points.main")
  static void three(Context context) {
    N.add(context, 1, new Object[] {1, String.class, 2});
  }

  @AtEnd
  static void end(Context context) {
    N.add(context, 2, 9, null);
  }
}
