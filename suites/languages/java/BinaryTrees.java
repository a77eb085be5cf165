import languages.Work;

/** Makes and walks full binary trees of several depths; one of them lives throughout. */
final class BinaryTrees {
  private static final int LEAST = 4;

  private record Tree(Tree left, Tree right) {
    static Tree of(int depth) {
      return depth == 0 ? new Tree(null, null) : new Tree(of(depth - 1), of(depth - 1));
    }

    int count() {
      return left == null ? 1 : 1 + left.count() + right.count();
    }
  }

  private static String trees(int most) {
    StringBuilder line = new StringBuilder().append(Tree.of(most + 1).count());
    Tree longLived = Tree.of(most);
    for (int depth = LEAST; depth <= most; depth += 2) {
      int trees = 1 << (most - depth + LEAST);
      int nodes = 0;
      for (int i = 0; i < trees; i++) {
        nodes += Tree.of(depth).count();
      }
      line.append(' ').append(nodes);
    }
    return line.append(' ').append(longLived.count()).toString();
  }

  public static void main(String[] args) {
    Work.run("binarytrees", args[0], BinaryTrees::trees);
  }
}
