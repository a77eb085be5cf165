package io.jvmscope.watch;

import java.util.Iterator;
import java.util.function.Function;
import java.util.stream.Stream;

/** A method that calls one with a probe, by the names of its class and its own. */
record Caller(String className, String name) {
  /** No caller is known: none was asked for, or the method is the first of its thread. */
  static final Caller NONE = new Caller("", "");

  /** All callers beyond those that are kept for a method. */
  static final Caller OTHERS = new Caller("", "(others)");

  private static final String OURS = Probes.class.getPackageName() + ".";
  private static final StackWalker WALKER = StackWalker.getInstance();

  /** In plain code: what a record has would be linked while a method is measured. */
  @Override
  public int hashCode() {
    return 31 * className.hashCode() + name.hashCode();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Caller caller
        && caller.className.equals(className)
        && caller.name.equals(name);
  }

  /** Finds the caller of the method whose code has called {@link Probes}. */
  static Caller find() {
    return WALKER.walk(new Second());
  }

  /** The second frame that is not ours: the first is that of the method with the probe. */
  private static final class Second implements Function<Stream<StackWalker.StackFrame>, Caller> {
    @Override
    public Caller apply(Stream<StackWalker.StackFrame> frames) {
      Iterator<StackWalker.StackFrame> each = frames.iterator();
      boolean isSecond = false;
      while (each.hasNext()) {
        StackWalker.StackFrame frame = each.next();
        if (isSecond) {
          return new Caller(frame.getClassName().replace('.', '/'), frame.getMethodName());
        }
        isSecond = !frame.getClassName().startsWith(OURS);
      }
      return NONE;
    }
  }
}
