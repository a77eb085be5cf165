package battery;

import java.io.Serializable;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;

/** Classes of every kind, to be looked at. */
final class Specimens {
  @Retention(RetentionPolicy.RUNTIME)
  @Target({ElementType.METHOD, ElementType.TYPE, ElementType.PARAMETER, ElementType.FIELD,
      ElementType.TYPE_USE})
  @interface Mark {
    String value() default "none";

    int[] numbers() default {1, 2};
  }

  record Point(@Mark("x") int x, List<String> names) implements Serializable {
    Point {
      x = Math.abs(x);
    }
  }

  enum Colour {
    RED,
    GREEN {
      @Override
      int weight() {
        return 2;
      }
    };

    int weight() {
      return 1;
    }
  }

  sealed interface Shape permits Circle, Square {}

  static final class Circle implements Shape {}

  static non-sealed class Square implements Shape {}

  /** Natives of every kind of signature and modifier; their library is only there for some. */
  static class WithNatives implements Serializable {
    transient int transientField;
    volatile long volatileField;
    protected static int counter;

    static {
      counter = 1;
    }

    @Mark("native")
    @Deprecated
    public native int visible(@Mark int a, String... more) throws java.io.IOException;

    protected static synchronized native long[] many(byte a, short b, char c, double d, Object o);

    private native void hidden();

    final native <T extends Comparable<T>> List<T> generic(List<? super T> values);

    public void ordinary() {}

    strictfp double strict(double a) {
      return a * a;
    }
  }

  static final class Heir extends WithNatives {
    @Override
    public native int visible(int a, String... more);
  }

  interface WithDefault {
    default int twice(int a) {
      return 2 * once(a);
    }

    int once(int a);

    private int secret() {
      return 0;
    }

    static int shared() {
      return 3;
    }
  }

  static class Plain implements Serializable, WithDefault, Cloneable {
    int first;
    private String second = "s";
    final Object third = null;

    Plain() {}

    private Plain(int first) {
      this.first = first;
    }

    @Override
    public int once(int a) {
      return a;
    }

    class Inner implements Serializable {
      int depth() {
        return first;
      }
    }
  }

  static Object local() {
    class Local implements Serializable {}
    return new Local();
  }

  static Object anonymous() {
    return new Serializable() {
      @Override
      public int hashCode() {
        return 5;
      }
    };
  }

  static final Class<?>[] ALL = {
    Mark.class, Point.class, Colour.class, Colour.GREEN.getClass(), Shape.class, Circle.class,
    Square.class, WithNatives.class, Heir.class, WithDefault.class, Plain.class,
    Plain.Inner.class, local().getClass(), anonymous().getClass(), Specimens.class,
    NativeCalls.class, int.class, int[].class, WithNatives[][].class, void.class
  };

  private Specimens() {}
}
