import java.util.stream.IntStream;

/** Sums up what a shop takes in a day: 10,000 sales, at two kinds of prices. */
public final class Prices {
  static final int SALES = 10_000;

  interface Price {
    int of(int cents);
  }

  record Full() implements Price {
    public int of(int cents) {
      return cents;
    }
  }

  record Half() implements Price {
    public int of(int cents) {
      return cents / 2;
    }
  }

  static int total(Price[] prices) {
    return IntStream.range(0, SALES / 2)
        .map(pair -> prices[0].of(2 * pair % 100) + prices[1].of((2 * pair + 1) % 100))
        .boxed() // the class library boxes, not the shop
        .mapToInt(Integer::intValue)
        .sum();
  }

  public static void main(String[] args) {
    System.out.println(total(new Price[] {new Full(), new Half()}));
  }
}
