"""Word statistics, an expression evaluator, classes, generators (Python 2.7)."""

import re
import sys
import time


class Shape(object):
    def weight(self, density):
        return density * self.area()


class Square(Shape):
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side * self.side


class Stack(Shape):
    def __init__(self, *parts):
        self.parts = parts

    def area(self):
        return sum(part.area() for part in self.parts)


TOKEN = re.compile(r"\s*(?:(\d+)|(.))")


def evaluate(text):
    tokens = [(n, c) for n, c in TOKEN.findall(text)] + [("", "")]
    position = [0]

    def peek():
        return tokens[position[0]]

    def advance():
        position[0] += 1
        return tokens[position[0] - 1]

    def factor():
        number, char = advance()
        if number:
            return int(number)
        if char != "(":
            raise ValueError(char)
        value = expression()
        advance()
        return value

    def term():
        value = factor()
        while peek()[1] in ("*", "/") and peek()[1]:
            op = advance()[1]
            value = value * factor() if op == "*" else value // max(1, factor())
        return value

    def expression():
        value = term()
        while peek()[1] in ("+", "-") and peek()[1]:
            op = advance()[1]
            value = value + term() if op == "+" else value - term()
        return value

    return expression()


def primes():
    found = []
    n = 2
    while True:
        if all(n % p for p in found):
            found.append(n)
            yield n
        n += 1


def words(n):
    counts = {}
    seed = 7
    for _ in range(n):
        seed = (seed * 1103515245 + 12345) % 2147483648
        word = "word%d" % (seed // 65536 % 97)
        counts[word] = counts.get(word, 0) + 1
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:4]


def once(size):
    lines = [str(words(size * 60))]
    lines.append(
        str(sum(evaluate("(%d+2)*%d-7/(1+%d)" % (i, i % 9, i % 4)) for i in range(size * 5)))
    )
    shapes = [Square(i) if i % 3 else Stack(Square(i), Square(1)) for i in range(30)]
    lines.append(str(sum(shapes[i % 30].weight(i & 3) for i in range(size * 40))))
    source = primes()
    lines.append(str([next(source) for _ in range(size * 2)][-1]))
    try:
        evaluate("1+)")
    except ValueError as error:
        lines.append("error %s" % error)
    return "\n".join(lines)


def processor_ms():
    with open("/proc/thread-self/schedstat") as stat:
        return int(stat.read().split()[0]) / 1e6


def main():
    size = int(sys.argv[1])
    iterations = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    expected = None
    for _ in range(iterations):
        busy = processor_ms() if iterations > 1 else 0
        start = time.time()
        result = once(size)
        elapsed = time.time() - start
        if expected is None:
            expected = result
            print(result)
        assert expected == result
        if iterations > 1:
            sys.stderr.write("ITER %.3f %.3f\n" % (elapsed * 1000, processor_ms() - busy))


if __name__ == "__main__":
    main()
