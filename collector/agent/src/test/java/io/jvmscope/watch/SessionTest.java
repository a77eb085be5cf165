package io.jvmscope.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a session tells its watcher. */
final class SessionTest {
  private static final long NS = 5;
  private static final int LARGE = 1 << 20;
  private static final int N_LARGE = 4;
  private static final long SLOW_MS = 2_500;

  @TempDir Path directory;

  /** A VM with one class, which it has no room to change. */
  private static Instrumentation instrumentation() {
    return (Instrumentation)
        Proxy.newProxyInstance(
            SessionTest.class.getClassLoader(),
            new Class<?>[] {Instrumentation.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getAllLoadedClasses" -> new Class<?>[] {SessionTest.class};
                  case "isModifiableClass", "removeTransformer" -> true;
                  case "retransformClasses" -> throw new OutOfMemoryError("Metaspace");
                  default -> null;
                });
  }

  private static void send(DataOutputStream out, String... fields) throws IOException {
    int size = 0;
    for (String field : fields) {
      size += Integer.BYTES + field.getBytes(StandardCharsets.UTF_8).length;
    }
    out.writeInt(size);
    for (String field : fields) {
      byte[] text = field.getBytes(StandardCharsets.UTF_8);
      out.writeInt(text.length);
      out.write(text);
    }
    out.flush();
  }

  private static String read(DataInputStream in) throws IOException {
    byte[] message = in.readNBytes(in.readInt());
    int length = Byte.toUnsignedInt(message[Integer.BYTES - 1]);
    return new String(message, Integer.BYTES, length, StandardCharsets.UTF_8);
  }

  /** What the watcher hears, from the beginning of a session to its end. */
  private List<String> told(Act... acts) throws Exception {
    Path socket = directory.resolve("socket");
    List<String> told = new ArrayList<>();
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket));
      Session session = new Session(instrumentation(), new Link(socket));
      try (SocketChannel watcher = server.accept()) {
        Thread agent = new Thread(() -> run(session), "agent");
        agent.start();
        DataOutputStream out = new DataOutputStream(Channels.newOutputStream(watcher));
        DataInputStream in = new DataInputStream(Channels.newInputStream(watcher));
        for (Act act : acts) {
          act.now(out);
          do {
            told.add(read(in));
          } while (told.get(told.size() - 1).equals("failure"));
        }
        watcher.shutdownOutput();
        agent.join();
      }
    }
    return told;
  }

  /** Something that the watcher answers to. */
  private interface Act {
    void now(DataOutputStream out) throws IOException;
  }

  /** A thread that stood still in a probe while that was taken out goes on when others are in. */
  @Test
  void whatEndsLateIsNotTold() throws Exception {
    Probe before = new Probe(0, null, null, null, Literals.NONE, false, false);
    List<String> told =
        told(
            out -> send(out, "insert"),
            out -> {
              new ProbedMethod(0, 0, before)
                  .stats(Caller.NONE, new WeakReference<>(Thread.currentThread()))
                  .add(0, NS, Stats.RETURNED, 1);
              send(out, "remove");
            });

    assertEquals(List.of("inserted", "removed"), told);
  }

  @Test
  void aVmWithoutRoomIsSaid() throws Exception {
    String name = SessionTest.class.getName().replace(".", "\\.");
    List<String> told =
        told(
            out -> {
              send(out, "probe", "0", name, "none", "", "-1");
              send(out, "insert");
            },
            out -> send(out, "remove"));

    assertEquals(List.of("failure", "inserted", "removed"), told);
  }

  /** The end of the VM waits for a watcher that is slow to take what there is. */
  @Test
  void theEndWaitsForWhatIsUnsent() throws Exception {
    Path socket = directory.resolve("socket");
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket));
      Link link = new Link(socket);
      Session session = new Session(instrumentation(), link);
      try (SocketChannel watcher = server.accept()) {
        String large = "x".repeat(LARGE);
        for (int k = 0; k < N_LARGE; k++) {
          link.send(large);
        }
        Thread agent = new Thread(() -> run(session), "agent");
        agent.start();
        Thread end = new Thread(session::exit, "end");
        end.start();
        end.join(SLOW_MS);

        assertTrue(end.isAlive());

        DataInputStream in = new DataInputStream(Channels.newInputStream(watcher));
        for (int k = 0; k < N_LARGE; k++) {
          in.readNBytes(in.readInt());
        }
        end.join();
        watcher.shutdownOutput();
        agent.join();
      }
    }
  }

  private static void run(Session session) {
    try {
      session.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
