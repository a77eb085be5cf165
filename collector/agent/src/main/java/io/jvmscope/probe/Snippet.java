package io.jvmscope.probe;

/**
 * A method of a user's own probe, and where code that calls it is inserted.
 *
 * @param number among those of the probe
 * @param owner its class in JVM form
 * @param when before, after, afterthrowing or atend
 * @param point the name of a constant of the API's {@code Point}; at the end of {@code Each}
 * @param scope a pattern of methods
 * @param guard the static method that is asked about each place; "" if all are meant
 * @param parameters what it is told
 */
public record Snippet(
    int number,
    String owner,
    String method,
    String descriptor,
    String when,
    String point,
    String scope,
    String guard,
    Parameter[] parameters) {
  /** Of an argument: every one of its type. */
  public static final int EACH = -1;

  /** What a parameter is told. */
  public enum Kind {
    CONTEXT,
    PLACE,
    INDEX,
    STATIC,
    RECEIVER,
    ARGUMENT,
    RESULT,
    THROWN
  }

  /**
   * A parameter.
   *
   * @param type its descriptor
   * @param fact of a static one the name of a constant of the API's {@code Fact}
   * @param argument of an argument its number, or {@link #EACH}
   */
  public record Parameter(Kind kind, String type, String fact, int argument) {
    /** As Enum.valueOf, which initialises classes before the program does. */
    private static Kind kind(String name) {
      for (Kind kind : Kind.values()) {
        if (kind.name().equals(name)) {
          return kind;
        }
      }
      throw new IllegalArgumentException("jvmscope: no kind of parameter: " + name);
    }

    /** The type that inserted code has for it: no class has to be known that is not yet loaded. */
    public String passed() {
      return type.length() > 1 ? "Ljava/lang/Object;" : type;
    }

    private static Parameter of(String text) { // KIND:TYPE or KIND:TYPE:DETAIL
      String[] parts = text.split(":");
      Kind kind = kind(parts[0]);
      String detail = parts.length > 2 ? parts[2] : "";
      int argument = kind == Kind.ARGUMENT ? Integer.parseInt(detail) : 0;
      return new Parameter(kind, parts[1], detail, argument);
    }
  }

  /** Reads what the compiler of snippets wrote: fields that tabs separate. */
  static Snippet of(int number, String[] fields) {
    String[] texts = fields[8].isEmpty() ? new String[0] : fields[8].split(" ");
    Parameter[] parameters = new Parameter[texts.length];
    for (int k = 0; k < texts.length; k++) {
      parameters[k] = Parameter.of(texts[k]);
    }
    return new Snippet(
        number,
        fields[1],
        fields[2],
        fields[3],
        fields[4],
        fields[5],
        fields[6],
        fields[7],
        parameters);
  }

  /** Is it inserted at such points? */
  public boolean isAt(String whenWanted, String pointWanted) {
    return when.equals(whenWanted) && point.equals(pointWanted);
  }

  /** Does it run when the program has ended? No code calls it. */
  public boolean isAtEnd() {
    return when.equals("atend");
  }

  /** The generated method that inserted code calls. */
  public RuntimeMethod entry() {
    StringBuilder text = new StringBuilder("(");
    for (Parameter parameter : parameters) {
      text.append(parameter.kind() == Kind.CONTEXT ? "" : parameter.passed());
    }
    return new RuntimeMethod(Snippets.CALLS, "snippet" + number, text.append("JI)V").toString());
  }

  /**
   * Does its scope have a method of a class? A parenthesis may begin a descriptor, or stand in the
   * name, as in Kotlin's {@code sum (all)}.
   */
  public boolean covers(String className, String name, String methodDescriptor) {
    String text = className + "." + name;
    return matches(scope, 0, text, 0)
        || scope.indexOf('(') >= 0 && matches(scope, 0, text + methodDescriptor, 0);
  }

  private static boolean matches(String pattern, int p, String text, int t) {
    int from = p;
    int at = t;
    while (from < pattern.length() && pattern.charAt(from) != '*') {
      if (at == text.length() || pattern.charAt(from) != text.charAt(at)) {
        return false;
      }
      from++;
      at++;
    }
    if (from == pattern.length()) {
      return at == text.length();
    }
    for (int next = at; next <= text.length(); next++) {
      if (matches(pattern, from + 1, text, next)) {
        return true;
      }
    }
    return false;
  }
}
