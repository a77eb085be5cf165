/** Methods of nearly 64 KB, which instrumentation would push over the limit. */
public final class HugeMethods {
  public static void main(String[] args) {
    System.out.println(HandHuge.branches(0) + " " + HandHuge.branches(-10));
    System.out.println(HandHuge.calls(1));
    System.out.println(HandHuge.straight(1) + " " + HandHuge.straight(2));
  }
}
