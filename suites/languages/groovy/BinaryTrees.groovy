import groovy.transform.Field
import groovy.transform.TupleConstructor
import languages.Work

// Makes and walks full binary trees of several depths; one of them lives throughout.
@Field int least = 4

@TupleConstructor
class Tree {
    Tree left, right

    static Tree of(int depth) {
        depth == 0 ? new Tree() : new Tree(of(depth - 1), of(depth - 1))
    }

    int count() {
        left ? 1 + left.count() + right.count() : 1
    }
}

String trees(int most) {
    int stretch = Tree.of(most + 1).count()
    def longLived = Tree.of(most)
    def counts = (least..most).step(2).collect { depth ->
        (1..(1 << (most - depth + least))).sum { Tree.of(depth).count() }
    }
    [stretch, *counts, longLived.count()].join(' ')
}

Work.run('binarytrees', args[0]) { int n -> trees(n) }
