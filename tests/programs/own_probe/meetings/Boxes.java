import io.jvmscope.snippet.Before;
import io.jvmscope.snippet.Context;
import io.jvmscope.snippet.Counter;
import io.jvmscope.snippet.Fact;
import io.jvmscope.snippet.Point;
import io.jvmscope.snippet.Static;

/** Counts what is allocated: a second class of snippets, and a second table. */
final class Boxes {
  static final Counter BOXES = Counter.of("met_box.n_boxes");

  @Before(value = Point.ALLOCATION, scope = "Meetings.*")
  static void allocate(Context context, @Static(Fact.TARGET) String type) {
    BOXES.add(context, 1, type);
  }
}
