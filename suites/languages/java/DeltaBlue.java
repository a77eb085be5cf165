import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import languages.Work;

/**
 * Drags the ends of a chain of n equalities and all variables of n projections {@code source *
 * scale + offset} while DeltaBlue satisfies their constraints: what arrived at the chain's other
 * end, what arrived at the projections' other side, the sum of where they end, and how many
 * constraints plans executed.
 */
final class DeltaBlue {
  private static final int STEPS = 10;

  /** From the strongest to that of a variable nothing determines. */
  private enum Strength {
    REQUIRED,
    STRONG,
    PREFERRED,
    NORMAL,
    WEAK,
    WEAKEST;

    boolean isStrongerThan(Strength other) {
      return compareTo(other) < 0;
    }

    Strength weaker(Strength other) {
      return isStrongerThan(other) ? other : this;
    }
  }

  private static final class Variable {
    private int value;
    private final List<Constraint> constraints = new ArrayList<>();
    private Constraint determinedBy;
    private int mark;

    /** Its walkabout strength: of the weakest constraint that would yield for another value. */
    private Strength strength = Strength.WEAKEST;

    private boolean isConstant = true;

    Variable(int value) {
      this.value = value;
    }

    List<Constraint> consumers() {
      return constraints.stream().filter(c -> c != determinedBy && c.isSatisfied()).toList();
    }
  }

  private abstract static class Constraint {
    final Strength strength;
    final List<Variable> variables;

    /** The variable it determines; null: it is not satisfied. */
    Variable output;

    Constraint(Strength strength, Variable... variables) {
      this.strength = strength;
      this.variables = List.of(variables);
    }

    boolean isSatisfied() {
      return output != null;
    }

    Stream<Variable> inputs() {
      return variables.stream().filter(variable -> variable != output);
    }

    void choose(int mark) {
      Variable chosen = weakest(mark);
      boolean yields = chosen.mark != mark && strength.isStrongerThan(chosen.strength);
      output = yields ? chosen : null;
    }

    void recalculate() {
      output.strength = outputStrength();
      output.isConstant = !isEdit() && inputs().allMatch(input -> input.isConstant);
      if (output.isConstant) {
        execute();
      }
    }

    boolean isEdit() {
      return false;
    }

    /** Returns the variable to determine, if a pass has not marked it. */
    abstract Variable weakest(int mark);

    abstract Strength outputStrength();

    abstract void execute();
  }

  /** Keeps a variable as it is. */
  private static class Stay extends Constraint {
    Stay(Strength strength, Variable variable) {
      super(strength, variable);
    }

    @Override
    Variable weakest(int mark) {
      return variables.get(0);
    }

    @Override
    Strength outputStrength() {
      return strength;
    }

    @Override
    void execute() {}
  }

  /** Lets a variable be changed from outside. */
  private static final class Edit extends Stay {
    Edit(Strength strength, Variable variable) {
      super(strength, variable);
    }

    @Override
    boolean isEdit() {
      return true;
    }
  }

  /** Relates two variables, each of which it can determine. */
  private abstract static class Relation extends Constraint {
    final Variable one;
    final Variable other;

    Relation(Strength strength, Variable... variables) {
      super(strength, variables);
      one = variables[0];
      other = variables[1];
    }

    @Override
    Variable weakest(int mark) {
      if (one.mark == mark) {
        return other;
      }
      return other.mark == mark || other.strength.isStrongerThan(one.strength) ? one : other;
    }

    @Override
    Strength outputStrength() {
      return strength.weaker(opposite().strength);
    }

    Variable opposite() {
      return output == one ? other : one;
    }
  }

  private static final class Equality extends Relation {
    Equality(Strength strength, Variable one, Variable other) {
      super(strength, one, other);
    }

    @Override
    void execute() {
      output.value = opposite().value;
    }
  }

  private static final class Projection extends Relation {
    private final Variable scale;
    private final Variable offset;

    Projection(
        Strength strength, Variable source, Variable destination, Variable scale, Variable offset) {
      super(strength, source, destination, scale, offset);
      this.scale = scale;
      this.offset = offset;
    }

    @Override
    void execute() {
      if (output == other) {
        other.value = one.value * scale.value + offset.value;
      } else {
        one.value = (other.value - offset.value) / scale.value;
      }
    }
  }

  private static final class Planner {
    private int mark;
    private int executed;

    <C extends Constraint> C add(C constraint) {
      constraint.variables.forEach(variable -> variable.constraints.add(constraint));
      enforce(constraint);
      return constraint;
    }

    /** Satisfies a constraint if it can, and what it overrides in another way. */
    private void enforce(Constraint constraint) {
      mark++;
      Constraint next = constraint;
      while (next != null) {
        next = satisfy(next);
      }
    }

    /** Returns the constraint that is overridden, or null. */
    private Constraint satisfy(Constraint constraint) {
      constraint.choose(mark);
      Variable output = constraint.output;
      if (output == null) {
        if (constraint.strength == Strength.REQUIRED) {
          throw new IllegalStateException("a required constraint cannot be satisfied");
        }
        return null;
      }
      constraint.inputs().forEach(input -> input.mark = mark);
      Constraint overridden = output.determinedBy;
      if (overridden != null) {
        overridden.output = null;
      }
      output.determinedBy = constraint;
      propagate(constraint);
      output.mark = mark;
      return overridden;
    }

    private void propagate(Constraint constraint) {
      Deque<Constraint> pending = new ArrayDeque<>(List.of(constraint));
      while (!pending.isEmpty()) {
        Constraint next = pending.remove();
        if (next.output.mark == mark) {
          throw new IllegalStateException("constraints form a cycle");
        }
        next.recalculate();
        pending.addAll(next.output.consumers());
      }
    }

    /** Removes a satisfied constraint; the strongest of those that it kept out come first. */
    void remove(Constraint constraint) {
      constraint.variables.forEach(variable -> variable.constraints.remove(constraint));
      List<Constraint> unsatisfied = release(constraint.output);
      unsatisfied.sort(Comparator.comparing(each -> each.strength));
      for (Constraint each : unsatisfied) {
        if (!each.isSatisfied()) {
          enforce(each);
        }
      }
    }

    /** Returns the unsatisfied constraints of a variable and of all that depends on it. */
    private List<Constraint> release(Variable variable) {
      variable.determinedBy = null;
      variable.strength = Strength.WEAKEST;
      variable.isConstant = true;
      List<Constraint> unsatisfied = new ArrayList<>();
      Deque<Variable> pending = new ArrayDeque<>(List.of(variable));
      while (!pending.isEmpty()) {
        Variable next = pending.remove();
        next.constraints.stream().filter(c -> !c.isSatisfied()).forEach(unsatisfied::add);
        for (Constraint consumer : next.consumers()) {
          consumer.recalculate();
          pending.add(consumer.output);
        }
      }
      return unsatisfied;
    }

    /** Returns what to execute, in this order, when the edited variable has changed. */
    private List<Constraint> plan(Edit edit) {
      mark++;
      List<Constraint> plan = new ArrayList<>();
      Deque<Constraint> pending = new ArrayDeque<>(List.of(edit));
      while (!pending.isEmpty()) {
        Constraint next = pending.remove();
        if (next.output.mark != mark && next.inputs().allMatch(this::isKnown)) {
          plan.add(next);
          next.output.mark = mark;
          pending.addAll(next.output.consumers());
        }
      }
      return plan;
    }

    private boolean isKnown(Variable variable) {
      return variable.mark == mark || variable.isConstant || variable.determinedBy == null;
    }

    /** Moves an edited variable; returns the sum of the values that another one had. */
    long drag(Edit edit, int step, Variable watched) {
      List<Constraint> plan = plan(edit);
      long arrived = 0;
      for (int i = 0; i < STEPS; i++) {
        edit.output.value += step;
        plan.forEach(Constraint::execute);
        executed += plan.size();
        arrived += watched.value;
      }
      return arrived;
    }

    long drag(Variable variable, int step, Variable watched) {
      Edit edit = add(new Edit(Strength.PREFERRED, variable));
      long arrived = drag(edit, step, watched);
      remove(edit);
      return arrived;
    }
  }

  private static List<Variable> variables(int n) {
    return IntStream.range(0, n).mapToObj(Variable::new).toList();
  }

  /** The head's edit overrides the tail's; without it the values run the other way. */
  private static long chain(Planner planner, int n) {
    List<Variable> variables = variables(n + 1);
    for (int i = 0; i < n; i++) {
      planner.add(new Equality(Strength.REQUIRED, variables.get(i), variables.get(i + 1)));
    }
    Variable head = variables.get(0);
    Variable tail = variables.get(n);
    planner.add(new Stay(Strength.NORMAL, tail));
    Edit weaker = planner.add(new Edit(Strength.PREFERRED, tail));
    Edit stronger = planner.add(new Edit(Strength.STRONG, head));
    long arrived = planner.drag(stronger, 1, tail);
    planner.remove(stronger);
    arrived += planner.drag(weaker, n, head);
    planner.remove(weaker);
    return arrived;
  }

  /** Sources stay, and destinations follow, unless a destination is what is dragged. */
  private static String projections(Planner planner, int n) {
    Variable scale = new Variable(3);
    Variable offset = new Variable(7);
    List<Variable> sources = variables(n);
    List<Variable> destinations = variables(n);
    for (int i = 0; i < n; i++) {
      Variable source = sources.get(i);
      Variable destination = destinations.get(i);
      planner.add(new Stay(Strength.NORMAL, source));
      planner.add(new Stay(Strength.WEAK, destination));
      planner.add(new Projection(Strength.REQUIRED, source, destination, scale, offset));
    }
    long arrived = 0;
    for (int i = 0; i < n; i++) {
      arrived += planner.drag(sources.get(i), 1, destinations.get(i));
    }
    arrived += planner.drag(scale, 1, destinations.get(n - 1));
    arrived += planner.drag(offset, 2, destinations.get(n - 1));
    for (int i = 0; i < n; i++) {
      arrived += planner.drag(destinations.get(i), scale.value, sources.get(i));
    }
    return arrived + " " + destinations.stream().mapToLong(each -> each.value).sum();
  }

  private static String solve(int n) {
    Planner planner = new Planner();
    return chain(planner, n) + " " + projections(planner, n) + " " + planner.executed;
  }

  public static void main(String[] args) {
    Work.run("deltablue", args[0], DeltaBlue::solve);
  }
}
