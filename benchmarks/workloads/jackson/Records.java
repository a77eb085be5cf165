import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** Binds records to JSON and back with Jackson, then reads the same text as a tree. */
public final class Records {
  record Line(String product, int amount, double price) {}

  record Order(int id, String customer, List<Line> lines, boolean paid) {}

  record Book(List<Order> orders) {}

  private static final ObjectMapper MAPPER = new ObjectMapper();

  public static void main(String[] args) throws Exception {
    int n = 20 * Iterations.size(args);
    Iterations.run(args, () -> roundTrip(n));
  }

  private static String roundTrip(int n) throws Exception {
    String text = MAPPER.writeValueAsString(book(n));
    Book read = MAPPER.readValue(text, Book.class);
    long cents = 0;
    for (Order order : read.orders()) {
      for (Line line : order.lines()) {
        cents += Math.round(line.amount() * line.price() * 100);
      }
    }
    JsonNode tree = MAPPER.readTree(text);
    int paid = 0;
    for (JsonNode order : tree.get("orders")) {
      ((ObjectNode) order).put("seen", true);
      paid += order.path("paid").asBoolean() ? 1 : 0;
    }
    return "json " + text.length() + " " + cents + " " + paid + " "
        + Iterations.mix(1, tree.toString());
  }

  private static Book book(int n) {
    List<Order> orders = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      List<Line> lines = new ArrayList<>();
      for (int l = 0; l <= i % 4; l++) {
        lines.add(new Line("p\"" + (i * 31 + l) % 97 + "\u00e9", l + 1, i * 7 % 100 + 0.25));
      }
      orders.add(new Order(i, "customer " + i * 7919 % 1000, lines, i % 3 == 0));
    }
    return new Book(orders);
  }
}
