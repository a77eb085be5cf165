package io.jvmscope.agent;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/**
 * Numbers class loaders in the order in which they define their first class. Holds them weakly, and
 * compares identities: a loader's own {@code hashCode} is the program's business.
 */
final class Loaders {
  private static final int FIRST = 3;

  private final ClassLog log;
  private final List<WeakReference<ClassLoader>> seen = new ArrayList<>();
  private final ClassLoader app = ClassLoader.getSystemClassLoader();
  private final ClassLoader platform = ClassLoader.getPlatformClassLoader();

  Loaders(ClassLog log) {
    this.log = log;
  }

  /** 0 for the boot loader, 1 platform, 2 app, then by order; a new one is logged. */
  int id(ClassLoader loader) throws IOException {
    if (loader == null) {
      return 0;
    }
    if (loader == platform) {
      return 1;
    }
    if (loader == app) {
      return 2;
    }
    for (int i = seen.size() - 1; i >= 0; i--) {
      if (seen.get(i).refersTo(loader)) {
        return FIRST + i;
      }
    }
    int id = FIRST + seen.size();
    seen.add(new WeakReference<>(loader));
    log.loader(id, loader.getClass().getName().replace('.', '/'));
    return id;
  }

  /**
   * What tells a class or package of a loader from all others. It is made without a string builder,
   * which may fail while a program mocks it.
   */
  static String key(int loaderId, String name) {
    return Integer.toString(loaderId).concat(name);
  }
}
