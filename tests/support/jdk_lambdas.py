"""A program that mostly runs lambdas of the class library's own code, and what they call."""

__all__ = ["SORTING"]

SORTING = """
import java.util.*;

public class Sorting {
  record Named(String name, int number) {}

  public static void main(String[] args) {
    List<Named> all = new ArrayList<>();
    for (int k = 0; k < 100; k++) {
      all.add(new Named("n" + k % 3, k));
    }
    all.sort(Comparator.comparing(Named::name).thenComparing(Named::number));
    System.out.println(all.get(0).number());
  }
}
"""
