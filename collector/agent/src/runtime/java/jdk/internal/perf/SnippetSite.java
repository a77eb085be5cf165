package jdk.internal.perf;

/** A place where a snippet may be inserted: the API's {@code Site}. */
public final class SnippetSite {
  private final String className;
  private final String method;
  private final String descriptor;
  private final String target;
  private final String opcode;
  private final boolean isJdk;

  SnippetSite(
      String className,
      String method,
      String descriptor,
      String target,
      String opcode,
      boolean isJdk) {
    this.className = className;
    this.method = method;
    this.descriptor = descriptor;
    this.target = target;
    this.opcode = opcode;
    this.isJdk = isJdk;
  }

  public String className() {
    return className;
  }

  public String method() {
    return method;
  }

  public String descriptor() {
    return descriptor;
  }

  public String target() {
    return target;
  }

  public String opcode() {
    return opcode;
  }

  public boolean isJdk() {
    return isJdk;
  }
}
