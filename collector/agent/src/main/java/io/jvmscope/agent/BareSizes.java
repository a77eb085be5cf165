package io.jvmscope.agent;

import io.jvmscope.layout.HeapModel;
import io.jvmscope.layout.ObjectLayouts;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The sizes that objects have without the recording, which adds fields to {@code Thread}, {@code
 * Class} and, for some probes, most other classes: what {@code Instrumentation.getObjectSize} tells
 * the program.
 */
final class BareSizes {
  private static final long UNKNOWN = -1;

  private final Instrumentation vm;
  private final Transformer transformer;
  private final Map<String, Long> known = new HashMap<>();
  private HeapModel heap; // null: not needed yet
  private JdkFields jdk;
  private long addedToClass; // bytes of the fields of the recording in a Class object

  /** {@code heap} may be null: it is measured when it is needed. */
  BareSizes(Instrumentation vm, Transformer transformer, HeapModel heap) {
    this.vm = vm;
    this.transformer = transformer;
    this.heap = heap;
  }

  /** The size of an object that has another one in this VM; the same if no other is known. */
  synchronized long of(Object object, long size) {
    try {
      if (jdk == null) {
        learn();
      }
      if (object instanceof Class<?>) { // behind its fields it has the static ones of what it is
        return size - addedToClass;
      }
      long bare = fixed(object.getClass());
      return bare == UNKNOWN ? size : bare;
    } catch (IOException e) {
      return size;
    }
  }

  /**
   * Asks only once: the VM counts the questions, and compiles them as if they were the program's.
   */
  private void learn() throws IOException {
    if (heap == null) {
      heap = ObjectMeasure.measure(vm, CallingContext.runtimeArguments());
    }
    jdk = transformer.jdkFields();
    addedToClass = vm.getObjectSize(byte[].class) - fixed(Class.class);
  }

  private long fixed(Class<?> type) throws IOException {
    String key = transformer.key(type);
    Long size = known.get(key);
    if (size == null) {
      size = compute(type);
      known.put(key, size);
    }
    return size;
  }

  private long compute(Class<?> type) throws IOException {
    List<Class<?>> chain = new ArrayList<>();
    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
      chain.add(0, at);
    }
    ObjectLayouts layouts = new ObjectLayouts(chain.size(), heap);
    for (int k = 0; k < chain.size(); k++) {
      String fields = fieldGroups(chain.get(k));
      if (fields == null) {
        return UNKNOWN;
      }
      String above = k == 0 ? null : name(chain.get(k - 1));
      boolean isOfJdk = transformer.isOfJdk(chain.get(k));
      layouts.define(k, name(chain.get(k)), above, fields, k - 1, isOfJdk);
    }
    int last = chain.size() - 1;
    return type == Class.class ? layouts.fixedBytes(last) : layouts.instanceBytes(last);
  }

  private String fieldGroups(Class<?> type) throws IOException {
    String found = transformer.fieldGroups(type);
    int row = found == null ? jdk.row(name(type)) : -1;
    return row < 0 ? found : jdk.groups(row);
  }

  private static String name(Class<?> type) {
    return CallingContext.nameOf(type).replace('.', '/');
  }
}
