// Prototypes, closures, an interpreter for a tiny stack language, JSON, regular expressions.
function Square(side) { this.side = side; }
Square.prototype.area = function () { return this.side * this.side; };
function Group(parts) { this.parts = parts; }
Group.prototype.area = function () {
  return this.parts.reduce(function (sum, part) { return sum + part.area(); }, 0);
};

function words(n) {
  var counts = {}, seed = 7, list = [], i, word;
  for (i = 0; i < n; i++) {
    seed = (seed * 16807) % 2147483647;
    word = 'word' + (seed >> 8) % 97;
    counts[word] = (counts[word] || 0) + 1;
  }
  for (word in counts) { list.push([word, counts[word]]); }
  list.sort(function (a, b) { return b[1] - a[1] || (a[0] < b[0] ? -1 : 1); });
  return JSON.stringify(list.slice(0, 4));
}

function forth(source) {
  var stack = [], ops = {
    '+': function () { stack.push(stack.pop() + stack.pop()); },
    '*': function () { stack.push(stack.pop() * stack.pop()); },
    'dup': function () { stack.push(stack[stack.length - 1]); },
    'mod': function () { var b = stack.pop(); stack.push(stack.pop() % b); }
  };
  source.split(/\s+/).forEach(function (token) {
    if (/^\d+$/.test(token)) { stack.push(parseInt(token, 10)); } else { ops[token](); }
  });
  return stack.pop();
}

function sort(list) {
  if (list.length < 2) { return list; }
  var pivot = list[list.length >> 1];
  return sort(list.filter(function (x) { return x < pivot; }))
    .concat(list.filter(function (x) { return x === pivot; }))
    .concat(sort(list.filter(function (x) { return x > pivot; })));
}

function once(size) {
  var shapes = [], numbers = [], total = 0, weight = 0, i, lines = [words(size * 80)];
  for (i = 0; i < 30; i++) { shapes.push(i % 3 ? new Square(i) : new Group([new Square(i), new Square(1)])); }
  for (i = 0; i < size * 100; i++) { weight += shapes[i % 30].area() * (i & 3); }
  for (i = 0; i < size * 8; i++) { total += forth(i + ' dup * 7 + 1000 mod ' + (i % 5) + ' *'); }
  for (i = 0; i < size * 20; i++) { numbers.push((i * 7919) % 10007); }
  lines.push('weight ' + weight, 'forth ' + total, 'sorted ' + sort(numbers).slice(0, 5).join());
  lines.push('text ' + 'a1b22c333'.replace(/[0-9]+/g, function (d) { return '<' + d.length + '>'; }));
  try { null.x(); } catch (e) { lines.push('caught ' + e.name); }
  return lines.join('\n');
}

function processorMs() {
  var path = java.nio.file.Paths.get('/proc/thread-self/schedstat');
  return parseInt(new java.lang.String(java.nio.file.Files.readAllBytes(path)), 10) / 1e6;
}

(function () {
  var size = parseInt(arguments[0], 10), iterations = parseInt(arguments[1] || '1', 10);
  var expected = null, i, start, result;
  for (i = 0; i < iterations; i++) {
    var busy = iterations > 1 ? processorMs() : 0;
    start = java.lang.System.nanoTime();
    result = once(size);
    var elapsed = (java.lang.System.nanoTime() - start) / 1e6;
    if (expected === null) { print(result); expected = result; }
    if (expected !== result) { throw new Error('results differ'); }
    if (iterations > 1) { java.lang.System.err.println('ITER ' + elapsed.toFixed(3) + ' ' + (processorMs() - busy).toFixed(3)); }
  }
}).apply(null, Array.prototype.slice.call(arguments));
