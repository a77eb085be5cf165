package io.jvmscope.watch;

import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;

/** What a thread knows of its invocations of methods with probes. */
final class ThreadState {
  private static final Activation[] NONE = {}; // before the states that are made here
  private static final ThreadLocal<ThreadState> THREADS = new ThreadLocal<>();

  /** For threads that are just getting a state, and for our own: nothing is measured in them. */
  private static final ThreadState NOT_MEASURED = new ThreadState(null, 0);

  /** For a thread that does not get one now, as there is no room. */
  static final ThreadState NO_ROOM = new ThreadState(null, 0);

  /** The states of threads, a stack; those of threads that have ended are empty. */
  private static final AtomicReference<Known> KNOWN = new AtomicReference<>();

  private static final int MORE = 8;

  static {
    NOT_MEASURED.isBusy = true;
    NO_ROOM.isBusy = true;
  }

  /** The thread, for statistics of its own; null: it shares them, as virtual threads do. */
  private final WeakReference<Thread> owner;

  /** The number of the thread, as {@link ThreadFacts} has it. */
  final long id;

  private Activation[] activations = NONE;

  /** Whether the thread runs our code, whose calls of methods of the JDK do not count. */
  boolean isBusy;

  private ThreadState(WeakReference<Thread> owner, long id) {
    this.owner = owner;
    this.id = id;
  }

  /** A state for as long as its thread has it. */
  private static final class Known extends WeakReference<ThreadState> {
    Known next;

    Known(ThreadState state) {
      super(state);
    }

    void push() {
      do {
        next = KNOWN.get();
      } while (!KNOWN.compareAndSet(next, this));
    }
  }

  static ThreadState current() {
    try {
      ThreadState state = THREADS.get(); // which may need room, as a thread's first
      return state != null ? state : begin();
    } catch (VirtualMachineError e) {
      if (e instanceof OutOfMemoryError) {
        Room.rest();
      }
      return NO_ROOM;
    }
  }

  private static ThreadState begin() {
    try {
      THREADS.set(NOT_MEASURED);
      Thread thread = Thread.currentThread();
      WeakReference<Thread> owner =
          ThreadFacts.isVirtual(thread) ? null : new WeakReference<>(thread);
      ThreadState state = new ThreadState(owner, ThreadFacts.number(thread));
      new Known(state).push();
      THREADS.set(state);
      return state;
    } catch (VirtualMachineError e) { // no room on the stack or the heap: next time
      THREADS.remove();
      if (e instanceof OutOfMemoryError) {
        Room.rest();
      }
      return NO_ROOM;
    }
  }

  /** Says that nothing that this thread does is measured. */
  static void leaveOut() {
    THREADS.set(NOT_MEASURED);
  }

  /** Forgets the threads that have ended. */
  static void forgetEnded() {
    forget(false);
  }

  /**
   * Has all threads forget the methods that had probes, all of which were taken out. An invocation
   * that goes on still ends what it has begun.
   */
  static void forgetMethods() {
    forget(true);
  }

  private static void forget(boolean hasMethods) {
    Known each = KNOWN.getAndSet(null);
    while (each != null) {
      Known next = each.next;
      ThreadState state = each.get();
      if (state != null) {
        if (hasMethods) {
          state.activations = NONE;
        }
        each.push();
      }
      each = next;
    }
  }

  /** Says that what this thread does now is ours; returns whether that was so before. */
  boolean isBusySince() {
    boolean was = isBusy;
    isBusy = true;
    return was;
  }

  Activation activation(ProbedMethod method) {
    int number = method.number;
    Activation[] known = activations;
    if (number < known.length) {
      Activation activation = known[number];
      if (activation != null && activation.method == method) {
        return activation;
      }
    }
    return isBusy ? null : make(method);
  }

  private Activation make(ProbedMethod method) {
    isBusy = true;
    try {
      Activation[] known = activations; // another thread may have this one forget them
      if (method.number >= known.length) {
        known = Arrays.copyOf(known, method.number + MORE);
      }
      Activation activation = new Activation(method, this);
      if (!method.hasCallers) {
        activation.stats = method.stats(Caller.NONE, owner);
      }
      known[method.number] = activation;
      activations = known;
      return activation;
    } catch (VirtualMachineError e) { // no room on the stack or the heap: next time
      Probes.nLost++;
      if (e instanceof OutOfMemoryError) {
        Room.rest();
      }
      return null;
    } finally {
      isBusy = false;
    }
  }

  /** The statistics of an invocation by its caller; null if there is no room to find it. */
  Stats statsOfCaller(Activation activation) {
    isBusy = true;
    try {
      return activation.statsOf(activation.method.knownCaller(Caller.find()), owner);
    } catch (VirtualMachineError e) {
      Probes.nLost++;
      if (e instanceof OutOfMemoryError) {
        Room.rest();
      }
      return null;
    } finally {
      isBusy = false;
    }
  }
}
