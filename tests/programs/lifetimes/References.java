import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.WeakHashMap;

/** References of all strengths, which do not change with what the collector does. */
public class References {
  static class Thing {
    Thing other;

    Thing() {
      Watch.see(this);
    }
  }

  static final class Weak extends Thing {}
  static final class Soft extends Thing {}
  static final class Phantom extends Thing {}
  static final class Key extends Thing {}
  static final class Value extends Thing {}
  static final class Local extends Thing {}
  static final class Inherited extends WeakReference<Thing> {
    final Thing note;

    Inherited(Thing thing, Thing note) {
      super(thing);
      Watch.see(this);
      this.note = note;
    }
  }
  static final class Note extends Thing {}

  static void weak() {
    Thing thing = new Weak();
    WeakReference<Thing> reference = new WeakReference<>(thing);
    Watch.tick();
    use(reference.get(), 2);
    thing = null;
    Watch.tick();
    Watch.tick();
  }

  static void use(Thing thing, int n) {
    Watch.ticks(n);
  }

  static void soft() {
    SoftReference<Thing> reference = new SoftReference<>(new Soft());
    Watch.ticks(2);
    reference.clear();
    Watch.tick();
    reference = new SoftReference<>(new Soft());
    reference.get().other = new Soft();
    Watch.tick();
    reference = null;
    Watch.tick();
  }

  static void phantom() {
    Thing thing = new Phantom();
    ReferenceQueue<Thing> queue = new ReferenceQueue<>();
    Reference<Thing> reference = new PhantomReference<>(thing, queue);
    Watch.tick();
    thing = null;
    Watch.ticks(2);
    System.out.println(reference.get());
  }

  static void inherited() {
    Thing thing = new Weak(); // or the thread that enqueues references would hold this one, too
    Inherited reference = new Inherited(thing, new Note());
    Watch.tick();
    reference.clear();
    thing = null;
    Watch.tick();
    reference = null;
    Watch.tick();
  }

  static void maps() {
    Map<Thing, Thing> map = new WeakHashMap<>();
    Thing key = new Key();
    map.put(key, new Value());
    Watch.tick();
    map.put(key, new Value());
    Watch.tick();
    map.remove(key);
    Watch.tick();
    key = null;
    Watch.tick();
  }

  static void locals() {
    ThreadLocal<Thing> local = ThreadLocal.withInitial(Local::new);
    local.get();
    Watch.tick();
    local.set(new Local());
    Watch.tick();
    local.remove();
    Watch.tick();
  }

  public static void main(String[] args) throws Exception {
    Watch.begin(args);
    weak();
    soft();
    phantom();
    inherited();
    maps();
    locals();
    Watch.end();
  }
}
