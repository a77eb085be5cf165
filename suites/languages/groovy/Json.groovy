import languages.Work

// Writes n records as JSON, reads them back, and sums up what was read.
Map item(int i) {
    [
        id: i,
        name: "item \"${i * 7919 % 1000}\"\n".toString(),
        tags: (0..<i % 4).collect { "t${i * it}".toString() },
        next: i % 3 ? [to: -i] : null,
        even: i % 2 == 0,
    ]
}

String write(value) {
    switch (value) {
        case String: return quoted(value)
        case List: return "[${value.collect { write(it) }.join(',')}]"
        case Map: return "{${value.collect { k, v -> "${quoted(k)}:${write(v)}" }.join(',')}}"
        default: return "$value"
    }
}

String quoted(String text) {
    "\"${text.collectReplacements { ['"': '\\"', '\\': '\\\\', '\n': '\\n'][it as String] }}\""
}

class JsonParser {
    String text
    int at = 0

    def value() {
        switch (text[at]) {
            case '{': return fields()
            case '[': return items()
            case '"': return string()
            case 't': return word('true', true)
            case 'f': return word('false', false)
            case 'n': return word('null', null)
            default: return number()
        }
    }

    private Map fields() {
        def fields = [:]
        each('}') {
            def key = string()
            at++
            fields[key] = value()
        }
        fields
    }

    private List items() {
        def items = []
        each(']') { items << value() }
        items
    }

    private void each(String close, Closure read) {
        at++
        while (text[at] != close) {
            read()
            if (text[at] == ',') at++
        }
        at++
    }

    private String string() {
        def string = new StringBuilder()
        at++
        while (text[at] != '"') {
            def c = text[at++]
            if (c == '\\') {
                c = text[at++]
                c = c == 'n' ? '\n' : c
            }
            string << c
        }
        at++
        string.toString()
    }

    private word(String word, value) {
        at += word.size()
        value
    }

    private int number() {
        int start = at
        while (at < text.size() && text[at] in '-0123456789'.toList()) at++
        text[start..<at].toInteger()
    }
}

int sum(value) {
    switch (value) {
        case Integer: return value
        case String: return value.size()
        case Boolean: return value ? 1 : 0
        case List: return value.sum(0) { sum(it) }
        case Map: return value.collect { k, v -> k.size() * 3 + sum(v) }.sum(0)
        default: return 7
    }
}

Work.run('json', args[0]) { int n ->
    def text = write((0..<n).collect { item(it) })
    def read = new JsonParser(text: text).value()
    "${text.size()} ${sum(read)} ${write(read).size()}"
}
