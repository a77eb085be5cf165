package io.jvmscope.watch;

/**
 * What inserted code calls. Loaded by the boot loader, so that every class can name it.
 *
 * <p>A method's code has only its number, in an instruction; what the number stands for is in a
 * table here. So a class does not get new constants each time that a probe is put into it.
 */
public final class Probes {
  /** How many methods can have a probe at one time: numbers that one instruction can push. */
  static final int MOST = 1 << 15;

  /**
   * How many invocations were not measured, as the heap or a stack had no room: at least so many,
   * as threads that add at the same time may count as one. Inserted code adds to it, which needs no
   * room.
   */
  public static volatile long nLost;

  private static final ProbedMethod[] METHODS = new ProbedMethod[MOST];

  private Probes() {}

  /** What a number stands for; null if its probe was taken out. */
  static ProbedMethod method(int number) {
    return METHODS[number];
  }

  static void set(int number, ProbedMethod method) {
    METHODS[number] = method;
  }

  /**
   * Begins to measure an invocation; returns null where it is not measured, as within another one
   * of the same method. The last thing it does is to mark the invocation, so that a thread whose
   * stack is full here has nothing to undo.
   */
  public static Activation enter(int number) {
    ProbedMethod method = METHODS[number];
    if (method == null) {
      return null;
    }
    if (Room.isFull()) {
      nLost++;
      return null;
    }
    ThreadState state = ThreadState.current();
    Activation activation = state.activation(method);
    if (activation == null || activation.isActive || state.isBusy) {
      if (state == ThreadState.NO_ROOM) {
        nLost++;
      }
      return null;
    }
    if (method.hasCallers) {
      Stats stats = state.statsOfCaller(activation);
      if (stats == null) {
        return null;
      }
      activation.stats = stats;
    }
    activation.start = System.nanoTime();
    activation.isActive = true;
    return activation;
  }

  /** {@link #enter} for an invocation that meets the condition. */
  public static Activation enterIf(boolean isMet, int number) {
    return isMet ? enter(number) : null;
  }

  /** Ends an invocation that returns. */
  public static void returned(Activation activation) {
    if (activation != null) {
      activation.end(Stats.RETURNED);
    }
  }

  /** Ends an invocation that throws. */
  public static void thrown(Activation activation) {
    if (activation != null) {
      activation.end(Stats.THROWN);
    }
  }
}
