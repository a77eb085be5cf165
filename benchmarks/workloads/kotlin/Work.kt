import java.util.Locale

sealed interface Expression
data class Number(val value: Long) : Expression
data class Sum(val left: Expression, val right: Expression) : Expression
data class Product(val left: Expression, val right: Expression) : Expression
data class Variable(val name: String) : Expression

fun evaluate(e: Expression, scope: Map<String, Long>): Long = when (e) {
    is Number -> e.value
    is Sum -> evaluate(e.left, scope) + evaluate(e.right, scope)
    is Product -> evaluate(e.left, scope) * evaluate(e.right, scope)
    is Variable -> scope[e.name] ?: throw NoSuchElementException(e.name)
}

fun simplify(e: Expression): Expression = when (e) {
    is Sum -> {
        val (l, r) = simplify(e.left) to simplify(e.right)
        if (l is Number && r is Number) Number(l.value + r.value) else Sum(l, r)
    }
    is Product -> {
        val (l, r) = simplify(e.left) to simplify(e.right)
        if (l == Number(1)) r else if (r == Number(1)) l else Product(l, r)
    }
    else -> e
}

fun build(depth: Int, seed: Int): Expression =
    if (depth == 0) (if (seed % 3 == 0) Variable("x") else Number((seed % 5).toLong()))
    else if (seed % 2 == 0) Sum(build(depth - 1, seed * 7 + 1), build(depth - 1, seed + 3))
    else Product(build(depth - 1, seed / 2), build(depth - 1, seed + 1))

fun draws(seed: Long) = generateSequence(seed) { (it * 1103515245L + 12345L) % 2147483648L }

fun words(n: Int): String =
    draws(7).take(n).map { "word${it / 65536 % 97}" }.groupingBy { it }.eachCount().entries
        .sortedWith(compareByDescending<Map.Entry<String, Int>> { it.value }.thenBy { it.key })
        .take(4).joinToString(" ") { "${it.key}=${it.value}" }

inline fun <T> attempt(block: () -> T): String = try { block().toString() } catch (e: NoSuchElementException) { "caught ${e.message}" }

fun sieve(n: Int): Int {
    val composite = BooleanArray(n + 1)
    var count = 0
    for (i in 2..n) if (!composite[i]) { count++; for (j in i * 2..n step i) composite[j] = true }
    return count
}

fun once(size: Int): String = buildString {
    appendLine(words(size * 200))
    var total = 0L
    for (i in 0 until size * 4) total += evaluate(simplify(build(6, i)), mapOf("x" to i.toLong())) % 1000
    appendLine("expressions $total")
    appendLine("primes ${sieve(size * 1000)}")
    appendLine("pairs ${(1..size * 5).flatMap { a -> (1..9).map { b -> a to b } }.filter { (a, b) -> a % b == 0 }.sumOf { it.first * it.second }}")
    append(attempt { evaluate(Variable("y"), emptyMap()) })
}

fun processorMs() = java.io.File("/proc/thread-self/schedstat").readText().substringBefore(' ').toLong() / 1e6

fun main(args: Array<String>) {
    val iterations = args.getOrNull(1)?.toInt() ?: 1
    var expected: String? = null
    repeat(iterations) {
        val busy = if (iterations > 1) processorMs() else 0.0
        val start = System.nanoTime()
        val result = once(args[0].toInt())
        val elapsed = (System.nanoTime() - start) / 1e6
        if (expected == null) println(result)
        expected = expected ?: result
        check(expected == result)
        if (iterations > 1) {
            System.err.println(String.format(Locale.ROOT, "ITER %.3f %.3f", elapsed, processorMs() - busy))
        }
    }
}
