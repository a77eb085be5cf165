import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.invoke.MethodHandles;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.spi.ToolProvider;

/**
 * Has a class of each package of the JDK, and classes of its own by each kind of loader and module,
 * and says what the VM says of them: its loader, its name and its module, {@code -} if unnamed.
 */
public class Modules {
  private static final Map<String, Module> SEEN = new TreeMap<>();

  public static void main(String[] args) throws Exception {
    ClassLoader app = ClassLoader.getSystemClassLoader();
    for (ModuleReference reference : ModuleFinder.ofSystem().findAll()) {
      String module = reference.descriptor().name();
      if (ModuleLayer.boot().findModule(module).isPresent()) {
        try (ModuleReader reader = reference.open()) {
          for (String name : oneOfEachPackage(reader)) {
            see(find(name, app));
          }
        }
      }
    }
    ToolProvider javac = ToolProvider.findFirst("javac").orElseThrow();
    javac.run(new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()), "-help");
    HttpClient.newHttpClient();
    run(Modules.class);
    Path own = Path.of(args[0]);
    run(find("app.inner.Own", app));
    try (URLClassLoader loader = new URLClassLoader(new URL[] {own.toUri().toURL()}, null)) {
      run(loader.loadClass("app.inner.Own"));
    }
    ModuleLayer boot = ModuleLayer.boot();
    Configuration layer =
        boot.configuration().resolve(ModuleFinder.of(own), ModuleFinder.of(), Set.of("app.own"));
    ModuleLayer layers = boot.defineModulesWithOneLoader(layer, null);
    run(layers.findLoader("app.own").loadClass("app.inner.Own"));
    SEEN.forEach((key, module) -> System.out.println(key + " " + name(module)));
  }

  private static List<String> oneOfEachPackage(ModuleReader reader) throws IOException {
    Map<String, String> names = new TreeMap<>();
    try (var each = reader.list()) {
      each.filter(name -> name.endsWith(".class") && name.contains("/"))
          .sorted()
          .map(name -> name.substring(0, name.length() - ".class".length()).replace('/', '.'))
          .forEach(name -> names.putIfAbsent(name.substring(0, name.lastIndexOf('.')), name));
    }
    return new ArrayList<>(names.values());
  }

  private static Class<?> find(String name, ClassLoader loader) {
    try {
      return Class.forName(name, false, loader);
    } catch (ClassNotFoundException | LinkageError e) {
      return null;
    }
  }

  /** Has a class's code run: a lambda, and a hidden class of its package. */
  private static void run(Class<?> type) throws Exception {
    if (type != null) {
      see(type);
      type.getMethod("act").invoke(null);
    }
  }

  public static void act() throws Exception {
    Runnable lambda = () -> SEEN.size();
    lambda.run();
    byte[] file;
    try (InputStream in = Modules.class.getResourceAsStream("Later.class")) {
      file = in.readAllBytes();
    }
    MethodHandles.lookup().defineHiddenClass(file, false);
  }

  private static void see(Class<?> type) {
    if (type != null) {
      SEEN.put(loader(type.getClassLoader()) + " " + type.getName(), type.getModule());
    }
  }

  private static String loader(ClassLoader loader) {
    return loader == null
        ? "boot"
        : loader == ClassLoader.getPlatformClassLoader()
            ? "platform"
            : loader == ClassLoader.getSystemClassLoader() ? "app" : loader.getClass().getName();
  }

  private static String name(Module module) {
    return module.isNamed() ? module.getName() : "-";
  }
}

/** The file of a hidden class. */
final class Later {}
