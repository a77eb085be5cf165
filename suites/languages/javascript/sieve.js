// The primes up to n by the sieve of Eratosthenes: how many, and the largest.
function primes(n) {
  const composite = [], found = [];
  for (let i = 2; i <= n; i++) {
    if (!composite[i]) {
      found.push(i);
      for (let multiple = 2 * i; multiple <= n; multiple += i) {
        composite[multiple] = true;
      }
    }
  }
  return found;
}

Packages.languages.Work.run('sieve', arguments[0], function (n) {
  const found = primes(n);
  return found.length + ' ' + found[found.length - 1];
});
