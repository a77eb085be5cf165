import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.ref.Reference;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.function.Supplier;

/**
 * Calls that reach a method which is counted at its call sites, or one with a body that is selected
 * in its place. Each small method makes one such call, and is called three times; {@code byOwnName}
 * and {@code ofMixed} six times, the latter with objects of both kinds.
 */
public class Leaves {
  static class Worker extends Thread {
    static Thread byOwnName() { return currentThread(); }
    static boolean holds(Object object) { return holdsLock(object); }
  }

  static class Below extends Worker {
    static Thread byName() { return currentThread(); }
  }

  static class Hiding extends Thread {
    public static Thread currentThread() { return null; }
    static Thread hidden() { return currentThread(); }
  }

  /** The first call initialises it, which calls methods of the names that are looked for. */
  static class Fresh extends Thread {
    static final Object BOX = new Box().get();
    static final int HASH = java.util.Map.of("a", "b").hashCode();
    static final Thread HIDDEN = Hiding.currentThread();
  }

  static class Weak extends WeakReference<Object> {
    Weak(Object referent) { super(referent); }
    Object own() { return get(); }
    Object above() { return super.get(); }
  }

  static class Overriding extends WeakReference<Object> {
    Overriding(Object referent) { super(referent); }
    @Override public Object get() { return null; }
  }

  static class Passing extends WeakReference<Object> {
    Passing(Object referent) { super(referent); }
    @Override public Object get() { return super.get(); }
  }

  interface Holder { Object get(); }

  static class Held extends WeakReference<Object> implements Holder {
    Held(Object referent) { super(referent); }
  }

  static class Box implements Holder, Supplier<Object> {
    @Override public Object get() { return this; }
  }

  static class Opened extends RandomAccessFile {
    Opened(File file) throws IOException { super(file, "r"); }
    long position() throws IOException { return getFilePointer(); }
  }

  static class Rewound extends RandomAccessFile {
    Rewound(File file) throws IOException { super(file, "r"); }
    @Override public long getFilePointer() { return 0; }
  }

  static Object ofReference(Reference<?> reference) { return reference.get(); }
  static Object ofOverriding(Reference<?> reference) { return reference.get(); }
  static Object ofPassing(Reference<?> reference) { return reference.get(); }
  static Object ofSoft(Reference<?> reference) { return reference.get(); }
  static Object ofMixed(Reference<?> reference) { return reference.get(); }
  static Object ofWeak(Weak reference) { return reference.get(); }
  static Object ofOwn(Overriding reference) { return reference.get(); }
  static Object ofHeld(Holder holder) { return holder.get(); }
  static Object ofBox(Holder holder) { return holder.get(); }
  static Object ofLambda(Holder holder) { return holder.get(); }
  static Object ofSupplier(Supplier<?> supplier) { return supplier.get(); }
  static Thread ofFresh() { return Fresh.currentThread(); }
  static long ofLength(File file) { return file.length(); }
  static String[] ofList(File file) { return file.list(); }
  static Class<?> typeOf(Holder holder) { return holder.getClass(); }
  static int hashOf(Holder holder) { return holder.hashCode(); }
  static void wake(Holder holder) { synchronized (holder) { holder.notifyAll(); } }
  static long ofFile(RandomAccessFile file) throws IOException { return file.getFilePointer(); }
  static long ofOpened(Opened file) throws IOException { return file.getFilePointer(); }
  static long ofRewound(RandomAccessFile file) throws IOException { return file.getFilePointer(); }

  public static void main(String[] args) throws Exception {
    Object object = new Object();
    Weak weak = new Weak(object);
    Overriding overriding = new Overriding(object);
    Passing passing = new Passing(object);
    SoftReference<Object> soft = new SoftReference<>(object);
    Held held = new Held(object);
    Box box = new Box();
    Holder lambda = () -> object;
    File file = File.createTempFile("leaves", null);
    int met = 0;
    try (Opened opened = new Opened(file); Rewound rewound = new Rewound(file);
        RandomAccessFile plain = new RandomAccessFile(file, "r")) {
      for (int k = 0; k < 3; k++) {
        met += Worker.byOwnName() == Below.byName() ? 1 : 0;
        met += !Worker.holds(object) && Hiding.hidden() == null ? 1 : 0;
        met += ofFresh() == Worker.byOwnName() ? 1 : 0;
        met += weak.own() == weak.above() ? 1 : 0;
        met += ofReference(new WeakReference<>(object)) == object ? 1 : 0;
        met += ofOverriding(overriding) == null && ofOwn(overriding) == null ? 1 : 0;
        met += ofPassing(passing) == ofSoft(soft) ? 1 : 0;
        met += ofMixed(weak) == object && ofMixed(overriding) == null ? 1 : 0;
        met += ofWeak(weak) == ofHeld(held) ? 1 : 0;
        met += ofBox(box) == box && ofLambda(lambda) == object && ofSupplier(box) == box ? 1 : 0;
        met += typeOf(box) == Box.class && hashOf(box) == System.identityHashCode(box) ? 1 : 0;
        wake(box);
        met += ofLength(file) == 0 && ofList(file.getParentFile()).length > 0 ? 1 : 0;
        met += ofFile(plain) + ofOpened(opened) + opened.position() + ofRewound(rewound) == 0 ? 1 : 0;
      }
    }
    file.delete();
    System.out.println(met + " " + new Inherits().all());
  }
}

/** Compiled when {@code Declares} still had methods of its own, and run when it has none. */
class Inherits extends Declares {
  int superHash() { return super.hashCode(); }
  Object superClone() throws CloneNotSupportedException { return super.clone(); }

  int all() throws CloneNotSupportedException {
    int same = 0;
    for (int k = 0; k < 3; k++) {
      same += superHash() == System.identityHashCode(this) ? 1 : 0;
      same += superClone() != this ? 1 : 0;
    }
    return same;
  }
}
