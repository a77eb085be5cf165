package io.jvmscope.agent;

import io.jvmscope.classfile.ClassFile;
import io.jvmscope.classfile.JdkIndex;
import io.jvmscope.classfile.MethodPlan;
import io.jvmscope.classfile.MethodPlan.Coverage;
import io.jvmscope.probe.Probe;
import io.jvmscope.probe.Probes;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** Where the nodes of live trees keep what is counted, by method id; made when first asked for. */
final class LivePlans {
  private final JdkIndex index;
  private final Probe[] probes;

  /**
   * Classes that the agent instrumented, by first id. Added to without this object's lock: who adds
   * holds the transformer's, which making a plan may need to load a class.
   */
  private final ConcurrentSkipListMap<Integer, Loaded> loaded = new ConcurrentSkipListMap<>();

  private final TreeMap<Integer, Integer> rows = new TreeMap<>(); // of the JDK, by first id
  private final Map<Integer, Live> known = new HashMap<>();

  /** A class as it was instrumented. */
  private record Loaded(ClassFile file, Coverage[] coverage) {}

  /** A method; its plan is null where it has no code that counts, as a native. */
  record Live(String className, String name, String descriptor, MethodPlan plan) {}

  LivePlans(JdkIndex index, Probes probes) {
    this.index = index;
    this.probes = probes.chosen();
  }

  /** Notes a class that the agent instrumented. */
  void add(int baseId, ClassFile file, Coverage[] coverage) {
    loaded.put(baseId, new Loaded(file, coverage));
  }

  /** The method of an id; null if no class is known to have it. */
  synchronized Live of(int id) throws IOException {
    Live live = known.get(id);
    if (live == null) {
      live = id < index.nextId() ? ofJdk(id) : ofProgram(id);
      known.put(id, live);
    }
    return live;
  }

  private Live ofProgram(int id) {
    Map.Entry<Integer, Loaded> found = loaded.floorEntry(id);
    return found == null
        ? null
        : make(found.getValue().file, found.getValue().coverage, id - found.getKey());
  }

  private Live ofJdk(int id) throws IOException {
    if (rows.isEmpty()) {
      for (int row = 0; row < index.size(); row++) {
        if (index.methodCount(row) > 0) {
          rows.put(index.baseId(row), row);
        }
      }
    }
    Map.Entry<Integer, Integer> found = rows.floorEntry(id);
    if (found == null) {
      return null;
    }
    Loaded here = loaded.get(found.getKey());
    if (here != null) {
      return make(here.file, here.coverage, id - found.getKey());
    }
    int row = found.getValue();
    return make(original(index.className(row)), index.coverage(row), id - found.getKey());
  }

  /** The class file of the image: a loader would give that of the patch. */
  private static ClassFile original(String name) throws IOException {
    int slash = name.lastIndexOf('/');
    String packageName = name.substring(0, slash).replace('/', '.');
    for (Module module : ModuleLayer.boot().modules()) {
      if (module.getPackages().contains(packageName)) {
        String path = "jrt:/" + module.getName() + "/" + name + ".class";
        try (InputStream in = java.net.URI.create(path).toURL().openStream()) {
          return new ClassFile(in.readAllBytes());
        }
      }
    }
    throw new IOException("no module has " + name);
  }

  private Live make(ClassFile file, Coverage[] coverage, int k) {
    if (k >= file.methods().size()) {
      return null;
    }
    ClassFile.Method method = file.methods().get(k);
    boolean counts = method.code() != null && coverage[k] != Coverage.NONE;
    MethodPlan plan = counts ? new MethodPlan(file, method, index, coverage[k], probes) : null;
    return new Live(file.name(), method.name(), method.descriptor(), plan);
  }
}
