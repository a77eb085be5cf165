// A tree as the page holds it: of calling contexts, or of callers. Nodes are indices, parents first.

/** A tree with the sums over subtrees, and the children of each node by what they weigh. */
class ContextTree {
  /** Takes parents, frames, lines and contexts by node, and the nodes' own by part. */
  constructor({ parents, frames: frameOf, lines, contexts, parts }, weights, frames) {
    this.frames = frames;
    this.nWeights = weights.length;
    // A part is a weight in a scope: those of the run come first.
    this.weights = parts.map((_, part) => weights[part % weights.length]);
    this.parents = Int32Array.from(parents);
    this.frameOf = frameOf;
    this.lines = lines;
    this.contexts = contexts;
    this.own = parts.map((values) => Float64Array.from(values));
    this.size = this.parents.length;
    this.sums = this.own.map((own) => this.summed(own));
    this.depths = new Int32Array(this.size);
    for (let node = 1; node < this.size; node++) {
      this.depths[node] = this.depths[this.parents[node]] + 1;
    }
    this.sorted = parts.map(() => null);
    this.tints = [];
  }

  /** Returns the tree of calling contexts of a run. */
  static of({ tree, weights, scopes }, frames) {
    const isFolded = tree.frames.map((frame) => frames[frame][1] === "folded");
    const others = scopes.slice(1).flatMap((_, scope) =>
      tree.own.map((own, weight) => {
        let place = 0;
        return own.map((value, node) =>
          isFolded[node] ? tree.folded[scope][weight][place++] : tree.inside[scope][node] === "1" ? value : 0,
        );
      }),
    );
    return new ContextTree({ ...tree, parts: [...tree.own, ...others] }, named(weights), frames);
  }

  /** Returns the tree of a run's methods and their callers; its nodes are no contexts. */
  static inverted({ inverted, weights }, frames) {
    const none = inverted.parents.map(() => 0);
    return new ContextTree(
      { ...inverted, lines: none, contexts: none, parts: inverted.own.flat() },
      named(weights),
      frames,
    );
  }

  summed(own) {
    const sums = Float64Array.from(own);
    for (let node = this.size - 1; node > 0; node--) sums[this.parents[node]] += sums[node];
    return sums;
  }

  name(node) {
    return this.frames[this.frameOf[node]][0];
  }

  kind(node) {
    return this.frames[this.frameOf[node]][1];
  }

  /** Returns 0 to 3, the same for all methods of a class. */
  tint(node) {
    const frame = this.frameOf[node];
    if (this.tints[frame] === undefined) {
      const [name, kind] = this.frames[frame];
      const isMethod = kind === "application" || kind === "library";
      const owner = name.replace(/\(.*$/, "").replace(/\.[^.]*$/, "");
      let hash = 0;
      for (let i = 0; i < owner.length; i++) hash = (hash * 31 + owner.charCodeAt(i)) >>> 0;
      this.tints[frame] = isMethod ? (hash >>> 3) % 4 : 0;
    }
    return this.tints[frame];
  }

  /** Returns "File.java:12" of the method, or null. */
  source(node) {
    const [, , file, line] = this.frames[this.frameOf[node]];
    return file ? (line ? `${file}:${line}` : file) : null;
  }

  /** Returns a node's children, the heaviest first and what is folded last. */
  children(node, weight) {
    this.sorted[weight] ??= this.sortedChildren(this.sums[weight]);
    const { first, order } = this.sorted[weight];
    return order.subarray(first[node], first[node + 1]);
  }

  sortedChildren(sums) {
    const first = new Int32Array(this.size + 1);
    for (let node = 1; node < this.size; node++) first[this.parents[node] + 1] += 1;
    for (let node = 0; node < this.size; node++) first[node + 1] += first[node];
    const isFolded = (node) => this.kind(node) === "folded";
    const order = Int32Array.from({ length: Math.max(0, this.size - 1) }, (_, index) => index + 1);
    order.sort((a, b) => this.parents[a] - this.parents[b] || isFolded(a) - isFolded(b) || sums[b] - sums[a] || a - b);
    return { first, order };
  }

  /** Returns the nodes from the root to this one. */
  path(node) {
    const path = [];
    for (let at = node; at >= 0; at = this.parents[at]) path.push(at);
    return path.reverse();
  }

  /** Returns which nodes have one of some frames and weigh something, how many, and what their methods weigh. */
  marked(isFrame, part) {
    const isFound = new Uint8Array(this.size);
    let own = 0;
    let n = 0;
    for (let node = 1; node < this.size; node++) {
      if (!isFrame(this.frameOf[node]) || !this.sums[part][node]) continue;
      isFound[node] = 1;
      n += 1;
      if (this.kind(node) !== "thread") own += this.own[part][node];
    }
    return { isFound, n, own };
  }

  /** Returns the heaviest way down from the root, while it stays above this share. */
  hottestPath(weight, share) {
    const sums = this.sums[weight];
    const path = [0];
    for (;;) {
      const [heaviest] = this.children(path.at(-1), weight);
      if (
        heaviest === undefined ||
        this.kind(heaviest) === "folded" ||
        !(sums[heaviest] >= share * sums[0]) ||
        sums[heaviest] === 0
      )
        return path;
      path.push(heaviest);
    }
  }
}

function named(weights) {
  return weights.map(([name, unit]) => ({ name, unit }));
}
