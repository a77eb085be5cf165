package battery;

import java.io.PrintStream;

/** What the VM says where something is missing. */
final class Links {
  private Links() {}

  static void run(PrintStream out) {
    Specimens.WithNatives natives = new Specimens.WithNatives();
    for (int time = 0; time < 2; time++) {
      attempt(out, () -> natives.visible(1, "a"));
      attempt(out, () -> Specimens.WithNatives.many((byte) 1, (short) 2, 'c', 4, null));
      attempt(out, () -> natives.generic(null));
      attempt(out, () -> new Specimens.Heir().visible(1));
      attempt(out, () -> ((Specimens.WithNatives) null).visible(1));
    }
    attempt(out, () -> System.loadLibrary("no-such-library"));
    attempt(out, () -> System.load("/no/such/library.so"));
    attempt(out, () -> Runtime.getRuntime().load("relative"));
    attempt(out, () -> ((Object) "x").equals(Integer.class.cast("y")));
    attempt(out, () -> Class.forName("no.Such"));
    attempt(out, () -> {
      int[] all = new int[2];
      all[2] = 1;
    });
    attempt(out, () -> {
      Object[] all = new String[1];
      all[0] = 5;
    });
    attempt(out, () -> {
      String[][] none = new String[2][];
      none[1][0] = "x".repeat(none.length);
    });
    attempt(out, () -> out.println(new int[-1].length));
    attempt(out, () -> new Object().wait());
    attempt(out, () -> out.println(1 / (out.hashCode() & 0)));
    attempt(out, () -> {
      throw new Error("own", new Exception("cause"));
    });
  }

  interface Attempt {
    void run() throws Throwable;
  }

  static void attempt(PrintStream out, Attempt attempt) {
    try {
      attempt.run();
      out.println("done");
    } catch (Throwable e) {
      Traces.print(out, e);
    }
  }
}
