/** Prints the next number of the VM's sequence of identity hash codes. */
public final class NextHash {
  public static void main(String[] args) {
    System.out.println(System.identityHashCode(new Object()));
  }
}
