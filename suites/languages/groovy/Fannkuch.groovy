import languages.Work

// Flips pancakes: over all permutations of n, the most flips, and a checksum of their numbers.

/** Permutes the first k by rotation, each arrangement once. */
void permute(List permutation, int k, Closure visit) {
    if (k == 1) {
        visit(permutation)
        return
    }
    k.times {
        permute(permutation, k - 1, visit)
        permutation.add(k - 1, permutation.remove(0))
    }
}

int flips(List pancakes) {
    int done = 0
    while (pancakes[0] != 0) {
        int top = pancakes[0]
        pancakes[0..top] = pancakes[0..top].reverse()
        done++
    }
    done
}

String fannkuch(int n) {
    int checksum = 0, most = 0, sign = 1
    permute((0..<n).toList(), n) { permutation ->
        int count = flips(permutation.collect())
        most = [most, count].max()
        checksum += sign * count
        sign = -sign
    }
    "$checksum $most"
}

Work.run('fannkuch', args[0]) { int n -> fannkuch(n) }
