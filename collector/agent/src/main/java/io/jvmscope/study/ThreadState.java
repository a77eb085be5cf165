package io.jvmscope.study;

import java.lang.ref.WeakReference;
import java.util.Arrays;
import jdk.internal.misc.Unsafe;

/** The states of all methods in one thread. */
final class ThreadState {
  private static final ThreadLocal<ThreadState> THREADS = new ThreadLocal<>();
  private static final String VIRTUAL = "java.lang.VirtualThread";
  private static final int ROOM = 64;

  /** Where a thread has its number; on 17 its class may have a method of its own for that. */
  private static final long NUMBER = Unsafe.getUnsafe().objectFieldOffset(Thread.class, "tid");

  /** For threads that are just getting a state, and for our own: nothing is measured in them. */
  private static final ThreadState NOT_MEASURED = new ThreadState(null, -1, true);

  static {
    NOT_MEASURED.isBusy = true;
  }

  /** By the number of the method; grown by the thread, read by the reader. */
  volatile MethodState[] methods = new MethodState[ROOM];

  private final WeakReference<Thread> owner;
  private final long thread;
  private final boolean isVirtual;
  private boolean isBusy;

  private ThreadState(Thread owner, long thread, boolean isVirtual) {
    this.owner = new WeakReference<>(owner);
    this.thread = thread;
    this.isVirtual = isVirtual;
  }

  static ThreadState current() {
    ThreadState state = THREADS.get();
    return state != null ? state : begin();
  }

  private static ThreadState begin() {
    THREADS.set(NOT_MEASURED);
    try {
      Thread thread = Thread.currentThread();
      boolean isVirtual = thread.getClass().getName().equals(VIRTUAL);
      ThreadState state = new ThreadState(thread, number(thread), isVirtual);
      if (!isVirtual) {
        Buffers.THREADS.add(state);
      }
      THREADS.set(state);
      return state;
    } catch (VirtualMachineError e) { // no room on the stack or the heap: next time
      THREADS.remove();
      return NOT_MEASURED;
    }
  }

  private static long number(Thread thread) {
    return Unsafe.getUnsafe().getLong(thread, NUMBER);
  }

  /** Says that nothing that this thread does is measured. */
  static void leaveOut() {
    THREADS.set(NOT_MEASURED);
  }

  /** The state of a method; null if there is no room for it. */
  MethodState of(int method) {
    MethodState[] known = methods;
    if (method < known.length && known[method] != null) {
      return known[method];
    }
    return isBusy ? null : make(method);
  }

  private MethodState make(int method) {
    isBusy = true;
    try {
      SampleBuffer buffer = isVirtual ? Buffers.shared(method) : Buffers.take();
      MethodState[] known = methods;
      if (method >= known.length) {
        known = Arrays.copyOf(known, method + ROOM);
      }
      MethodState state = new MethodState(buffer, thread, isVirtual);
      known[method] = state;
      methods = known; // volatile: the reader sees the state whole
      return state;
    } catch (VirtualMachineError e) {
      return null;
    } finally {
      isBusy = false;
    }
  }

  /** Whether no code runs here any more. */
  boolean isOver() {
    Thread thread = owner.get();
    return thread == null || !thread.isAlive();
  }
}
