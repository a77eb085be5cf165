package io.jvmscope.watch;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import java.util.Queue;

/**
 * The connection to the watcher, which never makes us wait. A message is its length in four bytes,
 * and texts, each after its length in four bytes.
 */
final class Link implements Closeable {
  private static final int READ_SIZE = 1 << 14;

  private final SocketChannel channel;

  /** Linked: where the heap is full, a message is added or not, and no other one is lost. */
  private final Queue<ByteBuffer> unsent = new LinkedList<>();

  private ByteBuffer read = ByteBuffer.allocate(READ_SIZE);

  Link(Path socket) throws IOException {
    channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    channel.connect(UnixDomainSocketAddress.of(socket));
    channel.configureBlocking(false);
  }

  void send(List<String> fields) {
    List<byte[]> texts = new ArrayList<>();
    int size = 0;
    for (String field : fields) {
      byte[] text = field.getBytes(StandardCharsets.UTF_8);
      texts.add(text);
      size += Integer.BYTES + text.length;
    }
    ByteBuffer message = ByteBuffer.allocate(Integer.BYTES + size).putInt(size);
    texts.forEach(text -> message.putInt(text.length).put(text));
    unsent.add(message.flip());
  }

  void send(String... fields) {
    send(List.of(fields));
  }

  /** Whether all that was sent has left. */
  boolean isDrained() {
    return unsent.isEmpty();
  }

  /** Writes what can be written now. */
  void write() throws IOException {
    while (!unsent.isEmpty()) {
      channel.write(unsent.peek());
      if (unsent.peek().hasRemaining()) {
        return;
      }
      unsent.poll();
    }
  }

  /**
   * Reads what has come. Where the heap is full it throws, and the next call returns all of it.
   *
   * @throws EOFException if the watcher has closed the connection, or is gone
   */
  List<List<String>> read() throws IOException {
    int n;
    do {
      if (!read.hasRemaining()) {
        ByteBuffer larger = ByteBuffer.allocate(2 * read.capacity());
        read = larger.put(read.flip());
      }
      n = channel.read(read);
    } while (n > 0);
    List<List<String>> messages = new ArrayList<>();
    int filled = read.position();
    read.flip();
    try {
      decode(messages);
    } catch (OutOfMemoryError e) {
      read.limit(read.capacity());
      read.position(filled);
      throw e;
    }
    read.compact();
    if (n < 0 && messages.isEmpty()) {
      throw new EOFException();
    }
    return messages;
  }

  private void decode(List<List<String>> messages) {
    while (read.remaining() >= Integer.BYTES
        && read.remaining() - Integer.BYTES >= read.getInt(read.position())) {
      int end = read.getInt() + read.position();
      List<String> fields = new ArrayList<>();
      while (read.position() < end) {
        byte[] text = new byte[read.getInt()];
        read.get(text);
        fields.add(new String(text, StandardCharsets.UTF_8));
      }
      messages.add(fields);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
