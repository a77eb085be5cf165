/**
 * Calls of methods that are on the stack, and of methods that might be. Everything is about
 * {@code work} and what it calls: 27 calls. The comments say how many frames are on the stack at
 * the call (that of main, that of work, …) and to which populations it belongs: (potentially)
 * recursive, (truly) recursive, callee on the (stack).
 */
public final class Recursions {
  static int factorial(int n) {
    return n == 0 ? 1 : n * factorial(n - 1); // 3, 4, 5: truly, stack; a static call: not potentially
  }

  static boolean even(int n) {
    return n == 0 || odd(n - 1); // 3; 5: stack
  }

  static boolean odd(int n) {
    return n != 0 && even(n - 1); // 4: stack
  }

  interface Part {
    int size();
  }

  static final class Leaf implements Part {
    @Override
    public int size() {
      return 1;
    }
  }

  record Group(Part first, Part second) implements Part {
    @Override
    public int size() {
      int size = first.size(); // 3: potentially, a leaf; 4: potentially, a leaf
      return size + second.size(); // 3: potentially, truly, stack; 4: potentially, a leaf
    }
  }

  record Wrapper(Leaf leaf) implements Part {
    @Override
    public int size() {
      return leaf.size(); // 3; no leaf is a wrapper
    }
  }

  abstract static class Base {
    int depth(Base next) {
      return next.depth(null); // 4: stack; whatever is a Base and not abstract overrides this
    }
  }

  static final class Deep extends Base {
    @Override
    int depth(Base next) {
      return next == null ? 0 : super.depth(next); // 3
    }
  }

  interface Counted {
    default int count(Counted next) {
      return next == null ? 0 : next.count(null); // 3: potentially, truly, stack; 3: potentially
    }
  }

  static final class One implements Counted {}

  static final class Two implements Counted {
    @Override
    public int count(Counted next) {
      return 2;
    }
  }

  interface Quiet {
    default int say(Quiet next) {
      return next == null ? 0 : next.say(null); // 4: stack; what is Quiet is Loud, and that hides this
    }
  }

  interface Loud extends Quiet {
    @Override
    default int say(Quiet next) {
      return next == null ? 1 : Quiet.super.say(next); // 3
    }
  }

  static final class Voice implements Loud {}

  private int down(int n) {
    return n == 0 ? 0 : down(n - 1); // 3: potentially, truly, stack; private, but invokevirtual
  }

  public static void main(String[] args) {
    Part parts = new Group(new Leaf(), new Group(new Leaf(), new Leaf()));
    Part wrapper = new Wrapper(new Leaf());
    work(parts, wrapper, new Deep(), new One(), new Two(), new Voice(), new Recursions());
  }

  static void work(
      Part parts, Part wrapper, Deep deep, One one, Two two, Voice voice, Recursions self) {
    factorial(3); // 2, and 3 more
    even(3); // 2, and 3 more
    parts.size(); // 2, and 4 more
    wrapper.size(); // 2, and 1 more
    deep.depth(deep); // 2, and 2 more
    one.count(one); // 2, and 1 more
    one.count(two); // 2, and 1 more
    voice.say(voice); // 2, and 2 more
    self.down(1); // 2, and 1 more
  }
}
