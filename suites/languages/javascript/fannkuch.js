// Flips pancakes: over all permutations of n, the most flips, and a checksum of their numbers.

// Permutes the first k by rotation, each arrangement once.
function permute(permutation, k, visit) {
  if (k === 1) {
    visit(permutation);
    return;
  }
  for (let i = 0; i < k; i++) {
    permute(permutation, k - 1, visit);
    permutation.splice(k - 1, 0, permutation.shift());
  }
}

function flips(pancakes) {
  let done = 0;
  while (pancakes[0] !== 0) {
    let top = pancakes[0] + 1;
    pancakes = pancakes.slice(0, top).reverse().concat(pancakes.slice(top));
    done++;
  }
  return done;
}

function fannkuch(n) {
  const permutation = [];
  let checksum = 0, most = 0, sign = 1;
  for (let i = 0; i < n; i++) {
    permutation.push(i);
  }
  permute(permutation, n, function (arranged) {
    let count = flips(arranged);
    most = Math.max(most, count);
    checksum += sign * count;
    sign = -sign;
  });
  return checksum + ' ' + most;
}

Packages.languages.Work.run('fannkuch', arguments[0], fannkuch);
