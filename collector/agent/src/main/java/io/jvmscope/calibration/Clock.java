package io.jvmscope.calibration;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Processor time of this thread: other programs, collections and compilers have no part in it. */
final class Clock {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private Clock() {}

  static long processorNs() {
    return THREADS.getCurrentThreadCpuTime();
  }
}
