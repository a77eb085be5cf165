import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.Field;

public class Fields {
  // ---- every change of a field's state

  static final class Steps { // one object for each sequence of accesses, r and w; the first is by
    int f;                   // the constructor if it is in upper case

    Steps(String order) { access(order, true); }

    void access(String order, boolean constructs) {
      for (int i = 0; i < order.length(); i++) {
        char c = order.charAt(i);
        if (Character.isUpperCase(c) != constructs) continue;
        if (Character.toLowerCase(c) == 'r') read(); else write();
      }
    }

    int read() { return f; }
    void write() { f = 1; }
  }

  static class Above { // the constructor of a superclass calls a method of the subclass
    Above() { begin(); }
    void begin() { }
  }

  static class Below extends Above {
    int before = 1;  // read by begin: the zero was needed
    int within;      // written by begin
    int after;       // written once the superclass is done
    int late;        // written by main

    Below() { super(); after = 2; }
    @Override void begin() { within = before; }
  }

  static class Chained { // a constructor that calls another of its class
    int first;
    int second;

    Chained(int first) { this.first = first; }
    Chained() { this(1); second = 2; }
  }

  static Throwing escaped;

  static class Throwing { // the object outlives its constructor, which throws
    int early;
    int late;

    Throwing(boolean fails) {
      early = 1;
      escaped = this;
      if (fails) throw new IllegalStateException();
      late = 1;
    }
  }

  static class Escaping { // another thread writes while the constructor runs
    int own;
    int other;

    Escaping() throws InterruptedException {
      own = 1;
      Thread thread = new Thread(() -> other = 1);
      thread.start();
      thread.join();
    }
  }

  static Published published;

  static final class Published { // the constructor goes on when another thread has the object
    int seen;    // read by the other thread: the zero was needed
    int own;
    int helped;  // written by a method that has the object from there, but within the constructor
    int late;    // written by main

    Published() throws InterruptedException {
      published = this;
      Thread thread = new Thread(() -> { int k = published.seen; });
      thread.start();
      thread.join();
      seen = 1;
      own = 1;
      help();
    }
  }

  static void help() { published.helped = 1; }

  static class Nested { // a constructor makes another object of the class
    Nested inner;
    int value;

    Nested(int depth) {
      if (depth > 0) {
        inner = new Nested(depth - 1);
        inner.value = depth; // not its own constructor
      }
      value = depth;
    }
  }

  class Inner { // this$0 is written before the superclass's constructor
    int outer = side;
  }

  int side;

  enum Color { RED, GREEN; int weight = 1; }

  enum Shape { // one constant is of a subclass
    FLAT,
    ROUND {
      int radius = 1; // written when the superclass is done
      @Override void grow() { radius++; sides++; }
    };

    int sides = 4;
    void grow() { }
  }

  record Pair(int left, long right) { }

  static class Kept implements Serializable {
    private static final long serialVersionUID = 1L;
    int number = 1;
    transient int unused = 2;
  }

  static class Copied implements Cloneable {
    int number = 1;
    long wide = 2;

    @Override public Copied clone() throws CloneNotSupportedException { return (Copied) super.clone(); }
  }

  static final class CopiedBelow extends Copied {
    int more;

    @Override public CopiedBelow clone() throws CloneNotSupportedException {
      CopiedBelow copy = (CopiedBelow) super.clone();
      copy.more = 3; // no constructor
      return copy;
    }
  }

  static final class Finals { final Object f; Finals(Object f) { this.f = f; } }

  static final class Types { // a write first needs no zero, whatever the type
    boolean z; byte b; char c; short s; int i; float f; long j; double d; Object a; int[] r;
  }

  static final class Empty { }

  static void states() throws Exception {
    for (String order : "R W r w RR RW WR WW Rr Rw Wr Ww rr rw wr ww".split(" ")) {
      new Steps(order).access(order, false);
    }
    for (int i = 0; i < 3; i++) {
      Below below = new Below();
      below.late = i;
    }
    new Chained();
    new Chained(3);
    try {
      new Throwing(true);
    } catch (IllegalStateException e) {
      escaped.early = 2;
    }
    new Throwing(false);
    new Escaping();
    new Published();
    published.late = 1;
    new Nested(2);
    Fields fields = new Fields();
    for (int i = 0; i < 5; i++) fields.new Inner();
    Color.GREEN.weight = 2;
    Shape.FLAT.grow();
    Shape.ROUND.grow();
    Pair pair = new Pair(1, 2L);
    pair.left();
    new Empty();
  }

  static void copies() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(new Kept());
    }
    Kept kept = (Kept) new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
    kept.unused = kept.unused + 1; // its zero is read, then it is mutable
    Copied copy = new Copied().clone();
    copy.number = 5;
    copy = copy.clone();
    long sum = copy.number + copy.wide;
    CopiedBelow below = new CopiedBelow().clone().clone();
    sum += below.wide;
    Finals finals = new Finals("a");
    Field field = Finals.class.getDeclaredField("f");
    field.setAccessible(true);
    field.get(finals);
    field.set(finals, "b"); // mutable, final or not
    System.out.println(sum + " " + finals.f);
  }

  static void types() {
    Types t = new Types();
    t.z = true; t.b = 1; t.c = 1; t.s = 1; t.i = 1; t.f = 1; t.j = 1; t.d = 1; t.a = ""; t.r = null;
    t = new Types();
    boolean any = t.z || t.b + t.c + t.s + t.i + t.f + t.j + t.d > 0 || t.a != null || t.r != null;
    t = new Types();
    t.j = t.i;
    System.out.println(any);
  }

  // ---- one to four threads

  static class Cell { int x; int y; Cell() { x = 1; y = 1; } }
  static final class Read extends Cell { }       // x by n threads
  static final class ReadBoth extends Cell { }   // x and y by n threads
  static final class Written extends Cell { }    // x by n threads
  static final class WrittenBoth extends Cell { }
  static final class Mixed extends Cell { }      // x read by n threads, y written by n
  static final class ByOther { int x; }          // written by one thread, not the allocating one

  static void run(int n, Runnable work) throws InterruptedException {
    for (int i = 0; i < n; i++) {
      boolean isPlatform = i % 2 == 0 || Runtime.version().feature() < 21;
      Thread thread = isPlatform ? new Thread(work) : virtual(work);
      if (isPlatform) thread.start();
      thread.join();
    }
  }

  static Thread virtual(Runnable work) {
    try {
      return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, work);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  static void sharing() throws InterruptedException {
    for (int n = 1; n <= 4; n++) {
      Read read = new Read();
      run(n, () -> { int k = read.x; });
      ReadBoth both = new ReadBoth();
      run(n, () -> { int k = both.x + both.y; });
      Written written = new Written();
      run(n, () -> { written.x = 2; });
      WrittenBoth all = new WrittenBoth();
      run(n, () -> { all.x = 2; all.y = 2; });
      Mixed mixed = new Mixed();
      run(n, () -> { int k = mixed.x; mixed.y = k; });
      ByOther other = new ByOther();
      run(1, () -> { other.x = 1; });
      run(n, () -> { int k = other.x; });
    }
  }

  public static void main(String[] args) throws Exception {
    states();
    copies();
    types();
    sharing();
  }
}
