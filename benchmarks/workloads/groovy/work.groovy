// Closures, categories, builders by hand, dynamic dispatch, maps.
interface Shape { double area() }
class Square implements Shape { double side; double area() { side * side } }
class Group implements Shape { List parts; double area() { parts.sum { it.area() } as double } }

def words(int n) {
    def counts = [:].withDefault { 0 }
    long seed = 7
    n.times {
        seed = (seed * 1103515245L + 12345L) % 2147483648L
        counts["word${(seed.intdiv(65536)) % 97}".toString()]++
    }
    counts.sort { a, b -> b.value <=> a.value ?: a.key <=> b.key }.take(4).collect { k, v -> "$k=$v" }.join(' ')
}

def evaluate(node) {
    switch (node) {
        case Number: return node
        case List:
            def (op, a, b) = node
            return ['+': { x, y -> x + y }, '*': { x, y -> x * y }, '-': { x, y -> x - y }][op](evaluate(a), evaluate(b))
    }
}

def collatz(long n) { int steps = 0; while (n != 1) { n = n % 2 ? 3 * n + 1 : n.intdiv(2); steps++ }; steps }

def once(int size) {
    def shapes = (0..<30).collect { it % 3 ? new Square(side: it) : new Group(parts: [new Square(side: it), new Square(side: 1)]) }
    def lines = [words(size * 50)]
    lines << "expr ${(0..<size * 10).sum { evaluate(['+', it, ['*', ['-', it, 3], 2]]) }}"
    lines << "area ${(0..<size * 40).sum { (shapes[it % 30] as Shape).area() * (it & 3) }}"
    lines << "collatz ${(1..size * 3).max { collatz(it) }}"
    lines << "text ${'a1b22c333'.replaceAll(/[0-9]+/) { "<${it.size()}>" }}"
    try { 'x'.toInteger() } catch (NumberFormatException e) { lines << "caught ${e.class.simpleName}" }
    lines.join('\n')
}

double processorMs() { new File('/proc/thread-self/schedstat').text.split(' ')[0].toLong() / 1e6 }

int size = args[0] as int
int iterations = args.length > 1 ? args[1] as int : 1
String expected = null
iterations.times {
    double busy = iterations > 1 ? processorMs() : 0
    long start = System.nanoTime()
    String result = once(size)
    double elapsed = (System.nanoTime() - start) / 1e6
    if (expected == null) { println result; expected = result }
    assert expected == result
    if (iterations > 1) System.err.println(String.format(Locale.ROOT, 'ITER %.3f %.3f', elapsed, processorMs() - busy))
}
