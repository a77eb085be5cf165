package io.jvmscope.probe;

/** A public static method in {@code jdk.internal.perf} that instrumented code calls. */
public final class RuntimeMethod {
  private final String owner;
  private final String name;
  private final String descriptor;

  /** Names a method; no other has its name. */
  public RuntimeMethod(String owner, String name, String descriptor) {
    this.owner = owner;
    this.name = name;
    this.descriptor = descriptor;
  }

  public String owner() {
    return owner;
  }

  public String name() {
    return name;
  }

  public String descriptor() {
    return descriptor;
  }

  @Override
  public String toString() {
    return owner + "." + name + descriptor;
  }
}
