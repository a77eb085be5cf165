/**
 * What a method clone may return: a copy, an object that it constructed, or one that was there
 * before. Each kind is cloned {@value #CLONES} times: by its own type, and by a method that knows
 * no more than that it can be copied. Each object is then locked once and asked for its identity
 * hash code once, and the original once more.
 */
public class Clones {
  static final int CLONES = 5;

  abstract static class Kind implements Cloneable {
    int a = 1;

    @Override
    public abstract Object clone();

    final Object raw() {
      try {
        return super.clone();
      } catch (CloneNotSupportedException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** By the native method. */
  static class Raw extends Kind {
    @Override public Object clone() { return raw(); }
  }

  /** By a clone above that does so. */
  static class BelowRaw extends Raw {
    @Override public Object clone() { return super.clone(); }
  }

  /** Inherited, and so the one above. */
  static class Inherits extends Raw { }

  static class Constructed extends Kind {
    Constructed() { }
    Constructed(Constructed other) { a = other.a; }
    @Override public Object clone() { return new Constructed(this); }
  }

  static class ByReflection extends Kind {
    @Override
    public Object clone() {
      try {
        return getClass().getDeclaredConstructor().newInstance();
      } catch (ReflectiveOperationException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** A clone above constructs what this one returns. */
  static class BelowConstructed extends ByReflection {
    @Override public Object clone() { return super.clone(); }
  }

  static class Same extends Kind {
    @Override public Object clone() { return this; }
  }

  /** One from before, which was copied once. */
  static class Kept extends Kind {
    static final Kept FIRST = new Kept();
    static final Object COPY = FIRST.raw();
    @Override public Object clone() { return FIRST; }
  }

  /** A copy of something else. */
  static class Template extends Kind {
    static final Template FIRST = new Template();
    @Override public Object clone() { return FIRST.raw(); }
  }

  /** A copy of a copy. */
  static class Twice extends Kind {
    @Override public Object clone() { return ((Twice) raw()).raw(); }
  }

  static class Covariant extends Kind {
    @Override public Covariant clone() { return (Covariant) raw(); }
  }

  static class Nothing extends Kind {
    @Override public Object clone() { return null; }
  }

  static class Other extends Kind {
    @Override public Object clone() { return new Nothing(); }
  }

  /** No method of its own. */
  static class Plain implements Cloneable {
    int a = 1;
    Object copy() throws CloneNotSupportedException { return clone(); }
  }

  static void use(Object object) {
    if (object != null) {
      synchronized (object) {
        sum += System.identityHashCode(object) == 0 ? 1 : 0;
      }
    }
  }

  static int sum;

  static void copy(Kind original, java.util.function.Supplier<Object> copier) {
    use(original);
    for (int k = 0; k < CLONES; k++) {
      use(original.clone());
      use(copier.get());
    }
    use(original);
  }

  public static void main(String[] args) throws CloneNotSupportedException {
    Raw raw = new Raw();
    copy(raw, () -> raw.clone());
    BelowRaw belowRaw = new BelowRaw();
    copy(belowRaw, () -> belowRaw.clone());
    Inherits inherits = new Inherits();
    copy(inherits, () -> inherits.clone());
    Constructed constructed = new Constructed();
    copy(constructed, () -> constructed.clone());
    ByReflection byReflection = new ByReflection();
    copy(byReflection, () -> byReflection.clone());
    BelowConstructed belowConstructed = new BelowConstructed();
    copy(belowConstructed, () -> belowConstructed.clone());
    Same same = new Same();
    copy(same, () -> same.clone());
    Kept kept = new Kept();
    copy(kept, () -> kept.clone());
    Template template = new Template();
    copy(template, () -> template.clone());
    Twice twice = new Twice();
    copy(twice, () -> twice.clone());
    Covariant covariant = new Covariant();
    copy(covariant, () -> covariant.clone());
    Nothing nothing = new Nothing();
    copy(nothing, () -> nothing.clone());
    Other other = new Other();
    copy(other, () -> other.clone());
    Plain plain = new Plain();
    use(plain);
    for (int k = 0; k < CLONES; k++) {
      use(plain.copy());
    }
    use(plain);
    System.out.println(sum);
  }
}
