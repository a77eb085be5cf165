package io.jvmscope.watch;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReference;

/** What a thread knows of its invocations of methods with probes. */
final class ThreadState {
  private static final Activation[] NONE = {null}; // before the states that are made here
  private static final ThreadLocal<ThreadState> THREADS = new ThreadLocal<>();

  /** For threads that are just getting a state, and for our own: nothing is measured in them. */
  private static final ThreadState NOT_MEASURED = new ThreadState(null, 0);

  /** For a thread that does not get one now, as there is no room. */
  static final ThreadState NO_ROOM = new ThreadState(null, 0);

  /** The states of platform threads. */
  private static final ThreadTable PLATFORM = new ThreadTable();

  /** The states of virtual threads, a stack; those of threads that have ended are empty. */
  private static final AtomicReference<Known> VIRTUAL = new AtomicReference<>();

  private static final int FEW = 8;

  static {
    NOT_MEASURED.isBusy = true;
    NO_ROOM.isBusy = true;
  }

  /** The thread, for statistics of its own; null: it shares them, as virtual threads do. */
  private final WeakReference<Thread> owner;

  /** The number of the thread, as {@link ThreadFacts} has it. */
  final long id;

  /** Each at its method's number, modulo their length, which is a power of two. */
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
        next = VIRTUAL.get();
      } while (!VIRTUAL.compareAndSet(next, this));
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
      long number = ThreadFacts.number(thread);
      ThreadState state = PLATFORM.get(thread, number);
      if (state == null) {
        state = added(thread, number);
      }
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

  /** A new state, which those that forget find. */
  private static ThreadState added(Thread thread, long number) {
    if (ThreadFacts.isVirtual(thread)) {
      ThreadState state = new ThreadState(null, number);
      new Known(state).push();
      return state;
    }
    ThreadState state = new ThreadState(new WeakReference<>(thread), number);
    PLATFORM.add(thread, state);
    return state;
  }

  /**
   * Has the VM load and initialise all that an invocation needs: a class that cannot be initialised
   * where the heap is full can never be used again.
   */
  static void warmUp(ProbedMethod method) {
    Thread thread = Thread.currentThread();
    long number = ThreadFacts.number(thread);
    ThreadState state = added(thread, number);
    PLATFORM.get(thread, number);
    new Known(state).clear(); // what a virtual thread needs
    Activation activation = state.activation(method);
    activation.stats = state.statsOfCaller(activation);
    activation.end(Stats.THROWN);
  }

  /** Says that nothing that this thread does is measured. */
  static void leaveOut() {
    THREADS.set(NOT_MEASURED);
  }

  /** Forgets the threads that have ended. */
  static void forgetEnded() {
    PLATFORM.forgetEnded();
    forgetVirtual(false);
  }

  /**
   * Has all threads forget the methods that had probes, all of which were taken out. An invocation
   * that goes on still ends what it has begun.
   */
  static void forgetMethods() {
    PLATFORM.forgetEnded();
    PLATFORM.forgetMethods();
    forgetVirtual(true);
  }

  private static void forgetVirtual(boolean hasMethods) {
    Known each = VIRTUAL.getAndSet(null);
    while (each != null) {
      Known next = each.next;
      ThreadState state = each.get();
      if (state != null) {
        if (hasMethods) {
          state.forgetMethodsHere();
        }
        each.push();
      }
      each = next;
    }
  }

  /** Has this thread forget the methods that had probes. */
  void forgetMethodsHere() {
    activations = NONE;
  }

  /** Says that what this thread does now is ours; returns whether that was so before. */
  boolean isBusySince() {
    boolean was = isBusy;
    isBusy = true;
    return was;
  }

  Activation activation(ProbedMethod method) {
    Activation[] known = activations;
    Activation activation = known[method.number & known.length - 1];
    if (activation != null && activation.method == method) {
      return activation;
    }
    return isBusy ? null : make(method);
  }

  private Activation make(ProbedMethod method) {
    isBusy = true;
    try {
      Activation[] known = withPlace(method.number);
      Activation activation = new Activation(method, this);
      if (!method.hasCallers) {
        activation.stats = method.stats(Caller.NONE, owner);
      }
      known[method.number & known.length - 1] = activation;
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

  /** What is known of methods, in as many places as give a number one of its own. */
  private Activation[] withPlace(int number) {
    Activation[] known = activations; // another thread may have this one forget them
    Activation[] placed = known == NONE ? new Activation[FEW] : known;
    while (!isFree(placed, number)) {
      placed = new Activation[2 * placed.length];
      for (Activation each : known) {
        if (each != null) {
          placed[each.method.number & placed.length - 1] = each;
        }
      }
    }
    return placed;
  }

  private static boolean isFree(Activation[] places, int number) {
    Activation there = places[number & places.length - 1];
    return there == null || there.method.number == number; // of a method that had it before
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
