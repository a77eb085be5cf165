package jdk.internal.perf;

import java.util.Properties;
import jdk.internal.vm.annotation.Hidden;

/**
 * Takes what the recording added from the module options of the command line: with a patch or an
 * added module the VM would resolve the boot layer at run time, and scan the patches for packages.
 * The patches have no package of their own; java.instrument is a root module of every program that
 * is not a module itself.
 *
 * <p>No + on strings here: the VM cannot link invokedynamic yet.
 */
public final class ModuleOptions {
  private ModuleOptions() {}

  /** Before the boot layer is made. */
  @Hidden
  public static void hide() {
    long slot = ThreadSlot.pause();
    try {
      Properties properties = System.getProperties();
      hide(properties, "jdk.module.patch.", ".jar");
      if (properties.getProperty("jdk.module.main") == null) {
        hide(properties, "jdk.module.addmods.", "java.instrument");
      }
    } finally {
      ThreadSlot.resume(slot);
    }
  }

  private static void hide(Properties properties, String prefix, String ownEnd) {
    int kept = 0;
    for (int index = 0; ; index++) {
      String value = (String) properties.remove(prefix.concat(String.valueOf(index)));
      if (value == null) {
        return;
      }
      if (!value.endsWith(ownEnd) || ownEnd.equals(".jar") && !isOwnPatch(value)) {
        properties.put(prefix.concat(String.valueOf(kept)), value);
        kept++;
      }
    }
  }

  /** Does a patch, MODULE=PATH:PATH, name prepared jars only, and no path of the program's? */
  private static boolean isOwnPatch(String patch) {
    int from = patch.indexOf('=') + 1;
    while (from <= patch.length()) {
      int end = patch.indexOf(':', from);
      String path = patch.substring(from, end < 0 ? patch.length() : end);
      if (!path.endsWith("/java.base.jar")
          && !path.endsWith("/java.instrument.jar")
          && !path.endsWith("/seeded.jar")) {
        return false;
      }
      from = end < 0 ? patch.length() + 1 : end + 1;
    }
    return true;
  }
}
