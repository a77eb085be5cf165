import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.*;
import com.esotericsoftware.kryo.serializers.*;
import com.esotericsoftware.kryo.unsafe.*;
import java.io.*;
import java.util.*;

/** Kryo and Java's own serialisation write, read and copy objects of every kind. */
public final class KryoUse {
  static class P {
    int x;
    long y;
    double d;
    String s;
    List<P> kids = new ArrayList<>();
    transient int t;
    final int fin;
    boolean b;
    char c;
    byte by;
    float f;
    short sh;

    P() {
      fin = 7;
    }

    P(int i) {
      x = i;
      y = i * 3L;
      d = i / 7.0;
      s = "s" + i;
      fin = i;
      b = i % 2 == 0;
      c = (char) ('a' + i % 26);
      by = (byte) i;
      f = i;
      sh = (short) i;
    }

    public String toString() {
      return x + "," + y + "," + d + "," + s + "," + fin + "," + b + c + by + f + sh + kids;
    }
  }

  record R(int a, String b) {}

  enum E {
    A,
    B {
      void f() {}
    }
  }

  static class NoCtor {
    int v;
    Object o;

    NoCtor(int v) {
      this.v = v;
    }
  }

  public static void main(String[] a) throws Exception {
    for (int round = 0; round < 3; round++) {
      Kryo k = new Kryo();
      k.setRegistrationRequired(false);
      k.setReferences(true);
      k.setInstantiatorStrategy(
          new com.esotericsoftware.kryo.util.DefaultInstantiatorStrategy(
              new org.objenesis.strategy.StdInstantiatorStrategy()));
      if (round == 1) k.setDefaultSerializer(CompatibleFieldSerializer.class);
      if (round == 2) k.setDefaultSerializer(VersionFieldSerializer.class);
      P root = new P(1);
      for (int i = 0; i < 20; i++) {
        P q = new P(i);
        root.kids.add(q);
        q.kids.add(root.kids.get(0));
        if (i == 0) q.kids.clear();
      }
      Map<Object, Object> m = new LinkedHashMap<>();
      m.put("a", root);
      m.put(E.B, new R(3, "x"));
      m.put(1, new int[] {1, 2, 3});
      m.put(new Date(0), new NoCtor(9));
      m.put("set", new TreeSet<>(List.of(3, 1, 2)));
      m.put("bs", BitSet.valueOf(new long[] {5}));
      ByteArrayOutputStream bo = new ByteArrayOutputStream();
      Output out = new Output(bo);
      k.writeClassAndObject(out, m);
      out.close();
      byte[] bytes = bo.toByteArray();
      System.out.println(bytes.length + " " + Arrays.hashCode(bytes));
      Map<Object, Object> back = (Map<Object, Object>) k.readClassAndObject(new Input(bytes));
      for (var e : back.entrySet())
        System.out.println(
            e.getKey()
                + "="
                + (e.getValue() instanceof NoCtor n
                    ? "nc" + n.v
                    : e.getValue() instanceof int[] x ? Arrays.toString(x) : e.getValue()));
      P c = k.copy(root);
      System.out.println(c);
      try {
        UnsafeOutput uo = new UnsafeOutput(4096);
        k.writeClassAndObject(uo, root);
        System.out.println(uo.position());
        System.out.println(k.readClassAndObject(new UnsafeInput(uo.toBytes())));
      } catch (Throwable t) {
        System.out.println(t);
      }
    }
    ByteArrayOutputStream jb = new ByteArrayOutputStream();
    ObjectOutputStream oo = new ObjectOutputStream(jb);
    oo.writeObject(new ArrayList<>(List.of(1, "a", Map.of(1, 2), new R2(1, "z"), E.B, new Sub(5))));
    oo.close();
    System.out.println(jb.size() + " " + Arrays.hashCode(jb.toByteArray()));
    System.out.println(
        new ObjectInputStream(new ByteArrayInputStream(jb.toByteArray())).readObject());
  }

  record R2(int a, String b) implements Serializable {}

  static class Base {
    int q = 4;
  }

  static class Sub extends Base implements Serializable {
    final int z;
    transient int t = 3;
    Object self = this;

    Sub(int z) {
      this.z = z;
    }

    public String toString() {
      return q + " " + z + " " + t + " " + (self == this);
    }
  }
}
