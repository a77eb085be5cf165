package io.jvmscope.dump;

import io.jvmscope.classfile.ClassLogLayout;
import io.jvmscope.classfile.MethodPlan.Coverage;

/**
 * A class as the agent logged it.
 *
 * @param loader number of the defining loader: 0 boot, 1 platform, 2 app, then by order
 * @param baseId the agent's number of its first method
 * @param flags those of {@link ClassLogLayout}
 * @param name internal form, as in the class file
 * @param coverage by method; empty if it is everywhere as by default
 * @param fileAt where in the log the class file is
 * @param fileLength its length; 0 for a prepared class of the JDK
 */
record LoadedClass(
    int loader,
    int baseId,
    int flags,
    String name,
    Coverage[] coverage,
    long fileAt,
    int fileLength) {
  boolean isHidden() {
    return (flags & ClassLogLayout.HIDDEN) != 0;
  }

  boolean isPrepared() {
    return (flags & ClassLogLayout.PREPARED) != 0;
  }

  boolean isEarly() {
    return (flags & ClassLogLayout.EARLY) != 0;
  }

  boolean isUninstrumented() {
    return (flags & ClassLogLayout.UNINSTRUMENTED) != 0;
  }
}
