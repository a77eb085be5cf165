import io.jvmscope.snippet.Before;
import io.jvmscope.snippet.Context;
import io.jvmscope.snippet.Counter;
import io.jvmscope.snippet.Place;
import io.jvmscope.snippet.Point;
import io.jvmscope.snippet.Thrown;

/** Counts executions of exception handlers by the class of the exception. */
final class Handled {
  static final Counter EXECUTIONS = Counter.of("handled.n_executions");

  @Before(Point.HANDLER)
  static void handle(Context context, @Place int handler, @Thrown Throwable exception) {
    EXECUTIONS.add(context, 1, handler, exception.getClass());
  }
}
