import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;

/** Collections that let go of their oldest, smallest or next element. */
public class Caches {
  static class Thing {
    Thing() {
      Watch.see(this);
    }
  }

  static final class Recent extends Thing {}
  static final class Key extends Thing {}
  static final class Sorted extends Thing {}
  static final class Task extends Thing {
    final int priority;

    Task(int priority) {
      this.priority = priority;
    }
  }
  static final class Linked extends Thing {}
  static final class Same extends Thing {}
  static final class Copied extends Thing {}

  static final class Cache extends LinkedHashMap<Object, Object> {
    Cache() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<Object, Object> eldest) {
      return size() > 3;
    }
  }

  static void recent() {
    Cache cache = new Cache();
    for (int k = 0; k < 8; k++) {
      cache.put(k, new Recent());
      cache.get(k / 2);
      Watch.tick();
    }
    cache.keySet().iterator().next();
    cache.put(new Key(), new Recent());
    Watch.tick();
    cache.remove(cache.keySet().iterator().next());
    Watch.ticks(2);
  }

  static void sorted() {
    TreeMap<Integer, Sorted> map = new TreeMap<>();
    for (int k = 0; k < 10; k++) {
      map.put(k * 7 % 10, new Sorted());
    }
    Watch.tick();
    map.pollFirstEntry();
    map.headMap(3).clear();
    Watch.tick();
    Map.Entry<Integer, Sorted> entry = map.pollLastEntry();
    map.descendingMap().remove(5);
    Watch.tick();
    entry = null;
    Watch.tick();
  }

  static void tasks() {
    PriorityQueue<Task> queue = new PriorityQueue<>(Comparator.comparingInt(task -> task.priority));
    for (int k = 0; k < 7; k++) {
      queue.add(new Task(k * 3 % 7));
    }
    while (queue.size() > 2) {
      Task task = queue.poll();
      Watch.tick();
    }
    queue.removeIf(task -> task.priority == 5);
    Watch.tick();
  }

  static void linked() {
    LinkedList<Linked> list = new LinkedList<>();
    for (int k = 0; k < 6; k++) {
      list.addFirst(new Linked());
    }
    ListIterator<Linked> iterator = list.listIterator();
    while (iterator.hasNext()) {
      iterator.next();
      Watch.tick();
      if (iterator.nextIndex() % 2 == 0) {
        iterator.remove();
      } else {
        iterator.set(new Linked());
      }
    }
    Watch.tick();
    iterator = null;
    list.clear();
    Watch.tick();
  }

  static void same() {
    Map<Same, Same> map = new IdentityHashMap<>();
    for (int k = 0; k < 5; k++) {
      map.put(new Same(), new Same());
    }
    Watch.tick();
    Iterator<Same> keys = map.keySet().iterator();
    keys.next();
    map.values().clear();
    Watch.tick();
    keys = null;
    Watch.tick();
  }

  static void copied() {
    List<Copied> list = new ArrayList<>();
    for (int k = 0; k < 12; k++) {
      list.add(new Copied());
    }
    List<Copied> copy = List.copyOf(list.subList(2, 5));
    list.set(0, null);
    list.remove(11);
    Watch.tick();
    list = list.subList(6, 8);
    Watch.tick();
    list = null;
    Watch.tick();
    copy = null;
    Watch.tick();
  }

  public static void main(String[] args) throws Exception {
    Watch.begin(args);
    recent();
    sorted();
    tasks();
    linked();
    same();
    copied();
    Watch.end();
  }
}
