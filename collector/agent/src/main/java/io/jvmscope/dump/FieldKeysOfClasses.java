package io.jvmscope.dump;

import io.jvmscope.classfile.ClassFile;
import io.jvmscope.classfile.Unwatched;
import io.jvmscope.probe.Recording;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** The fields of classes by the keys that table {@code field} gives them. */
final class FieldKeysOfClasses implements Recording.DeclaredFields {
  private final List<int[]> fields = new ArrayList<>();
  private final List<Integer> superclasses = new ArrayList<>();
  private final List<String> reasons = new ArrayList<>();
  private final BitSet abstracts = new BitSet();
  private int nextKey;

  /** Adds the next class; {@code excluded} is why it is not instrumented, null if it is. */
  void add(ClassFile file, int superclass, String excluded) {
    int[] keys = new int[file.fields().size()];
    int n = 0;
    for (ClassFile.Field field : file.fields()) {
      if ((field.access() & ClassFile.ACC_STATIC) == 0) {
        keys[n++] = nextKey;
      }
      nextKey++;
    }
    fields.add(Arrays.copyOf(keys, n));
    superclasses.add(superclass);
    abstracts.set(reasons.size(), (file.accessFlags() & ClassFile.ACC_ABSTRACT) != 0);
    reasons.add(excluded == null ? Unwatched.reason(file.name()) : excluded);
  }

  @Override
  public boolean isAbstract(int classId) {
    return abstracts.get(classId);
  }

  @Override
  public int[] instanceFields(int classId) {
    return fields.get(classId);
  }

  @Override
  public int superclass(int classId) {
    return superclasses.get(classId);
  }

  @Override
  public String unwatched(int classId) {
    return reasons.get(classId);
  }

  @Override
  public int classCount() {
    return fields.size();
  }
}
