/** Calls loadClass by the name of a class that no class of this loader has named before. */
public class Named {
  static Class<?> byContext() throws ClassNotFoundException {
    return Thread.currentThread().getContextClassLoader().loadClass("Named");
  }

  public static void main(String[] arguments) throws ClassNotFoundException {
    System.out.println(byContext().getName());
  }
}
