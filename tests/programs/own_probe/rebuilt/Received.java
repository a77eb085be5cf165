import io.jvmscope.snippet.Before;
import io.jvmscope.snippet.Context;
import io.jvmscope.snippet.Counter;
import io.jvmscope.snippet.Place;
import io.jvmscope.snippet.Point;
import io.jvmscope.snippet.Receiver;
import io.jvmscope.snippet.Site;

/** Counts the classes of receivers, of calls that the receiver's class decides. */
final class Received {
  static final Counter CALLS = Counter.of("received.n_calls");

  @Before(value = Point.CALL, guard = "isDispatched")
  static void call(Context context, @Place int call, @Receiver Object receiver) {
    if (receiver != null) {
      CALLS.add(context, 1, call, receiver.getClass());
    }
  }

  static boolean isDispatched(Site site) {
    return site.opcode().equals("invokevirtual") || site.opcode().equals("invokeinterface");
  }
}
