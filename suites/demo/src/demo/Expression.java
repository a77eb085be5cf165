package demo;

import java.util.List;

/** A part of a script that has a value: a Long, a String or a List. */
sealed interface Expression {
  Object evaluate(Scope scope);

  default long number(Scope scope) {
    if (evaluate(scope) instanceof Long value) {
      return value;
    }
    throw new Failure("a number was expected");
  }

  @SuppressWarnings("unchecked")
  default List<Object> list(Scope scope) {
    if (evaluate(scope) instanceof List<?> value) {
      return (List<Object>) value;
    }
    throw new Failure("a list was expected");
  }

  record Constant(Object value) implements Expression {
    public Object evaluate(Scope scope) {
      return value;
    }
  }

  record Variable(String name) implements Expression {
    public Object evaluate(Scope scope) {
      return scope.get(name);
    }
  }

  record Element(Expression items, Expression index) implements Expression {
    public Object evaluate(Scope scope) {
      List<Object> list = items.list(scope);
      long i = index.number(scope);
      if (i < 0 || i >= list.size()) {
        throw new Failure("no element " + i + " of " + list.size());
      }
      return list.get((int) i);
    }
  }

  record Operation(String operator, Expression left, Expression right) implements Expression {
    public Object evaluate(Scope scope) {
      Object a = left.evaluate(scope);
      Object b = right.evaluate(scope);
      if (operator.equals("+") && (a instanceof String || b instanceof String)) {
        return a + "" + b;
      }
      if (a instanceof Long x && b instanceof Long y) {
        return calculate(x, y);
      }
      throw new Failure(operator + " needs two numbers");
    }

    private long calculate(long a, long b) {
      return switch (operator) {
        case "+" -> a + b;
        case "-" -> a - b;
        case "*" -> a * b;
        case "/" -> a / b;
        case "%" -> a % b;
        case "<" -> a < b ? 1 : 0;
        case "<=" -> a <= b ? 1 : 0;
        case ">" -> a > b ? 1 : 0;
        case ">=" -> a >= b ? 1 : 0;
        case "==" -> a == b ? 1 : 0;
        case "!=" -> a != b ? 1 : 0;
        default -> throw new Failure("no operator " + operator);
      };
    }
  }

  record Call(String name, List<Expression> arguments) implements Expression {
    public Object evaluate(Scope scope) {
      if (scope.get(name) instanceof Function function) {
        return function.call(scope, arguments.stream().map(a -> a.evaluate(scope)).toList());
      }
      throw new Failure(name + " is no function");
    }
  }
}
