import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import languages.Work;

/** Writes n records as JSON, reads them back, and sums up what was read. */
final class Json {
  private static Map<String, Object> item(int i) {
    Map<String, Object> item = new LinkedHashMap<>();
    item.put("id", i);
    item.put("name", "item \"" + i * 7919 % 1000 + "\"\n");
    List<Object> tags = new ArrayList<>();
    for (int t = 0; t < i % 4; t++) {
      tags.add("t" + i * t);
    }
    item.put("tags", tags);
    item.put("next", i % 3 == 0 ? null : Map.of("to", -i));
    item.put("even", i % 2 == 0);
    return item;
  }

  private static String write(Object value) {
    if (value instanceof String text) {
      return quoted(text);
    }
    if (value instanceof List<?> list) {
      return list.stream().map(Json::write).collect(Collectors.joining(",", "[", "]"));
    }
    if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .map(entry -> write(entry.getKey()) + ":" + write(entry.getValue()))
          .collect(Collectors.joining(",", "{", "}"));
    }
    return String.valueOf(value);
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      switch (c) {
        case '"' -> quoted.append("\\\"");
        case '\\' -> quoted.append("\\\\");
        case '\n' -> quoted.append("\\n");
        default -> quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }

  private static final class Parser {
    private final String text;
    private int at;

    Parser(String text) {
      this.text = text;
    }

    Object value() {
      return switch (text.charAt(at)) {
        case '{' -> object();
        case '[' -> array();
        case '"' -> string();
        case 't' -> word("true", true);
        case 'f' -> word("false", false);
        case 'n' -> word("null", null);
        default -> number();
      };
    }

    private Map<String, Object> object() {
      Map<String, Object> object = new LinkedHashMap<>();
      at++;
      while (text.charAt(at) != '}') {
        String key = string();
        at++;
        object.put(key, value());
        skip(',');
      }
      at++;
      return object;
    }

    private List<Object> array() {
      List<Object> array = new ArrayList<>();
      at++;
      while (text.charAt(at) != ']') {
        array.add(value());
        skip(',');
      }
      at++;
      return array;
    }

    private String string() {
      StringBuilder string = new StringBuilder();
      at++;
      while (text.charAt(at) != '"') {
        char c = text.charAt(at++);
        if (c == '\\') {
          c = text.charAt(at++);
          c = c == 'n' ? '\n' : c;
        }
        string.append(c);
      }
      at++;
      return string.toString();
    }

    private Object word(String word, Object value) {
      at += word.length();
      return value;
    }

    private Integer number() {
      int start = at;
      while (at < text.length() && "-0123456789".indexOf(text.charAt(at)) >= 0) {
        at++;
      }
      return Integer.valueOf(text.substring(start, at));
    }

    private void skip(char c) {
      if (text.charAt(at) == c) {
        at++;
      }
    }
  }

  private static int sum(Object value) {
    if (value instanceof Integer number) {
      return number;
    }
    if (value instanceof String text) {
      return text.length();
    }
    if (value instanceof Boolean flag) {
      return flag ? 1 : 0;
    }
    if (value instanceof List<?> list) {
      return list.stream().mapToInt(Json::sum).sum();
    }
    if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream().mapToInt(e -> sum(e.getKey()) * 3 + sum(e.getValue())).sum();
    }
    return 7;
  }

  private static String roundTrip(int n) {
    List<Object> items = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      items.add(item(i));
    }
    String text = write(items);
    Object read = new Parser(text).value();
    return text.length() + " " + sum(read) + " " + write(read).length();
  }

  public static void main(String[] args) {
    Work.run("json", args[0], Json::roundTrip);
  }
}
