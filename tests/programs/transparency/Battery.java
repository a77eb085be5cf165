package battery;

import java.io.PrintStream;
import java.util.Map;
import java.util.TreeMap;

/** Prints what a program can find out about itself and its VM; a heading for each probe named. */
public final class Battery {
  interface Probe {
    void run(PrintStream out) throws Throwable;
  }

  private static final Map<String, Probe> PROBES = new TreeMap<>();

  static {
    PROBES.put("accessors", Accessors::run);
    PROBES.put("classloading", Loading::run);
    PROBES.put("environment", Environment::run);
    PROBES.put("handles", Handles::run);
    PROBES.put("links", Links::run);
    PROBES.put("members", Members::run);
    PROBES.put("memory", Memory::run);
    PROBES.put("names", Names::run);
    PROBES.put("natives", NativeCalls::run);
    PROBES.put("offsets", Offsets::run);
    PROBES.put("references", References::run);
    PROBES.put("serialisation", Serialisation::run);
    PROBES.put("traces", Traces::run);
  }

  private Battery() {}

  public static void main(String[] names) {
    PrintStream out = System.out;
    for (String name : names) {
      out.println("== " + name);
      try {
        PROBES.get(name).run(out);
      } catch (Throwable e) {
        out.println("threw " + e);
        e.printStackTrace(out);
      }
    }
    System.out.flush();
  }
}
