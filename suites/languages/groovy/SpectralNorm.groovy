import languages.Work

// The spectral norm of the infinite matrix 1, 1/2, 1/3, … cut to n by n, by power iteration.
double a(int i, int j) {
    1.0d / ((i + j) * (i + j + 1)).intdiv(2).plus(i + 1)
}

List<Double> times(List<Double> v, Closure element) {
    v.indices.collect { i ->
        double sum = 0
        v.eachWithIndex { x, j -> sum += element(i, j) * x }
        sum
    }
}

List<Double> power(List<Double> v) {
    times(times(v) { i, j -> a(i, j) }) { i, j -> a(j, i) }
}

double dot(List<Double> u, List<Double> v) {
    [u, v].transpose().sum { x, y -> x * y }
}

double norm(int n) {
    def v = [1.0d] * n
    19.times { v = power(v) }
    Math.sqrt(dot(power(v), v) / dot(v, v))
}

Work.run('spectralnorm', args[0]) { int n -> String.format(Locale.ROOT, '%.9f', norm(n)) }
