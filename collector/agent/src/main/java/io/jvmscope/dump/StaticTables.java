package io.jvmscope.dump;

import io.jvmscope.agent.JdkIndex;
import io.jvmscope.classfile.BasicBlocks;
import io.jvmscope.classfile.ClassFile;
import io.jvmscope.classfile.ClassFormatException;
import io.jvmscope.classfile.LeafMethods;
import io.jvmscope.classfile.MethodPlan;
import io.jvmscope.classfile.MethodPlan.Coverage;
import io.jvmscope.dump.CanonicalOrder.Place;
import io.jvmscope.dump.MethodTable.Level;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes what does not depend on execution: the classes in canonical order with all that is in
 * them, and their files. On the way it gathers what the walks over the trees need.
 */
final class StaticTables {
  private static final String MAIN = "main";
  private static final String LINKER = "java/lang/invoke/MethodHandleNatives";

  private final FrameWriter out;
  private final RecordingOptions options;
  private final JdkIndex index; // null if no prepared JDK was named
  private final LoadedClasses log;
  private final JdkImage image;
  private final List<Place> places;
  private final Map<String, int[]> named = new HashMap<>(); // ids by name

  private final MethodCoverage coverage;
  private final Symbols symbols = new Symbols();
  private final Methods methods = new Methods();
  private final ClassHierarchy hierarchy;
  private final CallSites callSites = new CallSites(symbols);
  private final LayoutPacker packer = new LayoutPacker(methods, symbols);
  private final Branches branches = new Branches();

  private final ClassTables classTables;
  private final MethodTable methodTable;
  private final CodeTables codeTables;
  private final ExclusionTable exclusions = new ExclusionTable();

  StaticTables(
      FrameWriter out, RecordingOptions options, JdkIndex index, LoadedClasses log, JdkImage image)
      throws IOException {
    this.out = out;
    this.options = options;
    this.index = index;
    this.log = log;
    this.image = image;
    coverage = new MethodCoverage(options, index);
    places = CanonicalOrder.of(log);
    hierarchy = new ClassHierarchy(places.size());
    for (int id = 0; id < places.size(); id++) {
      int[] known = named.getOrDefault(places.get(id).name(), new int[0]);
      known = Arrays.copyOf(known, known.length + 1);
      known[known.length - 1] = id;
      named.put(places.get(id).name(), known);
    }
    classTables = new ClassTables(out);
    methodTable = new MethodTable(out);
    codeTables = new CodeTables(out, options.exactExceptions());
  }

  Methods methods() {
    return methods;
  }

  ClassHierarchy hierarchy() {
    return hierarchy;
  }

  CallSites callSites() {
    return callSites;
  }

  Branches branches() {
    return branches;
  }

  /** The classes that the counts by receiver name. */
  ReceiverClasses receiverClasses() {
    return new ReceiverClasses(log.receivers(), places);
  }

  long exclusionCount() {
    return exclusions.count();
  }

  /** The name of a class by its id. */
  String className(int id) {
    return places.get(id).name();
  }

  /** Writes all classes. */
  void write() throws IOException {
    Map<String, Integer> copies = new HashMap<>();
    for (int id = 0; id < places.size(); id++) {
      Place place = places.get(id);
      LoadedClass loaded = place.loaded();
      byte[] bytes = loaded.isPrepared() ? image.file(loaded.name()) : log.file(loaded);
      String path = place.loader() + "/" + place.name();
      int copy = copies.merge(path, 1, Integer::sum);
      out.classFile(copy == 1 ? path + ".class" : path + "~" + copy + ".class", bytes);
      try {
        write(id, place, new ClassFile(bytes));
      } catch (ClassFormatException e) {
        throw new RecordingDamaged("class log: " + place.name() + ": " + e.getMessage());
      }
    }
    packer.resolveLeaves();
    classTables.finish();
    methodTable.finish();
    codeTables.finish();
    exclusions.write(out);
  }

  private void write(int id, Place place, ClassFile file) throws IOException {
    Operands text = new Operands(file, place.loaded().isHidden() ? place.name() : null);
    int superclass = find(file.superName(), place.loader());
    int[] interfaces =
        Arrays.stream(file.interfaces())
            .mapToInt(name -> find(name, place.loader()))
            .filter(found -> found >= 0)
            .toArray();
    int[] above = interfaces;
    if (superclass >= 0) {
      above = Arrays.copyOf(interfaces, interfaces.length + 1);
      above[interfaces.length] = superclass;
    }
    hierarchy.define(id, symbols.of(file.name()), above);
    boolean isOfJdk = place.loaded().loader() < 2 && !place.loaded().isHidden();
    String module = isOfJdk ? image.module(place.name()) : null;
    classTables.write(id, place, file, module, superclass, interfaces, text);
    coverage.begin(place.loaded(), file);
    String whole = coverage.reason();
    if (whole != null) {
      exclusions.add(place.name(), null, null, whole);
    }
    for (ClassFile.Method method : file.methods()) {
      Level level = coverage.level(method);
      write(id, place, file, method, level, text);
      String reason = whole == null ? coverage.reason(method, level) : null;
      if (reason != null) {
        exclusions.add(
            place.name(), method.name(), text.descriptor(method.descriptor()), reason);
      }
    }
  }

  /** The first method id that is no method of the prepared JDK. */
  int firstProgramId() {
    return index == null ? 0 : index.nextId();
  }

  /** The class that a name means to a class of a loader; -1 if it was never loaded. */
  private int find(String name, String loader) {
    int[] ids = name == null ? null : named.get(name);
    if (ids == null) {
      return -1;
    }
    for (int id : ids) {
      if (places.get(id).loader().equals(loader)) {
        return id;
      }
    }
    return ids[0];
  }

  private void write(
      int ofClass, Place place, ClassFile file, ClassFile.Method method, Level level,
      Operands text)
      throws IOException {
    LoadedClass loaded = place.loaded();
    int id = methods.count();
    int layout = Methods.BARE;
    if (method.code() == null) {
      methods.add(0, 0);
    } else {
      MethodPlan plan = plan(file, method, level);
      BasicBlocks blocks = plan != null ? plan.blocks() : new BasicBlocks(file, method.code());
      methods.add(blocks.count(), callSites.add(file, method.code(), blocks, text));
      if (plan != null) {
        int segment = options.exactExceptions() ? codeTables.segmentCount() : -1;
        layout = packer.pack(file, plan, methods.firstBlock(id), segment);
        if (options.exactExceptions() && level == Level.FULL) {
          codeTables.writeSegments(methods.firstBlock(id), plan);
        }
      }
      int firstInstruction = codeTables.instructionCount();
      codeTables.write(id, blocks, text);
      if (plan != null) {
        plan.branches().forEach(instruction -> branches.add(firstInstruction + instruction));
      }
    }
    branches.endMethod();
    methodTable.write(id, ofClass, method, level, text);
    if (!coverage.isNumbered(method)) {
      return;
    }
    int symbol = symbols.of(method.name() + method.descriptor());
    methods.define(
        loaded.baseId() + method.index(), id, layout, symbol, ofClass, traits(file, method));
  }

  private MethodPlan plan(ClassFile file, ClassFile.Method method, Level level) {
    if (level == Level.NONE || level == Level.LEAF) {
      return null;
    }
    LeafMethods leaves = index == null ? LeafMethods.NONE : index;
    return new MethodPlan(
        file, method, leaves, Coverage.valueOf(level.name()), options.probes());
  }

  private byte traits(ClassFile file, ClassFile.Method method) {
    boolean isUpcall =
        method.name().equals("<clinit>")
            || method.name().equals("loadClass")
            || file.name().equals(LINKER);
    String mainClass = options.mainClass(); // null: of whatever class the main thread begins in
    boolean isMain =
        method.name().equals(MAIN) && (mainClass == null || mainClass.equals(file.name()));
    return (byte) ((isUpcall ? Methods.UPCALL : 0) | (isMain ? Methods.MAIN : 0));
  }
}
