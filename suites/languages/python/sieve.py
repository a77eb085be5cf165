"""The primes up to n by the sieve of Eratosthenes: how many, and the largest."""

import sys

from languages import Work


def primes(n):
    composite = [False] * (n + 1)
    for i in range(2, n + 1):
        if not composite[i]:
            for multiple in range(2 * i, n + 1, i):
                composite[multiple] = True
            yield i


def answer(n):
    found = list(primes(n))
    return "%d %d" % (len(found), found[-1])


Work.run("sieve", sys.argv[1], answer)
