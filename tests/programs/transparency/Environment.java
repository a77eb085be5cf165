package battery;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.TreeMap;
import java.util.TreeSet;

/** Properties, environment, options and processes. */
final class Environment {
  private Environment() {}

  static void run(PrintStream out) throws Exception {
    out.println("properties");
    TreeSet<String> names = new TreeSet<>(System.getProperties().stringPropertyNames());
    names.remove("java.vm.info"); // Names
    for (String name : names) {
      out.println("  " + name + "=" + System.getProperty(name));
    }
    out.println("variables");
    for (var entry : new TreeMap<>(System.getenv()).entrySet()) {
      out.println("  " + entry);
    }
    RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
    out.println("arguments " + runtime.getInputArguments());
    out.println("paths " + runtime.getClassPath() + " " + runtime.getLibraryPath() + " "
        + runtime.isBootClassPathSupported());
    out.println("runtime " + runtime.getVmName() + runtime.getSpecVersion()
        + new TreeMap<>(runtime.getSystemProperties()).keySet());
    ProcessHandle.Info info = ProcessHandle.current().info();
    out.println("process " + info.command() + " " + info.arguments().map(Arrays::asList) + " "
        + info.commandLine() + " " + info.user());
    String[] line = Files.readString(Path.of("/proc/self/cmdline")).split("\0");
    out.println("launcher " + line[0] + " " + line[line.length - 1]);
    out.println("children " + ProcessHandle.current().children().count() + " "
        + ProcessHandle.current().descendants().count());
    out.println("processors " + Runtime.getRuntime().availableProcessors() + " "
        + ManagementFactory.getOperatingSystemMXBean().getAvailableProcessors());
    out.println("compiler " + ManagementFactory.getCompilationMXBean().getName());
    out.println("version " + Runtime.version() + " " + System.getProperty("java.vm.version"));
    out.println("console " + System.console() + System.getSecurityManager());
    out.println("assertions " + Environment.class.desiredAssertionStatus());
    out.println(Thread.currentThread().getContextClassLoader().getClass().getName());
    out.println(Thread.getDefaultUncaughtExceptionHandler());
  }
}
