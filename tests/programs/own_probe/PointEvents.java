import io.jvmscope.snippet.After;
import io.jvmscope.snippet.AfterThrowing;
import io.jvmscope.snippet.Argument;
import io.jvmscope.snippet.AtEnd;
import io.jvmscope.snippet.Before;
import io.jvmscope.snippet.Context;
import io.jvmscope.snippet.ContextState;
import io.jvmscope.snippet.Counter;
import io.jvmscope.snippet.Each;
import io.jvmscope.snippet.Fact;
import io.jvmscope.snippet.Place;
import io.jvmscope.snippet.Point;
import io.jvmscope.snippet.Receiver;
import io.jvmscope.snippet.Result;
import io.jvmscope.snippet.Static;
import io.jvmscope.snippet.ThreadState;
import io.jvmscope.snippet.Thrown;

class PointEvents {
  static final Counter EVENTS = Counter.of("point_event.n_events");
  static final ContextState CALLS = new ContextState();
  static final ThreadState DEPTH = new ThreadState();
  static final ThreadState MOST = new ThreadState();

  private static void add(Context context, String point, Object detail) {
    EVENTS.add(context, 1, point, detail == null ? null : detail.toString());
  }

  @Before(value = Point.BODY, scope = "Points.work")
  static void beforeBody(
      Context context, @Receiver Object self, @Argument(0) int n, @Argument(1) String text) {
    add(context, "before body", self.getClass().getName() + " " + n + " " + text);
  }

  @After(value = Point.BODY, scope = "Points.work")
  static void afterBody(Context context, @Result long result) {
    add(context, "after body", result);
  }

  @AfterThrowing(value = Point.BODY, scope = "Points.*")
  static void afterThrowing(Context context, @Thrown Throwable thrown, @Static(Fact.METHOD) String in) {
    add(context, "after throwing", in + " " + thrown.getMessage());
  }

  @Before(value = Point.BLOCK, scope = "Points.fail")
  static void beforeBlock(Context context) {
    add(context, "before block", null);
  }

  @Before(value = Point.CALL, scope = "Points.work")
  static void beforeCall(Context context, @Receiver String text, @Static(Fact.TARGET) String target) {
    add(context, "before call", text + " " + target);
  }

  @After(value = Point.CALL, scope = "Points.main")
  static void afterCall(
      Context context, @Argument(0) int n, @Argument(1) Object text, @Result int result) {
    add(context, "after call", n + " " + text + " " + result);
  }

  @Before(value = Point.FIELD_WRITE, scope = "Points.work")
  static void beforeWrite(Context context, @Argument(0) long value, @Static(Fact.TARGET) String field) {
    add(context, "before field write", field + " " + value);
  }

  @After(value = Point.FIELD_READ, scope = "Points.work")
  static void afterRead(Context context, @Result int value, @Static(Fact.OPCODE) String opcode) {
    add(context, "after field read", opcode + " " + value);
  }

  @Before(value = Point.ARRAY_WRITE, scope = "Points.work")
  static void beforeStore(
      Context context, @Receiver int[] array, @Argument(0) int at, @Argument(1) int value) {
    add(context, "before array write", array.length + " " + at + " " + value);
  }

  @After(value = Point.ARRAY_READ, scope = "Points.work")
  static void afterLoad(Context context, @Argument(0) int at, @Result int value) {
    add(context, "after array read", at + " " + value);
  }

  @After(value = Point.ALLOCATION, scope = "Points.<clinit>")
  static void afterAllocation(Context context, @Argument(0) int length, @Result int[] made) {
    add(context, "after allocation", length + " " + made.length);
  }

  @Before(value = Point.ALLOCATION, scope = "Points.fail")
  static void beforeAllocation(Context context, @Static(Fact.TARGET) String type) {
    add(context, "before allocation", type);
  }

  @Before(value = Point.MONITOR_ENTER, scope = "Points.work")
  static void beforeMonitor(Context context, @Receiver Object monitor) {
    add(context, "before monitor", monitor.getClass().getName());
  }

  @After(value = Point.MONITOR_EXIT, scope = "Points.work")
  static void afterMonitor(Context context, @Receiver Object monitor) {
    add(context, "after monitor", monitor.getClass().getName());
  }

  @Before(value = Point.HANDLER, scope = "Points.work")
  static void beforeHandler(Context context, @Thrown Throwable caught, @Place int place) {
    add(context, "before handler", caught.getClass().getName());
  }

  @Before(value = Point.BODY, scope = "Points.depth")
  static void enter(Context context) {
    DEPTH.set(DEPTH.get() + 1);
    CALLS.set(context, CALLS.get(context) + DEPTH.get());
    add(context, "depth", CALLS.get(context));
    MOST.set(Math.max(MOST.get(), DEPTH.get()));
  }

  @AtEnd
  static void end(Context context) {
    if (CALLS.get(context) > 0) {
      add(context, "at the end", CALLS.get(context) + " of " + MOST.get());
    }
  }

  @AtEnd(Each.THREAD)
  static void endOfThread(Context context) {
    add(context, "at the end of a thread", MOST.get());
    throw new IllegalStateException("nothing more");
  }

  @After(value = Point.BODY, scope = "Points.depth")
  static void leave() {
    DEPTH.set(DEPTH.get() - 1);
    if (DEPTH.get() == 0) {
      throw new UnsupportedOperationException("out");
    }
  }
}
