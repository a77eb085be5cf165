import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Prints what each customer pays for the orders of a file, after discounts. */
public final class Orders {
    interface Discount {
        int of(int cents, int pieces);
    }

    static final class None implements Discount {
        public int of(int cents, int pieces) {
            return 0;
        }
    }

    static final class ByPieces implements Discount {
        public int of(int cents, int pieces) {
            return pieces >= 10 ? cents / 10 : 0;
        }
    }

    static final class ByAmount implements Discount {
        public int of(int cents, int pieces) {
            return cents > 5_000 ? (cents - 5_000) / 20 : 0;
        }
    }

    private static final Discount[] DISCOUNTS = {new None(), new ByPieces(), new ByAmount()};

    public static void main(String[] args) throws IOException {
        List<String> lines = Files.readAllLines(Path.of(args[0]));
        Map<String, Integer> totals = new TreeMap<>();
        for (String line : lines) {
            String[] fields = line.split(",");
            add(totals, fields[0], price(Integer.parseInt(fields[1]), Integer.parseInt(fields[2])));
        }
        totals.forEach((customer, cents) -> System.out.println(customer + " pays " + cents));
    }

    private static void add(Map<String, Integer> totals, String customer, int cents) {
        Integer sum = totals.get(customer);
        totals.put(customer, sum == null ? cents : sum + cents);
    }

    private static int price(int pieces, int centsEach) {
        int cents = pieces * centsEach;
        int best = 0;
        for (Discount discount : DISCOUNTS) {
            best = Math.max(best, discount.of(cents, pieces));
        }
        return cents - best - rest(cents - best);
    }

    /** The cents beyond a multiple of five, taken off one at a time. */
    private static int rest(int cents) {
        return cents % 5 == 0 ? 0 : 1 + rest(cents - 1);
    }
}
