import org.openjdk.btrace.core.BTraceUtils;
import org.openjdk.btrace.core.aggregation.Aggregation;
import org.openjdk.btrace.core.aggregation.AggregationFunction;
import org.openjdk.btrace.core.annotations.BTrace;
import org.openjdk.btrace.core.annotations.Duration;
import org.openjdk.btrace.core.annotations.Kind;
import org.openjdk.btrace.core.annotations.Location;
import org.openjdk.btrace.core.annotations.OnMethod;
import org.openjdk.btrace.core.annotations.OnTimer;

/** A BTrace script that keeps a histogram. */
@BTrace
public class Histogram {
  private static Aggregation durations =
      BTraceUtils.Aggregations.newAggregation(AggregationFunction.QUANTIZE);

  @OnMethod(clazz = "Probed", method = "plain", location = @Location(Kind.RETURN))
  public static void returned(@Duration long duration) {
    BTraceUtils.Aggregations.addToAggregation(durations, duration);
  }

  @OnTimer(1000)
  public static void tell() {
    BTraceUtils.Aggregations.printAggregation("histogram", durations);
  }
}
