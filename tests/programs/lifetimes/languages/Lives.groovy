// Closures, dynamic calls, list and map literals, properties and exceptions of Groovy.
class Lives {
    static class Thing {
        def other
        Thing() { Watch.see(this) }
    }
    static class InList extends Thing {}
    static class InMap extends Thing {}
    static class Captured extends Thing {}
    static class Property extends Thing {}
    static class Carried extends Thing {}
    static class Argument extends Thing {}
    static class Failure extends RuntimeException {
        def carried = new Carried()
        Failure() { super(null, null, false, false) }
    }

    static void lists() {
        def list = (1..5).collect { new InList() }
        Watch.tick()
        list = list.drop(2)
        Watch.tick()
        list.clear()
        Watch.tick()
        def map = [a: new InMap(), b: new InMap()]
        Watch.tick()
        map.remove('a')
        Watch.tick()
        map.b = null
        Watch.tick()
        println(map)
    }

    static void closures() {
        def captured = new Captured()
        def closure = { n -> Watch.tick(); captured == null ? 0 : n }
        println([1, 2, 3].collect(closure).sum())
        captured = null
        Watch.tick()
        println(closure(1))
        closure = null
        Watch.tick()
    }

    static void properties() {
        def thing = new Property(other: new Property())
        Watch.tick()
        thing.other = null
        Watch.tick()
        thing = null
        Watch.tick()
    }

    static int failing(int n, Argument argument) {
        Watch.tick()
        if (n == 0) throw new Failure()
        return 1 + failing(n - 1, new Argument())
    }

    static void failures() {
        try {
            println(failing(2, new Argument()))
        } catch (Failure e) {
            Watch.tick()
            println(e.carried != null)
        } finally {
            Watch.tick()
        }
    }

    static void main(String[] args) {
        Watch.begin(args)
        lists()
        closures()
        properties()
        failures()
        Watch.end()
    }
}
