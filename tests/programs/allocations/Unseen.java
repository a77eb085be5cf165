import java.lang.reflect.Method;

/** Has native code and the VM make objects, as often as its second argument says. */
public class Unseen {
  /** What is made of it, no constructor makes. */
  static class Own {
    int a;
  }

  /** JNI calls its constructor, so the recording sees it. */
  static class Constructed {}

  /** JNI makes an object and calls its constructor afterwards, in each of six ways. */
  static class Built {
    Built(int seven) {
      if (seven != 7) {
        throw new AssertionError(seven);
      }
    }

    void other() {}
  }

  static class Failure extends RuntimeException {
    Failure(String message) {
      super(message, null, false, false);
    }
  }

  private static final Method BOXED = find("boxed");

  private static Method find(String name) {
    try {
      return Unseen.class.getDeclaredMethod(name);
    } catch (NoSuchMethodException e) {
      throw new AssertionError(e);
    }
  }

  static native Object[] make(Class<?> own, Class<?> constructed);

  static native void build(Class<?> built);

  static native Own[] returned(Class<?> own, int length);

  static native String text(String text);

  static native void fail(Class<?> failure, String message);

  static native Method reflected(Class<?> type);

  /** What each time makes that no bytecode makes is beside the line. */
  static void once() throws ReflectiveOperationException {
    make(Own.class, Constructed.class); // 2 Own, 1 Own[], 1 Own[][], arrays of numbers, 1 Object[]
    build(Built.class); // 1 Built, of which only another method is called
    returned(Own.class, 3); // 1 Own[]: the program's natives are not asked for their results
    text("x"); // 2 String, 2 byte[]
    try {
      fail(Failure.class, "no"); // 1 String, 1 byte[]; the exception has a constructor
    } catch (Failure e) {
      reflected(Unseen.class); // 1 Method
    }
    new int[7].clone(); // the bytecode and the call have it
    java.lang.reflect.Array.newInstance(Own.class, 2); // so they do
    new Thread(() -> {}, "t"); // until 23, 1 AccessControlContext, 1 ProtectionDomain[]
    BOXED.invoke(null); // 1 Integer, as long as native code calls the method
  }

  static int boxed() {
    return 1000;
  }

  public static void main(String[] args) throws ReflectiveOperationException {
    System.load(args[0]);
    int times = Integer.parseInt(args[1]);
    for (int i = 0; i < times; i++) {
      once();
    }
    System.out.println("made");
    if (args.length > 2) {
      Runtime.getRuntime().halt(1);
    }
  }
}
