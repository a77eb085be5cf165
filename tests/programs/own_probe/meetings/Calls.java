import io.jvmscope.snippet.After;
import io.jvmscope.snippet.Argument;
import io.jvmscope.snippet.AtEnd;
import io.jvmscope.snippet.Before;
import io.jvmscope.snippet.Context;
import io.jvmscope.snippet.ContextState;
import io.jvmscope.snippet.Counter;
import io.jvmscope.snippet.Each;
import io.jvmscope.snippet.Point;
import io.jvmscope.snippet.ThreadState;

/** Counts calls by their argument, and at the end what states have come to. */
final class Calls {
  static final Counter CALLS = Counter.of("met_call.n_calls");
  static final ContextState RETURNS = new ContextState();
  static final ThreadState OF_THREAD = new ThreadState();

  @Before(value = Point.BODY, scope = "Meetings.*t")
  static void call(Context context, @Argument(0) int n) {
    CALLS.add(context, 1, n);
    OF_THREAD.set(OF_THREAD.get() + 1);
  }

  @After(value = Point.BODY, scope = "Meetings.*t")
  static void end(Context context) {
    RETURNS.set(context, RETURNS.get(context) + 1);
  }

  @AtEnd
  static void atEnd(Context context) {
    if (RETURNS.get(context) > 0) {
      CALLS.add(context, RETURNS.get(context), -1);
    }
  }

  @AtEnd(Each.THREAD)
  static void atEndOfThread(Context context) {
    CALLS.add(context, OF_THREAD.get(), -2);
  }
}
