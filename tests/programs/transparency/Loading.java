package battery;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.module.ModuleReader;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;

/** Class loaders, resources, packages and modules. */
final class Loading {
  private Loading() {}

  static void run(PrintStream out) throws Exception {
    for (Class<?> type : List.of(Loading.class, Object.class, java.sql.Driver.class,
        Specimens.WithNatives.class, Thread.class)) {
      resource(out, type);
    }
    for (String name : List.of("META-INF/MANIFEST.MF", "java/lang/Object.class",
        "io/jvmscope/agent/Agent.class", "battery/Battery.class", "jdk/internal/perf/Perf.class",
        "java/lang/CallingContext.class", "")) {
      out.println(name + " " + Collections.list(ClassLoader.getSystemResources(name)).size() + " "
          + Collections.list(ClassLoader.getPlatformClassLoader().getResources(name)).size());
    }
    for (String name : List.of("no.Such", "battery.Battery",
        "java.lang.instrument.Instrumentation", "sun.instrument.InstrumentationImpl")) {
      for (ClassLoader loader : new ClassLoader[] {null, Loading.class.getClassLoader(),
          ClassLoader.getPlatformClassLoader()}) {
        try {
          out.println(Class.forName(name, false, loader));
        } catch (ClassNotFoundException | NoClassDefFoundError e) {
          out.println(e);
        }
      }
    }
    // The VM's own packages come as its classes are loaded; those outside of it do not.
    TreeSet<String> packages = new TreeSet<>();
    for (Package each : Package.getPackages()) {
      if (!Object.class.getModule().getPackages().contains(each.getName())
          && each.getName().indexOf("instrument") < 0) {
        packages.add(each.toString());
      }
    }
    out.println(packages);
    out.println(Arrays.toString(ClassLoader.getSystemClassLoader().getDefinedPackages()));
    out.println(new TreeSet<>(Object.class.getModule().getPackages()));
    for (Module module : new TreeSet<>(ModuleLayer.boot().modules().stream()
        .map(Module::getName).toList()).stream().map(n -> ModuleLayer.boot().findModule(n).get())
        .toList()) {
      out.println(module + " " + module.getPackages().size() + " " + module.getDescriptor().hashCode()
          + " " + module.getClassLoader());
    }
    out.println(Object.class.getModule().isOpen("java.lang", Loading.class.getModule()));
    out.println(Object.class.getModule().isExported("jdk.internal.perf"));
    out.println(Loading.class.getModule() + " " + Loading.class.getModule().getDescriptor() + " "
        + new TreeSet<>(Loading.class.getModule().getPackages()));
    base(out);
    own(out);
  }

  private static void resource(PrintStream out, Class<?> type) throws IOException {
    String name = type.getName().substring(type.getName().lastIndexOf('.') + 1) + ".class";
    URL url = type.getResource(name);
    byte[] bytes;
    try (InputStream in = type.getResourceAsStream(name)) {
      bytes = in.readAllBytes();
    }
    byte[] again;
    try (InputStream in = url.openStream()) {
      again = in.readAllBytes();
    }
    out.println(url + " " + bytes.length + " " + Arrays.hashCode(bytes) + " "
        + Arrays.equals(bytes, again));
    Object source = type.getProtectionDomain().getCodeSource();
    out.println(source + " " + type.getProtectionDomain().getPermissions().elements().hasMoreElements()
        + " " + type.getClassLoader() + type.getPackage().getImplementationTitle());
  }

  private static void base(PrintStream out) throws IOException {
    var reference = ModuleLayer.boot().configuration().findModule("java.base").get().reference();
    out.println(reference);
    try (ModuleReader reader = reference.open()) {
      long classes = reader.list().count();
      byte[] bytes = reader.open("java/lang/Thread.class").get().readAllBytes();
      out.println(classes + " " + bytes.length + " " + reader.find("java/lang/Thread.class")
          + reader.find("java/lang/CallingContext.class"));
    }
  }

  /** A loader that tells of each class that it is asked for. */
  private static void own(PrintStream out) throws Exception {
    // The order is that of a class's methods in the VM, which no two runs share.
    Set<String> asked = new ConcurrentSkipListSet<>();
    URL[] path = {Loading.class.getProtectionDomain().getCodeSource().getLocation()};
    try (URLClassLoader loader = new URLClassLoader("own", path, null) {
      @Override
      protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        Class<?> found = super.loadClass(name, resolve);
        asked.add(name);
        return found;
      }
    }) {
      Class<?> type = loader.loadClass("battery.Specimens$WithNatives");
      out.println(type + " " + (type == Specimens.WithNatives.class) + " " + type.getClassLoader()
          .getName());
      Members.declared(out, type);
      var constructor = type.getDeclaredConstructor();
      constructor.setAccessible(true);
      Object made = constructor.newInstance();
      out.println(made.getClass().getProtectionDomain().getCodeSource().getLocation()
          .getProtocol());
    }
    out.println(asked);
  }
}
