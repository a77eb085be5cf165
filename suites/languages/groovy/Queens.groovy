import languages.Work

// Counts the ways to place n queens on a board of n by n, row by row, by backtracking.
boolean isSafe(int column, List<Integer> placed) {
    placed.reverse().withIndex(1).every { other, distance ->
        other != column && Math.abs(other - column) != distance
    }
}

int place(int n, List<Integer> placed = []) {
    if (placed.size() == n) return 1
    (0..<n).findAll { isSafe(it, placed) }.sum(0) { place(n, placed + it) }
}

Work.run('queens', args[0]) { int n -> "${place(n)}" }
