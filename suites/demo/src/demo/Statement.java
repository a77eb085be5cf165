package demo;

import java.util.List;

/** A part of a script that does something; it gives null, or the value that it returns. */
sealed interface Statement {
  Object run(Scope scope);

  record Block(List<Statement> statements) implements Statement {
    public Object run(Scope outer) {
      Scope scope = new Scope(outer);
      for (Statement statement : statements) {
        Object result = statement.run(scope);
        if (result != null) {
          return result;
        }
      }
      return null;
    }
  }

  record Let(String name, Expression value) implements Statement {
    public Object run(Scope scope) {
      scope.define(name, value.evaluate(scope));
      return null;
    }
  }

  record Assign(Expression target, Expression value) implements Statement {
    public Object run(Scope scope) {
      if (target instanceof Expression.Variable variable) {
        scope.set(variable.name(), value.evaluate(scope));
      } else if (target instanceof Expression.Element element) {
        int index = (int) element.index().number(scope);
        element.items().list(scope).set(index, value.evaluate(scope));
      } else {
        throw new Failure("nothing that can be assigned to");
      }
      return null;
    }
  }

  record Run(Expression expression) implements Statement {
    public Object run(Scope scope) {
      expression.evaluate(scope);
      return null;
    }
  }

  record Print(Expression expression) implements Statement {
    public Object run(Scope scope) {
      System.out.println(expression.evaluate(scope));
      return null;
    }
  }

  record Return(Expression expression) implements Statement {
    public Object run(Scope scope) {
      return expression.evaluate(scope);
    }
  }

  record Fail(Expression expression) implements Statement {
    public Object run(Scope scope) {
      throw new Failure(String.valueOf(expression.evaluate(scope)));
    }
  }

  record If(Expression condition, Statement then, Statement otherwise) implements Statement {
    public Object run(Scope scope) {
      return condition.number(scope) != 0 ? then.run(scope) : otherwise.run(scope);
    }
  }

  record While(Expression condition, Statement body) implements Statement {
    public Object run(Scope scope) {
      while (condition.number(scope) != 0) {
        Object result = body.run(scope);
        if (result != null) {
          return result;
        }
      }
      return null;
    }
  }

  record For(String name, Expression items, Statement body) implements Statement {
    public Object run(Scope outer) {
      Scope scope = new Scope(outer);
      for (Object item : items.list(outer)) {
        scope.define(name, item);
        Object result = body.run(scope);
        if (result != null) {
          return result;
        }
      }
      return null;
    }
  }

  record Attempt(Statement body, String name, Statement rescue) implements Statement {
    public Object run(Scope outer) {
      try {
        return body.run(outer);
      } catch (Failure failure) {
        Scope scope = new Scope(outer);
        scope.define(name, failure.getMessage());
        return rescue.run(scope);
      }
    }
  }
}
