import scala.annotation.tailrec
import scala.collection.mutable.{ArrayBuffer, Queue}
import languages.Work

/** Drags the ends of a chain of n equalities and all variables of n projections `source * scale +
  * offset` while DeltaBlue satisfies their constraints: what arrived at the chain's other end, what
  * arrived at the projections' other side, the sum of where they end, and how many constraints
  * plans executed.
  */
object DeltaBlue:
  private val steps = 10

  /** From the strongest to that of a variable nothing determines. */
  private enum Strength:
    case Required, Strong, Preferred, Normal, Weak, Weakest

    def >(other: Strength): Boolean = ordinal < other.ordinal
    def weaker(other: Strength): Strength = if this > other then other else this

  private final class Variable(var value: Int):
    val constraints = ArrayBuffer.empty[Constraint]
    var determinedBy: Option[Constraint] = None
    var mark = 0
    var isConstant = true

    /** Its walkabout strength: of the weakest constraint that would yield for another value. */
    var strength = Strength.Weakest

    def consumers: Seq[Constraint] =
      constraints.view.filter(c => c.isSatisfied && !determinedBy.contains(c)).toSeq

  private sealed abstract class Constraint(val strength: Strength, val variables: Variable*):
    /** The variable it determines, if it is satisfied. */
    var output: Option[Variable] = None

    def isSatisfied: Boolean = output.isDefined

    def inputs: Seq[Variable] = variables.filterNot(output.contains)

    def choose(mark: Int): Unit =
      output = Some(weakest(mark)).filter(v => v.mark != mark && strength > v.strength)

    def recalculate(): Unit =
      output.foreach { variable =>
        variable.strength = outputStrength
        variable.isConstant = isConstant
        if isConstant then execute()
      }

    protected def isConstant: Boolean = inputs.forall(_.isConstant)

    /** The variable to determine, if a pass has not marked it. */
    protected def weakest(mark: Int): Variable

    protected def outputStrength: Strength

    def execute(): Unit

  private sealed abstract class Unary(strength: Strength, variable: Variable)
      extends Constraint(strength, variable):
    protected def weakest(mark: Int): Variable = variable
    protected def outputStrength: Strength = strength
    def execute(): Unit = ()

  /** Keeps a variable as it is. */
  private final class Stay(strength: Strength, variable: Variable) extends Unary(strength, variable)

  /** Lets a variable be changed from outside. */
  private final class Edit(strength: Strength, val variable: Variable)
      extends Unary(strength, variable):
    override protected def isConstant: Boolean = false

  /** Relates two variables, each of which it can determine. */
  private sealed abstract class Relation(
      strength: Strength, one: Variable, other: Variable, inputs: Variable*)
      extends Constraint(strength, one +: other +: inputs*):
    protected def weakest(mark: Int): Variable =
      if one.mark == mark then other
      else if other.mark == mark || other.strength > one.strength then one
      else other

    protected def outputStrength: Strength =
      strength.weaker(if determines(one) then other.strength else one.strength)

    protected def determines(variable: Variable): Boolean = output.contains(variable)

  private final class Equality(strength: Strength, one: Variable, other: Variable)
      extends Relation(strength, one, other):
    def execute(): Unit =
      if determines(other) then other.value = one.value else one.value = other.value

  private final class Projection(
      strength: Strength,
      source: Variable,
      destination: Variable,
      scale: Variable,
      offset: Variable)
      extends Relation(strength, source, destination, scale, offset):
    def execute(): Unit =
      if determines(destination) then
        destination.value = source.value * scale.value + offset.value
      else source.value = (destination.value - offset.value) / scale.value

  private final class Planner:
    private var mark = 0
    private var count = 0

    /** How many constraints plans have executed. */
    def executed: Int = count

    def add(constraint: Constraint): Unit =
      constraint.variables.foreach(_.constraints += constraint)
      enforce(constraint)

    /** Satisfies a constraint if it can, and what it overrides in another way. */
    private def enforce(constraint: Constraint): Unit =
      @tailrec def enforceAll(next: Option[Constraint]): Unit = next match
        case Some(constraint) => enforceAll(satisfy(constraint))
        case None => ()
      mark += 1
      enforceAll(Some(constraint))

    /** Returns the constraint that is overridden, if any. */
    private def satisfy(constraint: Constraint): Option[Constraint] =
      constraint.choose(mark)
      constraint.output match
        case Some(output) =>
          constraint.inputs.foreach(_.mark = mark)
          val overridden = output.determinedBy
          overridden.foreach(_.output = None)
          output.determinedBy = Some(constraint)
          propagate(constraint)
          output.mark = mark
          overridden
        case None =>
          require(
            constraint.strength != Strength.Required,
            "a required constraint cannot be satisfied")
          None

    private def propagate(constraint: Constraint): Unit =
      val pending = Queue(constraint)
      while pending.nonEmpty do
        val next = pending.dequeue()
        require(!next.output.exists(_.mark == mark), "constraints form a cycle")
        next.recalculate()
        pending ++= next.output.toSeq.flatMap(_.consumers)

    /** Removes a satisfied constraint; the strongest of those that it kept out come first. */
    def remove(constraint: Constraint): Unit =
      constraint.variables.foreach(_.constraints -= constraint)
      for
        each <- constraint.output.toSeq.flatMap(release).sortBy(_.strength.ordinal)
        if !each.isSatisfied
      do enforce(each)

    /** Returns the unsatisfied constraints of a variable and of all that depends on it. */
    private def release(variable: Variable): Seq[Constraint] =
      variable.determinedBy = None
      variable.strength = Strength.Weakest
      variable.isConstant = true
      val unsatisfied = ArrayBuffer.empty[Constraint]
      val pending = Queue(variable)
      while pending.nonEmpty do
        val next = pending.dequeue()
        unsatisfied ++= next.constraints.filterNot(_.isSatisfied)
        for consumer <- next.consumers do
          consumer.recalculate()
          pending ++= consumer.output
      unsatisfied.toSeq

    /** Returns what to execute, in this order, when the edited variable has changed. */
    private def plan(edit: Edit): Seq[Constraint] =
      mark += 1
      val plan = ArrayBuffer.empty[Constraint]
      val pending = Queue[Constraint](edit)
      while pending.nonEmpty do
        val next = pending.dequeue()
        for output <- next.output if output.mark != mark && next.inputs.forall(isKnown) do
          plan += next
          output.mark = mark
          pending ++= output.consumers
      plan.toSeq

    private def isKnown(variable: Variable): Boolean =
      variable.mark == mark || variable.isConstant || variable.determinedBy.isEmpty

    /** Moves an edited variable; returns the sum of the values that another one had. */
    def drag(edit: Edit, step: Int, watched: Variable): Long =
      val constraints = plan(edit)
      Iterator.fill(steps) {
        edit.variable.value += step
        constraints.foreach(_.execute())
        count += constraints.size
        watched.value.toLong
      }.sum

    def drag(variable: Variable, step: Int, watched: Variable): Long =
      val edit = Edit(Strength.Preferred, variable)
      add(edit)
      val arrived = drag(edit, step, watched)
      remove(edit)
      arrived

  /** The head's edit overrides the tail's; without it the values run the other way. */
  private def chain(planner: Planner, n: Int): Long =
    val variables = Vector.tabulate(n + 1)(Variable(_))
    for (one, other) <- variables.zip(variables.tail) do
      planner.add(Equality(Strength.Required, one, other))
    val (head, tail) = (variables.head, variables.last)
    val weaker = Edit(Strength.Preferred, tail)
    val stronger = Edit(Strength.Strong, head)
    Seq(Stay(Strength.Normal, tail), weaker, stronger).foreach(planner.add)
    val forth = planner.drag(stronger, 1, tail)
    planner.remove(stronger)
    val back = planner.drag(weaker, n, head)
    planner.remove(weaker)
    forth + back

  /** Sources stay, and destinations follow, unless a destination is what is dragged. */
  private def projections(planner: Planner, n: Int): String =
    val scale = Variable(3)
    val offset = Variable(7)
    val pairs = Vector.tabulate(n)(i => (Variable(i), Variable(i)))
    val destinations = pairs.map(_._2)
    for (source, destination) <- pairs do
      planner.add(Stay(Strength.Normal, source))
      planner.add(Stay(Strength.Weak, destination))
      planner.add(Projection(Strength.Required, source, destination, scale, offset))
    val arrived =
      pairs.map((source, destination) => planner.drag(source, 1, destination)).sum
        + planner.drag(scale, 1, destinations.last)
        + planner.drag(offset, 2, destinations.last)
        + pairs.map((source, destination) => planner.drag(destination, scale.value, source)).sum
    s"$arrived ${destinations.map(_.value.toLong).sum}"

  private def solve(n: Int): String =
    val planner = Planner()
    s"${chain(planner, n)} ${projections(planner, n)} ${planner.executed}"

  def main(args: Array[String]): Unit = Work.run("deltablue", args(0), solve)
