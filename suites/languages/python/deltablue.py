"""Drags the ends of a chain of n equalities and all variables of n projections `source * scale +
offset` while DeltaBlue satisfies their constraints: what arrived at the chain's other end, what
arrived at the projections' other side, the sum of where they end, and how many constraints plans
executed.
"""

import sys
from collections import deque

from languages import Work

STEPS = 10
# From the strongest to that of a variable nothing determines.
REQUIRED, STRONG, PREFERRED, NORMAL, WEAK, WEAKEST = range(6)


class Variable(object):
    """Its walkabout strength: that of the weakest constraint that would yield for another value."""

    def __init__(self, value):
        self.value = value
        self.constraints = []
        self.mark = 0
        self.release()

    def release(self):
        self.determined_by = None
        self.strength = WEAKEST
        self.is_constant = True

    def consumers(self):
        return [c for c in self.constraints if c.output and c is not self.determined_by]


class Constraint(object):
    """Its output is the variable that it determines; None: it is not satisfied."""

    output = None
    is_edit = False

    def __init__(self, strength, *variables):
        self.strength = strength
        self.variables = variables

    def inputs(self):
        return [variable for variable in self.variables if variable is not self.output]

    def choose(self, mark):
        chosen = self.weakest(mark)
        yields = chosen.mark != mark and self.strength < chosen.strength
        self.output = chosen if yields else None

    def recalculate(self):
        self.output.strength = self.output_strength()
        self.output.is_constant = not self.is_edit and all(v.is_constant for v in self.inputs())
        if self.output.is_constant:
            self.execute()

    def weakest(self, mark):
        """Returns the variable to determine, if a pass has not marked it."""
        return self.variables[0]

    def output_strength(self):
        return self.strength

    def execute(self):
        pass


class Stay(Constraint):
    """Keeps a variable as it is."""


class Edit(Constraint):
    """Lets a variable be changed from outside."""

    is_edit = True


class Relation(Constraint):
    """Relates two variables, each of which it can determine."""

    def weakest(self, mark):
        one, other = self.variables[:2]
        if one.mark == mark:
            return other
        return one if other.mark == mark or other.strength < one.strength else other

    def output_strength(self):
        return max(self.strength, self.opposite().strength)

    def opposite(self):
        one, other = self.variables[:2]
        return other if self.output is one else one


class Equality(Relation):
    def execute(self):
        self.output.value = self.opposite().value


class Projection(Relation):
    def execute(self):
        source, destination, scale, offset = self.variables
        if self.output is destination:
            destination.value = source.value * scale.value + offset.value
        else:
            source.value = (destination.value - offset.value) // scale.value


class Planner(object):
    def __init__(self):
        self.mark = 0
        self.executed = 0

    def add(self, constraint):
        for variable in constraint.variables:
            variable.constraints.append(constraint)
        self.enforce(constraint)
        return constraint

    def enforce(self, constraint):
        """Satisfies a constraint if it can, and what it overrides in another way."""
        self.mark += 1
        while constraint:
            constraint = self.satisfy(constraint)

    def satisfy(self, constraint):
        """Returns the constraint that is overridden, or None."""
        constraint.choose(self.mark)
        output = constraint.output
        if output is None:
            if constraint.strength == REQUIRED:
                raise ValueError("a required constraint cannot be satisfied")
            return None
        for each in constraint.inputs():
            each.mark = self.mark
        overridden = output.determined_by
        if overridden:
            overridden.output = None
        output.determined_by = constraint
        self.propagate(constraint)
        output.mark = self.mark
        return overridden

    def propagate(self, constraint):
        pending = deque([constraint])
        while pending:
            following = pending.popleft()
            if following.output.mark == self.mark:
                raise ValueError("constraints form a cycle")
            following.recalculate()
            pending.extend(following.output.consumers())

    def remove(self, constraint):
        """Removes a satisfied constraint; the strongest of those that it kept out come first."""
        for variable in constraint.variables:
            variable.constraints.remove(constraint)
        for each in sorted(self.release(constraint.output), key=lambda c: c.strength):
            if each.output is None:
                self.enforce(each)

    def release(self, variable):
        """Returns the unsatisfied constraints of a variable and of all that depends on it."""
        variable.release()
        unsatisfied = []
        pending = deque([variable])
        while pending:
            following = pending.popleft()
            unsatisfied += [c for c in following.constraints if c.output is None]
            for consumer in following.consumers():
                consumer.recalculate()
                pending.append(consumer.output)
        return unsatisfied

    def plan(self, edit):
        """Returns what to execute, in this order, when the edited variable has changed."""
        self.mark += 1
        plan = []
        pending = deque([edit])
        while pending:
            following = pending.popleft()
            output = following.output
            if output.mark != self.mark and all(map(self.is_known, following.inputs())):
                plan.append(following)
                output.mark = self.mark
                pending.extend(output.consumers())
        return plan

    def is_known(self, variable):
        return variable.mark == self.mark or variable.is_constant or not variable.determined_by

    def drag(self, edit, step, watched):
        """Moves an edited variable; returns the sum of the values that another one had."""
        plan = self.plan(edit)
        arrived = 0
        for _ in range(STEPS):
            edit.output.value += step
            for constraint in plan:
                constraint.execute()
            self.executed += len(plan)
            arrived += watched.value
        return arrived

    def drag_variable(self, variable, step, watched):
        edit = self.add(Edit(PREFERRED, variable))
        arrived = self.drag(edit, step, watched)
        self.remove(edit)
        return arrived


def chain(planner, n):
    """The head's edit overrides the tail's; without it the values run the other way."""
    variables = [Variable(i) for i in range(n + 1)]
    for one, other in zip(variables, variables[1:]):
        planner.add(Equality(REQUIRED, one, other))
    head, tail = variables[0], variables[-1]
    planner.add(Stay(NORMAL, tail))
    weaker = planner.add(Edit(PREFERRED, tail))
    stronger = planner.add(Edit(STRONG, head))
    forth = planner.drag(stronger, 1, tail)
    planner.remove(stronger)
    back = planner.drag(weaker, n, head)
    planner.remove(weaker)
    return forth + back


def projections(planner, n):
    """Sources stay, and destinations follow, unless a destination is what is dragged."""
    scale, offset = Variable(3), Variable(7)
    pairs = [(Variable(i), Variable(i)) for i in range(n)]
    for source, destination in pairs:
        planner.add(Stay(NORMAL, source))
        planner.add(Stay(WEAK, destination))
        planner.add(Projection(REQUIRED, source, destination, scale, offset))
    last = pairs[-1][1]
    arrived = sum(planner.drag_variable(source, 1, destination) for source, destination in pairs)
    arrived += planner.drag_variable(scale, 1, last) + planner.drag_variable(offset, 2, last)
    arrived += sum(
        planner.drag_variable(destination, scale.value, source) for source, destination in pairs
    )
    return arrived, sum(destination.value for _, destination in pairs)


def solve(n):
    planner = Planner()
    return "%d %d %d %d" % ((chain(planner, n),) + projections(planner, n) + (planner.executed,))


Work.run("deltablue", sys.argv[1], solve)
