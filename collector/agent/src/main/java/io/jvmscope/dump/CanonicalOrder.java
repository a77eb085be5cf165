package io.jvmscope.dump;

import io.jvmscope.arena.RecordingDamaged;
import io.jvmscope.classfile.ClassFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The classes of a run in the order of their canonical names, then of their loaders' names. Neither
 * has an address or a counter of the VM in it: hidden classes of one name are told apart by a hash
 * of their content, so that one more of them renames no other; loaders of one class are numbered in
 * the order in which they defined their first class.
 */
final class CanonicalOrder {
  /** A class in its place: its canonical id is its index. */
  record Place(LoadedClass loaded, String name, String loader) {}

  /** The counter that JDKs before 21 put behind the name of a lambda's class. */
  private static final Pattern LAMBDA_COUNTER = Pattern.compile("(\\$\\$Lambda)\\$\\d+$");

  /** Bytes of the hash in a name; classes that agree in them are numbered, ordered by the rest. */
  private static final int HASH_BYTES = 4;

  private static final List<String> BUILT_IN = List.of("boot", "platform", "app");

  private record Hidden(LoadedClass loaded, byte[] content) {}

  private CanonicalOrder() {}

  /**
   * Orders all classes but those that no VM takes; those that were redefined follow their former
   * selves.
   */
  static List<Place> of(ClassLogReader log) throws IOException {
    Map<Integer, String> loaders = nameLoaders(log.loaders());
    Map<String, List<Hidden>> hidden = new HashMap<>();
    List<Place> places = new ArrayList<>();
    for (LoadedClass loaded : log.classes()) {
      if (!loaded.isPrepared() && !ClassFileCheck.isReadable(log.file(loaded))) {
        continue;
      }
      String loader = loaders.get(loaded.loader());
      if (loader == null) {
        throw new RecordingDamaged("class log: " + loaded.name() + " has an unknown loader");
      }
      if (loaded.isHidden()) {
        String key = loader + '\0' + baseName(loaded.name());
        hidden.computeIfAbsent(key, k -> new ArrayList<>()).add(fingerprint(log, loaded));
      } else {
        places.add(new Place(loaded, loaded.name(), loader));
      }
    }
    hidden.forEach((key, classes) -> addHidden(key, classes, places));
    places.sort(Comparator.comparing(Place::name).thenComparing(Place::loader));
    return places;
  }

  private static void addHidden(String key, List<Hidden> classes, List<Place> places) {
    classes.sort((a, b) -> Arrays.compareUnsigned(a.content(), b.content()));
    String[] parts = key.split("\0");
    Map<String, Integer> copies = new HashMap<>();
    for (Hidden hidden : classes) {
      String hash = HexFormat.of().formatHex(hidden.content(), 0, HASH_BYTES);
      int copy = copies.merge(hash, 1, Integer::sum);
      String name = parts[1] + "/" + hash + (copy == 1 ? "" : "~" + copy);
      places.add(new Place(hidden.loaded(), name, parts[0]));
    }
  }

  /** A hidden class's name without what the VM adds or counts. */
  static String baseName(String name) {
    return LAMBDA_COUNTER.matcher(name).replaceFirst("$1");
  }

  private static Hidden fingerprint(ClassLogReader log, LoadedClass loaded) throws IOException {
    ClassFile file = new ClassFile(log.file(loaded));
    return new Hidden(loaded, ContentHash.of(file, baseName(file.name())));
  }

  /** Canonical names of loaders by number; {@code pkg/Loader#1} is the first of its class. */
  private static Map<Integer, String> nameLoaders(Map<Integer, String> classNames) {
    Map<Integer, String> names = new HashMap<>();
    for (int i = 0; i < BUILT_IN.size(); i++) {
      names.put(i, BUILT_IN.get(i));
    }
    Map<String, Integer> counts = new HashMap<>();
    classNames.keySet().stream()
        .sorted()
        .forEach(
            id -> {
              String className = classNames.get(id);
              names.put(id, className + "#" + counts.merge(className, 1, Integer::sum));
            });
    return names;
  }
}
