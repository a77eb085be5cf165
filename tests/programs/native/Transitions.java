import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Passes between bytecode and native code, a known number of times; transitions.c is its library. */
public class Transitions extends Base {
  int value = 7;

  /** Does nothing. expect: native_method leaf n_calls=30003 n_jni_calls=0 */
  static native void leaf();

  /** Registered by JNI_OnLoad, not found by its name. expect: registered n_calls=2 */
  static native int registered(int value);

  /** Native, Java, native, to depth 10. expect: down n_calls=10 n_jni_calls=10 */
  static native int down(int depth);

  /** Calls each of JNI's 93 functions that call. expect: every n_calls=1 n_jni_calls=93 */
  native int every(Transitions other);

  /** expect: throwing n_calls=4 n_exceptions=4 */
  static native void throwing(String message);

  /** Calls Java that throws, and goes on. expect: catching n_calls=2 n_exceptions=0 n_jni_calls=2 */
  static native boolean catching();

  /** Calls Java that throws, and returns with that. expect: n_calls=1 n_exceptions=1 n_jni_calls=1 */
  static native void passing();

  /**
   * Calls falling, which calls it, to depth 10; an exception from below leaves all ten, or five.
   * expect: n_calls=20 n_exceptions=15 n_jni_calls=20
   */
  static native void fall(int depth, int caughtAt);

  /** More arguments than there are registers. expect: many n_calls=2 */
  static native String many(
      int a, double b, long c, float d, byte e, short f, char g, boolean h, Object i, long j,
      double k, float l, double m, float n, double o, float p, double q, long r, int[] s, byte t);

  /** Threads that C starts and attaches; each calls note twice. expect: attached n_calls=1 */
  static native void attached(int threads);

  /** Overrides a Java method. expect: overriding n_calls=3 */
  @Override
  native int overriding(int value);

  /** expect: locked n_calls=5 */
  synchronized native void locked();

  static int up(int depth) {
    return depth == 0 ? 0 : 1 + down(depth);
  }

  static void failing() {
    throwing("from Java");
  }

  static void falling(int depth, int caughtAt) {
    if (depth == 0) {
      throw new IllegalStateException("from depth 0");
    }
    try {
      fall(depth, caughtAt);
    } catch (IllegalStateException e) {
      if (depth != caughtAt) {
        throw e;
      }
    }
  }

  static synchronized void note() {
    noted++;
  }

  static int noted;

  static void threw(Runnable action) {
    try {
      action.run();
      System.out.println("no exception");
    } catch (IllegalStateException e) {
      System.out.println(e.getMessage() + " " + e.getStackTrace()[0].getMethodName());
    }
  }

  public static void main(String[] args) throws Throwable {
    System.load(args[0]);
    for (int i = 0; i < 30_000; i++) {
      leaf();
    }
    Transitions.class.getDeclaredMethod("leaf").invoke(null);
    var handle =
        MethodHandles.lookup()
            .findStatic(Transitions.class, "leaf", MethodType.methodType(void.class));
    handle.invokeExact();
    handle.invokeExact();
    System.out.println(registered(20) + registered(1));
    System.out.println(up(10));
    System.out.println(new Transitions().every(new Transitions()));
    threw(() -> throwing("thrown"));
    threw(() -> passing());
    System.out.println(catching() + " " + catching());
    threw(() -> falling(10, 0));
    threw(() -> falling(10, 5));
    for (int i = 0; i < 2; i++) {
      System.out.println(
          many(1, 2.5, 3L << 40, 4.5f, (byte) -5, (short) -6, 'g', true, "i", -10L, 11.5, 12.5f,
              13.5, 14.5f, 15.5, 16.5f, 17.5, 18L, new int[19], (byte) 20));
    }
    attached(3);
    System.out.println(noted);
    Base base = new Transitions();
    System.out.println(base.overriding(1) + base.overriding(2) + base.overriding(3));
    Transitions one = new Transitions();
    for (int i = 0; i < 5; i++) {
      one.locked();
    }
  }

  // What every calls: a virtual, a static method and a constructor for each type.
  Object anObject(int n) { return n == 1 ? this : null; }
  boolean aBoolean(int n) { return n == 1; }
  byte aByte(int n) { return (byte) n; }
  char aChar(int n) { return (char) n; }
  short aShort(int n) { return (short) n; }
  int anInt(int n) { return n; }
  long aLong(int n) { return n; }
  float aFloat(int n) { return n; }
  double aDouble(int n) { return n; }
  void aVoid(int n) { value += n; }
  static Object anObjectS(int n) { return n == 1 ? "" : null; }
  static boolean aBooleanS(int n) { return n == 1; }
  static byte aByteS(int n) { return (byte) n; }
  static char aCharS(int n) { return (char) n; }
  static short aShortS(int n) { return (short) n; }
  static int anIntS(int n) { return n; }
  static long aLongS(int n) { return n; }
  static float aFloatS(int n) { return n; }
  static double aDoubleS(int n) { return n; }
  static void aVoidS(int n) { noted += n; }
  Transitions() {}
  Transitions(int n) { value = n; }
}

/** Has a method that a native one overrides. */
class Base {
  int overriding(int value) {
    return -value;
  }
}
