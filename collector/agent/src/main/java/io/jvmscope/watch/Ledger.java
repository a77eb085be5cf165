package io.jvmscope.watch;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/**
 * What all threads have counted of the probes that are in, and what of it the watcher knows.
 *
 * <p>Where the heap is full, any method here may throw an error of the VM. Nothing is lost by that,
 * and nothing is told twice: whoever calls again goes on.
 */
final class Ledger {
  private static final int MOST_MESSAGES = 64;

  private final Consumer<List<String>> out;
  private final SampleSender samples;
  private final Map<ProbedMethod, Map<Caller, Totals>> totals = new LinkedHashMap<>();

  /** All totals, and whose samples are told next: each gets its turn, however much others have. */
  private final List<Totals> all = new ArrayList<>();

  private int turn;
  private final Map<Caller, Integer> callers = new HashMap<>();
  private List<Probe> probes = List.of();

  /** What is told before the numbers, such as which methods have probes. */
  private Queue<List<String>> messages;

  /** A stack of statistics that were taken, and are not in the totals yet; null: none. */
  private Stats fresh;

  private String lastTold = "";
  private long nLostTold;

  /**
   * A ledger that knows of no probes yet.
   *
   * @param out where messages go; it takes one wholly, or throws
   */
  Ledger(Consumer<List<String>> out) {
    this.out = out;
    samples = new SampleSender(out);
  }

  /** Has the VM load and link what measuring needs while there is room, and no probe is in. */
  static void warmUp() {
    Ledger ledger = new Ledger(message -> {});
    Probe probe = new Probe(0, null, null, null, Literals.NONE, true, true);
    ledger.begin(List.of(probe), new ConcurrentLinkedQueue<>(List.of(List.of("nothing"))));
    ProbedMethod method = new ProbedMethod(0, 0, probe);
    for (Thread thread : new Thread[] {Thread.currentThread(), null}) {
      method.stats(Caller.OTHERS, new WeakReference<>(thread)).add(0, 1, Stats.THROWN, 0);
    }
    ThreadState.warmUp(method);
    ledger.tellSamples();
    ledger.tell();
    ledger.end();
  }

  /** Begins with probes that are put in now, when none is. */
  void begin(List<Probe> asked, Queue<List<String>> toTell) {
    probes = asked;
    messages = toTell;
    lastTold = Long.toString(Clocks.now());
    nLostTold = Probes.nLost;
  }

  /**
   * Tells what has been counted since the last time.
   *
   * @return false if something kept changing, and has not been told
   */
  boolean tell() {
    takeFresh();
    String now = Long.toString(Clocks.now());
    boolean isAll = true;
    for (Map<Caller, Totals> each : totals.values()) {
      for (Totals of : each.values()) {
        isAll &= of.tell(now, out, samples);
      }
    }
    tellLost();
    lastTold = now;
    return isAll;
  }

  /**
   * Tells single invocations, so often that they do not wait long in threads' queues.
   *
   * @return whether there may be more, for which there was no room in what is sent at one time
   */
  boolean tellSamples() {
    if (!hasSamples()) {
      return false;
    }
    takeFresh();
    samples.begin();
    int left = MOST_MESSAGES;
    for (int k = 0; k < all.size() && left > 0; k++) {
      turn = turn < all.size() ? turn : 0;
      left -= all.get(turn).tellSamples(samples, left);
      turn++;
    }
    samples.send();
    return left == 0;
  }

  /** Whether a probe that is in keeps single invocations. */
  boolean hasSamples() {
    return probes.stream().anyMatch(Probe::hasSamples);
  }

  /** Tells what the VM was asked to put in, and why some of it could not be. */
  void tellMessages() {
    List<String> message;
    while ((message = messages.peek()) != null) {
      out.accept(message);
      messages.poll();
    }
  }

  /**
   * Forgets methods of classes that are gone, of which all numbers were told, and has the watcher
   * do so.
   *
   * @param gone the methods; those that are forgotten are taken out
   */
  void forget(Queue<ProbedMethod> gone) {
    ProbedMethod method;
    while ((method = gone.peek()) != null) {
      Map<Caller, Totals> over = totals.getOrDefault(method, Map.of());
      finish(over);
      out.accept(List.of("gone", Integer.toString(method.id)));
      all.removeAll(Set.copyOf(over.values())); // before they are nowhere else
      totals.remove(method);
      gone.poll();
    }
  }

  /** Tells what is left of probes that were taken out, and forgets them. */
  void end() {
    totals.values().forEach(this::finish);
    totals.clear();
    all.clear();
    probes = List.of();
  }

  private void finish(Map<Caller, Totals> of) {
    of.values().forEach(each -> each.finish(samples));
  }

  private void takeFresh() {
    while (fresh != null || (fresh = ProbedMethod.takeFresh()) != null) {
      Stats stats = fresh;
      if (isOurs(stats.method)) {
        totals(stats).add(stats);
      } else if (stats.samples != null) {
        stats.samples.close();
      }
      fresh = stats.next;
      stats.next = null; // else a thread that holds this one holds all of them
    }
    tellMessages(); // what a method is called comes before its numbers
  }

  /**
   * Whether a method's probe is one of those that are in. A thread that stood still in a probe
   * while it was taken out makes its statistics much later, maybe when others are in.
   */
  private boolean isOurs(ProbedMethod method) {
    for (Probe probe : probes) {
      if (probe == method.probe) { // others may be equal
        return true;
      }
    }
    return false;
  }

  private Totals totals(Stats stats) {
    int id = stats.method.id;
    Map<Caller, Totals> ofMethod = totals.computeIfAbsent(stats.method, method -> new HashMap<>());
    Totals known = ofMethod.get(stats.caller);
    if (known == null) {
      known = new Totals(id, number(stats.caller), lastTold);
      all.add(known); // first: one that is only here has nothing to tell
      ofMethod.put(stats.caller, known);
    }
    return known;
  }

  private String number(Caller caller) {
    if (caller.equals(Caller.NONE)) {
      return "-1";
    }
    Integer known = callers.get(caller);
    if (known == null) {
      known = callers.size();
      out.accept(List.of("caller", Integer.toString(known), caller.className(), caller.name()));
      callers.put(caller, known); // last: the watcher takes one that it knows as that one
    }
    return Integer.toString(known);
  }

  /** Tells how many invocations were not measured, as there was no room. */
  private void tellLost() {
    long n = Probes.nLost;
    if (n > nLostTold) {
      out.accept(List.of("lost", Long.toString(n - nLostTold)));
      nLostTold = n;
    }
  }
}
