package io.jvmscope.watch;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;

/**
 * Sees what other agents redefine classes to, before any transformer changes that: the VM passes a
 * transformer that cannot retransform what is loaded or redefined, and nothing else.
 */
final class Redefinitions implements ClassFileTransformer {
  private final ChangedClasses changed;

  Redefinitions(ChangedClasses changed) {
    this.changed = changed;
  }

  @Override
  public byte[] transform(
      Module module,
      ClassLoader loader,
      String name,
      Class<?> redefined,
      ProtectionDomain domain,
      byte[] classFile) {
    if (redefined != null && name != null) {
      ThreadState state = ThreadState.current();
      boolean wasBusy = state.isBusySince();
      try {
        changed.noteReplaced(loader, name, classFile);
      } finally {
        state.isBusy = wasBusy;
      }
    }
    return null;
  }
}
