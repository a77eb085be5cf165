package demo;

import java.util.HashMap;
import java.util.Map;

/** The variables of a block, and of the blocks around it. */
final class Scope {
  private final Scope outer;
  private final Map<String, Object> values = new HashMap<>();

  Scope(Scope outer) {
    this.outer = outer;
  }

  void define(String name, Object value) {
    values.put(name, value);
  }

  Object get(String name) {
    for (Scope scope = this; scope != null; scope = scope.outer) {
      Object value = scope.values.get(name);
      if (value != null) {
        return value;
      }
    }
    throw new Failure("no variable " + name);
  }

  void set(String name, Object value) {
    for (Scope scope = this; scope != null; scope = scope.outer) {
      if (scope.values.containsKey(name)) {
        scope.values.put(name, value);
        return;
      }
    }
    throw new Failure("no variable " + name);
  }

  Scope outermost() {
    Scope scope = this;
    while (scope.outer != null) {
      scope = scope.outer;
    }
    return scope;
  }
}
