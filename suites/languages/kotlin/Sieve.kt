package sieve

import languages.Work

/** The primes up to n by the sieve of Eratosthenes: how many, and the largest. */
private fun primes(n: Int): String {
    val composite = BooleanArray(n + 1)
    val found = (2..n).filter { i ->
        if (!composite[i]) for (multiple in 2 * i..n step i) composite[multiple] = true
        !composite[i]
    }
    return "${found.size} ${found.last()}"
}

fun main(args: Array<String>) = Work.run("sieve", args[0], ::primes)
