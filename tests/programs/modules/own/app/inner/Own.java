package app.inner;

import java.io.InputStream;
import java.lang.invoke.MethodHandles;

/** A class that every kind of loader defines, in a named module or none. */
public final class Own {
  private static int acts;

  private Own() {}

  public static void act() throws Exception {
    Runnable lambda = () -> acts++;
    lambda.run();
    byte[] file;
    try (InputStream in = Own.class.getResourceAsStream("Later.class")) {
      file = in.readAllBytes();
    }
    MethodHandles.lookup().defineHiddenClass(file, false);
  }
}

/** The file of a hidden class. */
final class Later {}
