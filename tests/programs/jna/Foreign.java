import com.sun.jna.Callback;
import com.sun.jna.Function;
import com.sun.jna.LastErrorException;
import com.sun.jna.Library;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import com.sun.jna.Structure;
import com.sun.jna.ptr.IntByReference;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;

/** C's library by JNA: natives that it registers for a class, proxies of interfaces, call backs. */
public final class Foreign {
  /** Direct mapping: JNA finds the natives by reflection and registers code for each. */
  static final class Direct {
    static {
      Native.register("c");
    }

    static native int abs(int value);

    static native long strlen(String text);

    static native long strtol(String text, Pointer end, int base);

    static native void qsort(Pointer all, long count, long size, Order order);

    static native int open(String path, int flags) throws LastErrorException;

    static native div_t div(int numerator, int denominator);

    native double atof(String text);
  }

  /** Registered one by one, with a native that no library has. */
  static final class Missing {
    static native int no_such_function(int value);
  }

  /** Interface mapping. */
  public interface C extends Library {
    C INSTANCE = Native.load("c", C.class);

    int snprintf(byte[] buffer, long size, String format, Object... more);

    div_t div(int numerator, int denominator);

    void qsort(Pointer all, long count, long size, Order order);
  }

  /** What C calls. */
  public interface Order extends Callback {
    int compare(Pointer a, Pointer b);
  }

  /** A structure that C returns. */
  @Structure.FieldOrder({"quot", "rem"})
  public static class div_t extends Structure implements Structure.ByValue {
    public int quot;
    public int rem;
  }

  private Foreign() {}

  public static void main(String[] arguments) throws Exception {
    natives(Direct.class);
    System.out.println(Direct.abs(-5) + " " + Direct.strlen("length") + " "
        + Direct.strtol("ff", null, 16) + " " + new Direct().atof("2.5"));
    System.out.println(Direct.div(17, 5).quot + " " + C.INSTANCE.div(17, 5).rem);
    sort("direct", Direct::qsort);
    sort("by proxy", C.INSTANCE::qsort);
    byte[] buffer = new byte[40];
    C.INSTANCE.snprintf(buffer, buffer.length, "%d %s %.2f", 7, "text", 1.5);
    System.out.println(Native.toString(buffer));
    System.out.println(Function.getFunction("c", "toupper").invokeInt(new Object[] {(int) 'a'}));
    fails(() -> Direct.open("/no/such/file", 0));
    fails(() -> Native.register(Missing.class, "c"));
    fails(() -> Missing.no_such_function(1));
    fails(() -> NativeLibrary.getInstance("no-such-library"));
    fails(() -> sort("throwing", (all, count, size, order) ->
        Direct.qsort(all, count, size, (a, b) -> {
          throw new IllegalStateException("in a call back");
        })));
    IntByReference cell = new IntByReference(3);
    System.out.println(cell.getValue() + " " + cell.getPointer().getInt(0));
    Native.unregister(Direct.class);
    fails(() -> Direct.abs(-5));
    natives(Direct.class);
  }

  interface Sort {
    void sort(Pointer all, long count, long size, Order order);
  }

  private static void sort(String how, Sort sort) {
    int[] numbers = {5, 3, 9, 1};
    try (Memory memory = new Memory(4L * numbers.length)) {
      memory.write(0, numbers, 0, numbers.length);
      StackTraceElement[][] trace = {null};
      sort.sort(memory, numbers.length, 4, (a, b) -> {
        trace[0] = new Throwable().getStackTrace();
        return Integer.compare(a.getInt(0), b.getInt(0));
      });
      System.out.println(how + Arrays.toString(memory.getIntArray(0, numbers.length)));
      for (StackTraceElement frame : trace[0] == null ? new StackTraceElement[0] : trace[0]) {
        System.out.println("  " + frame + (frame.isNativeMethod() ? " native" : ""));
      }
    }
  }

  interface Attempt {
    void run() throws Throwable;
  }

  private static void fails(Attempt attempt) {
    try {
      attempt.run();
      System.out.println("done");
    } catch (Throwable e) {
      System.out.println(e);
      for (StackTraceElement frame : e.getStackTrace()) {
        System.out.println("  " + frame);
      }
    }
  }

  private static void natives(Class<?> type) {
    Method[] methods = type.getDeclaredMethods();
    Arrays.sort(methods, Comparator.comparing(Method::toString));
    for (Method method : methods) {
      System.out.println(method + " " + method.getModifiers());
    }
  }
}
