/** Writes fields of its own before the constructor of a superclass (Java 25). */
public final class Flexible {
  final int sum;
  final String text;
  final Runnable done;
  final int chosen;
  int maybe;

  Flexible(int n, boolean isSet) {
    sum = n + 1;
    text = "n" + n;
    done = () -> System.out.println(n);
    chosen = isSet ? 1 : 2;
    if (isSet) {
      maybe = n;
    }
    super();
  }

  public static void main(String[] arguments) {
    new Flexible(1, true).done.run();
    new Flexible(2, false).done.run();
  }
}
