package io.jvmscope.classfile;

/**
 * What {@code classes.log} holds: the classes of a recording, in the order in which they were
 * loaded. Big-endian: an int with the length of what follows, a byte with the kind, then
 *
 * <ul>
 *   <li>kind {@value #LOADER}: int id (3 and up; 0 boot, 1 platform, 2 app), UTF class name
 *   <li>kind {@value #CLASS}: int loader id, int first method id, int flags, UTF class name
 *       (internal form), int n and n bytes of {@link MethodPlan.Coverage} ordinals by method (n =
 *       0: all as the index says, or all full), int length and the class file (length 0 for
 *       prepared classes)
 *   <li>kind {@value #RECEIVER}: int number under which the arena counts its calls, int loader id,
 *       UTF class name
 *   <li>kind {@value #HIDDEN_NUMBER}: int the same number of a hidden class, int its first method
 *       id
 *   <li>kind {@value #MODULE}: int loader id, UTF package (internal form), UTF name of the module
 *       that has the package; once for each package of the program's named modules
 * </ul>
 *
 * <p>UTF is a short length and modified UTF-8, as DataOutput has it.
 */
public final class ClassLogLayout {
  public static final int LOADER = 'L';
  public static final int CLASS = 'C';
  public static final int RECEIVER = 'R';
  public static final int HIDDEN_NUMBER = 'H';
  public static final int MODULE = 'M';

  /** Flag of a class: defined as a hidden class. */
  public static final int HIDDEN = 1;

  /**
   * Flag of a class: one of the prepared JDK, whose file is in the image that ran, and whose
   * coverage is in the index unless the record has it.
   */
  public static final int PREPARED = 2;

  /** Flag of a class: left as it is, since it is excluded, or instrumenting it failed. */
  public static final int UNINSTRUMENTED = 4;

  /** Flag of a class: loaded before, now in another form. */
  public static final int REDEFINED = 8;

  /** Flag of a class: loaded before the agent, so that its objects could get no fields. */
  public static final int EARLY = 16;

  private ClassLogLayout() {}
}
