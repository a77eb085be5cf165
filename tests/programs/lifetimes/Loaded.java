import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.Array;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

/** Objects made by natives, by deserialisation, for proxies, and by classes of a loader of its own. */
public class Loaded {
  public static class Thing implements Serializable {
    Object other;

    public Thing() {
      Watch.see(this);
    }

    Thing(Object other) {
      this();
      this.other = other;
    }
  }

  public static final class Held extends Thing {
    Held() {}
  }

  public static final class Foreign extends Thing {
    static Object kept;
  }

  static final class Sent implements Serializable {
    final int number;
    Sent next;

    Sent(int number, Sent next) {
      Watch.see(this);
      this.number = number;
      this.next = next;
    }

    private Object readResolve() {
      return Watch.see(this);
    }
  }

  /** Defines its own classes of one name. */
  static final class Loader extends ClassLoader {
    Loader() {
      super(Loaded.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolves) throws ClassNotFoundException {
      if (!name.equals("Loaded$Foreign")) {
        return super.loadClass(name, resolves);
      }
      try (InputStream in = Loaded.class.getResourceAsStream("Loaded$Foreign.class")) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (java.io.IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  static void loaded() throws Exception {
    Class<?> type = new Loader().loadClass("Loaded$Foreign");
    Object made = type.getDeclaredConstructor().newInstance();
    Watch.tick();
    made = null;
    type = null;
    Watch.ticks(2);
  }

  static void sent() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(new Sent(1, new Sent(2, null)));
    }
    Watch.tick();
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      Sent sent = (Sent) in.readObject();
      Watch.tick();
      sent.next = null;
      Watch.tick();
      System.out.println(sent.number);
    }
  }

  interface Answers {
    Object answer(Object question);
  }

  static void proxied() {
    Object held = new Held();
    Answers answers =
        (Answers)
            Proxy.newProxyInstance(
                Loaded.class.getClassLoader(),
                new Class<?>[] {Answers.class},
                (proxy, method, values) -> new Thing(values[0]));
    Object answer = answers.answer(new Held());
    Watch.tick();
    ((Thing) answer).other = null;
    Watch.tick();
    answers = null;
    answer = null;
    Watch.tick();
    System.out.println(held != null);
  }

  static void natives() throws Exception {
    Object array = Array.newInstance(Thing.class, 3);
    Array.set(array, 1, new Held());
    Watch.tick();
    Array.set(array, 1, null);
    Watch.tick();
    Object made = Thing.class.getDeclaredConstructor().newInstance();
    Watch.tick();
    List<Thing> things = new ArrayList<>(List.of(new Held(), new Held()));
    Thing[] copy = things.toArray(new Thing[0]);
    things = null;
    made = null;
    Watch.tick();
    copy = null;
    Watch.tick();
    System.out.println(array != null);
  }

  public static void main(String[] args) throws Exception {
    Watch.begin(args);
    loaded();
    sent();
    proxied();
    natives();
    Watch.end();
  }
}
