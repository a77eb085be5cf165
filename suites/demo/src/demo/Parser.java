package demo;

import java.util.ArrayList;
import java.util.List;

/** Turns tokens into statements, by recursive descent; functions go straight into the scope. */
final class Parser {
  private static final List<List<String>> LEVELS =
      List.of(
          List.of("==", "!=", "<", "<=", ">", ">="), List.of("+", "-"), List.of("*", "/", "%"));

  private final List<Token> tokens;
  private final Scope functions;
  private int at;

  Parser(List<Token> tokens, Scope functions) {
    this.tokens = tokens;
    this.functions = functions;
  }

  List<Statement> program() {
    List<Statement> statements = new ArrayList<>();
    while (peek().kind() != Token.Kind.END) {
      if (accept("fn")) {
        function();
      } else {
        statements.add(statement());
      }
    }
    return statements;
  }

  private void function() {
    String name = name();
    List<String> parameters = new ArrayList<>();
    expect("(");
    while (!accept(")")) {
      parameters.add(name());
      accept(",");
    }
    functions.define(name, new Function.Defined(parameters, block()));
  }

  private Statement block() {
    List<Statement> statements = new ArrayList<>();
    expect("{");
    while (!accept("}")) {
      statements.add(statement());
    }
    return new Statement.Block(statements);
  }

  private Statement statement() {
    if (accept("if")) {
      Expression condition = expression();
      Statement then = block();
      return new Statement.If(
          condition, then, accept("else") ? block() : new Statement.Block(List.of()));
    } else if (accept("while")) {
      return new Statement.While(expression(), block());
    } else if (accept("for")) {
      String name = name();
      expect("in");
      return new Statement.For(name, expression(), block());
    } else if (accept("attempt")) {
      Statement body = block();
      expect("rescue");
      return new Statement.Attempt(body, name(), block());
    }
    Statement statement = simple();
    expect(";");
    return statement;
  }

  private Statement simple() {
    if (accept("let")) {
      String name = name();
      expect("=");
      return new Statement.Let(name, expression());
    } else if (accept("print")) {
      return new Statement.Print(expression());
    } else if (accept("return")) {
      return new Statement.Return(expression());
    } else if (accept("fail")) {
      return new Statement.Fail(expression());
    }
    Expression left = expression();
    return accept("=") ? new Statement.Assign(left, expression()) : new Statement.Run(left);
  }

  private Expression expression() {
    return operation(0);
  }

  private Expression operation(int level) {
    if (level == LEVELS.size()) {
      return element();
    }
    Expression left = operation(level + 1);
    while (peek().kind() == Token.Kind.SYMBOL && LEVELS.get(level).contains(peek().text())) {
      String operator = advance().text();
      left = new Expression.Operation(operator, left, operation(level + 1));
    }
    return left;
  }

  private Expression element() {
    Expression value = primary();
    while (accept("[")) {
      value = new Expression.Element(value, expression());
      expect("]");
    }
    return value;
  }

  private Expression primary() {
    Token token = advance();
    switch (token.kind()) {
      case NUMBER:
        return new Expression.Constant(Long.parseLong(token.text()));
      case TEXT:
        return new Expression.Constant(token.text());
      case NAME:
        return accept("(") ? call(token.text()) : new Expression.Variable(token.text());
      default:
        if (token.is("(")) {
          Expression inner = expression();
          expect(")");
          return inner;
        }
        throw unexpected(token);
    }
  }

  private Expression call(String name) {
    List<Expression> arguments = new ArrayList<>();
    while (!accept(")")) {
      arguments.add(expression());
      accept(",");
    }
    return new Expression.Call(name, arguments);
  }

  private Token peek() {
    return tokens.get(at);
  }

  private Token advance() {
    return tokens.get(at++);
  }

  private boolean accept(String symbol) {
    boolean isNext = peek().is(symbol);
    at += isNext ? 1 : 0;
    return isNext;
  }

  private void expect(String symbol) {
    if (!accept(symbol)) {
      throw unexpected(peek());
    }
  }

  private String name() {
    Token token = advance();
    if (token.kind() != Token.Kind.NAME) {
      throw unexpected(token);
    }
    return token.text();
  }

  private static Failure unexpected(Token token) {
    return new Failure("line " + token.line() + ": unexpected " + token.text());
  }
}
