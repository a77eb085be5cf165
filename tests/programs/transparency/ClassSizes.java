package battery;

import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;

/**
 * An agent of the program's own, which asks for the sizes of {@code Class} objects. Behind their
 * fields they have the static ones of the class that they are of.
 */
public final class ClassSizes {
  private static Instrumentation instrumentation;

  private ClassSizes() {}

  public static void premain(String options, Instrumentation given) {
    instrumentation = given;
  }

  static class OfNone {
    int instance;
  }

  static class OfByte {
    static byte one;
  }

  static class OfWord {
    static long one;
  }

  static class OfReference {
    static Object one;
  }

  static class OfTwoReferences {
    static Object one;
    static int[] two;
  }

  static class OfEveryType {
    static boolean flag;
    static byte small;
    static char letter;
    static short shorter;
    static int number;
    static float fraction;
    static long large;
    static double precise;
    static Object reference;
    static int[] array;
    int instance;
  }

  static class OfConstants {
    static final int NUMBER = 3;
    static final long LARGE = 4;
    static final String TEXT = "text";
    static final boolean FLAG = true;
  }

  /** The fields of a superclass are in its own. */
  static class Heir extends OfEveryType {
    static char more;
  }

  interface WithConstants {
    int NUMBER = 3;
    Object COMPUTED = new Object();
  }

  enum Answer {
    YES,
    NO
  }

  record Pair(int one, Object two) {
    static int made;
  }

  static class Asserting {
    static int check(int value) {
      assert value > 0;
      return value;
    }
  }

  private static final List<Class<?>> OWN = List.of(OfNone.class, OfByte.class, OfWord.class,
      OfReference.class, OfTwoReferences.class, OfEveryType.class, OfConstants.class, Heir.class,
      WithConstants.class, Answer.class, Pair.class, Asserting.class, ClassSizes.class, int.class,
      void.class, int[].class, OfEveryType[][].class);

  private static final List<Class<?>> OF_JDK = List.of(Object.class, String.class, Thread.class,
      Class.class, System.class, Math.class, ClassLoader.class, Throwable.class, Runnable.class,
      java.util.HashMap.class, java.util.concurrent.ForkJoinPool.class);

  /** {@code few}, so that no compiler comes to the question; else all that are in java.base, too. */
  public static void main(String[] words) throws Exception {
    List<Class<?>> types = new ArrayList<>(OWN);
    types.addAll(OF_JDK);
    types.add(hidden());
    if (words.length == 0) {
      for (String name : Sizes.names()) {
        types.add(Class.forName(name, false, ClassSizes.class.getClassLoader()));
      }
    }
    for (int round = 0; round < 2; round++) {
      for (Class<?> type : types) {
        String name = type.isHidden() ? "hidden" : type.getName();
        System.out.println(name + " " + instrumentation.getObjectSize(type));
      }
    }
  }

  private static Class<?> hidden() throws Exception {
    try (var in = ClassSizes.class.getResourceAsStream("ClassSizes$OfEveryType.class")) {
      return MethodHandles.lookup().defineHiddenClass(in.readAllBytes(), false).lookupClass();
    }
  }
}
