import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/** A small compiler of sums: tokens, a tree, and strings built from it. */
public class Texts {
  static final class Token {
    final String text;

    Token(String text) {
      Watch.see(this);
      this.text = text;
    }

    @Override
    public String toString() {
      Watch.tick();
      return text;
    }
  }

  abstract static class Tree {
    Tree() {
      Watch.see(this);
    }

    abstract int value();
  }

  static final class Leaf extends Tree {
    final Token token;

    Leaf(Token token) {
      this.token = token;
    }

    @Override
    int value() {
      Watch.tick();
      return Integer.parseInt(token.text);
    }
  }

  static final class Sum extends Tree {
    Tree left, right;

    Sum(Tree left, Tree right) {
      this.left = left;
      this.right = right;
    }

    @Override
    int value() {
      return left.value() + right.value();
    }

    /** Lets go of each side when it has been added. */
    int reduce() {
      return take(true).value() + take(false).value();
    }

    private Tree take(boolean isLeft) {
      Tree tree = isLeft ? left : right;
      if (isLeft) {
        left = null;
      } else {
        right = null;
      }
      return tree;
    }
  }

  private final String text;
  private int at;
  private Token next;

  Texts(String text) {
    this.text = text;
    Watch.see(this);
    advance();
  }

  private Token advance() {
    Token token = next;
    int from = at;
    while (at < text.length() && Character.isDigit(text.charAt(at))) {
      at++;
    }
    at = at == from ? at + 1 : at;
    next = from < text.length() ? new Token(text.substring(from, at)) : null;
    return token;
  }

  private Tree parse() {
    Tree tree = new Leaf(advance());
    while (next != null) {
      advance();
      Watch.tick();
      tree = new Sum(tree, new Leaf(advance()));
    }
    return tree;
  }

  private static List<Token> tokens(String text) {
    Texts texts = new Texts(text);
    List<Token> tokens = new ArrayList<>();
    while (texts.next != null) {
      tokens.add(texts.advance());
    }
    return tokens;
  }

  private static String joined(List<Token> tokens) {
    StringJoiner joiner = new StringJoiner(",", "[", "]");
    while (!tokens.isEmpty()) {
      joiner.add(tokens.remove(0).toString());
    }
    return joiner.toString();
  }

  public static void main(String[] args) throws Exception {
    Watch.begin(args);
    System.out.println(new Texts("1+20+300").parse().value());
    Tree tree = new Texts("5+6+7").parse();
    System.out.println(((Sum) tree).reduce());
    tree = null;
    Watch.tick();
    System.out.println("a" + new Token("x") + "b" + new Token("y") + new Token("z").text.length());
    System.out.println(joined(tokens("1+2+3+4")));
    StringBuilder builder = new StringBuilder();
    builder.append(new Token("p")).append(tokens("7+8")).append(new Token("q").toString().length());
    System.out.println(builder.reverse());
    System.out.println(String.format("%s-%s", new Token("f"), new Token("g")));
    System.out.println(String.join("/", tokens("4+5").toString(), new Token("h").toString()));
    Watch.end();
  }
}
