package demo;

import java.util.List;

/** What a script can call: one that it defines, or a built-in. */
@FunctionalInterface
interface Function {
  Object call(Scope scope, List<Object> arguments);

  /** A function of the script. */
  record Defined(List<String> parameters, Statement body) implements Function {
    @Override
    public Object call(Scope caller, List<Object> arguments) {
      if (arguments.size() != parameters.size()) {
        throw new Failure(parameters.size() + " arguments were expected");
      }
      Scope scope = new Scope(caller.outermost());
      for (int i = 0; i < arguments.size(); i++) {
        scope.define(parameters.get(i), arguments.get(i));
      }
      Object result = body.run(scope);
      return result == null ? 0L : result;
    }
  }
}
