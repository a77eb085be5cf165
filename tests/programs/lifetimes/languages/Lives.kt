// Data classes, sequences, inline functions, coroutines of the standard library and exceptions of Kotlin.
object Lives {
    open class Thing { init { Watch.see(this) } }
    class InList : Thing()
    class InMap : Thing()
    class Captured : Thing()
    class Lazily : Thing()
    class Carried : Thing()
    class Argument : Thing()
    class Yielded : Thing()
    data class Pair(val left: Thing?, val right: Thing?) : Thing()
    class Failure(val carried: Carried) : RuntimeException(null, null, false, false)

    private fun lists() {
        var list: List<InList>? = List(5) { InList() }
        Watch.tick()
        list = list!!.drop(2).filterIndexed { k, _ -> k != 1 }
        Watch.tick()
        list = null
        Watch.tick()
        val map = mutableMapOf(1 to InMap(), 2 to InMap())
        Watch.tick()
        map.remove(1)
        Watch.tick()
        map.getOrPut(3) { InMap() }
        map.clear()
        Watch.tick()
    }

    private fun captured(): () -> Int {
        var changed: Thing? = Captured()
        val kept = Captured()
        return {
            changed = null
            Watch.tick()
            if (kept == changed) 1 else 2
        }
    }

    private fun closures() {
        var function: (() -> Int)? = captured()
        Watch.tick()
        println(function!!())
        function = null
        Watch.tick()
    }

    private val lazily by lazy { Watch.tick(); Lazily() }

    private fun sequences() {
        val sequence = sequence {
            for (k in 0..3) {
                val thing = Yielded()
                yield(thing)
                Watch.tick()
            }
        }
        println(sequence.onEach { Watch.tick() }.take(3).count())
        Watch.tick()
    }

    private fun failing(n: Int, thing: Argument): Int {
        Watch.tick()
        if (n == 0) throw Failure(Carried())
        return 1 + failing(n - 1, Argument())
    }

    private fun failures() {
        try {
            println(failing(2, Argument()))
        } catch (e: Failure) {
            Watch.tick()
            println(e.carried != null)
        } finally {
            Watch.tick()
        }
    }

    private fun scopes() {
        val size = Pair(Captured(), null).let { Watch.tick(); it.copy(right = Argument()) }.run {
            Watch.tick()
            if (left == null) 0 else 1
        }
        Watch.tick()
        val (left, _) = Pair(Argument(), Argument())
        Watch.tick()
        println("$size ${left != null} ${Argument().also { Watch.tick() } == left}")
        Watch.tick()
    }

    @JvmStatic
    fun main(args: Array<String>) {
        Watch.begin(args)
        lists()
        closures()
        println(lazily)
        sequences()
        failures()
        scopes()
        Watch.end()
    }
}
