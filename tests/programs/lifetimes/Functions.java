import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Lambdas, method references, streams and optional values. */
public class Functions {
  static class Item {
    final int number;

    Item(int number) {
      Watch.see(this);
      this.number = number;
    }

    Item(int born, int number) {
      Watch.see(this, born);
      this.number = number;
    }

    int number() {
      return number;
    }
  }

  static final class Mapped extends Item {
    Mapped(Item item) {
      super(Watch.born("Functions$Mapped"), tick(item).number * 2);
    }
  }

  static final class Captured extends Item {
    Captured(int number) {
      super(number);
    }
  }

  /** Computes once, and lets go of what it computes with. */
  static final class Lazy<T> {
    private Supplier<T> supplier;
    private T value;

    Lazy(Supplier<T> supplier) {
      this.supplier = supplier;
    }

    T get() {
      if (supplier != null) {
        value = supplier.get();
        supplier = null;
      }
      return value;
    }
  }

  static <T> T tick(T object) {
    Watch.tick();
    return object;
  }

  static void lazy() {
    Captured captured = new Captured(1);
    Lazy<Item> lazy = new Lazy<>(() -> new Item(captured.number));
    use(lazy);
  }

  static void use(Lazy<Item> lazy) {
    Watch.tick();
    lazy.get();
    Watch.tick();
    lazy.get();
    lazy = null;
    Watch.tick();
  }

  static Function<Item, Item> adder(Captured captured) {
    return item -> tick(new Item(item.number + captured.number));
  }

  static void composed() {
    Function<Item, Item> function =
        adder(new Captured(1)).andThen(adder(new Captured(2))).compose(Mapped::new);
    Item item = function.apply(new Item(3));
    Watch.tick();
    function = null;
    Watch.tick();
    System.out.println(item.number);
  }

  static void streams() {
    List<Item> items = IntStream.range(0, 6).mapToObj(Item::new).collect(Collectors.toList());
    System.out.println(
        items.stream().filter(item -> item.number % 2 == 0).map(Mapped::new).mapToInt(Item::number)
            .sum());
    List<Item> mapped = items.stream().<Item>map(Mapped::new).limit(3).toList();
    items = null;
    Watch.tick();
    Map<Boolean, List<Item>> parts =
        new HashMap<>(mapped.stream().collect(Collectors.partitioningBy(item -> item.number > 2)));
    mapped = null;
    parts.put(true, null);
    Watch.tick();
    parts = null;
    System.out.println(
        Stream.iterate(new Item(1), item -> tick(new Item(item.number + 1)))
            .skip(2)
            .limit(3)
            .max(Comparator.comparingInt(Item::number))
            .get()
            .number);
    System.out.println(
        Stream.of(new Item(3), new Item(1), new Item(2)).sorted(Comparator.comparing(Item::number))
            .map(item -> tick("" + item.number)).collect(Collectors.joining("-")));
    Iterator<Item> iterator = Stream.generate(() -> new Item(7)).iterator();
    iterator.next();
    tick(iterator.next());
    iterator = null;
    Watch.tick();
  }

  static void optional() {
    Optional<Item> optional = Optional.of(new Item(4));
    int found = optional.map(Mapped::new).filter(item -> tick(item).number > 100)
        .map(Item::number).orElseGet(() -> tick(new Item(5)).number);
    optional = null;
    System.out.println(found + Optional.of(tick(new Item(6))).get().number);
    Watch.tick();
  }

  static void tasks() {
    List<Runnable> tasks = new ArrayList<>();
    for (int k = 0; k < 3; k++) {
      Captured captured = new Captured(k);
      tasks.add(() -> tick(captured));
      tasks.add(captured::number);
    }
    while (!tasks.isEmpty()) {
      tasks.remove(0).run();
    }
    Watch.tick();
  }

  public static void main(String[] args) throws Exception {
    Watch.begin(args);
    lazy();
    composed();
    streams();
    optional();
    tasks();
    Watch.end();
  }
}
