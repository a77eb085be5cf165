/** Methods whose first instruction is a branch target, with and without stack map frames. */
public final class EntryLoops {
  public static void main(String[] args) {
    System.out.println(HandEntryOld.down(5) + HandEntryOld.down(0) + HandEntryOld.down(1));
    System.out.println(HandEntryOld.again(3) + " " + HandEntryOld.recurse(3));
    System.out.println(HandEntryNew.down(5) + HandEntryNew.down(0) + HandEntryNew.down(1));
    System.out.println(HandEntryNew.again(3) + " " + HandEntryNew.recurse(3));
  }
}
