import languages.Work

// The primes up to n by the sieve of Eratosthenes: how many, and the largest.
List<Integer> primes(int n) {
    def composite = new boolean[n + 1]
    (2..n).findAll { i ->
        if (!composite[i]) {
            for (int multiple = 2 * i; multiple <= n; multiple += i) composite[multiple] = true
        }
        !composite[i]
    }
}

Work.run('sieve', args[0]) { int n ->
    def found = primes(n)
    "${found.size()} ${found.last()}"
}
