/** Table, lookup, string and enum switches, statements and expressions, with fall-through. */
public final class Switches {
  private enum Colour {
    RED,
    GREEN,
    BLUE,
    NONE
  }

  private static int table(int i) { // expect: calls=10
    switch (i) {
      case 1:
        return 11; // expect: executions=1
      case 2:
      case 3:
        i += 20; // expect: executions=2
      // falls through
      case 4:
        i += 40; // expect: executions=3
        break;
      case 6:
        return 66; // expect: executions=1
      default:
        i = -i; // expect: executions=5
    }
    return i; // expect: executions=8
  }

  private static int lookup(int i) {
    return switch (i) { // expect: executions=5
      case -1_000_000 -> 1; // expect: executions=1
      case 0 -> 2; // expect: executions=2
      case Integer.MAX_VALUE -> 3; // expect: executions=1
      default -> 4; // expect: executions=1
    };
  }

  private static int string(String s) { // expect: calls=5
    switch (s) {
      case "Aa":
        return 1; // expect: executions=1
      case "BB":
        return 2; // expect: executions=1
      case "":
        return 3; // expect: executions=1
      default:
        return 4; // expect: executions=2
    }
  }

  private static int colour(Colour c) {
    return switch (c) { // expect: executions=4
      case RED -> 1; // expect: executions=1
      case GREEN, BLUE -> {
        int n = c.ordinal(); // expect: executions=2
        yield n * n;
      }
      case NONE -> throw new IllegalArgumentException(); // expect: executions=1
    };
  }

  private static int character(char c) {
    switch (c) {
      case 'a', 'e', 'i', 'o', 'u':
        return 1; // expect: executions=5
      case ' ':
        return 0; // expect: executions=1
      default:
        return 2; // expect: executions=3
    }
  }

  private static int empty(int i) {
    switch (i) { // expect: executions=2
    }
    switch (i) {
      default:
        return i; // expect: executions=2
    }
  }

  private static int inLoop(int n) {
    int state = 0;
    int steps = 0;
    outer:
    while (true) {
      steps++; // expect: executions=6
      switch (state) {
        case 0:
          state = 2; // expect: executions=2
          continue;
        case 1:
          break outer; // expect: executions=1
        case 2:
          state = steps < n ? 3 : 1; // expect: executions=2
          break;
        default:
          state = 0; // expect: executions=1
      }
      steps++; // expect: executions=3
    }
    return steps;
  }

  public static void main(String[] args) {
    int sum = 0;
    for (int i = 0; i < 10; i++) {
      sum = sum * 3 + table(i);
    }
    System.out.println(sum);
    System.out.println(
        lookup(-1_000_000) + lookup(0) * 10 + lookup(0) + lookup(Integer.MAX_VALUE) + lookup(5));
    System.out.println(
        string("Aa") + string("BB") * 10 + string("") * 100 + string("C#") + string("x"));
    for (Colour c : Colour.values()) {
      try {
        System.out.println(colour(c));
      } catch (IllegalArgumentException e) {
        System.out.println("none"); // expect: executions=1
      }
    }
    int letters = 0;
    for (char c : "a tableau".toCharArray()) {
      letters = letters * 3 + character(c);
    }
    System.out.println(letters + empty(3) + empty(4));
    System.out.println(inLoop(3));
  }
}
