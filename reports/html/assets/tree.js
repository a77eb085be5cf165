// A calling context tree as the page holds it; its nodes are indices, parents before children.

/** A tree with the sums over subtrees, and the children of each node by what they weigh. */
class ContextTree {
  constructor(data, frames) {
    this.frames = frames;
    this.weights = data.weights.map(([name, unit]) => ({ name, unit }));
    this.parents = Int32Array.from(data.parents);
    this.frameOf = data.frames;
    this.lines = data.lines;
    this.contexts = data.contexts;
    this.own = data.own.map((values) => Float64Array.from(values));
    this.size = this.parents.length;
    this.sums = this.own.map((own) => this.summed(own));
    this.depths = new Int32Array(this.size);
    for (let node = 1; node < this.size; node++) {
      this.depths[node] = this.depths[this.parents[node]] + 1;
    }
    this.sorted = this.weights.map(() => null);
    this.tints = [];
  }

  summed(own) {
    const sums = Float64Array.from(own);
    for (let node = this.size - 1; node > 0; node--) sums[this.parents[node]] += sums[node];
    return sums;
  }

  name(node) { return this.frames[this.frameOf[node]][0]; }

  kind(node) { return this.frames[this.frameOf[node]][1]; }

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
    order.sort((a, b) => this.parents[a] - this.parents[b] || isFolded(a) - isFolded(b)
      || sums[b] - sums[a] || a - b);
    return { first, order };
  }

  /** Returns the nodes from the root to this one. */
  path(node) {
    const path = [];
    for (let at = node; at >= 0; at = this.parents[at]) path.push(at);
    return path.reverse();
  }

  /** Returns which nodes have a name with this text, and how much they weigh together. */
  search(text, weight) {
    const wanted = text.toLowerCase();
    const isFrame = this.frames.map(([name, kind]) => kind !== "folded" && kind !== "run"
      && name.toLowerCase().includes(wanted));
    const isFound = new Uint8Array(this.size);
    const isInside = new Uint8Array(this.size);
    let sum = 0;
    let n = 0;
    for (let node = 1; node < this.size; node++) {
      isInside[node] = isInside[this.parents[node]];
      if (!isFrame[this.frameOf[node]]) continue;
      isFound[node] = 1;
      n += 1;
      if (!isInside[node]) sum += this.sums[weight][node]; // what is nested counts once
      isInside[node] = 1;
    }
    return { isFound, n, sum };
  }

  /** Returns the heaviest way down from the root, while it stays above this share. */
  hottestPath(weight, share) {
    const sums = this.sums[weight];
    const path = [0];
    for (;;) {
      const [heaviest] = this.children(path.at(-1), weight);
      if (heaviest === undefined || this.kind(heaviest) === "folded"
        || !(sums[heaviest] >= share * sums[0]) || sums[heaviest] === 0) return path;
      path.push(heaviest);
    }
  }
}
