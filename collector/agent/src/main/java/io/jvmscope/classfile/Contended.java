package io.jvmscope.classfile;

/** The JDK's annotation {@code Contended} among those of a class or field. */
final class Contended {
  private static final String TYPE = "Ljdk/internal/vm/annotation/Contended;";

  private final ClassFile file;
  private int at;

  private Contended(ClassFile file, int at) {
    this.file = file;
    this.at = at;
  }

  /**
   * The group that the annotation names, empty if none; null without the annotation.
   *
   * @param at index in the file of an attribute {@code RuntimeVisibleAnnotations}'s content
   */
  static String group(ClassFile file, int at) {
    return new Contended(file, at).group();
  }

  private String group() {
    for (int n = next(); n > 0; n--) {
      boolean isIt = file.utf8(next()).equals(TYPE);
      String group = "";
      for (int pairs = next(); pairs > 0; pairs--) {
        boolean isValue = file.utf8(next()).equals("value");
        boolean isText = file.u1(at) == 's';
        group = isValue && isText ? file.utf8(file.u2(at + 1)) : group;
        skipValue();
      }
      if (isIt) {
        return group;
      }
    }
    return null;
  }

  private int next() {
    at += 2;
    return file.u2(at - 2);
  }

  /** Skips an element value (JVMS 4.7.16.1). */
  private void skipValue() {
    switch (file.u1(at++)) {
      case 'e' -> at += 4;
      case '@' -> {
        next();
        for (int pairs = next(); pairs > 0; pairs--) {
          next();
          skipValue();
        }
      }
      case '[' -> {
        for (int n = next(); n > 0; n--) {
          skipValue();
        }
      }
      default -> at += 2;
    }
  }
}
