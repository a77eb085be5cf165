package io.jvmscope.watch;

import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;

/** The classes that probes were put into, with the numbers of their methods. */
final class ChangedClasses {
  private static final Numbers NUMBERS = new Numbers(System::nanoTime);
  private static final AtomicInteger NEXT_ID = new AtomicInteger();

  /** Methods of classes that are gone, until the watcher knows of it. */
  final Queue<ProbedMethod> gone = new ArrayDeque<>();

  private final List<ChangedClass> all = new ArrayList<>();

  /** A class of a loader with the methods of it that have probes, by name and descriptor. */
  private static final class ChangedClass {
    final WeakReference<ClassLoader> loader; // null: the boot loader
    final String name;
    final Map<String, ProbedMethod> methods = new HashMap<>();
    boolean isTold;

    /** Whether its probes were taken out. */
    boolean isRestored;

    /** The class file that another agent has redefined it to; null: none has. */
    byte[] replaced;

    ChangedClass(ClassLoader loader, String name) {
      this.loader = loader == null ? null : new WeakReference<>(loader);
      this.name = name;
    }

    boolean is(ClassLoader otherLoader, String otherName) {
      return name.equals(otherName)
          && (loader == null ? null : loader.get()) == otherLoader
          && isThere();
    }

    boolean isThere() {
      return loader == null || loader.get() != null;
    }
  }

  private ChangedClass find(ClassLoader loader, String name) {
    for (ChangedClass each : all) {
      if (each.is(loader, name)) {
        return each;
      }
    }
    return null;
  }

  private ChangedClass find(Class<?> type) {
    return find(type.getClassLoader(), type.getName().replace('.', '/'));
  }

  /**
   * A method's entry in the table of methods, which stays when its class is transformed again.
   *
   * @param method its name and descriptor
   * @return null if there is no number for it
   */
  synchronized ProbedMethod method(Probe probe, ClassLoader loader, String name, String method) {
    ChangedClass type = find(loader, name);
    if (type == null) {
      type = new ChangedClass(loader, name);
      all.add(type);
    }
    String key = probe.id() + " " + method;
    ProbedMethod known = type.methods.get(key);
    if (known != null) {
      return known;
    }
    int number = NUMBERS.take();
    if (number < 0) {
      return null;
    }
    ProbedMethod made = new ProbedMethod(number, NEXT_ID.getAndIncrement(), probe);
    Probes.set(number, made);
    type.methods.put(key, made);
    return made;
  }

  /** The methods of a class that have probes; none if it is not known. */
  synchronized List<ProbedMethod> methods(Class<?> type) {
    ChangedClass known = find(type);
    return known == null ? List.of() : List.copyOf(known.methods.values());
  }

  /** Whether a class has probes. */
  synchronized boolean isProbed(Class<?> type) {
    ChangedClass known = find(type);
    return known != null && !known.isRestored;
  }

  /** How many classes were changed, and are there still, with their probes. */
  synchronized int nProbed() {
    return (int) all.stream().filter(each -> each.isThere() && !each.isRestored).count();
  }

  /** Notes that the probes of a class were taken out. */
  synchronized void noteRestored(Class<?> type) {
    ChangedClass known = find(type);
    if (known != null) {
      known.isRestored = true;
    }
  }

  /** Notes that another agent redefines a class. */
  synchronized void noteReplaced(ClassLoader loader, String name, byte[] classFile) {
    ChangedClass known = find(loader, name);
    if (known != null) {
      known.replaced = classFile;
    }
  }

  /** The class file that another agent has redefined a class to meanwhile; null: none has. */
  synchronized byte[] replaced(Class<?> type) {
    ChangedClass known = find(type);
    return known == null ? null : known.replaced;
  }

  /** Whether the class file of a class was told, or there is no such class. */
  synchronized boolean isTold(ClassLoader loader, String name) {
    ChangedClass known = find(loader, name);
    return known == null || known.isTold;
  }

  /** Notes that the class file of a class was told. */
  synchronized void noteTold(ClassLoader loader, String name) {
    ChangedClass known = find(loader, name);
    if (known != null) {
      known.isTold = true;
    }
  }

  /** Forgets classes whose loaders are gone; no thread is in their methods any more. */
  synchronized void forgetGone() {
    for (Iterator<ChangedClass> each = all.iterator(); each.hasNext(); ) {
      ChangedClass type = each.next();
      if (!type.isThere()) {
        gone.addAll(type.methods.values());
        giveBack(type);
        each.remove();
      }
    }
  }

  /** Forgets all classes. */
  synchronized void forgetAll() {
    for (Iterator<ChangedClass> each = all.iterator(); each.hasNext(); each.remove()) {
      giveBack(each.next());
    }
  }

  /**
   * Gives back the numbers of a class. Nobody gets those of one whose probes may still be in its
   * code: its calls would count for another method.
   */
  private static void giveBack(ChangedClass type) {
    boolean isThere = type.isThere();
    for (ProbedMethod method : type.methods.values()) {
      if (!isThere) {
        NUMBERS.giveBackGone(method.number);
      } else if (type.isRestored) {
        NUMBERS.giveBackRestored(method.number);
      } else {
        NUMBERS.retire(method.number);
      }
    }
  }
}
