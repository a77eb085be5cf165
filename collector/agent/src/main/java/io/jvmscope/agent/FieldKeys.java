package io.jvmscope.agent;

import io.jvmscope.probe.Probe;

/** How the code of one class names the fields that it accesses. */
interface FieldKeys {
  /** In the place of a key: the field has no word. */
  int NONE = -1;

  /** The key of an instance field as an instruction names it; NONE if it surely has no word. */
  int key(String owner, String name, String descriptor);

  /** The key of an instance field, whether or not it has a word; NONE if there is no such field. */
  int anyKey(String owner, String name, String descriptor);

  /** Do objects of the class have words for the fields that it declares? */
  boolean isWatched();

  /** Names no fields: no probe follows them. */
  static FieldKeys none(boolean isWatched, boolean isHidden) {
    return new FieldKeys() {
      @Override
      public int key(String owner, String name, String descriptor) {
        return NONE;
      }

      @Override
      public int anyKey(String owner, String name, String descriptor) {
        return NONE;
      }

      @Override
      public boolean isWatched() {
        return isWatched;
      }

      @Override
      public boolean isHidden() {
        return isHidden;
      }
    };
  }

  /** Do probes need the keys of fields? */
  static boolean areWanted(Probe[] probes) {
    return ObjectCode.isWanted(probes) || LifetimeCode.isWanted(probes);
  }

  /** Is it a hidden class? Only such a one may surely name itself: see {@code ProbeCode}. */
  boolean isHidden();
}
