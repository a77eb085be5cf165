package io.jvmscope.dump;

import io.jvmscope.dump.CanonicalOrder.Place;
import io.jvmscope.probe.Recording;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the class that a number of the arena's counts by receiver stands for. The VM gives hidden
 * classes names with an address, and some JDKs the same name otherwise; of several that fit, the
 * one that declares the called method is meant.
 */
final class ReceiverClasses implements Recording.Classes {
  private static final int[] NONE = {};

  private final Map<Integer, int[]> candidates = new HashMap<>(); // class ids by number

  ReceiverClasses(List<LoadedClasses.Receiver> receivers, List<Place> places) {
    Map<String, List<Integer>> named = new HashMap<>();
    for (int id = 0; id < places.size(); id++) {
      LoadedClass loaded = places.get(id).loaded();
      String key = key(loaded.loader(), loaded.name());
      named.computeIfAbsent(key, k -> new ArrayList<>(1)).add(id);
    }
    for (LoadedClasses.Receiver receiver : receivers) {
      int address = receiver.name().lastIndexOf("/0x");
      String name = address < 0 ? receiver.name() : receiver.name().substring(0, address);
      List<Integer> ids = named.getOrDefault(key(receiver.loader(), name), List.of());
      candidates.put(receiver.number(), ids.stream().mapToInt(i -> i).toArray());
    }
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
    return ids.length == 0 ? -1 : ids[0];
  }
}
