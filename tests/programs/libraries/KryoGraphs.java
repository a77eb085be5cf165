import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.serializers.ClosureSerializer;
import com.esotericsoftware.kryo.serializers.CompatibleFieldSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import com.esotericsoftware.kryo.serializers.TaggedFieldSerializer;
import com.esotericsoftware.kryo.unsafe.UnsafeInput;
import com.esotericsoftware.kryo.unsafe.UnsafeOutput;
import com.esotericsoftware.kryo.util.DefaultInstantiatorStrategy;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import java.util.zip.CRC32;
import org.objenesis.strategy.StdInstantiatorStrategy;

/** Graphs of objects with cycles, through Kryo by reflection, generated code and Unsafe, and copied. */
public class KryoGraphs {
  enum Color {
    RED,
    GREEN {
      @Override
      int weight() {
        return 7;
      }
    };

    int weight() {
      return 1;
    }
  }

  record Point(int x, long y, String name, double[] more) {}

  static class Named implements Serializable {
    private static final long serialVersionUID = 3;
    String name;
    transient int cached = 5;

    Named(String name) { // no constructor without parameters: made by the VM
      this.name = name;
    }
  }

  static class Node extends Named {
    private static final long serialVersionUID = 4;
    final List<Node> next = new ArrayList<>();
    Node first;
    Object value;
    byte small = 1;
    short halved = 2;
    char letter = 'c';
    float ratio = 0.5f;
    boolean marked;
    volatile long counted;

    Node(String name) {
      super(name);
    }
  }

  static class Tagged {
    @TaggedFieldSerializer.Tag(1)
    int kept = 4;

    @TaggedFieldSerializer.Tag(2)
    String text = "tagged";

    int left = 9;
  }

  interface Scaled extends IntUnaryOperator, Serializable {}

  static Node graph(int size) {
    Node[] nodes = new Node[size];
    for (int i = 0; i < size; i++) {
      nodes[i] = new Node("node" + i);
      nodes[i].value =
          switch (i % 8) {
            case 0 -> i;
            case 1 -> "text" + i % 16;
            case 2 -> new int[] {i, i + 1};
            case 3 -> Color.values()[i / 8 % 2];
            case 4 -> new Point(i, i * 3L, "p" + i, new double[] {i / 2.0});
            case 5 -> new TreeMap<>(Map.of("k" + i, (long) i, "l", 2L));
            case 6 -> new Object[][] {{i, null}, {"s"}};
            default -> nodes[i / 2];
          };
      nodes[i].first = nodes[0];
      nodes[i].marked = i % 3 == 0;
      nodes[i].counted = i * 11L;
    }
    for (int i = 0; i < size; i++) {
      nodes[i].next.add(nodes[(i + 1) % size]);
      nodes[i].next.add(nodes[i * 7 % size]);
    }
    return nodes[0];
  }

  /** What a graph contains, with the number of each node at which it was first met. */
  static String shown(Node root) {
    Map<Node, Integer> numbers = new IdentityHashMap<>();
    ArrayDeque<Node> open = new ArrayDeque<>(List.of(root));
    CRC32 sum = new CRC32();
    numbers.put(root, 0);
    while (!open.isEmpty()) {
      Node node = open.remove();
      StringBuilder text = new StringBuilder(node.name);
      for (Node next : node.next) {
        if (numbers.putIfAbsent(next, numbers.size()) == null) {
          open.add(next);
        }
        text.append(' ').append(numbers.get(next));
      }
      Object value = node.value;
      if (value instanceof Node other) {
        value = numbers.get(other);
      } else if (value instanceof Object[] array) {
        value = Arrays.deepToString(array);
      } else if (value instanceof int[] array) {
        value = Arrays.toString(array);
      } else if (value instanceof Point point) {
        value = point.x + point.y + point.name + Arrays.toString(point.more);
      }
      text.append(value).append(node.first == root).append(node.cached).append(node.small);
      text.append(node.halved).append(node.letter).append(node.ratio).append(node.marked);
      text.append(node.counted);
      sum.update(text.toString().getBytes());
    }
    return numbers.size() + " nodes, " + Long.toHexString(sum.getValue());
  }

  static Kryo kryo() {
    Kryo kryo = new Kryo();
    kryo.setRegistrationRequired(false);
    kryo.setReferences(true);
    kryo.setInstantiatorStrategy(new DefaultInstantiatorStrategy(new StdInstantiatorStrategy()));
    kryo.register(Tagged.class, new TaggedFieldSerializer<>(kryo, Tagged.class));
    kryo.register(Object[].class);
    kryo.register(java.lang.invoke.SerializedLambda.class);
    kryo.register(ClosureSerializer.Closure.class, new ClosureSerializer());
    return kryo;
  }

  static void roundTrip(String title, Kryo kryo, Object root, boolean unsafe) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (Output output = unsafe ? new UnsafeOutput(bytes, 64) : new Output(bytes, 64)) {
      kryo.writeClassAndObject(output, root);
    }
    byte[] written = bytes.toByteArray();
    CRC32 sum = new CRC32();
    sum.update(written);
    Object read;
    try (Input input =
        unsafe
            ? new UnsafeInput(new ByteArrayInputStream(written), 64)
            : new Input(new ByteArrayInputStream(written), 64)) {
      read = kryo.readClassAndObject(input);
    }
    String text = read instanceof Node node ? shown(node) : String.valueOf(read);
    System.out.println(
        title + ": " + written.length + " " + Long.toHexString(sum.getValue()) + " " + text);
  }

  public static void main(String[] args) throws Exception {
    int size = args.length == 0 ? 200 : Integer.parseInt(args[0]);
    Node root = graph(size);
    System.out.println("made: " + shown(root));
    roundTrip("fields", kryo(), root, false);
    roundTrip("by unsafe", kryo(), root, true);

    Kryo compatible = kryo();
    compatible.setDefaultSerializer(CompatibleFieldSerializer.class);
    roundTrip("compatible", compatible, root, false);

    Kryo standard = kryo();
    standard.addDefaultSerializer(Node.class, new JavaSerializer());
    Node plain = new Node("plain");
    plain.value = "value";
    plain.first = plain;
    roundTrip("by java", standard, plain, false);

    Kryo kryo = kryo();
    Node copied = kryo.copy(root);
    System.out.println("copied: " + shown(copied) + " " + (copied != root && copied.first == copied));
    System.out.println("shallow: " + shown(kryo.copyShallow(root)));

    Map<Object, Object> mixed = new LinkedHashMap<>();
    mixed.put("list", new ArrayList<>(List.of(1, 2L, 3.0f, 'c', (byte) 4)));
    mixed.put("bits", BitSet.valueOf(new long[] {5, 9}));
    mixed.put("enums", EnumSet.of(Color.RED, Color.GREEN));
    mixed.put("hash", new HashMap<>(Map.of("a", "b")));
    mixed.put(Color.GREEN, java.time.Duration.ofSeconds(90));
    mixed.put("big", java.math.BigInteger.TWO.pow(90));
    roundTrip("mixed", kryo, mixed, false);

    Output output = new Output(256, -1);
    Tagged tagged = new Tagged();
    tagged.kept = 8;
    tagged.left = 10;
    kryo.writeObject(output, tagged);
    int scale = size;
    kryo.writeClassAndObject(output, (Scaled) x -> x * scale);
    Input input = new Input(output.toBytes());
    Tagged read = kryo.readObject(input, Tagged.class);
    System.out.println("tagged: " + read.kept + read.text + read.left);
    System.out.println("closure: " + ((Scaled) kryo.readClassAndObject(input)).applyAsInt(3));

    kryo.register(
        Point.class,
        new Serializer<Point>() {
          @Override
          public void write(Kryo kryo, Output output, Point point) {
            output.writeInt(point.x, true);
          }

          @Override
          public Point read(Kryo kryo, Input input, Class<? extends Point> type) {
            return new Point(input.readInt(true), 0, "own", null);
          }
        });
    roundTrip("own", kryo, new Point(300, 1, "lost", null), false);

    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(plain);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      Node back = (Node) in.readObject();
      System.out.println("java: " + bytes.size() + back.name + back.cached + (back.first == back));
    }
  }
}
