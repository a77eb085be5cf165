package io.jvmscope.dump;

import io.jvmscope.dump.CanonicalOrder.Place;
import io.jvmscope.probe.ObjectTypes;
import io.jvmscope.probe.Recording;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the class that a number of the arena's counts by receiver stands for. The VM gives hidden
 * classes names with an address, and some JDKs the same name otherwise; of several that fit, the
 * one that declares the called method is meant.
 */
final class ReceiverClasses implements Recording.Classes {
  private static final int[] NONE = {};

  /** What the VM puts between the name of a hidden class and its address. */
  private static final String ADDRESS = "/0x";

  private final Map<Integer, int[]> candidates = new HashMap<>(); // class ids by number
  private final Map<Integer, Integer> typeNumbers = new HashMap<>();
  private final Set<Integer> fromBefore = new HashSet<>();
  private final Map<String, Integer> byName = new HashMap<>(); // -1: several have the name
  private final List<Place> places;
  private final int[] formers; // the class that one was before it was redefined, or itself
  private final ObjectTypes types;

  ReceiverClasses(
      List<ClassLogReader.Receiver> receivers,
      Map<Integer, Integer> hidden,
      List<Place> places,
      ObjectTypes types) {
    this.places = places;
    this.types = types;
    formers = new int[places.size()];
    Map<String, List<Integer>> named = new HashMap<>();
    for (int id = 0; id < places.size(); id++) {
      LoadedClass loaded = places.get(id).loaded();
      String key = key(loaded.loader(), loaded.name());
      named.computeIfAbsent(key, k -> new ArrayList<>(1)).add(id);
      formers[id] = loaded.isHidden() ? id : named.get(key).get(0);
      byName.merge(loaded.name(), id, (one, other) -> -1);
    }
    for (ClassLogReader.Receiver receiver : receivers) {
      String element = ObjectTypes.element(receiver.name());
      int[] ids = element == null ? NONE : find(named, receiver.loader(), element);
      if (!receiver.name().startsWith("[")) {
        candidates.put(receiver.number(), ids);
      }
      String type = receiver.name();
      if (isHidden(type) && !type.startsWith("[")) { // with a number of its own, or from before
        fromBefore.add(receiver.number());
        type = CanonicalOrder.baseName(type.substring(0, type.lastIndexOf(ADDRESS)));
        ids = NONE;
      }
      if (ids.length > 0) {
        type = ObjectTypes.withElement(type, places.get(ids[0]).name());
      }
      int id = ids.length == 0 ? -1 : ids[0];
      typeNumbers.put(receiver.number(), types.of(new ObjectTypes.Type(type, id)));
    }
    addHidden(hidden);
  }

  private void addHidden(Map<Integer, Integer> numbers) {
    Map<Integer, Integer> byMethod = new HashMap<>(); // those without methods are never received
    for (int id = 0; id < places.size(); id++) {
      LoadedClass loaded = places.get(id).loaded();
      if (loaded.isHidden()) {
        byMethod.put(loaded.baseId(), id);
      }
    }
    numbers.forEach(
        (number, baseId) -> {
          Integer id = byMethod.get(baseId);
          if (id != null) {
            fromBefore.remove(number);
            candidates.put(number, new int[] {id});
            typeNumbers.put(number, typeOfClass(id));
          }
        });
  }

  private static boolean isHidden(String className) {
    return className.contains(ADDRESS);
  }

  private static int[] find(Map<String, List<Integer>> named, int loader, String className) {
    int address = className.lastIndexOf(ADDRESS);
    String name = address < 0 ? className : className.substring(0, address);
    return named.getOrDefault(key(loader, name), List.of()).stream().mapToInt(i -> i).toArray();
  }

  @Override
  public int typeOfClass(int classId) {
    int id = formers[classId]; // the objects of a class are of one type, whatever code made them
    return types.of(new ObjectTypes.Type(places.get(id).name(), id));
  }

  @Override
  public int named(String name) {
    return byName.getOrDefault(name, -1);
  }

  @Override
  public int type(int number) {
    return typeNumbers.getOrDefault(number, -1);
  }

  @Override
  public boolean isFromBefore(int number) {
    return fromBefore.contains(number);
  }

  private static String key(int loader, String name) {
    return loader + ":" + name;
  }

  /** The class of a number, given the class that declares the called method; -1 if unknown. */
  @Override
  public int find(int number, int declaringClass) {
    int[] ids = candidates.getOrDefault(number, NONE);
    for (int id : ids) {
      if (id == declaringClass) {
        return id;
      }
    }
    return ids.length == 0 || fromBefore.contains(number) ? -1 : ids[0];
  }
}
