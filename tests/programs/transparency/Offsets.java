package battery;

import java.io.PrintStream;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import sun.misc.Unsafe;

/** Where fields lie in objects, and what Unsafe does. */
@SuppressWarnings({"deprecation", "removal"})
final class Offsets {
  private Offsets() {}

  static void run(PrintStream out) throws Exception {
    Field field = Unsafe.class.getDeclaredField("theUnsafe");
    field.setAccessible(true);
    Unsafe unsafe = (Unsafe) field.get(null);
    for (Class<?> type : List.of(Specimens.WithNatives.class, Specimens.Plain.class, String.class,
        Specimens.Heir.class, ArrayList.class, Thread.class, ThreadGroup.class, Throwable.class,
        StackTraceElement.class, ClassLoader.class, java.util.Random.class)) {
      Field[] fields = type.getDeclaredFields();
      Arrays.sort(fields, (a, b) -> a.getName().compareTo(b.getName()));
      for (Field each : fields) {
        if (!Modifier.isStatic(each.getModifiers())) {
          out.println(each + " " + unsafe.objectFieldOffset(each));
        }
      }
    }
    for (Class<?> type : List.of(int[].class, Object[].class, byte[].class)) {
      out.println(unsafe.arrayBaseOffset(type) + " " + unsafe.arrayIndexScale(type));
    }
    out.println(unsafe.addressSize() + " " + unsafe.pageSize());
    Specimens.Plain plain = (Specimens.Plain) unsafe.allocateInstance(Specimens.Plain.class);
    out.println(plain.first + " " + plain.third);
    long memory = unsafe.allocateMemory(16);
    unsafe.putLong(memory, 77);
    out.println(unsafe.getLong(memory));
    unsafe.freeMemory(memory);
    try {
      unsafe.throwException(new java.io.IOException("thrown"));
    } catch (Exception e) {
      out.println(e);
    }
  }
}
