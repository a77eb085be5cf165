package jdk.internal.perf;

import static jdk.internal.perf.ArenaLayout.CLASS_COUNT;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * The field that {@code Class} gets, {@code jvmscope$id}: three bits, whether the class overrides
 * hashCode and clone, and above them the number that receivers are counted by.
 *
 * <p>Every hashCode and clone that is not {@code Object}'s says so when it runs. So a class that
 * has not said it after a call does not override it; to ask by reflection would load classes.
 */
public final class ClassWord {
  private static final Unsafe U = Unsafe.getUnsafe();
  private static final long FIELD = U.objectFieldOffset(Class.class, "jvmscope$id");

  private static final long COMPONENT = U.objectFieldOffset(Class.class, "componentType");
  private static final long NAME = U.objectFieldOffset(Class.class, "name");

  private static final int OVERRIDES_HASH = 1;
  private static final int OVERRIDES_CLONE = 2;

  /** A clone of the class's own is of a class that is left out: what it does is not seen. */
  private static final int HIDES_CLONE = 4;

  private static final int NUMBER = 3;

  private ClassWord() {}

  /** The class of the elements of an array; a call of getComponentType would be counted. */
  @ForceInline
  @Hidden
  static Class<?> componentOf(Object[] array) {
    return (Class<?>) U.getReference(array.getClass(), COMPONENT);
  }

  /** What {@code getName} returns; a class keeps it from the first call on, but not from this. */
  public static String nameOf(Class<?> type) {
    boolean isKept = U.getReference(type, NAME) != null;
    String name = type.getName();
    if (!isKept) {
      U.putReference(type, NAME, null);
    }
    return name;
  }

  /** Said by every hashCode that is not Object's. */
  @ForceInline
  @Hidden
  public static void overridesHash(Object receiver) {
    if (!doesOverrideHash(receiver)) {
      mark(receiver.getClass(), OVERRIDES_HASH);
    }
  }

  /** Said by every clone that is not Object's. */
  @ForceInline
  @Hidden
  public static void overridesClone(Object receiver) {
    if (!doesOverrideClone(receiver)) {
      mark(receiver.getClass(), OVERRIDES_CLONE);
    }
  }

  /** Said by every clone that is not Object's, of a class that is left out. */
  @Hidden
  public static void hidesClone(Object receiver) {
    mark(receiver.getClass(), OVERRIDES_CLONE | HIDES_CLONE);
  }

  /**
   * After a virtual call of clone: can the clone be a copy of which the caller is the first to
   * know? One that a clone of the class's own returns was seen there, whether it was copied or
   * constructed.
   */
  @Hidden
  static boolean mayBeFirstToCopy(Object receiver) {
    int both = OVERRIDES_CLONE | HIDES_CLONE;
    return (U.getInt(receiver.getClass(), FIELD) & both) != OVERRIDES_CLONE;
  }

  /** Has the receiver's class said that it has a hashCode of its own? */
  @ForceInline
  @Hidden
  public static boolean doesOverrideHash(Object receiver) {
    return (U.getInt(receiver.getClass(), FIELD) & OVERRIDES_HASH) != 0;
  }

  /** Has the receiver's class said that it has a clone of its own? */
  @ForceInline
  @Hidden
  public static boolean doesOverrideClone(Object receiver) {
    return (U.getInt(receiver.getClass(), FIELD) & OVERRIDES_CLONE) != 0;
  }

  @DontInline
  @Hidden
  private static void mark(Class<?> type, int bit) {
    int word;
    do {
      word = U.getInt(type, FIELD);
    } while (!U.compareAndSetInt(type, FIELD, word, word | bit));
  }

  /** The number that a class has; 0 if it received no call. */
  @ForceInline
  @Hidden
  public static int number(Class<?> type) {
    return U.getInt(type, FIELD) >>> NUMBER;
  }

  /** The number of a class, from 1 on in the order in which classes first receive a call. */
  @Hidden
  static int numberOf(Class<?> type) {
    int known = number(type);
    if (known != 0) {
      return known;
    }
    int number = assign(type);
    AgentPort.tellReceiver(type, number);
    return number;
  }

  /** Gives a class a number, of which the agent is not told, unless it has one. */
  @Hidden
  static int assign(Class<?> type) {
    int number;
    do {
      number = U.getInt(null, Arena.base + CLASS_COUNT) + 1;
    } while (!U.compareAndSetInt(null, Arena.base + CLASS_COUNT, number - 1, number));
    int word;
    do {
      word = U.getInt(type, FIELD);
      if (word >>> NUMBER != 0) {
        return word >>> NUMBER; // another thread was first
      }
    } while (!U.compareAndSetInt(type, FIELD, word, word | number << NUMBER));
    return number;
  }
}
