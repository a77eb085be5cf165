import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIdentityInfo;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.ObjectIdGenerators;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;

/** Round trips through JSON: beans, records, types below others, cycles, trees, streams. */
public class JacksonTrips {
  enum Kind {
    SMALL,
    LARGE
  }

  record Part(String name, int[] sizes, Kind kind, BigDecimal price) {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "shape")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Circle.class, name = "circle"),
    @JsonSubTypes.Type(value = Group.class, name = "group")
  })
  interface Shape {}

  record Circle(double radius) implements Shape {}

  record Group(List<Shape> members) implements Shape {}

  @JsonIdentityInfo(generator = ObjectIdGenerators.IntSequenceGenerator.class, property = "@id")
  public static class Person {
    public String name;
    public Person friend;
    public List<Person> known = new ArrayList<>();
    private transient int derived = 6;

    public int getDerived() {
      return derived;
    }

    public void setDerived(int value) {
      derived = value + 1;
    }
  }

  public static class Base {
    private final long id;
    protected byte[] data;

    protected Base(long id) {
      this.id = id;
    }

    public long getId() {
      return id;
    }
  }

  public static class Made extends Base {
    private final String label;
    @JsonUnwrapped public Inner inner = new Inner();
    private final Map<String, Object> others = new LinkedHashMap<>();

    @JsonCreator
    Made(@JsonProperty("id") long id, @JsonProperty("label") String label) {
      super(id);
      this.label = label;
    }

    public String getLabel() {
      return label;
    }

    public byte[] getData() {
      return data;
    }

    public void setData(byte[] value) {
      data = value;
    }

    @JsonAnyGetter
    public Map<String, Object> others() {
      return others;
    }

    @JsonAnySetter
    public void other(String name, Object value) {
      others.put(name, value);
    }
  }

  public static class Inner {
    public int depth = 2;
    public Boolean flag;
    public char letter = 'q';
    private final String fixed = new StringBuilder("fixed").toString();

    public String getFixed() {
      return fixed;
    }
  }

  static final class Hidden {
    final int value;

    Hidden(int value) {
      this.value = value;
    }
  }

  static final class HiddenSerializer extends StdSerializer<Hidden> {
    private static final long serialVersionUID = 1;

    HiddenSerializer() {
      super(Hidden.class);
    }

    @Override
    public void serialize(Hidden hidden, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      out.writeString("hidden " + hidden.value);
    }
  }

  static String sum(String text) {
    CRC32 sum = new CRC32();
    sum.update(text.getBytes());
    return text.length() + " " + Long.toHexString(sum.getValue());
  }

  public static void main(String[] args) throws Exception {
    int size = args.length == 0 ? 100 : Integer.parseInt(args[0]);
    ObjectMapper mapper = new ObjectMapper().setSerializationInclusion(JsonInclude.Include.NON_NULL);
    mapper.registerModule(new SimpleModule().addSerializer(new HiddenSerializer()));

    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      Kind kind = Kind.values()[i % 2];
      parts.add(new Part("part\u00e9" + i, new int[] {i, -i}, kind, new BigDecimal(i + ".50")));
    }
    String text = mapper.writeValueAsString(parts);
    List<Part> read = mapper.readValue(text, new TypeReference<>() {});
    System.out.println("records: " + sum(text) + " " + mapper.writeValueAsString(read).equals(text));
    System.out.println(read.get(size - 1).name + Arrays.toString(read.get(3).sizes));

    Shape shape = new Group(List.of(new Circle(1.5), new Group(List.of(new Circle(2)))));
    String shaped = mapper.writeValueAsString(shape);
    System.out.println(shaped + " " + mapper.readValue(shaped, Shape.class).equals(shape));

    Person[] people = new Person[size];
    for (int i = 0; i < size; i++) {
      people[i] = new Person();
      people[i].name = "p" + i;
      people[i].friend = people[i / 2];
      people[0].known.add(people[i]);
    }
    people[0].friend = people[size - 1];
    String cyclic = mapper.writeValueAsString(people[0]);
    Person back = mapper.readValue(cyclic, Person.class);
    System.out.println("cycle: " + sum(cyclic) + " " + sum(mapper.writeValueAsString(back)));
    System.out.println((back.known.get(1).friend == back) + " " + back.known.get(7).getDerived());

    Made made = new Made(12, "label");
    made.setData(new byte[] {1, 2, 3});
    made.other("extra", List.of(1, "two", 3.5));
    String bean = mapper.writeValueAsString(made);
    Made again = mapper.readValue(bean.replace("\"depth\":2", "\"depth\":9"), Made.class);
    System.out.println(bean + " " + again.inner.depth + again.others + Arrays.toString(again.getData()));

    ObjectNode tree = (ObjectNode) mapper.readTree(bean);
    tree.withArray("added").add(1).addNull().addObject().put("deep", true);
    JsonNode copy = tree.deepCopy();
    System.out.println(copy.equals(tree) + " " + copy.at("/added/2/deep") + " " + copy);

    Map<String, Object> loose = new LinkedHashMap<>();
    loose.put("hidden", new Hidden(4));
    loose.put("kinds", Kind.values());
    loose.put("nested", Map.of("part", parts.get(1)));
    System.out.println(mapper.writerWithDefaultPrettyPrinter().writeValueAsString(loose));
    System.out.println(mapper.convertValue(parts.get(2), Map.class));
    Person updated = mapper.readerForUpdating(people[4]).readValue("{\"name\":\"new\"}");
    System.out.println(updated.name + (updated == people[4]));

    StringWriter streamed = new StringWriter();
    try (JsonGenerator out = mapper.getFactory().createGenerator(streamed)) {
      out.writeStartArray();
      for (int i = 0; i < size; i++) {
        out.writeNumber(i * 0.25);
        out.writePOJO(i % 10 == 0 ? shape : null);
      }
      out.writeEndArray();
    }
    int tokens = 0;
    try (JsonParser in = mapper.getFactory().createParser(streamed.toString())) {
      while (in.nextToken() != null) {
        tokens++;
      }
    }
    System.out.println("stream: " + sum(streamed.toString()) + " " + tokens);

    for (String wrong : List.of("{\"id\":\"x\"}", "{\"name\":1", "[]", "{\"unknown\":1}")) {
      try {
        mapper.configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, true);
        System.out.println(mapper.readValue(wrong, Person.class).name);
      } catch (JsonMappingException error) {
        System.out.println(error.getClass().getSimpleName() + " " + error.getOriginalMessage());
      } catch (IOException error) {
        System.out.println(error.getClass().getName());
      }
    }
  }
}
