package jdk.internal.perf;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.Hidden;

/**
 * Keeps from the program's sight what the recording adds to classes: fields of {@code Thread} and
 * {@code Class}, methods of {@code Object}, and the natives that wrappers call under another name.
 */
public final class Disguise {
  private static final Unsafe U = Unsafe.getUnsafe();
  private static final String PREFIX = "jvmscope$";
  private static final long FRAME_METHOD =
      U.objectFieldOffset(StackTraceElement.class, "methodName");

  private static boolean hasPrefixed;

  private Disguise() {}

  /** From now on natives of some classes have a prefixed name. */
  public static void hidePrefixed() {
    hasPrefixed = true;
  }

  /** The fields that reflection shows of a class. */
  @Hidden
  public static Field[] visibleFields(Class<?> type, Field[] fields) {
    if (type != Thread.class && type != Class.class) {
      return fields;
    }
    long slot = ThreadSlot.pause();
    try {
      List<Field> visible = new ArrayList<>();
      for (Field field : fields) {
        if (!field.getName().startsWith(PREFIX)) {
          visible.add(field);
        }
      }
      return visible.toArray(new Field[0]);
    } finally {
      ThreadSlot.resume(slot);
    }
  }

  /** The methods that reflection shows of a class. */
  @Hidden
  public static Method[] visibleMethods(Class<?> type, Method[] methods) {
    if (!hasPrefixed && type != Object.class) {
      return methods;
    }
    long slot = ThreadSlot.pause();
    try {
      List<Method> visible = new ArrayList<>();
      for (Method method : methods) {
        if (!method.getName().startsWith(PREFIX)) {
          visible.add(method);
        }
      }
      return visible.toArray(new Method[0]);
    } finally {
      ThreadSlot.resume(slot);
    }
  }

  /** A stack trace without the wrappers of natives: the frame below a prefixed native is its. */
  @Hidden
  public static StackTraceElement[] visibleFrames(StackTraceElement[] frames) {
    if (!hasPrefixed) {
      return frames;
    }
    long slot = ThreadSlot.pause();
    try {
      List<StackTraceElement> visible = new ArrayList<>();
      for (int i = 0; i < frames.length; i++) {
        StackTraceElement frame = frames[i];
        if (frame.getMethodName().startsWith(PREFIX)) {
          String name = frame.getMethodName().substring(PREFIX.length());
          U.putReference(frame, FRAME_METHOD, name);
          i++;
        }
        visible.add(frame);
      }
      return visible.toArray(new StackTraceElement[0]);
    } finally {
      ThreadSlot.resume(slot);
    }
  }
}
