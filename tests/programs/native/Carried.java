/** Virtual threads call native methods of Transitions; the first argument is its library. */
public class Carried {
  public static void main(String[] args) throws Exception {
    System.load(args[0]);
    for (int calls = 1; calls <= 3; calls++) {
      int times = calls;
      Thread thread =
          Thread.ofVirtual()
              .name("carried-" + times)
              .start(
                  () -> {
                    for (int i = 0; i < times; i++) {
                      Transitions.leaf();
                      Thread.yield();
                      Transitions.down(2);
                    }
                  });
      thread.join();
    }
    Transitions.leaf();
    Runtime.getRuntime().halt(3); // a VM that ends like this keeps its counts
  }
}
