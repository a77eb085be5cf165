package binarytrees

import languages.Work

private const val LEAST = 4

/** A full binary tree; trees of several depths are made and walked, and one lives throughout. */
private class Tree(private val left: Tree? = null, private val right: Tree? = null) {
    fun count(): Int = 1 + (left?.count() ?: 0) + (right?.count() ?: 0)
}

private fun tree(depth: Int): Tree =
    if (depth == 0) Tree() else Tree(tree(depth - 1), tree(depth - 1))

private fun trees(most: Int): String {
    val stretch = tree(most + 1).count()
    val longLived = tree(most)
    val counts = (LEAST..most step 2).map { depth ->
        (1..(1 shl (most - depth + LEAST))).sumOf { tree(depth).count() }
    }
    return (listOf(stretch) + counts + longLived.count()).joinToString(" ")
}

fun main(args: Array<String>) = Work.run("binarytrees", args[0], ::trees)
