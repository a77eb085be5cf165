import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/** Inner, local and anonymous classes, default and private interface methods, generic bridges. */
public final class Inner {
  private int counter;

  private interface Greeter {
    int BASE = Integer.parseInt("100"); // a default method makes the interface initialise

    String name();

    default String greet() { // expect: calls=3
      return "hello " + decorate(name()); // expect: executions=3
    }

    private String decorate(String s) { // expect: calls=3
      return s + BASE;
    }

    static Greeter of(String s) { // expect: calls=2
      return () -> {
        return s; // expect: executions=1
      };
    }
  }

  private interface Loud extends Greeter {
    @Override
    default String greet() { // expect: calls=2
      return Greeter.super.greet().toUpperCase();
    }
  }

  private static final class Quiet implements Loud {
    @Override
    public String name() { // expect: calls=1
      return "quiet";
    }
  }

  private final class Step {
    private final int by;

    Step(int by) { // expect: calls=3
      this.by = by;
    }

    void take() { // expect: calls=5
      counter += by; // expect: executions=5
    }

    final class Back {
      void take() { // expect: calls=2
        counter -= by;
        Inner.this.bump(); // expect: executions=2
      }
    }
  }

  private void bump() { // expect: calls=2
    counter += 1000;
  }

  private abstract static class Node<T> {
    abstract T value(T old);

    T twice(T old) { // expect: calls=2
      return value(value(old));
    }
  }

  private static final class IntNode extends Node<Integer> {
    @Override
    Integer value(Integer old) { // the bridge is called, and calls this // expect: calls=3
      return old + 1;
    }
  }

  private static final class TextNode extends Node<String> {
    @Override
    String value(String old) { // expect: calls=2
      return old + "!";
    }
  }

  private static class Range implements Iterable<Integer> {
    private final int end;

    Range(int end) {
      this.end = end;
    }

    @Override
    public Iterator<Integer> iterator() { // expect: calls=1
      return new Iterator<>() {
        private int at;

        @Override
        public boolean hasNext() { // expect: calls=9
          return at < end;
        }

        @Override
        public Integer next() { // expect: calls=4
          if (!hasNext()) {
            throw new NoSuchElementException(); // expect: executions=0
          }
          return at++;
        }
      };
    }
  }

  private static int local(int n) {
    final int m = n * 2;
    class Local {
      int get() { // expect: calls=3
        return m + n;
      }

      Local again() { // expect: calls=1
        return new Local();
      }
    }
    return new Local().get() + new Local().again().get() + new Local().get();
  }

  public static void main(String[] args) {
    Inner inner = new Inner();
    Step one = inner.new Step(1);
    Step ten = inner.new Step(10);
    Step.Back back = ten.new Back();
    one.take();
    one.take();
    ten.take();
    back.take();
    inner.new Step(100).take();
    back.take();
    ten.take();
    System.out.println(inner.counter);
    Quiet quiet = new Quiet();
    Greeter greeter = Greeter.of("anyone");
    Greeter.of("unused");
    System.out.println(quiet.greet() + greeter.greet());
    System.out.println(((Loud) () -> "loud").greet());
    Node<Integer> node = new IntNode();
    System.out.println(node.twice(5) + new IntNode().value(7));
    System.out.println(new TextNode().twice("a"));
    int sum = 0;
    for (int i : new Range(4)) {
      sum += i; // expect: executions=4
    }
    System.out.println(sum);
    System.out.println(local(5));
    List<String> words =
        new java.util.ArrayList<>(List.of("bb", "a", "ccc"));
    words.sort(
        new Comparator<String>() {
          @Override
          public int compare(String a, String b) { // expect: calls=4
            return b.length() - a.length();
          }
        });
    System.out.println(words);
  }
}
