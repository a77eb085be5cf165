/* The other way to follow transitions: the VM's events of entry and exit of methods (SPA). The VM
 * then only interprets, so a program gets slower by orders of magnitude. */
#ifndef JVMSCOPE_SPA_H
#define JVMSCOPE_SPA_H

#include <jvmti.h>
#include <stdbool.h>

/* What the events need of the VM. */
void spa_want(jvmtiCapabilities *wanted);

/* Has the VM tell of entries and exits. */
bool spa_listen(jvmtiEnv *jvmti, jvmtiEventCallbacks *callbacks);

#endif
