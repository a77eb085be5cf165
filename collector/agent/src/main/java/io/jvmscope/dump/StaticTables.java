package io.jvmscope.dump;

import io.jvmscope.arena.Methods;
import io.jvmscope.classfile.BasicBlocks;
import io.jvmscope.classfile.ClassFile;
import io.jvmscope.classfile.ClassFormatException;
import io.jvmscope.classfile.JdkIndex;
import io.jvmscope.classfile.LeafMethods;
import io.jvmscope.classfile.MethodPlan;
import io.jvmscope.classfile.MethodPlan.Coverage;
import io.jvmscope.classfile.Unwatched;
import io.jvmscope.dump.CanonicalOrder.Place;
import io.jvmscope.dump.MethodTable.Level;
import io.jvmscope.layout.HeapModel;
import io.jvmscope.layout.ObjectLayouts;
import io.jvmscope.probe.ObjectTypes;
import io.jvmscope.probe.Probe;
import io.jvmscope.probe.Recording;
import io.jvmscope.tables.FrameWriter;
import io.jvmscope.tables.Lane;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What does not depend on execution: the classes in canonical order with all that is in them. It
 * gathers what the walks over the trees need, and has a lane write the rest.
 */
final class StaticTables {
  private static final String MAIN = "main";
  private static final String APPLICATION = "app"; // the loader of the main class, as a rule
  private static final String LINKER = "java/lang/invoke/MethodHandleNatives";
  private static final String HANDLE = "java/lang/invoke/DirectMethodHandle";

  private final FrameWriter out;
  private final Lane lane;
  private final RecordingOptions options;
  private final JdkIndex index; // null if no prepared JDK was named
  private final ClassLogReader log;
  private final JdkImage image;
  private final List<Place> places;
  private final Map<String, int[]> named = new HashMap<>(); // ids by name

  private final MethodCoverage coverage;
  private final Symbols symbols = new Symbols();
  private final Methods methods;
  private final ClassHierarchy hierarchy;
  private final CallSites callSites = new CallSites(symbols);
  private final LayoutPacker packer;
  private final ObjectTypes types = new ObjectTypes();
  private final ObjectLayouts layouts;

  private final String mainOwner; // null if the VM did not say what the main class is
  private final FileTables files;
  private final ExclusionTable exclusions = new ExclusionTable();
  private final NativeMethods natives = new NativeMethods();
  private final FieldKeysOfClasses fields = new FieldKeysOfClasses();
  private int instructions;

  /** Writes by {@code lane} to {@code out}; {@code index} is null if no prepared JDK was named. */
  StaticTables(
      FrameWriter out,
      Lane lane,
      RecordingOptions options,
      JdkIndex index,
      ClassLogReader log,
      JdkImage image,
      HeapModel heap)
      throws IOException {
    this.out = out;
    this.lane = lane;
    this.options = options;
    this.index = index;
    this.log = log;
    this.image = image;
    Probe[] probes = options.probes().chosen();
    methods = new Methods(probes.length);
    packer = new LayoutPacker(methods, symbols, probes);
    coverage = new MethodCoverage(options, index);
    places = CanonicalOrder.of(log);
    hierarchy = new ClassHierarchy(places.size());
    for (int id = 0; id < places.size(); id++) {
      int[] known = named.getOrDefault(places.get(id).name(), new int[0]);
      known = Arrays.copyOf(known, known.length + 1);
      known[known.length - 1] = id;
      named.put(places.get(id).name(), known);
    }
    layouts = new ObjectLayouts(places.size(), heap);
    mainOwner = mainOwner();
    files = new FileTables(out, probes);
  }

  Methods methods() {
    return methods;
  }

  ClassHierarchy hierarchy() {
    return hierarchy;
  }

  /** The classes that the counts by receiver name. */
  ReceiverClasses receiverClasses() {
    return new ReceiverClasses(log.receivers(), log.hidden(), places, types);
  }

  /** What the objects of the recording may be. */
  ObjectTypes types() {
    return types;
  }

  /** The sizes of instances. */
  ObjectLayouts layouts() {
    return layouts;
  }

  Recording.Natives natives() {
    return natives;
  }

  Recording.DeclaredFields fields() {
    return fields;
  }

  long exclusionCount() {
    return exclusions.count();
  }

  /** The name of a class by its id. */
  String className(int id) {
    return places.get(id).name();
  }

  /** Reads all classes; their tables are written by and by. */
  void write() throws IOException {
    Map<String, Integer> copies = new HashMap<>();
    for (int id = 0; id < places.size(); id++) {
      Place place = places.get(id);
      byte[] bytes = bytes(place.loaded());
      String path = place.loader() + "/" + place.name();
      int copy = copies.merge(path, 1, Integer::sum);
      try {
        FileTables.OfClass row =
            read(id, place, new ClassFile(bytes), path + (copy == 1 ? "" : "~" + copy) + ".class");
        lane.put(() -> files.write(row));
      } catch (ClassFormatException e) {
        throw FileTables.damaged(place, e);
      }
    }
    packer.resolveLeaves();
    lane.put(files::finish);
    lane.put(() -> exclusions.write(out));
  }

  private byte[] bytes(LoadedClass loaded) throws IOException {
    return loaded.isPrepared() ? image.file(loaded.name()) : log.file(loaded);
  }

  /** The class that declares the main method: the main class, or one that it inherits it from. */
  private String mainOwner() throws IOException {
    int id = find(options.mainClass(), APPLICATION);
    try {
      while (id >= 0) {
        ClassFile file = new ClassFile(bytes(places.get(id).loaded()));
        for (ClassFile.Method method : file.methods()) {
          if (method.name().equals(MAIN)) {
            return file.name();
          }
        }
        id = find(file.superName(), places.get(id).loader());
      }
    } catch (ClassFormatException e) {
      return options.mainClass(); // whoever reads all classes says what is wrong
    }
    return options.mainClass();
  }

  /** Writes table {@code call_site}, once it is known where the VM called from. */
  void writeCallSites() throws IOException {
    methods.numberSites();
    lane.put(() -> callSites.write(out, methods));
  }

  private FileTables.OfClass read(int id, Place place, ClassFile file, String path) {
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
    layouts.define(id, file, superclass, place.loaded().loader() < 2);
    String module = log.module(place.loaded());
    if (module == null && log.isInJdk(place.loaded())) {
      module = image.module(file.name());
    }
    coverage.begin(place.loaded(), file);
    String whole = coverage.reason();
    if (whole != null) {
      exclusions.add(place.name(), null, null, whole);
    }
    List<FileTables.OfMethod> rows = new ArrayList<>(file.methods().size());
    Set<String> reasons = new HashSet<>(); // of methods that could be instrumented
    for (ClassFile.Method method : file.methods()) {
      Level level = coverage.level(method);
      rows.add(read(id, place, file, method, level, text));
      String reason = whole == null ? coverage.reason(method, level) : null;
      if (method.code() != null) {
        reasons.add(place.loaded().isPrepared() && level == Level.NONE ? reason : null);
      }
      if (reason != null) {
        exclusions.add(place.name(), method.name(), text.descriptor(method.descriptor()), reason);
      }
    }
    String excluded = whole == null && reasons.size() == 1 ? reasons.iterator().next() : whole;
    boolean isEarly = excluded == null && place.loaded().isEarly();
    fields.add(file, superclass, isEarly ? Unwatched.LOADED_EARLY : excluded);
    return new FileTables.OfClass(
        id, place, file, path, module, superclass, interfaces, text, rows);
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

  private FileTables.OfMethod read(
      int ofClass,
      Place place,
      ClassFile file,
      ClassFile.Method method,
      Level level,
      Operands text) {
    int id = methods.count();
    MethodPlan plan = method.code() == null ? null : plan(file, method, level);
    BasicBlocks blocks = null;
    int layout = Methods.BARE;
    if (method.isNative()) {
      natives.add(file.name(), method.name(), method.descriptor(), id);
    }
    if (method.code() == null) {
      methods.add(0, 0);
    } else {
      blocks = plan != null ? plan.blocks() : new BasicBlocks(file, method.code());
      methods.add(blocks.count(), callSites.add(file, method.code(), blocks, text));
    }
    if (plan != null) {
      layout =
          packer.pack(
              file,
              plan,
              methods.firstBlock(id),
              instructions,
              name -> type(name, ofClass, place, file));
    }
    instructions += blocks == null ? 0 : blocks.instructionCount();
    if (coverage.isNumbered(method)) {
      int symbol = symbols.ofMethod(method.name(), method.descriptor());
      int number = place.loaded().baseId() + method.index();
      byte traits = traits(file, method);
      methods.define(number, id, layout, symbol, ofClass, traits);
      int inJdk = numberInJdk(place.loaded(), method);
      if (inJdk >= 0 && methods.id(inJdk) < 0) {
        methods.define(inJdk, id, layout, symbol, ofClass, traits);
      }
    }
    return new FileTables.OfMethod(id, method, level, blocks, plan, methods.firstBlock(id));
  }

  /**
   * The number under which callers count a leaf of the JDK. A class that another agent changed has
   * others in the log; -1 if it has none in the prepared JDK.
   */
  private int numberInJdk(LoadedClass loaded, ClassFile.Method method) {
    if (index == null || !method.isNative() || loaded.isHidden() || loaded.loader() > 2) {
      return -1;
    }
    LeafMethods.Leaf leaf = index.declared(loaded.name(), method.name(), method.descriptor());
    return leaf == null ? -1 : leaf.methodId();
  }

  /**
   * The number of the type of objects that a name means to a class. Its own name means its former
   * self if it was redefined: its objects are of one type.
   */
  private int type(String name, int ofClass, Place place, ClassFile file) {
    String element = ObjectTypes.element(name);
    if (element == null) {
      return types.of(new ObjectTypes.Type(name, -1));
    }
    boolean isHidden = place.loaded().isHidden() && element.equals(file.name());
    int id = isHidden ? ofClass : find(element, place.loader());
    String canonical = id < 0 ? element : places.get(id).name();
    return types.of(new ObjectTypes.Type(ObjectTypes.withElement(name, canonical), id));
  }

  private MethodPlan plan(ClassFile file, ClassFile.Method method, Level level) {
    if (level == Level.NONE || level == Level.LEAF) {
      return null;
    }
    LeafMethods leaves = index == null ? LeafMethods.NONE : index;
    return new MethodPlan(
        file, method, leaves, Coverage.valueOf(level.name()), options.probes().chosen());
  }

  private byte traits(ClassFile file, ClassFile.Method method) {
    boolean isUpcall =
        method.name().equals("<clinit>")
            || method.name().equals("loadClass")
            || file.name().equals(LINKER);
    boolean isMain = // of whatever class the main thread begins in, if the VM did not say
        method.name().equals(MAIN) && (mainOwner == null || mainOwner.equals(file.name()));
    boolean isConstructor = method.name().equals("<init>");
    boolean isAllocator = file.name().equals(HANDLE) && method.name().equals("allocateInstance");
    return (byte)
        ((isUpcall ? Methods.UPCALL : 0)
            | (isMain ? Methods.MAIN : 0)
            | (isConstructor ? Methods.CONSTRUCTOR : 0)
            | (isAllocator ? Methods.ALLOCATOR : 0)
            | (MethodPlan.isDispatched(method) ? Methods.DISPATCHED : 0));
  }
}
