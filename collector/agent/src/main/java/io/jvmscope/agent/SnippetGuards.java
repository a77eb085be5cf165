package io.jvmscope.agent;

import io.jvmscope.probe.Snippet;
import io.jvmscope.probe.Snippets;
import io.jvmscope.snippet.Site;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/** Asks guards while a JDK is prepared; in the program's VM their copies in java.base are asked. */
final class SnippetGuards implements Snippets.Guard {
  private final ClassLoader loader;

  /** Those of the classes in a directory. */
  SnippetGuards(Path directory) throws IOException {
    URL[] path = {directory.toUri().toURL()};
    loader = new URLClassLoader(path, SnippetGuards.class.getClassLoader());
  }

  @Override
  public boolean allows(
      Snippet snippet, String[] method, String target, String opcode, boolean isJdk) {
    Site site = new Site(method[0], method[1], method[2], target, opcode, isJdk);
    try {
      Class<?> owner = Class.forName(snippet.owner().replace('/', '.'), true, loader);
      Method guard = owner.getDeclaredMethod(snippet.guard(), Site.class);
      guard.setAccessible(true);
      return (boolean) guard.invoke(null, site);
    } catch (InvocationTargetException e) {
      throw failed(snippet, site, e.getCause());
    } catch (ReflectiveOperationException | LinkageError e) {
      throw failed(snippet, site, e);
    }
  }

  private static GuardFailed failed(Snippet snippet, Site site, Throwable cause) {
    String owner = snippet.owner().replace('/', '.');
    String guard = "guard " + owner + "." + snippet.guard();
    return new GuardFailed(place(owner, cause) + guard + " failed at " + site + ": " + cause);
  }

  /** File and line of the probe's class at which something was thrown; "" if they are not known. */
  private static String place(String owner, Throwable thrown) {
    for (StackTraceElement frame : thrown.getStackTrace()) {
      if (frame.getClassName().equals(owner) && frame.getLineNumber() > 0) {
        return frame.getFileName() + ":" + frame.getLineNumber() + ": ";
      }
    }
    return "";
  }

  /** A guard threw: no JDK can be prepared with it. */
  static final class GuardFailed extends Error {
    private static final long serialVersionUID = 1L;

    GuardFailed(String message) {
      super(message);
    }
  }
}
