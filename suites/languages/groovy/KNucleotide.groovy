import languages.Work

// Counts the substrings of a random sequence of n bases: all short ones, and three long ones.
String sequence(int n) {
    int seed = 42
    (1..n).collect {
        seed = (seed * 3877 + 29_573) % 139_968
        'ACGT'[(seed * 4).intdiv(139_968)]
    }.join()
}

Map<String, Integer> counts(String sequence, int length) {
    (0..sequence.size() - length).countBy { sequence[it..<it + length] }
}

String report(String sequence) {
    def all = (1..2).collectMany { length ->
        counts(sequence, length)
            .sort { a, b -> b.value <=> a.value ?: a.key <=> b.key }
            .collect { substring, count -> "$substring=$count" }
    }
    def some = ['GGT', 'GGTA', 'GGTATT'].collect { "$it=${counts(sequence, it.size())[it] ?: 0}" }
    (all + some).join(' ')
}

Work.run('knucleotide', args[0]) { int n -> report(sequence(n)) }
