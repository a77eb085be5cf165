// Makes and walks full binary trees of several depths; one of them lives throughout.
const LEAST = 4;

function Tree(left, right) {
  this.left = left;
  this.right = right;
}

Tree.of = function (depth) {
  return depth === 0 ? new Tree(null, null) : new Tree(Tree.of(depth - 1), Tree.of(depth - 1));
};

Tree.prototype.count = function () {
  return this.left ? 1 + this.left.count() + this.right.count() : 1;
};

function trees(most) {
  const counts = [Tree.of(most + 1).count()];
  const longLived = Tree.of(most);
  for (let depth = LEAST; depth <= most; depth += 2) {
    let nodes = 0;
    for (let i = 0; i < 1 << (most - depth + LEAST); i++) {
      nodes += Tree.of(depth).count();
    }
    counts.push(nodes);
  }
  counts.push(longLived.count());
  return counts.join(' ');
}

Packages.languages.Work.run('binarytrees', arguments[0], trees);
