/** Constructors and class initialisers that throw; what the VM does on the second use. */
public final class InitFailures {
  private static class Picky {
    private final int value;

    Picky(int value) { // expect: calls=4
      this(value, check(value)); // expect: executions=4
      trace++; // expect: executions=2
    }

    Picky(int value, boolean ok) { // expect: calls=2
      super();
      this.value = ok ? value : -1; // expect: executions=2
    }

    private static boolean check(int value) {
      if (value < 0) {
        throw new IllegalArgumentException("negative"); // expect: executions=2
      }
      return true; // expect: executions=2
    }
  }

  private static final class Fussy extends Picky {
    private final int twice = trace * 2; // expect: executions=1

    Fussy(int value) { // expect: calls=2
      super(value);
      if (value == 1) {
        throw new IllegalStateException("after super"); // expect: executions=0
      }
    }
  }

  private static final class Broken {
    static int value;

    static {
      trace += 10; // expect: executions=1
      value = 7 / zero(); // expect: executions=1
      trace += 1000; // expect: executions=0
    }

    static int zero() { // expect: calls=1
      return 0;
    }

    static int get() { // expect: calls=0
      return value;
    }
  }

  private static final class ThrowsError {
    static final int VALUE;

    static {
      if (trace > 0) {
        throw new AssertionError("on purpose"); // expect: executions=1
      }
      VALUE = 1; // expect: executions=0
    }
  }

  private static final class NeedsBroken {
    static int twice = 2 * Broken.value; // expect: executions=1

    static {
      trace = -1; // expect: executions=0
    }
  }

  private static int trace;

  private static String outcome(Runnable action) { // expect: calls=8
    try {
      action.run();
      return "done"; // expect: executions=1
    } catch (RuntimeException | Error e) {
      Throwable cause = e.getCause(); // expect: executions=7
      return e.getClass().getSimpleName()
          + (cause == null ? "" : " by " + cause.getClass().getSimpleName());
    }
  }

  public static void main(String[] args) {
    System.out.println(outcome(() -> System.out.println(new Picky(3).value)));
    System.out.println(outcome(() -> System.out.println(new Picky(-3).value)));
    System.out.println(outcome(() -> System.out.println(new Fussy(-1).twice)));
    System.out.println(outcome(() -> System.out.println(Broken.get())));
    System.out.println(outcome(() -> System.out.println(Broken.value)));
    System.out.println(outcome(() -> System.out.println(ThrowsError.VALUE)));
    System.out.println(outcome(() -> System.out.println(NeedsBroken.twice)));
    System.out.println(outcome(() -> System.out.println(new Broken())));
    Object first = new Fussy(0);
    System.out.println(trace + " " + (first instanceof Picky));
  }
}
