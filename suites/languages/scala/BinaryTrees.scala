import languages.Work

/** Makes and walks full binary trees of several depths; one of them lives throughout. */
object BinaryTrees:
  private val least = 4

  private enum Tree:
    case Leaf
    case Node(left: Tree, right: Tree)

    def count: Int = this match
      case Leaf => 1
      case Node(left, right) => 1 + left.count + right.count

  private object Tree:
    def apply(depth: Int): Tree =
      if depth == 0 then Leaf else Node(Tree(depth - 1), Tree(depth - 1))

  private def trees(most: Int): String =
    val stretch = Tree(most + 1).count
    val longLived = Tree(most)
    val counts = for depth <- least to most by 2 yield
      (1 to 1 << (most - depth + least)).map(_ => Tree(depth).count).sum
    (stretch +: counts :+ longLived.count).mkString(" ")

  def main(args: Array[String]): Unit = Work.run("binarytrees", args(0), trees)
