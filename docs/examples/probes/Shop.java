/** Sells some things; what it prints does not matter. */
public final class Shop {
  private int sold;

  private int price(int article, long pieces) {
    if (pieces < 0) {
      throw new IllegalArgumentException("pieces");
    }
    return (int) (article * pieces);
  }

  private static boolean isKnown(String customer) {
    return customer.startsWith("A");
  }

  private int sell(int article, long pieces) {
    try {
      sold += price(article, pieces);
    } catch (IllegalArgumentException e) {
      sold--;
    }
    return sold;
  }

  public static void main(String[] args) {
    Shop shop = new Shop();
    for (int article = 1; article <= 8; article++) {
      shop.sell(article, article - 3);
    }
    System.out.println(isKnown("Ada"));
    System.out.println(isKnown("Blaise"));
  }
}
