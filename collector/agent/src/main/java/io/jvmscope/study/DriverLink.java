package io.jvmscope.study;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The connection to the driver of the study. A message is the number of its fields, and each field
 * behind its length in bytes; the driver asks, and gets one message as answer.
 */
final class DriverLink implements Closeable {
  private final SocketChannel channel;
  private final DataInputStream in;
  private final DataOutputStream out;

  DriverLink(Path socket) throws IOException {
    channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    channel.connect(UnixDomainSocketAddress.of(socket));
    in = new DataInputStream(new BufferedInputStream(Channels.newInputStream(channel)));
    out = new DataOutputStream(new BufferedOutputStream(Channels.newOutputStream(channel)));
  }

  /** The next message; throws {@code EOFException} if the driver is gone. */
  List<String> read() throws IOException {
    List<String> fields = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      fields.add(new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8));
    }
    return fields;
  }

  void send(List<String> fields) throws IOException {
    out.writeInt(fields.size());
    for (String field : fields) {
      byte[] text = field.getBytes(StandardCharsets.UTF_8);
      out.writeInt(text.length);
      out.write(text);
    }
    out.flush();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
