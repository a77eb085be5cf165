package jdk.internal.perf;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.Hidden;

/**
 * Keeps from reflection what the recording adds to classes: fields of {@code Thread} and {@code
 * Class}, methods of some classes, and that natives of the program are called under another name.
 *
 * <p>All of it has names that begin with {@code jvmscope$}, but for one method of {@code
 * ClassLoader} that the VM calls by its name. The method that calls a native for the program has
 * two flags that no compiler gives to one method.
 */
public final class Disguise {
  static final String PREFIX = "jvmscope$";

  private static final Unsafe U = Unsafe.getUnsafe();
  private static final String APPEND = "appendToClassPathForInstrumentation";
  private static final long MODIFIERS = U.objectFieldOffset(Method.class, "modifiers");
  private static final long SLOT = U.objectFieldOffset(Method.class, "slot");
  private static final long MESSAGE = U.objectFieldOffset(Throwable.class, "detailMessage");

  /** ACC_BRIDGE and ACC_STRICT, and not ACC_SYNTHETIC: {@code NativeWrappers} sets them. */
  private static final int WRAPS_NATIVE = 0x0840;

  private static final int MARKS = WRAPS_NATIVE | 0x1000;

  private Disguise() {}

  /** The fields that reflection shows of a class. */
  @Hidden
  public static Field[] visibleFields(Class<?> type, Field[] fields) {
    long slot = ThreadSlot.pause();
    try {
      int kept = 0;
      for (Field field : fields) {
        kept += isVisible(field) ? 1 : 0;
      }
      if (kept == fields.length) {
        return fields;
      }
      Field[] visible = new Field[kept];
      int n = 0;
      for (Field field : fields) {
        if (isVisible(field)) {
          visible[n++] = field;
        }
      }
      return visible;
    } finally {
      ThreadSlot.resume(slot);
    }
  }

  private static boolean isVisible(Field field) {
    return !field.getName().startsWith(PREFIX);
  }

  /** The methods that reflection shows of a class; natives of the program are native. */
  @Hidden
  public static Method[] visibleMethods(Class<?> type, Method[] methods) {
    long slot = ThreadSlot.pause();
    try {
      if (type == Class.class) {
        leadPastFilters(methods);
      }
      int kept = 0;
      for (Method method : methods) {
        U.putInt(method, MODIFIERS, visibleModifiers(method.getModifiers()));
        kept += isVisible(type, method) ? 1 : 0;
      }
      if (kept == methods.length) {
        return methods;
      }
      Method[] visible = new Method[kept];
      int n = 0;
      for (Method method : methods) {
        if (isVisible(type, method)) {
          visible[n++] = method;
        }
      }
      return visible;
    } finally {
      ThreadSlot.resume(slot);
    }
  }

  private static boolean isVisible(Class<?> type, Method method) {
    return !method.getName().startsWith(PREFIX)
        && (type != ClassLoader.class || !method.getName().equals(APPEND));
  }

  /**
   * Programs call the natives that reflection filters the results of by reflection, too. They get
   * the methods that filter as well ({@code VmEdits.editClass}).
   */
  private static void leadPastFilters(Method[] methods) {
    for (Method method : methods) {
      String target = target(Class.class, method.getName());
      if (target != method.getName()) {
        for (Method other : methods) {
          if (other.getName().equals(target)) {
            U.putInt(method, SLOT, U.getInt(other, SLOT));
          }
        }
      }
    }
  }

  /** The name of the method that a program gets that asks for one of a name. */
  @Hidden
  public static String target(Class<?> type, String name) {
    if (type != Class.class || name == null) {
      return name;
    }
    long slot = ThreadSlot.pause();
    try {
      boolean isFiltered = name.equals("getDeclaredFields0") || name.equals("getDeclaredMethods0");
      return isFiltered ? PREFIX.concat(name) : name;
    } finally {
      ThreadSlot.resume(slot);
    }
  }

  /** The modifiers of a method as the program should see them. */
  @Hidden
  public static int visibleModifiers(int modifiers) {
    return isWrapper(modifiers) ? modifiers & ~WRAPS_NATIVE | Modifier.NATIVE : modifiers;
  }

  /** Does a method of these modifiers call a native for the program? */
  @Hidden
  static boolean isWrapper(int modifiers) {
    return (modifiers & MARKS) == WRAPS_NATIVE;
  }

  /** The VM says that it found no function for a native: by the native's own name. */
  @Hidden
  public static void nameUnlinked(Throwable thrown) {
    if (!(thrown instanceof UnsatisfiedLinkError)) {
      return;
    }
    long slot = ThreadSlot.pause();
    try {
      String message = (String) U.getReference(thrown, MESSAGE);
      if (message != null && message.contains(PREFIX)) {
        U.putReference(thrown, MESSAGE, message.replace(PREFIX, ""));
      }
    } finally {
      ThreadSlot.resume(slot);
    }
  }

  /** Packages without those of the agent, which the boot loader has. */
  @Hidden
  public static String[] visiblePackages(String[] names) {
    long slot = ThreadSlot.pause();
    try {
      List<String> visible = new ArrayList<>();
      for (String name : names) {
        if (!name.startsWith("io/jvmscope/")) {
          visible.add(name);
        }
      }
      return visible.toArray(new String[0]);
    } finally {
      ThreadSlot.resume(slot);
    }
  }
}
