package io.jvmscope.agent;

/**
 * A pattern of class names in JVM form: {@code *} is any characters, {@code ?} one. It is matched
 * by plain means: regular expressions have lambdas, whose machinery is left to the program.
 */
record ClassGlob(String text) {
  boolean matches(String name) {
    int at = 0;
    int next = 0;
    int star = -1; // the last one, which takes all up to end
    int end = 0;
    while (next < name.length()) {
      char c = at < text.length() ? text.charAt(at) : '\0';
      if (c == '*') {
        star = at++;
        end = next;
      } else if (c == '?') {
        at++;
        next += Character.charCount(name.codePointAt(next));
      } else if (at < text.length() && c == name.charAt(next)) {
        at++;
        next++;
      } else if (star >= 0) {
        at = star + 1;
        next = ++end;
      } else {
        return false;
      }
    }
    while (at < text.length() && text.charAt(at) == '*') {
      at++;
    }
    return at == text.length();
  }
}
