package battery;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamField;
import java.io.PrintStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/** Default serialVersionUIDs, and what is written. */
final class Serialisation {
  private Serialisation() {}

  static void run(PrintStream out) throws Exception {
    List<Class<?>> types = new ArrayList<>(List.of(Specimens.ALL));
    types.addAll(List.of(Object.class, Thread.class, Class.class, ClassLoader.class, String.class,
        Throwable.class, StackTraceElement.class, ArrayList.class, Thread.State.class,
        java.util.Random.class, java.net.URL.class, java.io.File.class, Runnable.class,
        java.util.zip.CRC32.class, java.util.zip.Inflater.class, java.lang.ref.Reference.class,
        java.nio.channels.FileChannel.class));
    for (Class<?> type : types) {
      ObjectStreamClass stream = ObjectStreamClass.lookupAny(type);
      out.println(stream + " " + (stream.getSerialVersionUID()));
      for (ObjectStreamField field : stream.getFields()) {
        out.println("  " + field);
      }
    }
    Supplier<String> lambda = (Supplier<String> & Serializable) () -> "lambda";
    for (Object each : new Object[] {new Specimens.Point(-1, List.of("a")), new Specimens.Plain(),
        Specimens.Colour.GREEN, lambda, new Specimens.WithNatives(), Specimens.local(),
        new IllegalStateException("x"), new int[3]}) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ObjectOutputStream stream = new ObjectOutputStream(bytes)) {
        stream.writeObject(each);
      }
      out.println(each.getClass().isHidden() + " " + bytes.size() + " "
          + Arrays.hashCode(bytes.toByteArray()));
      Object back =
          new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
      out.println(back instanceof Supplier<?> s ? s.get() : back.getClass().getName());
    }
  }
}
