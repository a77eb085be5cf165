package io.jvmscope.calibration;

/**
 * Loops that make an object and keep it, and those that keep one that is there.
 *
 * <p>A constructor is a call and costs as one, so the loop that makes nothing calls as many methods
 * as a constructor and those of its superclasses.
 */
final class Creations {
  /** Bytes before the first element of an array, with compressed class pointers. */
  static final int ARRAY_HEADER = 16;

  static final int[] ARRAY_BYTES = {16, 24, 32, 64, 128, 256, 1024, 4096, 16384};

  private final Object[] kept = new Object[8];
  private final First made = new First();
  int length;

  /** The superclass of what is made: with that of Object, each object has three constructors. */
  static class Root {}

  /** Has three methods that call each other as these constructors do. */
  static class Third {
    int a;

    void call() {}
  }

  static class Second extends Third {
    @Override
    void call() {
      super.call();
    }
  }

  static final class First extends Second {
    @Override
    void call() {
      super.call();
    }
  }

  static final class Of16 extends Root {
    int f0;
  }

  static final class Of24 extends Root {
    int f0, f1, f2;
  }

  static final class Of32 extends Root {
    int f0, f1, f2, f3, f4;
  }

  static final class Of64 extends Root {
    int f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12;
  }

  static final class Of128 extends Root {
    int f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15;
    int f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27, f28;
  }

  long bare(int iterations) {
    Object[] objects = kept;
    First object = made;
    for (int i = 0; i < iterations; i++) {
      object.call();
      objects[i & 7] = object;
    }
    return object.a;
  }

  long store(int iterations) {
    Object[] objects = kept;
    First object = made;
    for (int i = 0; i < iterations; i++) {
      objects[i & 7] = object;
    }
    return object.a;
  }

  long ofArray(int iterations) {
    Object[] objects = kept;
    int size = length;
    for (int i = 0; i < iterations; i++) {
      objects[i & 7] = new byte[size];
    }
    return size;
  }

  long of16(int iterations) {
    Object[] objects = kept;
    for (int i = 0; i < iterations; i++) {
      objects[i & 7] = new Of16();
    }
    return objects.length;
  }

  long of24(int iterations) {
    Object[] objects = kept;
    for (int i = 0; i < iterations; i++) {
      objects[i & 7] = new Of24();
    }
    return objects.length;
  }

  long of32(int iterations) {
    Object[] objects = kept;
    for (int i = 0; i < iterations; i++) {
      objects[i & 7] = new Of32();
    }
    return objects.length;
  }

  long of64(int iterations) {
    Object[] objects = kept;
    for (int i = 0; i < iterations; i++) {
      objects[i & 7] = new Of64();
    }
    return objects.length;
  }

  long of128(int iterations) {
    Object[] objects = kept;
    for (int i = 0; i < iterations; i++) {
      objects[i & 7] = new Of128();
    }
    return objects.length;
  }
}
