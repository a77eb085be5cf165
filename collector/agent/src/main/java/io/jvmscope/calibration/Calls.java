package io.jvmscope.calibration;

/**
 * Loops that call a small accessor, by each kind of invoke and for one, two or three classes of
 * receivers, and the loop that reads the field itself.
 *
 * <p>Each loop is a method of its own, because the VM keeps the classes of receivers by
 * instruction. What is called has a name that begins with {@code called}, by which inlining is
 * forbidden. Loops have the names of their kinds, by which they are found in the log of the
 * compiler.
 *
 * <p>C1 inlines a virtual call only if no other class is loaded that it could be of, C2 also by the
 * classes that it has seen. So {@code B} and {@code C} are loaded only by {@link #load}.
 */
final class Calls {
  private final A[] one = {new A(), new A(), new A(), new A(), new A(), new A(), new A(), new A()};
  private final Valued[] valuedOne = valued(one);
  private A[] two;
  private A[] three;
  private Valued[] valuedTwo;
  private Valued[] valuedThree;
  final Special special = new Special();

  /**
   * Makes the receivers of two and three classes: what is called has three implementations then.
   */
  void load() {
    two = new A[] {new A(), new B(), new A(), new B(), new A(), new B(), new A(), new B()};
    three = new A[] {new A(), new B(), new C(), new A(), new B(), new C(), new A(), new B()};
    valuedTwo = valued(two);
    valuedThree = valued(three);
  }

  /** What is called by an interface. */
  interface Valued {
    int calledByInterface();
  }

  /** Not abstract, because C1 does not inline a call of a method that is. */
  static class A implements Valued {
    int value = 3;

    int called() {
      return value;
    }

    @Override
    public int calledByInterface() {
      return value;
    }
  }

  static final class B extends A {
    @Override
    int called() {
      return value;
    }

    @Override
    public int calledByInterface() {
      return value;
    }
  }

  static final class C extends A {
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

    long ofSpecial(int iterations) {
      long sum = 0;
      for (int i = 0; i < iterations; i++) {
        sum += super.called(i);
      }
      return sum;
    }
  }

  private static Valued[] valued(A[] objects) {
    return java.util.Arrays.copyOf(objects, objects.length, Valued[].class);
  }

  static int calledStatic(A object) {
    return object.value;
  }

  long bare(int iterations) {
    A[] objects = one;
    long sum = 0;
    for (int i = 0; i < iterations; i++) {
      sum += objects[i & 7].value;
    }
    return sum;
  }

  long ofStatic(int iterations) {
    A[] objects = one;
    long sum = 0;
    for (int i = 0; i < iterations; i++) {
      sum += calledStatic(objects[i & 7]);
    }
    return sum;
  }

  long ofVirtual1(int iterations) {
    A[] objects = one;
    long sum = 0;
    for (int i = 0; i < iterations; i++) {
      sum += objects[i & 7].called();
    }
    return sum;
  }

  long ofVirtual2(int iterations) {
    A[] objects = two;
    long sum = 0;
    for (int i = 0; i < iterations; i++) {
      sum += objects[i & 7].called();
    }
    return sum;
  }

  long ofVirtual3(int iterations) {
    A[] objects = three;
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
