# The primes up to n by the sieve of Eratosthenes: how many, and the largest.
java_import 'languages.Work'

def primes(n)
  composite = Array.new(n + 1, false)
  2.upto(n).reject do |i|
    (2 * i).step(n, i) { |multiple| composite[multiple] = true } unless composite[i]
    composite[i]
  end
end

Work.run('sieve', ARGV[0]) do |n|
  found = primes(n)
  "#{found.size} #{found.last}"
end
