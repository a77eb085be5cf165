package io.jvmscope.classfile;

/** A class file is not as JVMS 4 wants it; the message says where. */
public final class ClassFormatException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ClassFormatException(String message) {
    super(message);
  }
}
