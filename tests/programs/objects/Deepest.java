import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.IntSupplier;

/** Each method's operand stack is deepest at the instruction that probes put code around. */
public class Deepest implements Cloneable {
  static final AtomicIntegerFieldUpdater<Deepest> UPDATER =
      AtomicIntegerFieldUpdater.newUpdater(Deepest.class, "atomic");
  static final VarHandle HANDLE;

  static {
    try {
      HANDLE = MethodHandles.lookup().findVarHandle(Deepest.class, "atomic", int.class);
    } catch (ReflectiveOperationException error) {
      throw new AssertionError(error);
    }
  }

  volatile int atomic;
  long wide;
  double precise;
  Object other;

  static Object element(Object array) { return Array.get(array, 0); }

  static int elementAsInt(Object array) { return Array.getInt(array, 0); }

  static void setElement(Object array, Object element) { Array.set(array, 0, element); }

  Object inherited() throws CloneNotSupportedException { return super.clone(); }

  Object own() throws CloneNotSupportedException { return clone(); }

  static int[] array(int[] array) { return array.clone(); }

  static int hash(Object object) { return object.hashCode(); }

  int superHash() { return super.hashCode(); }

  static int identity(Object object) { return System.identityHashCode(object); }

  static int hashOf(Object object) { return Objects.hashCode(object); }

  static void locked(Object object) { synchronized (object) { } }

  static synchronized void lockedByClass() { }

  synchronized void lockedByMethod() { }

  long wide() { return wide; }

  void wide(long value) { wide = value; }

  void precise(double value) { precise = value; }

  void other(Object value) { other = value; }

  Object other() { return other; }

  static void store(Object[] array, Object element) { array[0] = element; }

  static void copy(Object array) { System.arraycopy(array, 0, array, 0, 1); }

  static Object made() { return new Object(); }

  static Object madeArray() { return new int[3]; }

  static Object madeReferences() { return new Object[3]; }

  static Object madeNested() { return new int[2][3]; }

  static IntSupplier linked(int value) { return () -> value; }

  static String joined(Object one, Object other) { return one + "" + other; }

  boolean swap() { return HANDLE.compareAndSet(this, 0, 1); }

  int exchange() { return (int) HANDLE.compareAndExchange(this, 1, 2); }

  int added() { return (int) HANDLE.getAndAdd(this, 3); }

  boolean update() { return UPDATER.compareAndSet(this, 5, 6); }

  static Object byReflection(Class<?> type) throws Exception {
    return type.getConstructor().newInstance();
  }

  static Object array(Class<?> type) { return Array.newInstance(type, 2, 2); }

  public static void main(String[] args) throws Exception {
    Deepest object = new Deepest();
    Object[] objects = {"a", object};
    int[] numbers = {7};
    StringBuilder text = new StringBuilder();
    text.append(element(numbers)).append(elementAsInt(numbers)).append(element(objects));
    setElement(numbers, 9);
    text.append(array(numbers)[0]).append(object.inherited() == object).append(object.own() == object);
    text.append(hash(object) == identity(object)).append(object.superHash() == hashOf(object));
    locked(object);
    lockedByClass();
    object.lockedByMethod();
    object.wide(3);
    object.precise(0.5);
    object.other(numbers);
    text.append(object.wide()).append(object.other() == numbers);
    store(objects, "b");
    copy(objects);
    text.append(made().getClass()).append(madeArray().getClass()).append(madeReferences().getClass());
    text.append(madeNested().getClass()).append(linked(4).getAsInt()).append(joined(1, "c"));
    text.append(object.swap()).append(object.exchange()).append(object.added());
    text.append(object.update()).append(byReflection(Object.class).getClass());
    text.append(array(long.class).getClass());
    System.out.println(text);
  }
}
