import java.io.File;
import java.lang.ref.Cleaner;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;

/**
 * Objects that the VM, its tables, references, finalizers or native code may hold. The last argument
 * is the library of native methods.
 */
public class Rooted {
  static class Thing {
    Object other;

    Thing() {
      Watch.see(this);
    }
  }

  // What is seen as the collector sees it.
  static final class Weak extends Thing {}
  static final class Queued extends Thing {}
  static final class Softly extends Thing {}
  static final class BehindSoft extends Thing {}
  static final class Cleaned extends Thing {}
  static final class CleanerState extends Thing implements Runnable {
    @Override
    public void run() {}
  }
  static final class OfThread extends Thing {}
  static final class OfClass extends Thing {}
  static final class Operand extends Thing {}
  static final class Finalized extends Thing {
    @Override
    @SuppressWarnings({"deprecation", "removal"})
    protected void finalize() {}
  }
  static final class BehindFinalized extends Thing {}

  // What is held by what a recording does not see.
  static final class Global extends Thing {}
  static final class BehindGlobal extends Thing {}
  static final class WeakGlobal extends Thing {}
  static final class LocalOfNative extends Thing {}
  static final class StoredByNative extends Thing {}

  static native void hold(Object object);

  static native void holdWeakly(Object object);

  static native void release();

  static native void store(Thing into, Object object);

  static native void callWithField(Thing thing, Runnable run);

  static void references() {
    Thing weak = new Weak();
    WeakReference<Thing> weakly = new WeakReference<>(weak);
    ReferenceQueue<Thing> queue = new ReferenceQueue<>();
    Thing queued = new Queued();
    PhantomReference<Thing> phantom = new PhantomReference<>(queued, queue);
    Thing behind = new BehindSoft();
    Thing soft = new Softly();
    soft.other = behind;
    behind = null;
    SoftReference<Thing> softly = new SoftReference<>(soft);
    soft = null;
    Watch.tick();
    weak = null;
    queued = null;
    Watch.ticks(2);
    softly.clear();
    Watch.tick();
    System.out.println(phantom.get() + " " + weakly.refersTo(null));
  }

  static void cleaner() {
    Cleaner cleaner = Cleaner.create();
    Object cleaned = new Cleaned();
    CleanerState state = new CleanerState();
    Cleaner.Cleanable cleanable = cleaner.register(cleaned, state);
    state = null;
    Watch.tick();
    cleanable.clean();
    Watch.tick();
    cleaned = null;
    Watch.tick();
  }

  static void finalizers() {
    Thing finalized = new Finalized();
    Watch.tick();
    finalized.other = new BehindFinalized();
    Watch.tick();
    finalized = null;
    Watch.ticks(2);
  }

  static void threads() throws Exception {
    Thing held = new OfThread();
    Thread thread = new Thread(() -> System.out.println(held.other));
    thread.start();
    thread.join();
    Watch.tick();
    thread = new Thread(() -> System.out.println(held.other));
    Watch.tick();
    thread = null;
  }

  static final ClassValue<Object> VALUE =
      new ClassValue<>() {
        @Override
        protected Object computeValue(Class<?> type) {
          return new OfClass();
        }
      };

  static void values() {
    VALUE.get(Thing.class);
    Watch.tick();
    VALUE.remove(Thing.class);
    VALUE.get(Thing.class);
    Watch.tick();
  }

  static void natives() {
    hold(new Global());
    Thing holder = new Global();
    holder.other = new BehindGlobal();
    hold(holder);
    holder = null;
    Thing weak = new WeakGlobal();
    holdWeakly(weak);
    Watch.ticks(2);
    weak = null;
    Watch.tick();
    release();
    Watch.tick();
    Thing into = new Thing();
    store(into, new StoredByNative());
    Watch.ticks(2);
    into.other = null;
    Watch.tick();
    Thing thing = new Thing();
    thing.other = new LocalOfNative();
    callWithField(
        thing,
        () -> {
          thing.other = null;
          Watch.ticks(2);
        });
    callWithField(new Operand(), () -> Watch.ticks(3));
    Watch.tick();
  }

  static void interned() {
    String text = new String("made").concat(" here ").concat(Thread.currentThread().getName());
    String other = text.intern();
    Watch.tick();
    System.out.println(text == other);
    text = null;
    other = null;
    Watch.ticks(2);
  }

  public static void main(String[] args) throws Exception {
    Watch.begin(args.length > 1 ? args : new String[] {});
    System.load(new File(args[args.length - 1]).getAbsolutePath());
    references();
    cleaner();
    finalizers();
    threads();
    values();
    interned();
    natives();
    Watch.end();
    System.exit(0);
  }
}
