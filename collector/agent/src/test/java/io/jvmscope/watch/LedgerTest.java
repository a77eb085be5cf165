package io.jvmscope.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LedgerTest {
  private final Map<String, Integer> told = new HashMap<>();
  private int nMessages;
  private final Ledger ledger = new Ledger(this::take);
  private final Probe probe = new Probe(0, null, null, null, Literals.NONE, false, true);

  @BeforeEach
  void begin() {
    ProbedMethod.takeFresh();
    Samples.begin();
    ledger.begin(List.of(probe), new ConcurrentLinkedQueue<>());
  }

  @AfterEach
  void end() {
    ledger.end();
    Samples.begin();
  }

  /** GIVEN many methods of which few samples wait, THEN each round tells all, in few messages. */
  @Test
  void samplesOfManyMethodsAreToldAtOnce() {
    List<Stats> all = stats(5_000);
    for (int round = 1; round <= 3; round++) {
      nMessages = 0;
      all.forEach(stats -> add(stats, 3));
      assertEquals(false, ledger.tellSamples());
      assertEquals(5_000, told.size());
      assertEquals(List.of(3 * round), told.values().stream().distinct().toList());
      assertTrue(nMessages <= 8, () -> nMessages + " messages");
    }
  }

  /** GIVEN more than a round may tell, again and again, THEN each method has its turn. */
  @Test
  void noMethodKeepsOthersFromTheirTurn() {
    List<Stats> all = stats(20);
    Stats last = all.get(all.size() - 1);
    add(last, 5);
    for (int round = 0; round < 2 * all.size(); round++) {
      all.subList(0, all.size() - 1).forEach(stats -> add(stats, 20_000));
      ledger.tellSamples();
    }
    assertEquals(5, told.get(Integer.toString(last.method.id)));
    all.forEach(stats -> assertTrue(told.containsKey(Integer.toString(stats.method.id))));
  }

  private List<Stats> stats(int n) {
    List<Stats> all = new ArrayList<>();
    for (int id = 0; id < n; id++) {
      ProbedMethod method = new ProbedMethod(id, id, probe);
      all.add(method.stats(Caller.NONE, new WeakReference<>(Thread.currentThread())));
    }
    return all;
  }

  private static void add(Stats stats, int n) {
    for (int k = 0; k < n; k++) {
      stats.add(0, 1, Stats.RETURNED, 1);
    }
  }

  private void take(List<String> message) {
    nMessages++;
    for (int k = 3; message.get(0).equals("samples") && k < message.size(); k += 3) {
      told.merge(message.get(k), Integer.parseInt(message.get(k + 2)), Integer::sum);
    }
  }
}
