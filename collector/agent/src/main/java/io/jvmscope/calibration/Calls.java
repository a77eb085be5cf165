package io.jvmscope.calibration;

/**
 * Loops that call a small accessor, by each kind of invoke and for one, two or three classes of
 * receivers, and the loop that reads the field itself.
 *
 * <p>Each loop is a method of its own, because the VM keeps the classes of receivers by
 * instruction. What is called has a name that begins with {@code called}, by which inlining is
 * forbidden. The three classes are loaded in any case, so a call with one class of receivers cannot
 * be bound by the class hierarchy.
 */
final class Calls {
  private final Base[] one = {
    new A(), new A(), new A(), new A(), new A(), new A(), new A(), new A()
  };
  private final Base[] two = {
    new A(), new B(), new A(), new B(), new A(), new B(), new A(), new B()
  };
  private final Base[] three = {
    new A(), new B(), new C(), new A(), new B(), new C(), new A(), new B()
  };
  private final Valued[] valuedOne = valued(one);
  private final Valued[] valuedTwo = valued(two);
  private final Valued[] valuedThree = valued(three);
  final Special special = new Special();

  /** What is called by an interface. */
  interface Valued {
    int calledByInterface();
  }

  abstract static class Base implements Valued {
    int value = 3;

    abstract int called();
  }

  static final class A extends Base {
    @Override
    int called() {
      return value;
    }

    @Override
    public int calledByInterface() {
      return value;
    }
  }

  static final class B extends Base {
    @Override
    int called() {
      return value;
    }

    @Override
    public int calledByInterface() {
      return value;
    }
  }

  static final class C extends Base {
    @Override
    int called() {
      return value;
    }

    @Override
    public int calledByInterface() {
      return value;
    }
  }

  /** Has what is called by invokespecial. */
  static class Values {
    final int[] values = {3, 1, 4, 1, 5, 9, 2, 6};

    int called(int i) {
      return values[i & 7];
    }
  }

  static final class Special extends Values {
    @Override
    int called(int i) {
      return i;
    }

    long bare(int iterations) {
      long sum = 0;
      for (int i = 0; i < iterations; i++) {
        sum += values[i & 7];
      }
      return sum;
    }

    long calls(int iterations) {
      long sum = 0;
      for (int i = 0; i < iterations; i++) {
        sum += super.called(i);
      }
      return sum;
    }
  }

  private static Valued[] valued(Base[] objects) {
    return java.util.Arrays.copyOf(objects, objects.length, Valued[].class);
  }

  static int calledStatic(Base object) {
    return object.value;
  }

  long bare(int iterations) {
    Base[] objects = one;
    long sum = 0;
    for (int i = 0; i < iterations; i++) {
      sum += objects[i & 7].value;
    }
    return sum;
  }

  long ofStatic(int iterations) {
    Base[] objects = one;
    long sum = 0;
    for (int i = 0; i < iterations; i++) {
      sum += calledStatic(objects[i & 7]);
    }
    return sum;
  }

  long ofVirtual1(int iterations) {
    Base[] objects = one;
    long sum = 0;
    for (int i = 0; i < iterations; i++) {
      sum += objects[i & 7].called();
    }
    return sum;
  }

  long ofVirtual2(int iterations) {
    Base[] objects = two;
    long sum = 0;
    for (int i = 0; i < iterations; i++) {
      sum += objects[i & 7].called();
    }
    return sum;
  }

  long ofVirtual3(int iterations) {
    Base[] objects = three;
    long sum = 0;
    for (int i = 0; i < iterations; i++) {
      sum += objects[i & 7].called();
    }
    return sum;
  }

  long ofInterface1(int iterations) {
    Valued[] objects = valuedOne;
    long sum = 0;
    for (int i = 0; i < iterations; i++) {
      sum += objects[i & 7].calledByInterface();
    }
    return sum;
  }

  long ofInterface2(int iterations) {
    Valued[] objects = valuedTwo;
    long sum = 0;
    for (int i = 0; i < iterations; i++) {
      sum += objects[i & 7].calledByInterface();
    }
    return sum;
  }

  long ofInterface3(int iterations) {
    Valued[] objects = valuedThree;
    long sum = 0;
    for (int i = 0; i < iterations; i++) {
      sum += objects[i & 7].calledByInterface();
    }
    return sum;
  }
}
