import io.jvmscope.snippet.After;
import io.jvmscope.snippet.Argument;
import io.jvmscope.snippet.Before;
import io.jvmscope.snippet.Context;
import io.jvmscope.snippet.Counter;
import io.jvmscope.snippet.Point;
import io.jvmscope.snippet.Receiver;
import io.jvmscope.snippet.Result;

/** Keeps the objects that it sees, and objects of its own that refer to them. */
final class Keeps {
  static final Counter KEPT = Counter.of("kept.n_kept");
  private static final Object[] SEEN = new Object[64];
  private static int next;

  private static void keep(Context context, Object object) {
    SEEN[next & 31] = object;
    SEEN[32 + (next & 31)] = new Object[] {object, new StringBuilder("beside")};
    next++;
    KEPT.add(context, 1);
  }

  @Before(value = Point.BODY, scope = "Reachable*")
  static void entered(Context context, @Receiver Object receiver) {
    keep(context, receiver);
  }

  @Before(value = Point.CALL, scope = "Reachable*")
  static void passed(Context context, @Argument Object argument) {
    keep(context, argument);
  }

  @After(value = Point.CALL, scope = "Reachable*")
  static void returned(Context context, @Result Object result) {
    keep(context, result);
  }

  @After(value = Point.ALLOCATION, scope = "Reachable*")
  static void made(Context context, @Result Object result) {
    keep(context, result);
  }
}
