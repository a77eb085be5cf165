import groovy.transform.Field
import languages.Work

// Searches a random sequence of n bases for patterns, and replaces some of them.
@Field List patterns =
    [~/gg[at]c/, ~/a(?:c|g)+t/, ~/tt.{2}gg/, ~/(?:aca|tgt)[^c]*c/, ~/[cg]{4,6}/, ~/c+a*t|g$/]

String sequence(int n) {
    int seed = 42
    (1..n).collect {
        seed = (seed * 3877 + 29_573) % 139_968
        'acgt'[(seed * 4).intdiv(139_968)]
    }.join()
}

String search(String sequence) {
    def counts = patterns.collect { (sequence =~ it).count }
    def replaced = sequence
        .replaceAll(/t[ac]+g/, '<>')
        .replaceAll(/([ag])<>/) { all, base -> "$base|$base" }
    "${counts.join(' ')} ${replaced.size()}"
}

Work.run('regex', args[0]) { int n -> search(sequence(n)) }
