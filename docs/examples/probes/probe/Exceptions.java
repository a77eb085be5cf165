import io.jvmscope.snippet.AfterThrowing;
import io.jvmscope.snippet.Context;
import io.jvmscope.snippet.Counter;
import io.jvmscope.snippet.Point;
import io.jvmscope.snippet.Thrown;

/** Counts the exceptions with which methods end. */
final class Exceptions {
  static final Counter EXCEPTIONS = Counter.of("thrown.n_exceptions");

  @AfterThrowing(Point.BODY)
  static void end(Context context, @Thrown Throwable exception) {
    EXCEPTIONS.add(context, 1, exception.getClass());
  }
}
