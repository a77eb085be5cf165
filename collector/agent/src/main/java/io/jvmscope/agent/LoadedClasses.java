package io.jvmscope.agent;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The classes that the VM has loaded so far. Where it checks the use of JNI it would complain, on
 * the program's standard output, of how java.instrument asks for them (JDK 17); there it writes
 * their names into a file.
 */
final class LoadedClasses {
  private final Instrumentation instrumentation;
  private final File log; // null: it need not be asked for

  LoadedClasses(Instrumentation instrumentation, File log) {
    this.instrumentation = instrumentation;
    this.log = log;
  }

  /** All of them; by the file, those of the boot loader that have a name. */
  Class<?>[] all() throws IOException {
    if (log == null) {
      return instrumentation.getAllLoadedClasses();
    }
    List<Class<?>> found = new ArrayList<>();
    try (RandomAccessFile file = new RandomAccessFile(log, "r")) {
      byte[] bytes = new byte[(int) file.length()];
      CallingContext.read(file.getFD(), bytes, 0L);
      String text = new String(bytes, StandardCharsets.UTF_8);
      for (String line : text.split("\n")) {
        int end = line.indexOf(" source: ");
        boolean isJdk =
            line.indexOf("jrt:/", end + 1) > 0
                || line.endsWith("/java.base.jar")
                || line.endsWith("/seeded.jar")
                || line.endsWith("/java.instrument.jar");
        if (end > 0 && isJdk && line.indexOf('/') > end) {
          addBootClass(line.substring(0, end), found);
        }
      }
    }
    return found.toArray(new Class<?>[0]);
  }

  private static void addBootClass(String name, List<Class<?>> found) {
    try {
      Class<?> type = Class.forName(name, false, null);
      if (type.getClassLoader() == null) {
        found.add(type);
      }
    } catch (ClassNotFoundException | LinkageError e) {
      return; // of another loader
    }
  }
}
