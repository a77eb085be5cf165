package io.jvmscope.probe;

/** A public static method in {@code jdk.internal.perf} that instrumented code calls. */
public final class RuntimeMethod {
  /** Of the names that methods of ours have in classes of the JDK. */
  public static final String PREFIX = "jvmscope$";

  private final String owner;
  private final String name;
  private final String nameInObject;
  private final String descriptor;

  /** Names a method; no other has its name. */
  public RuntimeMethod(String owner, String name, String descriptor) {
    this.owner = owner;
    this.name = name;
    this.nameInObject = PREFIX + name; // once, not at each call that is written
    this.descriptor = descriptor;
  }

  public String owner() {
    return owner;
  }

  public String name() {
    return name;
  }

  /** The name of the method of java.lang.Object that calls it. */
  public String nameInObject() {
    return nameInObject;
  }

  public String descriptor() {
    return descriptor;
  }

  @Override
  public String toString() {
    return owner + "." + name + descriptor;
  }
}
