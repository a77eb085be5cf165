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
    int total = 0;
    for (int sale = 0; sale < SALES; sale++) {
      total += prices[sale % prices.length].of(sale % 100);
    }
    return total;
  }

  public static void main(String[] args) {
    System.out.println(total(new Price[] {new Full(), new Half()}));
  }
}
