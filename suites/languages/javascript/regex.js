// Searches a random sequence of n bases for patterns, and replaces some of them.
const PATTERNS =
  [/gg[at]c/g, /a(?:c|g)+t/g, /tt.{2}gg/g, /(?:aca|tgt)[^c]*c/g, /[cg]{4,6}/g, /c+a*t|g$/g];

function sequence(n) {
  const bases = [];
  let seed = 42;
  for (let i = 0; i < n; i++) {
    seed = (seed * 3877 + 29573) % 139968;
    bases.push('acgt'.charAt(Math.floor(seed * 4 / 139968)));
  }
  return bases.join('');
}

function search(sequence) {
  const counts = PATTERNS.map(pattern => (sequence.match(pattern) || []).length);
  const replaced = sequence
    .replace(/t[ac]+g/g, '<>')
    .replace(/([ag])<>/g, (all, base) => base + '|' + base);
  return counts.join(' ') + ' ' + replaced.length;
}

Packages.languages.Work.run('regex', arguments[0], n => search(sequence(n)));
