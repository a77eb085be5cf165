import languages.Work

/** The primes up to n by the sieve of Eratosthenes: how many, and the largest. */
object Sieve:
  private def primes(n: Int): String =
    val composite = new Array[Boolean](n + 1)
    val found = (2 to n).filter { i =>
      val isPrime = !composite(i)
      if isPrime then for multiple <- 2 * i to n by i do composite(multiple) = true
      isPrime
    }
    s"${found.size} ${found.last}"

  def main(args: Array[String]): Unit = Work.run("sieve", args(0), primes)
