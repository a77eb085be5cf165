package json

import languages.Work

/** Writes n records as JSON, reads them back, and sums up what was read. */
private fun item(i: Int): Map<String, Any?> = mapOf(
    "id" to i,
    "name" to "item \"${i * 7919 % 1000}\"\n",
    "tags" to List(i % 4) { t -> "t${i * t}" },
    "next" to if (i % 3 == 0) null else mapOf("to" to -i),
    "even" to (i % 2 == 0),
)

private fun write(value: Any?): String = when (value) {
    is String -> quoted(value)
    is List<*> -> value.joinToString(",", "[", "]") { write(it) }
    is Map<*, *> -> value.entries.joinToString(",", "{", "}") { (key, each) ->
        "${write(key)}:${write(each)}"
    }
    else -> value.toString()
}

private fun quoted(text: String) = text.asIterable().joinToString("", "\"", "\"") { c ->
    when (c) {
        '"' -> "\\\""
        '\\' -> "\\\\"
        '\n' -> "\\n"
        else -> c.toString()
    }
}

private class Parser(private val text: String) {
    private var at = 0

    fun value(): Any? = when (text[at]) {
        '{' -> fields()
        '[' -> buildList { elements(']') { add(value()) } }
        '"' -> string()
        't' -> word("true", true)
        'f' -> word("false", false)
        'n' -> word("null", null)
        else -> number()
    }

    private fun fields(): Map<String, Any?> = buildMap {
        elements('}') {
            val key = string()
            at++
            put(key, value())
        }
    }

    private inline fun elements(close: Char, read: () -> Unit) {
        at++
        while (text[at] != close) {
            read()
            if (text[at] == ',') at++
        }
        at++
    }

    private fun string(): String = buildString {
        at++
        while (text[at] != '"') {
            var c = text[at++]
            if (c == '\\') c = text[at++].let { if (it == 'n') '\n' else it }
            append(c)
        }
        at++
    }

    private fun word(word: String, value: Boolean?): Boolean? = value.also { at += word.length }

    private fun number(): Int {
        val start = at
        while (text[at] == '-' || text[at].isDigit()) at++
        return text.substring(start, at).toInt()
    }
}

private fun sum(value: Any?): Int = when (value) {
    is Int -> value
    is String -> value.length
    is Boolean -> if (value) 1 else 0
    is List<*> -> value.sumOf { sum(it) }
    is Map<*, *> -> value.entries.sumOf { (key, each) -> sum(key) * 3 + sum(each) }
    else -> 7
}

private fun roundTrip(n: Int): String {
    val text = write(List(n) { item(it) })
    val read = Parser(text).value()
    return "${text.length} ${sum(read)} ${write(read).length}"
}

fun main(args: Array<String>) = Work.run("json", args[0], ::roundTrip)
