import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Calls functions of foreign.c by java.lang.foreign, which call back, a known number of times. In
 * the whole run: 20,000 + 7 + 2 + 3 + 10 + 1 + 1 + 4 = 20,028 downcalls, 10 + 5 + 2 = 17 upcalls.
 */
public class Foreign {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final AddressLayout ADDRESS = ValueLayout.ADDRESS;
  private static final Arena ARENA = Arena.global();
  private static final Linker LINKER = Linker.nativeLinker();

  private static SymbolLookup library;
  private static MethodHandle down;
  private static MemorySegment upStub;

  private static MethodHandle function(
      String name, FunctionDescriptor type, Linker.Option... options) {
    return LINKER.downcallHandle(library.find(name).orElseThrow(), type, options);
  }

  private static MemorySegment stub(String name, MethodType type, FunctionDescriptor descriptor)
      throws ReflectiveOperationException {
    MethodHandle method = MethodHandles.lookup().findStatic(Foreign.class, name, type);
    return LINKER.upcallStub(method, descriptor, ARENA);
  }

  /** Java, function, Java, to depth 10. */
  static int up(int depth) {
    try {
      return depth == 0 ? 0 : 1 + (int) down.invokeExact(upStub, depth - 1);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** No exception leaves it: the VM would end. */
  static int caught(int n) {
    try {
      throw new IllegalStateException("back " + n);
    } catch (IllegalStateException e) {
      return n + 1;
    }
  }

  public static void main(String[] args) throws Throwable {
    library = SymbolLookup.libraryLookup(args[0], ARENA);
    FunctionDescriptor intToInt = FunctionDescriptor.of(INT, INT);
    MethodType ints = MethodType.methodType(int.class, int.class);
    MethodHandle twice = function("twice", intToInt);
    int sum = 0;
    for (int i = 0; i < 20_000; i++) {
      sum += (int) twice.invokeExact(i);
    }
    MethodHandle critical = function("twice", intToInt, Linker.Option.critical(false));
    for (int i = 0; i < 7; i++) {
      sum += (int) critical.invokeExact(i);
    }
    System.out.println(sum);
    structures();
    refused();

    FunctionDescriptor calling = FunctionDescriptor.of(INT, ADDRESS, INT);
    down = function("down", calling);
    upStub = stub("up", ints, intToInt);
    System.out.println(up(10));
    MethodHandle times = function("times", FunctionDescriptor.of(INT, ADDRESS, INT));
    System.out.println((int) times.invokeExact(stub("caught", ints, intToInt), 5));
    threads();
  }

  /** A structure comes in memory, and an error number beside the result: 2 downcalls. */
  private static void structures() throws Throwable {
    MemoryLayout pair =
        MemoryLayout.structLayout(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);
    MethodHandle swapped = function("swapped", FunctionDescriptor.of(pair, pair));
    MemoryLayout state = Linker.Option.captureStateLayout();
    MethodHandle failing =
        function("failing", FunctionDescriptor.of(INT), Linker.Option.captureCallState("errno"));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment given = arena.allocate(pair);
      given.set(ValueLayout.JAVA_LONG, 8, 9);
      MemorySegment result = (MemorySegment) swapped.invoke(arena, given);
      int failed = (int) failing.invoke(arena.allocate(state));
      System.out.println(result.get(ValueLayout.JAVA_LONG, 0) + " " + failed);
    }
  }

  /** Of 6 calls, 3 are refused, as their memory is no longer there: 3 downcalls. */
  private static void refused() throws Throwable {
    MethodHandle first = function("first", FunctionDescriptor.of(INT, ADDRESS));
    for (int i = 0; i < 3; i++) {
      Arena arena = Arena.ofConfined();
      MemorySegment memory = arena.allocate(INT);
      memory.set(INT, 0, i);
      System.out.print((int) first.invoke(memory));
      arena.close();
      try {
        System.out.print((int) first.invoke(memory));
      } catch (IllegalStateException e) {
        System.out.println(" closed");
      }
    }
  }

  /** One downcall starts 2 threads of C, which call back once each; virtual threads call 4 times. */
  private static void threads() throws Throwable {
    MethodHandle started = function("started", FunctionDescriptor.ofVoid(ADDRESS, INT));
    MethodType ints = MethodType.methodType(int.class, int.class);
    MemorySegment caught = stub("caught", ints, FunctionDescriptor.of(INT, INT));
    started.invokeExact(caught, 2);
    MethodHandle twice = function("twice", FunctionDescriptor.of(INT, INT));
    for (int i = 0; i < 2; i++) {
      Thread.ofVirtual().name("virtual").start(() -> twoCalls(twice)).join();
    }
  }

  private static void twoCalls(MethodHandle twice) {
    try {
      int first = (int) twice.invokeExact(1);
      Thread.yield();
      System.out.println(first + (int) twice.invokeExact(2));
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
