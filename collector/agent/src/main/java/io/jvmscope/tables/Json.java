package io.jvmscope.tables;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Just enough JSON for the frames that carry it. */
public final class Json {
  private Json() {}

  /** A JSON string; null for null. Control characters and lone surrogates are escaped. */
  public static String text(String value) {
    if (value == null) {
      return "null";
    }
    StringBuilder json = new StringBuilder(value.length() + 2).append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < ' ' || Character.isSurrogate(c)) {
        json.append(String.format("\\u%04x", (int) c));
      } else {
        json.append(c);
      }
    }
    return json.append('"').toString();
  }

  public static String list(List<String> values) {
    return values.stream().map(Json::text).collect(Collectors.joining(",", "[", "]"));
  }

  /** An object; numbers and truth values as themselves, maps as objects, the rest as text. */
  public static String object(Map<String, ?> members) {
    return members.entrySet().stream()
        .map(member -> text(member.getKey()) + ":" + value(member.getValue()))
        .collect(Collectors.joining(",", "{", "}"));
  }

  private static String value(Object value) {
    if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .map(member -> text((String) member.getKey()) + ":" + value(member.getValue()))
          .collect(Collectors.joining(",", "{", "}"));
    }
    if (value instanceof Number || value instanceof Boolean) {
      return value.toString();
    }
    return text((String) value);
  }
}
