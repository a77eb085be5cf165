import java.util.Objects;

/** A class of the JDK that instrumenting a class loads first, and the program uses afterwards. */
public final class LateClass {
  private static String check(int index) { // expect: calls=2
    try {
      return "index " + Objects.checkIndex(index, 2);
    } catch (IndexOutOfBoundsException e) {
      return e.getMessage();
    }
  }

  public static void main(String[] args) {
    HugeMethods.main(args); // methods that pass 64 KB make ASM throw such an exception
    System.out.println(check(1));
    System.out.println(check(2));
  }
}
