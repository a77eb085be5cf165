package io.jvmscope.dump;

import io.jvmscope.tables.FrameWriter;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * {@code WarmDump SOCKET}: the dump of one recording after the other in one process, whose compiler
 * has warmed up. Who connects sends the path of a raw directory and a line feed, and gets what
 * {@link Main} would write on standard output. It ends when its standard input does, which is when
 * the process that started it has ended.
 */
final class WarmDump {
  private WarmDump() {}

  public static void main(String[] args) throws IOException {
    Thread watch = new Thread(WarmDump::awaitEndOfInput, "watch");
    watch.setDaemon(true);
    watch.start();
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(args[0]));
      System.out.println("ready");
      while (true) {
        try (SocketChannel client = server.accept()) {
          dump(Path.of(readLine(client)), client);
        } catch (IOException | RuntimeException | Error e) {
          System.err.println(e); // who has hung up, or has too much, does not hinder the next
        }
        System.gc(); // unmaps the arena, so that its file is given back
      }
    }
  }

  private static void dump(Path raw, SocketChannel client) throws IOException {
    try (FrameWriter frames = new FrameWriter(client)) {
      String failure = Main.dump(raw, raw.resolve("options"), frames);
      if (failure != null) {
        throw new IOException(failure); // a stream without a result: the reader says so
      }
    }
  }

  private static String readLine(SocketChannel client) throws IOException {
    ByteBuffer line = ByteBuffer.allocate(1 << 16);
    do {
      if (client.read(line) < 0) {
        throw new IOException("no path");
      }
    } while (line.get(line.position() - 1) != '\n');
    return new String(line.array(), 0, line.position() - 1, StandardCharsets.UTF_8);
  }

  private static void awaitEndOfInput() {
    try {
      while (System.in.read() >= 0) {
        continue;
      }
    } catch (IOException e) {
      // is an end, too
    }
    System.exit(0);
  }
}
