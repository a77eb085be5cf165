# Drags the ends of a chain of n equalities and all variables of n projections `source * scale +
# offset` while DeltaBlue satisfies their constraints: what arrived at the chain's other end, what
# arrived at the projections' other side, the sum of where they end, and how many constraints
# plans executed.
java_import 'languages.Work'

STEPS = 10

# From the strongest to that of a variable nothing determines.
REQUIRED, STRONG, PREFERRED, NORMAL, WEAK, WEAKEST = *0..5

class Variable
  attr_reader :constraints
  attr_accessor :value, :determined_by, :mark, :strength
  attr_writer :constant

  # Its walkabout strength is that of the weakest constraint that would yield for another value.
  def initialize(value)
    @value = value
    @constraints = []
    release
  end

  def release
    @determined_by = nil
    @strength = WEAKEST
    @constant = true
  end

  def constant?
    @constant
  end

  def consumers
    constraints.select { |each| each.satisfied? && !each.equal?(determined_by) }
  end
end

class Constraint
  attr_reader :strength, :variables
  attr_accessor :output # The variable it determines; nil: it is not satisfied.

  def initialize(strength, *variables)
    @strength = strength
    @variables = variables
  end

  def satisfied?
    !output.nil?
  end

  def inputs
    variables.reject { |each| each.equal?(output) }
  end

  def choose(mark)
    chosen = weakest(mark)
    @output = (chosen if chosen.mark != mark && strength < chosen.strength)
  end

  def recalculate
    output.strength = output_strength
    output.constant = constant?
    execute if constant?
  end

  def constant?
    inputs.all?(&:constant?)
  end

  # The variable to determine, if a pass has not marked it.
  def weakest(_mark)
    variables.first
  end

  def output_strength
    strength
  end

  def execute; end
end

# Keeps a variable as it is.
class Stay < Constraint; end

# Lets a variable be changed from outside.
class Edit < Constraint
  def constant?
    false
  end
end

# Relates two variables, each of which it can determine.
class Relation < Constraint
  def weakest(mark)
    one, other = variables
    return other if one.mark == mark

    other.mark == mark || other.strength < one.strength ? one : other
  end

  def output_strength
    [strength, opposite.strength].max
  end

  def opposite
    one, other = variables
    output.equal?(one) ? other : one
  end
end

class Equality < Relation
  def execute
    output.value = opposite.value
  end
end

class Projection < Relation
  def execute
    source, destination, scale, offset = variables
    if output.equal?(destination)
      destination.value = source.value * scale.value + offset.value
    else
      source.value = (destination.value - offset.value) / scale.value
    end
  end
end

class Planner
  attr_reader :executed

  def initialize
    @mark = 0
    @executed = 0
  end

  def add(constraint)
    constraint.variables.each { |variable| variable.constraints << constraint }
    enforce(constraint)
    constraint
  end

  # Removes a satisfied constraint; the strongest of those that it kept out come first.
  def remove(constraint)
    constraint.variables.each { |variable| variable.constraints.delete(constraint) }
    release(constraint.output).sort_by(&:strength).each do |each|
      enforce(each) unless each.satisfied?
    end
  end

  # Moves a variable by an edit of it; returns the sum of the values that another one had.
  def drag(edit, step, watched)
    constraints = plan(edit)
    Array.new(STEPS) do
      edit.output.value += step
      constraints.each(&:execute)
      @executed += constraints.size
      watched.value
    end.sum
  end

  def drag_variable(variable, step, watched)
    edit = add(Edit.new(PREFERRED, variable))
    drag(edit, step, watched).tap { remove(edit) }
  end

  private

  # Satisfies a constraint if it can, and what it overrides in another way.
  def enforce(constraint)
    @mark += 1
    constraint = satisfy(constraint) while constraint
  end

  # Returns the constraint that is overridden, or nil.
  def satisfy(constraint)
    output = constraint.choose(@mark)
    unless output
      raise 'a required constraint cannot be satisfied' if constraint.strength == REQUIRED

      return
    end
    constraint.inputs.each { |input| input.mark = @mark }
    overridden = output.determined_by
    overridden&.output = nil
    output.determined_by = constraint
    propagate(constraint)
    output.mark = @mark
    overridden
  end

  def propagate(constraint)
    pending = [constraint]
    while (following = pending.shift)
      raise 'constraints form a cycle' if following.output.mark == @mark

      following.recalculate
      pending.concat(following.output.consumers)
    end
  end

  # Returns the unsatisfied constraints of a variable and of all that depends on it.
  def release(variable)
    variable.release
    pending = [variable]
    unsatisfied = []
    while (following = pending.shift)
      unsatisfied.concat(following.constraints.reject(&:satisfied?))
      following.consumers.each do |consumer|
        consumer.recalculate
        pending << consumer.output
      end
    end
    unsatisfied
  end

  # Returns what to execute, in this order, when the edited variable has changed.
  def plan(edit)
    @mark += 1
    plan = []
    pending = [edit]
    while (following = pending.shift)
      output = following.output
      next unless output.mark != @mark && following.inputs.all? { |input| known?(input) }

      plan << following
      output.mark = @mark
      pending.concat(output.consumers)
    end
    plan
  end

  def known?(variable)
    variable.mark == @mark || variable.constant? || variable.determined_by.nil?
  end
end

def variables(n)
  Array.new(n) { |i| Variable.new(i) }
end

# The head's edit overrides the tail's; without it the values run the other way.
def chain(planner, n)
  variables = variables(n + 1)
  variables.each_cons(2) { |one, other| planner.add(Equality.new(REQUIRED, one, other)) }
  head = variables.first
  tail = variables.last
  planner.add(Stay.new(NORMAL, tail))
  weaker = planner.add(Edit.new(PREFERRED, tail))
  stronger = planner.add(Edit.new(STRONG, head))
  forth = planner.drag(stronger, 1, tail)
  planner.remove(stronger)
  back = planner.drag(weaker, n, head)
  planner.remove(weaker)
  forth + back
end

# Sources stay, and destinations follow, unless a destination is what is dragged.
def projections(planner, n)
  scale = Variable.new(3)
  offset = Variable.new(7)
  pairs = variables(n).zip(variables(n))
  pairs.each do |source, destination|
    planner.add(Stay.new(NORMAL, source))
    planner.add(Stay.new(WEAK, destination))
    planner.add(Projection.new(REQUIRED, source, destination, scale, offset))
  end
  last = pairs.last.last
  arrived = pairs.sum { |source, destination| planner.drag_variable(source, 1, destination) }
  arrived += planner.drag_variable(scale, 1, last) + planner.drag_variable(offset, 2, last)
  arrived += pairs.sum do |source, destination|
    planner.drag_variable(destination, scale.value, source)
  end
  "#{arrived} #{pairs.sum { |_, destination| destination.value }}"
end

Work.run('deltablue', ARGV[0]) do |n|
  planner = Planner.new
  "#{chain(planner, n)} #{projections(planner, n)} #{planner.executed}"
end
