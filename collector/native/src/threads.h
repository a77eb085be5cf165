/* What each thread did. Only the thread itself writes its counts, so there are no locks. */
#ifndef JVMSCOPE_THREADS_H
#define JVMSCOPE_THREADS_H

#include <jvmti.h>
#include <stdbool.h>

#include "methods.h"
#include "store.h"

struct thread;

/* A thread begins or ends; called by itself. */
void threads_begin(JNIEnv *env);
void threads_end(JNIEnv *env);

/* From now on nothing is counted that begins. */
void threads_close(void);

/* The recording works on the current thread, or no longer. */
void threads_pause(JNIEnv *env, bool is_paused);

/* Bytecode has called a native method; what `native_leave` has to be given, NULL: nothing. */
struct thread *native_enter(struct method *method, JNIEnv *env);

/* The native method returns. */
void native_leave(struct thread *thread, JNIEnv *env);

/* Native code calls Java through JNI; what `jni_leave` has to be given. A call that is none of
 * the program's is not counted. */
struct thread *jni_enter(JNIEnv *env, enum kind kind, bool is_counted);

void jni_leave(struct thread *thread);

/* The same by events of entry and exit: the native method that is entered, NULL for bytecode. */
void spa_enter(struct method *native, JNIEnv *env);
void spa_leave(JNIEnv *env, bool has_thrown);

/* From now on virtual threads may leave their carrier inside of what was entered. */
void threads_expect_events(void);

#endif
