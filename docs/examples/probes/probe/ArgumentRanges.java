import io.jvmscope.snippet.Argument;
import io.jvmscope.snippet.Before;
import io.jvmscope.snippet.Context;
import io.jvmscope.snippet.Counter;
import io.jvmscope.snippet.Index;
import io.jvmscope.snippet.Point;

/** Counts whole-numbered arguments of methods by their magnitude. */
final class ArgumentRanges {
  static final Counter PASSES = Counter.of("argument_range.n_passes");

  @Before(Point.BODY)
  static void pass(Context context, @Argument long value, @Index int parameter) {
    int magnitude = 64 - Long.numberOfLeadingZeros(value < 0 ? -value : value);
    PASSES.add(context, 1, parameter, magnitude);
  }
}
