package io.jvmscope.classfile;

/** A class file is not as JVMS 4 wants it; the message says where. */
public final class ClassFormatException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean isLazy;

  public ClassFormatException(String message) {
    this(message, false);
  }

  ClassFormatException(String message, boolean isLazy) {
    super(message);
    this.isLazy = isLazy;
  }

  /** Whether a VM may take the file: it reads annotations when it is asked for one. */
  public boolean isLazy() {
    return isLazy;
  }
}
