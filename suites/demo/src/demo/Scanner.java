package demo;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/** Splits source text into tokens. */
final class Scanner {
  private final String source;
  private final List<Token> tokens = new ArrayList<>();
  private int at;
  private int line = 1;

  Scanner(String source) {
    this.source = source;
  }

  List<Token> scan() {
    while (at < source.length()) {
      char c = source.charAt(at);
      if (Character.isWhitespace(c)) {
        line += c == '\n' ? 1 : 0;
        at++;
      } else if (c == '#') {
        take(x -> x != '\n');
      } else if (Character.isDigit(c)) {
        add(Token.Kind.NUMBER, take(Character::isDigit));
      } else if (Character.isLetter(c)) {
        add(Token.Kind.NAME, take(x -> Character.isLetterOrDigit(x) || x == '_'));
      } else if (c == '"') {
        text();
      } else {
        symbol(c);
      }
    }
    add(Token.Kind.END, "end of file");
    return tokens;
  }

  private String take(IntPredicate wanted) {
    int start = at;
    while (at < source.length() && wanted.test(source.charAt(at))) {
      at++;
    }
    return source.substring(start, at);
  }

  private void text() {
    at++;
    add(Token.Kind.TEXT, take(x -> x != '"'));
    at++;
  }

  private void symbol(char c) {
    boolean isPair = "=!<>".indexOf(c) >= 0 && source.startsWith("=", at + 1);
    String symbol = source.substring(at, at + (isPair ? 2 : 1));
    add(Token.Kind.SYMBOL, symbol);
    at += symbol.length();
  }

  private void add(Token.Kind kind, String text) {
    tokens.add(new Token(kind, text, line));
  }
}
