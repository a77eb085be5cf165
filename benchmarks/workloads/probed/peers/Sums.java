import org.openjdk.btrace.core.BTraceUtils;
import org.openjdk.btrace.core.annotations.BTrace;
import org.openjdk.btrace.core.annotations.Duration;
import org.openjdk.btrace.core.annotations.Kind;
import org.openjdk.btrace.core.annotations.Location;
import org.openjdk.btrace.core.annotations.OnMethod;
import org.openjdk.btrace.core.annotations.OnTimer;

/** A BTrace script that counts and sums; threads would lose counts of each other. */
@BTrace
public class Sums {
  private static long calls;
  private static long total;

  @OnMethod(clazz = "Probed", method = "plain", location = @Location(Kind.RETURN))
  public static void returned(@Duration long duration) {
    calls++;
    total += duration;
  }

  @OnTimer(1000)
  public static void tell() {
    BTraceUtils.println(BTraceUtils.strcat("calls ", BTraceUtils.str(calls)));
  }
}
