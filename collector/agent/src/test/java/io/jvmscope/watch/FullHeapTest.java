package io.jvmscope.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.WeakReference;
import java.lang.reflect.Constructor;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/**
 * Where the heap is full at any one allocation of the agent, no invocation is lost unsaid, and none
 * is told twice.
 */
final class FullHeapTest {
  private static final int MOST_ALLOCATIONS = 100_000;
  private static final int METHODS = 2;
  private static final int FEW = 10;
  private static final int WAYS = 3; // with callers, by a virtual thread, and plain
  private static final int CALLS = 300; // more than there are in one part of a queue

  /** Threads have counted; what they have is told while the n-th allocation fails. */
  public static final class Telling implements IntFunction<Object[]> {
    private final Map<String, Long> truth = new TreeMap<>();
    private final List<List<String>> messages = new ArrayList<>();
    private final Probe probe = new Probe(0, null, null, null, Literals.NONE, true, true);
    private final List<ProbedMethod> methods = new ArrayList<>();

    @Override
    public Object[] apply(int n) {
      ConcurrentLinkedQueue<List<String>> toTell = new ConcurrentLinkedQueue<>();
      for (int k = 0; k < METHODS; k++) {
        methods.add(new ProbedMethod(k, k, probe));
        Probes.set(k, methods.get(k));
        toTell.add(List.of("method", Integer.toString(k)));
      }
      Ledger ledger = new Ledger(this::send);
      ledger.begin(List.of(probe), toTell);
      count(Thread.currentThread());
      count(null);
      Faults.arm(n);
      for (boolean isDone = false; !isDone; ) {
        try {
          ledger.tellSamples();
          isDone = ledger.tell();
        } catch (OutOfMemoryError e) {
          count(null); // goes on meanwhile
        }
      }
      boolean hasFailed = Faults.disarm();
      count(Thread.currentThread());
      Queue<ProbedMethod> gone = new ArrayDeque<>(List.of(methods.get(0)));
      Faults.arm(n);
      for (boolean isDone = false; !isDone; ) {
        try {
          isDone = ledger.tell();
          ledger.forget(gone);
          ledger.end();
        } catch (OutOfMemoryError e) {
          isDone = false;
        }
      }
      hasFailed |= Faults.disarm();
      return new Object[] {hasFailed, truth, told()};
    }

    private void send(List<String> message) {
      Faults.allocate();
      messages.add(message);
    }

    /** Counts invocations in a thread; one that is over, if none is given. */
    private void count(Thread thread) {
      for (ProbedMethod method : methods) {
        for (String name : new String[] {"one", "other"}) {
          Stats stats = method.stats(new Caller("Class", name), new WeakReference<>(thread));
          for (int k = 0; k < CALLS; k++) {
            int exit = k % 3 == 0 ? Stats.THROWN : Stats.RETURNED;
            stats.add(0, k, exit, 1);
            String key = method.id + " " + name + " ";
            truth.merge(key + exit, 1L, Long::sum);
            truth.merge(key + exit + " ns", (long) k, Long::sum);
            truth.merge(key + "samples", 1L, Long::sum);
            truth.merge(key + "sampled", 1L, Long::sum);
          }
        }
      }
    }

    /** What the watcher makes of the messages. */
    private Map<String, Long> told() {
      Map<String, Long> told = new TreeMap<>();
      Map<String, String> names = new TreeMap<>();
      List<String> known = new ArrayList<>();
      List<String> over = new ArrayList<>();
      for (List<String> message : messages) {
        switch (message.get(0)) {
          case "method" -> known.add(message.get(1));
          case "gone" -> over.add(message.get(1));
          case "caller" -> names.put(message.get(1), message.get(3));
          case "samples" -> {
            int left = Base64.getDecoder().decode(message.get(2)).length / Samples.SAMPLE_BYTES;
            for (int k = 3; k < message.size(); k += 3) {
              assertFalse(over.contains(message.get(k)));
              int n = Integer.parseInt(message.get(k + 2));
              told.merge(key(message, k, names, known) + "samples", (long) n, Long::sum);
              left -= n;
            }
            assertEquals(0, left);
          }
          case "time" -> {
            assertFalse(over.contains(message.get(3)));
            String key = key(message, 3, names, known);
            String exit = message.get(5);
            told.merge(key + exit + " ns", Long.parseLong(message.get(6)), Long::sum);
            told.merge(key + "sampled", Long.parseLong(message.get(9)), Long::sum);
            for (int k = 11; k < message.size(); k += 2) {
              told.merge(key + exit, Long.parseLong(message.get(k)), Long::sum);
            }
          }
          default -> told.put(message.toString(), 1L);
        }
      }
      assertEquals(known.stream().distinct().toList(), known);
      assertEquals(List.of("0"), over.stream().distinct().toList());
      return told;
    }

    private static String key(
        List<String> message, int at, Map<String, String> names, List<String> known) {
      assertTrue(known.contains(message.get(at)));
      String name = names.get(message.get(at + 1));
      return message.get(at) + " " + name + " ";
    }
  }

  /** A thread that is new to the agent invokes a method while the n-th allocation fails. */
  public static final class Measuring implements IntFunction<Object[]> {
    private long nCounted;
    private boolean hasFailed;
    private boolean isResting; // nobody tries to find room for a while

    @Override
    public Object[] apply(int n) {
      int way = n % WAYS;
      Ledger.warmUp();
      Probe probe = new Probe(0, null, null, null, Literals.NONE, way == 0, true);
      ProbedMethod method = new ProbedMethod(0, 0, probe);
      Probes.set(0, method);
      Room.forget();
      final long nLost = Probes.nLost;
      Thread thread = new Thread(() -> call(method, way == 1, n / WAYS + 1));
      thread.start();
      join(thread);
      Ledger ledger = new Ledger(this::add);
      ledger.begin(List.of(probe), new ConcurrentLinkedQueue<>());
      ledger.tell();
      return new Object[] {
        hasFailed,
        Map.of("all", (long) FEW, "resting", hasFailed),
        Map.of("all", nCounted + Probes.nLost - nLost, "resting", isResting)
      };
    }

    private void call(ProbedMethod method, boolean isVirtual, int n) {
      Faults.arm(n);
      for (int k = 0; k < FEW; k++) {
        if (isVirtual) {
          addShared(method);
          continue;
        }
        Activation activation = Probes.enter(0);
        if (k % 3 == 0) {
          Probes.thrown(activation);
        } else {
          Probes.returned(activation);
        }
      }
      hasFailed = Faults.disarm();
      isResting = Room.isFull();
    }

    /** Counts an invocation as the state of a virtual thread does. */
    private static void addShared(ProbedMethod method) {
      Stats stats;
      try {
        stats = method.stats(Caller.OTHERS, null);
      } catch (VirtualMachineError e) {
        Probes.nLost++;
        Room.rest();
        return;
      }
      stats.add(0, 1, Stats.RETURNED, 1);
    }

    private static void join(Thread thread) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private void add(List<String> message) {
      for (int k = 11; k < message.size(); k += 2) {
        nCounted += Long.parseLong(message.get(k));
      }
    }
  }

  /** Messages come, some larger than the buffer, while the n-th allocation fails. */
  public static final class Reading implements IntFunction<Object[]> {
    private static final int[] SIZES = {1, 20_000, 5, 70_000};

    @Override
    public Object[] apply(int n) {
      try {
        Path directory = Files.createTempDirectory("link");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
          Path socket = directory.resolve("socket");
          server.bind(UnixDomainSocketAddress.of(socket));
          try (Link link = new Link(socket);
              SocketChannel watcher = server.accept()) {
            return read(link, watcher, n);
          } finally {
            Files.delete(socket);
          }
        } finally {
          Files.delete(directory);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static Object[] read(Link link, SocketChannel watcher, int n) throws IOException {
      List<List<String>> sent = new ArrayList<>();
      for (int size : SIZES) {
        List<String> message = List.of("kind", "x".repeat(size));
        sent.add(message);
        ByteBuffer bytes = ByteBuffer.allocate(3 * Integer.BYTES + 4 + size);
        bytes.putInt(2 * Integer.BYTES + 4 + size);
        message.forEach(text -> bytes.putInt(text.length()).put(text.getBytes()));
        watcher.write(bytes.flip());
      }
      List<List<String>> found = new ArrayList<>();
      Faults.arm(n);
      while (found.size() < SIZES.length) {
        try {
          found.addAll(link.read());
        } catch (OutOfMemoryError e) {
          continue;
        }
      }
      return new Object[] {Faults.disarm(), sent, found};
    }
  }

  private static void failEachOnce(Class<?> type, int least) throws Exception {
    Constructor<?> made = Faults.load(type).getConstructor();
    int n = 0;
    int nWithout = 0; // the last ones, in which no allocation has failed
    while (nWithout < WAYS) {
      IntFunction<?> work = (IntFunction<?>) made.newInstance();
      Object[] outcome = (Object[]) work.apply(++n);
      assertEquals(outcome[1], outcome[2], "allocation " + n);
      assertTrue(n < MOST_ALLOCATIONS);
      nWithout = outcome[0] == Boolean.TRUE ? 0 : nWithout + 1;
    }
    assertTrue(n > least);
  }

  @Test
  void whatComesIsReadOnce() throws Exception {
    failEachOnce(Reading.class, 20);
  }

  @Test
  void whatIsToldIsWhatWasCounted() throws Exception {
    failEachOnce(Telling.class, 100);
  }

  @Test
  void whatIsNotMeasuredIsSaid() throws Exception {
    failEachOnce(Measuring.class, 100);
  }
}
