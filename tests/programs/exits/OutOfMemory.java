import java.util.ArrayList;
import java.util.List;

/** OutOfMemoryError, once caught and once not. */
public final class OutOfMemory {
  private static long[] allocate(int n) { // expect: calls=3
    return new long[n]; // expect: executions=3
  }

  public static void main(String[] args) {
    List<long[]> kept = new ArrayList<>();
    kept.add(allocate(1000));
    try {
      kept.add(allocate(Integer.MAX_VALUE));
      System.out.println("never"); // expect: executions=0
    } catch (OutOfMemoryError e) {
      System.out.println("caught " + kept.size()); // expect: executions=1
    }
    kept.add(allocate(Integer.MAX_VALUE)); // expect: exit=1 executions=1
    System.out.println("never"); // expect: executions=0
  }
}
