import com.fasterxml.jackson.annotation.*;
import com.fasterxml.jackson.databind.*;
import com.fasterxml.jackson.databind.node.*;
import java.util.*;

/** Jackson binds fields, properties, records and trees. */
public final class JacksonUse {
  public static class Pojo {
    public int a;
    private String b;
    public List<Inner> list = new ArrayList<>();

    @JsonProperty("ren")
    double d;

    public final int fin = 3;
    transient int tt = 2;

    public String getB() {
      return b;
    }

    public void setB(String s) {
      b = s;
    }
  }

  public static class Inner {
    public long[] ls = {1, 2, 3};
    @JsonIgnore public int ig = 9;
    public Map<String, Integer> m = new TreeMap<>(Map.of("k", 1, "j", 2));
    public E e = E.Y;
    public Optional<String> none;
  }

  enum E {
    X,
    Y
  }

  public record Rec(int x, String y, List<Rec> rs) {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "t")
  @JsonSubTypes({@JsonSubTypes.Type(A.class), @JsonSubTypes.Type(B.class)})
  interface Sh {}

  @JsonTypeName("a")
  public static class A implements Sh {
    public int r = 1;
  }

  @JsonTypeName("b")
  public static class B implements Sh {
    public int w = 2;
    private int h = 3;

    public int getH() {
      return h;
    }

    @JsonCreator
    static B of(@JsonProperty("w") int w, @JsonProperty("h") int h) {
      B b = new B();
      b.w = w;
      b.h = h;
      return b;
    }
  }

  static class Fields {
    private int p = 1;
    int q = 2;
    protected Object n = null;
  }

  public static void main(String[] a) throws Exception {
    ObjectMapper m = new ObjectMapper();
    Pojo p = new Pojo();
    p.a = 4;
    p.setB("q");
    p.d = 2.5;
    for (int i = 0; i < 5; i++) p.list.add(new Inner());
    String s = m.writeValueAsString(p);
    System.out.println(s);
    System.out.println(m.writeValueAsString(m.readValue(s, Pojo.class)));
    Rec r = new Rec(1, "y", List.of(new Rec(2, null, null)));
    String rs = m.writeValueAsString(r);
    System.out.println(rs + m.readValue(rs, Rec.class));
    Sh[] sh = {new A(), new B()};
    String ss = m.writeValueAsString(sh);
    System.out.println(ss);
    System.out.println(m.writeValueAsString(m.readValue(ss, Sh[].class)));
    ObjectMapper f =
        new ObjectMapper().setVisibility(PropertyAccessor.FIELD, JsonAutoDetect.Visibility.ANY);
    System.out.println(f.writeValueAsString(new Fields()));
    System.out.println(
        f.writeValueAsString(f.readValue("{\"p\":8,\"q\":9,\"n\":[1]}", Fields.class)));
    JsonNode t = m.readTree("{\"a\":[1,2,{\"b\":null}],\"c\":1.50}");
    System.out.println(t.toPrettyString());
    ((ObjectNode) t).put("z", 1);
    System.out.println(t + " " + t.hashCode());
    System.out.println(m.convertValue(Map.of("a", 12), Pojo.class).a);
    try {
      m.readValue("{\"zz\":1}", Pojo.class);
    } catch (Exception e) {
      System.out.println(e.getMessage());
    }
    try {
      f.writeValueAsString(new Object());
    } catch (Exception e) {
      System.out.println(e.getMessage());
    }
    System.out.println(f.writeValueAsString(new Fields2()));
  }

  static class Fields2 extends Fields {
    Thread.State st = Thread.State.NEW;
    Date d = new Date(0);
    UUID u = new UUID(1, 2);
    java.math.BigDecimal bd = new java.math.BigDecimal("1.20");
    Inner in = new Inner();
  }
}
