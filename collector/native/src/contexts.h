/* Where the current thread is in the calling context tree, if calls are recorded. The tree is in
 * memory of the process: jdk.internal.perf.ArenaLayout says how it lies there. */
#ifndef JVMSCOPE_CONTEXTS_H
#define JVMSCOPE_CONTEXTS_H

#include <jni.h>
#include <stdbool.h>
#include <stdint.h>

/* The VM can tell of fields from now on; `functions` are JNI's own. */
void contexts_can_be_told(JNIEnv *env, const struct JNINativeInterface_ *functions);

/* Are calls recorded, and can the VM tell where threads are? */
extern bool contexts_are_known;

/* The link of the node in whose slot a thread will enter what it calls next: the native method's
 * own node, or its caller's where it has none. 0: not known, or nothing is recorded. */
uint32_t contexts_find(JNIEnv *env, jobject thread);

/* Does a thread do the recording's own work? It then has slots that lead to no node. */
bool contexts_is_paused(JNIEnv *env, jobject thread);

#endif
