package deltablue

import languages.Work

private const val STEPS = 10

/** From the strongest to that of a variable nothing determines. */
private enum class Strength {
    REQUIRED, STRONG, PREFERRED, NORMAL, WEAK, WEAKEST;

    fun isStrongerThan(other: Strength) = this < other
    fun weaker(other: Strength) = maxOf(this, other)
}

private class Variable(var value: Int) {
    val constraints = mutableListOf<Constraint>()
    var determinedBy: Constraint? = null
    var mark = 0
    var isConstant = true

    /** Its walkabout strength: of the weakest constraint that would yield for another value. */
    var strength = Strength.WEAKEST

    fun consumers() = constraints.filter { it !== determinedBy && it.isSatisfied }
}

private sealed class Constraint(val strength: Strength, vararg val variables: Variable) {
    /** The variable it determines; null: it is not satisfied. */
    var output: Variable? = null

    val isSatisfied get() = output != null
    val inputs get() = variables.filter { it !== output }

    fun choose(mark: Int) {
        output = weakest(mark).takeIf { it.mark != mark && strength.isStrongerThan(it.strength) }
    }

    fun recalculate() {
        output?.let {
            it.strength = outputStrength()
            it.isConstant = this !is Edit && inputs.all(Variable::isConstant)
            if (it.isConstant) execute()
        }
    }

    /** Returns the variable to determine, if a pass has not marked it. */
    private fun weakest(mark: Int): Variable = when (this) {
        is Stay -> variable
        is Edit -> variable
        is Relation -> when {
            one.mark == mark -> other
            other.mark == mark || other.strength.isStrongerThan(one.strength) -> one
            else -> other
        }
    }

    private fun outputStrength(): Strength = when (this) {
        is Stay, is Edit -> strength
        is Relation -> strength.weaker((if (output === one) other else one).strength)
    }

    open fun execute() = Unit
}

/** Keeps a variable as it is. */
private class Stay(strength: Strength, val variable: Variable) : Constraint(strength, variable)

/** Lets a variable be changed from outside. */
private class Edit(strength: Strength, val variable: Variable) : Constraint(strength, variable)

/** Relates two variables, each of which it can determine. */
private sealed class Relation(
    strength: Strength,
    val one: Variable,
    val other: Variable,
    vararg inputs: Variable,
) : Constraint(strength, one, other, *inputs)

private class Equality(strength: Strength, one: Variable, other: Variable) :
    Relation(strength, one, other) {
    override fun execute() {
        if (output === other) other.value = one.value else one.value = other.value
    }
}

private class Projection(
    strength: Strength,
    private val source: Variable,
    private val destination: Variable,
    private val scale: Variable,
    private val offset: Variable,
) : Relation(strength, source, destination, scale, offset) {
    override fun execute() {
        if (output === destination) {
            destination.value = source.value * scale.value + offset.value
        } else {
            source.value = (destination.value - offset.value) / scale.value
        }
    }
}

private class Planner {
    private var mark = 0

    /** How many constraints plans have executed. */
    var executed = 0
        private set

    fun <C : Constraint> add(constraint: C): C {
        constraint.variables.forEach { it.constraints += constraint }
        enforce(constraint)
        return constraint
    }

    /** Satisfies a constraint if it can, and what it overrides in another way. */
    private fun enforce(constraint: Constraint) {
        mark++
        var next: Constraint? = constraint
        while (next != null) next = satisfy(next)
    }

    /** Returns the constraint that is overridden, or null. */
    private fun satisfy(constraint: Constraint): Constraint? {
        constraint.choose(mark)
        val output = constraint.output
        if (output == null) {
            check(constraint.strength != Strength.REQUIRED) { "a required one cannot be satisfied" }
            return null
        }
        constraint.inputs.forEach { it.mark = mark }
        val overridden = output.determinedBy
        overridden?.output = null
        output.determinedBy = constraint
        propagate(constraint)
        output.mark = mark
        return overridden
    }

    private fun propagate(constraint: Constraint) {
        val pending = ArrayDeque(listOf(constraint))
        while (pending.isNotEmpty()) {
            val next = pending.removeFirst()
            check(next.output?.mark != mark) { "constraints form a cycle" }
            next.recalculate()
            pending += next.output?.consumers().orEmpty()
        }
    }

    /** Removes a satisfied constraint; the strongest of those that it kept out come first. */
    fun remove(constraint: Constraint) {
        constraint.variables.forEach { it.constraints -= constraint }
        constraint.output?.let(::release).orEmpty()
            .sortedBy(Constraint::strength)
            .forEach { if (!it.isSatisfied) enforce(it) }
    }

    /** Returns the unsatisfied constraints of a variable and of all that depends on it. */
    private fun release(variable: Variable): List<Constraint> = buildList {
        variable.determinedBy = null
        variable.strength = Strength.WEAKEST
        variable.isConstant = true
        val pending = ArrayDeque(listOf(variable))
        while (pending.isNotEmpty()) {
            val next = pending.removeFirst()
            addAll(next.constraints.filterNot(Constraint::isSatisfied))
            for (consumer in next.consumers()) {
                consumer.recalculate()
                consumer.output?.let(pending::add)
            }
        }
    }

    /** Returns what to execute, in this order, when the edited variable has changed. */
    private fun plan(edit: Edit): List<Constraint> = buildList {
        mark++
        val pending = ArrayDeque<Constraint>(listOf(edit))
        while (pending.isNotEmpty()) {
            val next = pending.removeFirst()
            val output = next.output ?: continue
            if (output.mark != mark && next.inputs.all(::isKnown)) {
                add(next)
                output.mark = mark
                pending += output.consumers()
            }
        }
    }

    private fun isKnown(variable: Variable) =
        variable.mark == mark || variable.isConstant || variable.determinedBy == null

    /** Moves an edited variable; returns the sum of the values that another one had. */
    fun drag(edit: Edit, step: Int, watched: Variable): Long {
        val plan = plan(edit)
        return (1..STEPS).sumOf {
            edit.variable.value += step
            plan.forEach(Constraint::execute)
            executed += plan.size
            watched.value.toLong()
        }
    }

    fun drag(variable: Variable, step: Int, watched: Variable): Long {
        val edit = add(Edit(Strength.PREFERRED, variable))
        return drag(edit, step, watched).also { remove(edit) }
    }
}

/** The head's edit overrides the tail's; without it the values run the other way. */
private fun chain(planner: Planner, n: Int): Long {
    val variables = List(n + 1, ::Variable)
    variables.zipWithNext { one, other -> planner.add(Equality(Strength.REQUIRED, one, other)) }
    val head = variables.first()
    val tail = variables.last()
    planner.add(Stay(Strength.NORMAL, tail))
    val weaker = planner.add(Edit(Strength.PREFERRED, tail))
    val stronger = planner.add(Edit(Strength.STRONG, head))
    val forth = planner.drag(stronger, 1, tail)
    planner.remove(stronger)
    val back = planner.drag(weaker, n, head)
    planner.remove(weaker)
    return forth + back
}

/** Sources stay, and destinations follow, unless a destination is what is dragged. */
private fun projections(planner: Planner, n: Int): String {
    val scale = Variable(3)
    val offset = Variable(7)
    val pairs = List(n) { Variable(it) to Variable(it) }
    for ((source, destination) in pairs) {
        planner.add(Stay(Strength.NORMAL, source))
        planner.add(Stay(Strength.WEAK, destination))
        planner.add(Projection(Strength.REQUIRED, source, destination, scale, offset))
    }
    val last = pairs.last().second
    val arrived = pairs.sumOf { (source, destination) -> planner.drag(source, 1, destination) } +
        planner.drag(scale, 1, last) +
        planner.drag(offset, 2, last) +
        pairs.sumOf { (source, destination) -> planner.drag(destination, scale.value, source) }
    return "$arrived ${pairs.sumOf { (_, destination) -> destination.value.toLong() }}"
}

/**
 * Drags the ends of a chain of n equalities and all variables of n projections `source * scale +
 * offset` while DeltaBlue satisfies their constraints: what arrived at the chain's other end, what
 * arrived at the projections' other side, the sum of where they end, and how many constraints
 * plans executed.
 */
private fun solve(n: Int): String {
    val planner = Planner()
    return "${chain(planner, n)} ${projections(planner, n)} ${planner.executed}"
}

fun main(args: Array<String>) = Work.run("deltablue", args[0], ::solve)
