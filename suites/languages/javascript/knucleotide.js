// Counts the substrings of a random sequence of n bases: all short ones, and three long ones.
function sequence(n) {
  const bases = [];
  let seed = 42;
  for (let i = 0; i < n; i++) {
    seed = (seed * 3877 + 29573) % 139968;
    bases.push('ACGT'.charAt(Math.floor(seed * 4 / 139968)));
  }
  return bases.join('');
}

function counts(sequence, length) {
  const counts = {};
  for (let i = 0; i + length <= sequence.length; i++) {
    let substring = sequence.substring(i, i + length);
    counts[substring] = (counts[substring] || 0) + 1;
  }
  return counts;
}

function report(sequence) {
  const parts = [];
  [1, 2].forEach(function (length) {
    const found = counts(sequence, length);
    Object.keys(found)
      .sort((a, b) => found[b] - found[a] || (a < b ? -1 : 1))
      .forEach(substring => parts.push(substring + '=' + found[substring]));
  });
  ['GGT', 'GGTA', 'GGTATT'].forEach(function (substring) {
    parts.push(substring + '=' + (counts(sequence, substring.length)[substring] || 0));
  });
  return parts.join(' ');
}

Packages.languages.Work.run('knucleotide', arguments[0], n => report(sequence(n)));
